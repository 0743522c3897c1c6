import type { Progress } from "../../../bench/src/command/progress.ts";
import type { Idle } from "./machine.ts";

/** How a trial is run. */
export interface TrialInput {
  /** How much of what `counts` names. */
  count: number;
  /** As in CI: less of everything else, too. */
  short: boolean;
  /** What every choice of the trial follows from. */
  seed: string;
  progress: Progress;
  idle: Idle;
}

/** A program that tries to break a promise of the running service. */
export interface Trial {
  name: string;
  /** The promise, as a sentence. */
  promise: string;
  counts: { of: string; long: number; short: number };
  /** It measures times or memory, so that nothing else may work beside it. */
  measures?: true;
  run(input: TrialInput): Promise<Findings>;
}

/** What a trial found. */
export class Findings {
  /** Measured values by name, in the order in which they were found. */
  readonly figures: [name: string, value: string][] = [];
  /** What broke, a sentence each; empty when every promise held. */
  readonly broken: string[] = [];
  /** How often something was held against its promise: none would prove nothing. */
  checks = 0;

  figure(name: string, value: string | number): void {
    this.figures.push([name, typeof value === "number" ? value.toLocaleString("en") : value]);
  }

  /** Hold something against its promise. `whatBroke` is read when it does not hold. */
  expect(holds: boolean, whatBroke: () => string): void {
    this.checks += 1;
    if (!holds) this.broken.push(whatBroke());
  }
}

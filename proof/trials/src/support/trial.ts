import type { Progress } from "../../../support/progress.ts";
import type { Idle } from "./machine.ts";

export interface TrialInput {
  /** Amount in the unit that `counts` names. */
  count: number;
  /** As in CI: other amounts are smaller too. */
  short: boolean;
  /** Determines every random choice of the trial. */
  seed: string;
  /** Where organizations are, in a trial that does not choose it itself. Undefined for D1, without cells. */
  place: "cell" | undefined;
  /** The commit that the trial of two versions takes as the older one. Undefined for its own choice. */
  older: string | undefined;
  progress: Progress;
  idle: Idle;
}

/** A program that tries to break a promise of the running service. */
export interface Trial {
  name: string;
  promise: string;
  counts: { of: string; long: number; short: number };
  /** Whether it measures times or memory, so that no other trial may run concurrently. */
  measures?: true;
  run(input: TrialInput): Promise<Findings>;
}

export class Findings {
  /** Measured values by name, in order. */
  readonly figures: [name: string, value: string][] = [];
  /** Broken promises, one sentence each; empty when all held. */
  readonly broken: string[] = [];
  /** Why the trial could not measure what it judges. Null if it could. Such a trial does not hold. */
  notMeasured: string | null = null;
  /** Number of checks. A trial without checks proves nothing. */
  checks = 0;

  figure(name: string, value: string | number): void {
    this.figures.push([name, typeof value === "number" ? value.toLocaleString("en") : value]);
  }

  /** Check a promise. `whatBroke` is called only when it does not hold. */
  expect(holds: boolean, whatBroke: () => string): void {
    this.checks += 1;
    if (!holds) this.broken.push(whatBroke());
  }
}

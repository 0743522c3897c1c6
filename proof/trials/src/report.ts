import type { Findings, Trial, TrialInput } from "./support/trial.ts";

/** A broken promise usually breaks often; the first cases explain it. */
const BROKEN_SHOWN = 20;

export function describeTrial(
  { name, promise, counts }: Trial,
  { count, seed }: Pick<TrialInput, "count" | "seed">,
  findings: Findings,
  ms: number,
): string {
  const asked = `- ${counts.of}: ${count.toLocaleString("en")}, seed "${seed}"`;
  return describeFindings({ name, promise }, [asked], findings, ` in ${(ms / 1_000).toFixed(1)} s`);
}

export function describeFindings(
  { name, promise }: Pick<Trial, "name" | "promise">,
  asked: string[],
  findings: Findings,
  took = "",
): string {
  const { figures, broken, checks } = findings;
  const lines = [
    `## ${name}`,
    promise,
    "",
    ...asked,
    ...figures.map(([figure, value]) => `- ${figure}: ${value}`),
    `- ${checks.toLocaleString("en")} checks${took}: ${outcomeOf(findings)}`,
    ...broken.slice(0, BROKEN_SHOWN).map((what) => `  - ${what.replaceAll("\n", "\n    ")}`),
    "",
  ];
  return `${lines.join("\n")}\n`;
}

export const holds = ({ broken, notMeasured }: Findings): boolean =>
  broken.length === 0 && notMeasured === null;

function outcomeOf({ broken, notMeasured }: Findings): string {
  if (broken.length > 0) return `BROKEN ${broken.length} times`;
  return notMeasured === null ? "held" : `not measured: ${notMeasured}`;
}

/** The report of a trial that could not continue. */
export function describeFailure({ name }: Trial, error: unknown): string {
  return `## ${name}\n\nFAILED: ${explain(error)}\n\n`;
}

export function explain(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

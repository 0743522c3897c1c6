import type { Evaluation, EvaluationResult } from "@engram/sdk";
import { type Command, InvalidArgumentError } from "commander";
import { contextOf } from "../context.ts";
import { oneLine } from "../output.ts";

const EXIT_FELL = 1;
const DIGITS = 3;

interface Options {
  tolerance: number;
}

/** Mean of what evaluations say of their runs. */
interface Scores {
  any: number;
  ndcg: number;
}

export function addEvaluate(program: Command): void {
  program
    .command("evaluate")
    .description("Run all evaluations, and compare them with their last runs; needs the scope search")
    .option("--tolerance <share>", "how much nDCG may fall before the command fails, 0 to 1", share, 0)
    .addHelpText(
      "after",
      `
Searches once for each evaluation. Prints any@k (the share of the queries that find anything expected), nDCG
and the expected items that moved. Exits with 1 if the mean nDCG fell by more than the tolerance. Evaluations
that never ran before are not compared.

Examples:
  $ engram evaluate
  $ engram evaluate --tolerance 0.02 --json
`,
    )
    .action(async ({ tolerance }: Options, command: Command) => {
      const { output, client } = contextOf(command);
      const { evaluations } = client();
      const results: EvaluationResult[] = [];
      for await (const { id } of evaluations.list()) results.push(await evaluations.run(id));
      const again = results.filter(({ previous }) => previous !== null);
      const [now, before, compared] = [
        meanOf(results.map(({ evaluation }) => evaluation.last_run)),
        meanOf(again.map(({ previous }) => previous)),
        meanOf(again.map(({ evaluation }) => evaluation.last_run)),
      ];
      const fell = again.length > 0 && before.ndcg - compared.ndcg > tolerance + Number.EPSILON;
      const moved = results.flatMap(({ evaluation, moved: items }) =>
        items.map((item) => ({ evaluation_id: evaluation.id, ...item })),
      );
      output.data(
        { queries: results.length, ...now, compared: again.length, before, fell, moved, results },
        () =>
          [
            `${results.length} queries: any@k ${shown(now.any)}, nDCG ${shown(now.ndcg)}`,
            ...(again.length === 0
              ? []
              : [`${again.length} of them before: any@k ${shown(before.any)}, nDCG ${shown(before.ndcg)}`]),
            ...results.flatMap(({ evaluation, moved: items }) =>
              items.map(
                ({ id, before: from, now: to }) =>
                  `${queryOf(evaluation)}: ${id} ${from ?? "not found"} -> ${to ?? "not found"}`,
              ),
            ),
            ...(fell ? ["nDCG fell."] : []),
          ].join("\n"),
      );
      if (fell) process.exitCode = EXIT_FELL;
    });
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("must be a number from 0 to 1");
  return value;
}

function meanOf(runs: (Scores | { any: boolean; ndcg: number } | null)[]): Scores {
  const known = runs.filter((run) => run !== null);
  const mean = (of: (run: (typeof known)[number]) => number) =>
    known.length === 0 ? 0 : known.reduce((sum, run) => sum + of(run), 0) / known.length;
  return { any: mean(({ any }) => Number(any)), ndcg: mean(({ ndcg }) => ndcg) };
}

const shown = (value: number): string => value.toFixed(DIGITS);

const queryOf = ({ request }: Evaluation): string => oneLine(String(request.query));

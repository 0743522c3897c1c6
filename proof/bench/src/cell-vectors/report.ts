import { markdownTable } from "../command/tables.ts";
import { type Figures, TYPES } from "./measure.ts";
import type { Recall } from "./recall.mjs";

export interface Measurement {
  machine: { cores: number; node: string };
  figures: readonly Figures[];
  /** Undefined without data. */
  real: { vectors: number; queries: number; recall: Recall } | undefined;
}

export function formatReport({ machine, figures, real }: Measurement): string {
  return `# Vectors in a cell

Measured by \`npm run bench:cell-vectors\` on ${machine.cores} cores, with Node ${machine.node}; [the README](../README.md#vectors-in-a-cell) describes how. Times are in milliseconds, and sizes in megabytes.

${markdownTable([
  ["", "load", "rows in memory", "query, p50", "p95", "narrow filter, p50", "p95"],
  ...figures.flatMap(toRows),
])}

${markdownTable([
  ["", "upsert of 1", "of 1,000", "recall@10", "recall@100"],
  ...figures.map((figure) => [
    toTitle(figure),
    ...[figure.upsertOneMs, figure.upsertManyMs].map(short),
    ...[figure.recall10, figure.recall100].map(percent),
  ]),
])}
${real === undefined ? "" : formatReal(real)}`;
}

const toRows = (figure: Figures): string[][] =>
  TYPES.map((type) => {
    const { loadMs, megabytes, queries } = figure.byType[type];
    const times = [queries.none.p50, queries.none.p95, queries.narrow.p50, queries.narrow.p95];
    return [`${toTitle(figure)}, ${type}`, short(loadMs), megabytes.toFixed(0), ...times.map(short)];
  });

const formatReal = ({ vectors, queries, recall }: NonNullable<Measurement["real"]>): string => `
## Vectors of texts

${vectors.toLocaleString("en")} vectors of the built-in embedder, and ${queries.toLocaleString("en")} questions.

${markdownTable([
  ["", "recall@10", "recall@100"],
  ["int8, then float32", percent(recall.rescored.at10), percent(recall.rescored.at100)],
  ["int8 alone", percent(recall.codes.at10), percent(recall.codes.at100)],
])}
`;

const toTitle = ({ vectors, dimensions }: Figures): string =>
  `${vectors.toLocaleString("en")} × ${dimensions}`;

const short = (ms: number): string => ms.toFixed(1);
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

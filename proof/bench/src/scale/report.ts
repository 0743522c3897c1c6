import { markdownTable } from "../command/tables.ts";
import type { IdleCells } from "./idle-cells.ts";
import type { Figures } from "./measure.ts";

/** The added time at which a search in a cell has a goal, against one in D1. */
const GOAL = { addedMs: 20, ratio: 0.45 };
const MEMORY_GOAL_BYTES = 80e6;
const MEGABYTE = 1e6;

export interface Measurement {
  machine: { cores: number; node: string };
  samples: number;
  loadPerSecond: number;
  figures: readonly Figures[];
  idle: IdleCells;
}

export function formatReport({ machine, samples, loadPerSecond, figures, idle }: Measurement): string {
  const grown = (after: number, before: number) => `${((after - before) / MEGABYTE).toFixed(0)} MB`;
  const goals = figures
    .filter(({ addedMs }) => addedMs === GOAL.addedMs)
    .map((figure) => {
      const ratio = figure.search.cell.p50 / figure.search.d1.p50;
      const name = `Search, ${GOAL.addedMs} ms added, ${titleOf(figure)}: cell against D1`;
      return [name, `at most ${GOAL.ratio} ×`, `${ratio.toFixed(2)} ×`, met(ratio <= GOAL.ratio)];
    });
  const held = idle.reopenedIdle - idle.restarted;
  const memory = `${idle.cells} idle cells, memory together`;
  return `# Cells beside D1

Made by \`npm run bench:scale\` on ${machine.cores} cores, with Node ${machine.node}; [the README](../README.md#scale) describes how. Times are in milliseconds, p50 / p99 of ${samples} requests of one organization in each place, by turns. The others together have ${loadPerSecond} requests a second, half of them in each place.

## Goals

${markdownTable([
  ["", "goal", "measured", ""],
  ...goals,
  [memory, `at most ${MEMORY_GOAL_BYTES / MEGABYTE} MB`, grown(held, 0), met(held <= MEMORY_GOAL_BYTES)],
])}

## Times

${markdownTable([
  [
    "in each place",
    "added",
    "append, D1",
    "cell",
    "ratio",
    "search, D1",
    "cell",
    "ratio",
    "calls of a search",
  ],
  ...figures.map((figure) => [
    titleOf(figure),
    String(figure.addedMs),
    ...compared(figure.append),
    ...compared(figure.search),
    `${figure.calls.d1} / ${figure.calls.cell}`,
  ]),
])}

## Memory of ${idle.cells} cells

Each has one message, and was searched once. "Idle" is 30 seconds without a call. The memory is that of workerd, with its Worker and stand-ins.

${markdownTable([
  ["", "more than before", "idle"],
  ["created", grown(idle.created, idle.before), grown(idle.idle, idle.before)],
  [
    "opened again after a restart",
    grown(idle.reopened, idle.restarted),
    grown(idle.reopenedIdle, idle.restarted),
  ],
])}

Without them, workerd has ${grown(idle.restarted, 0)}.
`;
}

const titleOf = ({ organizations, messages }: Figures): string =>
  `${organizations.toLocaleString("en")} of ${messages.toLocaleString("en")} messages`;

const compared = ({ d1, cell }: Figures["append"]): string[] => [
  ...[d1, cell].map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(0)}`),
  (cell.p50 / d1.p50).toFixed(2),
];

const met = (isMet: boolean): string => (isMet ? "met" : "**missed**");

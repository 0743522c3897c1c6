import { markdownTable } from "../command/tables.ts";
import { median } from "../speed/statistics.ts";
import type { IdleCells } from "./idle-cells.ts";
import type { Figures } from "./measure.ts";

/** The added time at which a search in a cell has a goal, against one in D1. */
const GOAL = { addedMs: 20, ratio: 0.45 };
/** Share of the time in which workerd may wait for a processor. Beyond it, the times show the machine's other work. */
const WAITED_MAX = 0.1;
const MEMORY_GOAL_BYTES = 80e6;
const MEGABYTE = 1e6;

export interface Measurement {
  machine: { cores: number; node: string };
  samples: number;
  loadPerSecond: number;
  figures: readonly Figures[];
  /** One for each time that it was measured. */
  idle: readonly IdleCells[];
}

export function formatReport({ machine, samples, loadPerSecond, figures, idle }: Measurement): string {
  const grown = (bytesOf: (once: IdleCells) => number) => {
    const megabytes = idle.map((once) => bytesOf(once) / MEGABYTE);
    const [least, most] = [Math.min(...megabytes), Math.max(...megabytes)];
    return `${median(megabytes).toFixed(0)} MB (${least.toFixed(0)} to ${most.toFixed(0)})`;
  };
  const goals = figures
    .filter(({ addedMs }) => addedMs === GOAL.addedMs)
    .map((figure) => {
      const ratio = figure.search.cell.p50 / figure.search.d1.p50;
      const name = `Search, ${GOAL.addedMs} ms added, ${titleOf(figure)}: cell against D1`;
      const verdict = figure.waited > WAITED_MAX ? "not judged" : met(ratio <= GOAL.ratio);
      return [name, `at most ${GOAL.ratio} ×`, `${ratio.toFixed(2)} ×`, verdict];
    });
  const memories = HELD.map(([name, bytesOf]) => [
    `${idle[0]?.cells ?? 0} idle cells, ${name}`,
    `at most ${MEMORY_GOAL_BYTES / MEGABYTE} MB`,
    grown(bytesOf),
    met(median(idle.map(bytesOf)) <= MEMORY_GOAL_BYTES),
  ]);
  return `# Cells beside D1

Made by \`npm run bench:scale\` on ${machine.cores} cores, with Node ${machine.node}; [the README](../README.md#scale) describes how. Times are in milliseconds, p50 / p99 of ${samples} requests of one organization in each place, by turns. The others together have ${loadPerSecond} requests a second, half of them in each place.

## Goals

${markdownTable([["", "goal", "measured", ""], ...goals, ...memories])}

## Times

Calls and processor time are those of a search in D1 / in a cell. "Waited" is the share of the time in which workerd had work, but other work on the machine had the processors: the more, the less the times say. Above ${100 * WAITED_MAX} %, a goal is not judged.

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
    "its processor time",
    "waited",
  ],
  ...figures.map((figure) => [
    titleOf(figure),
    String(figure.addedMs),
    ...compared(figure.append),
    ...compared(figure.search),
    `${figure.calls.d1} / ${figure.calls.cell}`,
    `${figure.processorMs.d1.toFixed(1)} / ${figure.processorMs.cell.toFixed(1)}`,
    `${(100 * figure.waited).toFixed(0)} %`,
  ]),
])}

## Memory of ${idle[0]?.cells ?? 0} cells

Each has one message, and was searched once. "Idle" is 30 seconds without a call. The memory is that of workerd, with its Worker and stand-ins: the median of ${idle.length} times (and the range), each with new data.

${markdownTable([
  ["", "more than before", "idle"],
  ["created", grown((once) => once.created - once.before), grown(HELD[0][1])],
  ["opened again after a restart", grown((once) => once.reopened - once.restarted), grown(HELD[1][1])],
])}

Without them, workerd has ${grown((once) => once.restarted)}.
`;
}

/** What idle cells add to the memory. */
const HELD = [
  ["created", (once: IdleCells) => once.idle - once.before],
  ["opened again after a restart", (once: IdleCells) => once.reopenedIdle - once.restarted],
] as const;

const titleOf = ({ organizations, messages }: Figures): string =>
  `${organizations.toLocaleString("en")} of ${messages.toLocaleString("en")} messages`;

const compared = ({ d1, cell }: Figures["append"]): string[] => [
  ...[d1, cell].map(({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(0)}`),
  (cell.p50 / d1.p50).toFixed(2),
];

const met = (isMet: boolean): string => (isMet ? "met" : "**missed**");

import { markdownTable } from "../command/tables.ts";
import type { Figures } from "./measure.ts";

export interface Measurement {
  machine: { cores: number; node: string };
  figures: readonly Figures[];
}

/** Goals at this number of readers. */
const GOAL_READERS = 100;
const DELIVERY_GOAL_MS = 30;
const APPEND_GOAL = 1.3;

export function formatReport({ machine, figures }: Measurement): string {
  return `# Live updates

Measured by \`npm run bench:live\` on ${machine.cores} cores, with Node ${machine.node}; [the README](../README.md#live-updates) describes how. All times are in milliseconds. The service and all readers share the cores, so with many readers a part of the time is the readers' own. Each figure is from ${figures[0]?.appends ?? 0} appends, so with one reader "p99" is the slowest of them. Compare figures only within this page.

## Goals

${markdownTable([
  ["", "goal", "measured", ""],
  ...figures.filter(({ readers }) => readers === GOAL_READERS).flatMap(toGoals),
])}

## From the append to the reader

"After the response" begins when the append is answered, and is negative if the event was at the reader before. "After the request" begins when the append is sent. "Last" is the last of the readers.

${markdownTable([
  [
    "",
    "readers",
    "after the response, p50",
    "p99",
    "last, p50",
    "last, p99",
    "after the request, p50",
    "p99",
  ],
  ...figures.map(({ title, readers, afterAnswer, lastAfterAnswer, afterRequest }) => [
    title,
    readers.toLocaleString("en"),
    ...[afterAnswer, lastAfterAnswer, afterRequest].flatMap(({ p50, p99 }) => [short(p50), short(p99)]),
  ]),
])}

## What an append costs

The median time of an append to an organization with readers, and of appends to one without, in turns.

${markdownTable([
  ["", "readers", "with readers", "without", "ratio"],
  ...figures.map((figure) => [
    figure.title,
    figure.readers.toLocaleString("en"),
    short(figure.listenedMs),
    short(figure.loneMs),
    `${toRatio(figure).toFixed(2)} ×`,
  ]),
])}
`;
}

function toGoals(figure: Figures): string[][] {
  const { title, readers, lastAfterAnswer } = figure;
  const ratio = toRatio(figure);
  const verdict = (isMet: boolean) => (isMet ? "met" : "**missed**");
  return [
    [
      `${title}, the last of ${readers} readers: p50 after the response`,
      `≤ ${DELIVERY_GOAL_MS} ms`,
      `${short(lastAfterAnswer.p50)} ms`,
      verdict(lastAfterAnswer.p50 <= DELIVERY_GOAL_MS),
    ],
    [
      `${title}, ${readers} readers: append, compared with none`,
      `≤ ${APPEND_GOAL} ×`,
      `${ratio.toFixed(2)} ×`,
      verdict(ratio <= APPEND_GOAL),
    ],
  ];
}

const toRatio = ({ listenedMs, loneMs }: Figures): number => listenedMs / loneMs;

const short = (ms: number): string => ms.toFixed(1);

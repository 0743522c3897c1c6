import { MIN_RELEVANCE_FOR_MODELS } from "@engram/spec";
import { UNLIKELY } from "../recall/report.ts";
import type { MeasuredStore } from "./measure.ts";

const FLOORS = [0.002, MIN_RELEVANCE_FOR_MODELS, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.4, 0.6];
/** Of a hundred unrelated questions, at least this number gets nothing at the relevance 0.25. */
const SILENT_MIN = 85;

/** Percent of the found evidence that a floor leaves out. Null without evidence. */
function lostAt(stores: readonly MeasuredStore[], floor: number): number | null {
  const results = stores.flatMap(({ answered }) => answered.flat());
  const sum = (some: typeof results) => some.reduce((count, { evidence }) => count + evidence, 0);
  const all = sum(results);
  return all === 0 ? null : (100 * sum(results.filter(({ relevance }) => relevance < floor))) / all;
}

/** Percent of queries that get a result in spite of a floor. */
const answeredAt = (highest: readonly number[], floor: number): number =>
  (100 * highest.filter((relevance) => relevance >= floor && relevance > 0).length) /
  Math.max(1, highest.length);

interface Group {
  title: string;
  stores: MeasuredStore[];
}

/** By number of conversations, and the sets as a whole. */
function groupsOf(measured: readonly MeasuredStore[]): Group[] {
  const parts = measured.filter(({ isWhole }) => !isWhole);
  const bySize = Map.groupBy(parts, ({ conversations }) => conversations);
  const wholes = Map.groupBy(
    measured.filter(({ isWhole }) => isWhole),
    ({ set }) => set,
  );
  return [
    ...[...bySize]
      .sort(([a], [b]) => a - b)
      .map(([size, stores]) => ({ title: `${size} conversation${size === 1 ? "" : "s"}`, stores })),
    ...[...wholes].map(([set, stores]) => ({ title: `all of ${set}`, stores })),
  ];
}

/** Three tables with a line for each group of stores: what each floor loses of the evidence, and what gets an answer. */
export function formatCurves(measured: readonly MeasuredStore[]): string {
  const groups = groupsOf(measured);
  const width = Math.max(...groups.map(({ title }) => title.length));
  const line = (title: string, cells: readonly (number | null)[]) =>
    [title.padEnd(width), ...cells.map((cell) => (cell === null ? "" : cell.toFixed(1)).padStart(6))].join(
      " ",
    );
  const table = (title: string, cellsOf: (group: Group) => (number | null)[]) =>
    [title, ...groups.map((group) => line(group.title, cellsOf(group)))].join("\n");
  const flat = (stores: MeasuredStore[], kind: "unrelated" | "gibberish") =>
    stores.flatMap((store) => store[kind]);
  return [
    `${measured[0]?.model}; percent at each floor:`,
    [" ".repeat(width), ...FLOORS.map((floor) => String(floor).padStart(6))].join(" "),
    table("evidence lost", ({ stores }) => FLOORS.map((floor) => lostAt(stores, floor))),
    table("unrelated questions answered", ({ stores }) =>
      FLOORS.map((floor) => answeredAt(flat(stores, "unrelated"), floor)),
    ),
    table("gibberish answered", ({ stores }) =>
      FLOORS.map((floor) => answeredAt(flat(stores, "gibberish"), floor)),
    ),
  ].join("\n\n");
}

/** The bounds that a group of stores does not hold, each as a line. */
export function findFailures(measured: readonly MeasuredStore[]): string[] {
  return groupsOf(measured.filter(({ isWhole }) => !isWhole)).flatMap(({ title, stores }) => {
    const silent =
      100 -
      answeredAt(
        stores.flatMap(({ unrelated }) => unrelated),
        UNLIKELY.off_topic,
      );
    const gibberish = answeredAt(
      stores.flatMap((store) => store.gibberish),
      MIN_RELEVANCE_FOR_MODELS,
    );
    return [
      ...(silent < SILENT_MIN
        ? [`${title}: only ${silent.toFixed(1)} % of unrelated questions get nothing.`]
        : []),
      ...(gibberish > 0 ? [`${title}: ${gibberish.toFixed(1)} % of gibberish gets an answer.`] : []),
    ];
  });
}

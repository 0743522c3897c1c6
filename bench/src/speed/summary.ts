import type { SystemName } from "./args.ts";
import type { Goal } from "./goals.ts";
import type { Large } from "./large.ts";
import type { BareInserts } from "./limits.ts";
import type { MeasuredRound } from "./peers.ts";
import { median, percentile, summarize, type Times } from "./statistics.ts";

/** One way to search a system, over all its rounds. */
export interface SearchFigures extends Times {
  /** The median of each round on its own. */
  p50OfRounds: number[];
  /** Null where more than vectors ranks the results. */
  recall: number | null;
  /** A scan of all vectors in the memory of who asks, beside these searches. */
  scanP50: number;
  /** An empty request beside these searches; null where nothing goes over HTTP. */
  emptyP50: number | null;
}

/** One system, over all its rounds. */
export interface SystemFigures {
  name: SystemName;
  /** For people. */
  title: string;
  versions: string[];
  /** Whether it keeps conversations, or stores and finds vectors alone. */
  job: "memory" | "vectors";
  rounds: number;
  /** Messages a second, by how they come: one by one, in batches, in batches until they can be found by meaning. */
  appended: { singly: number; batched: number; settled: number };
  /** By the way to search. */
  searches: Record<string, SearchFigures>;
  /** The most that any round took; null where it cannot be told. */
  residentBytes: number | null;
}

/** What the same rows take at the least, in requests a second as messages. */
export interface InsertFigures {
  singly: number;
  batched: number;
}

export interface LargeFigures {
  sizes: Large["sizes"];
  /** Median milliseconds in the small and in the large. */
  append: { small: number; large: number };
  indexed: { small: number; large: number };
  /** By size and way: "small hybrid", … */
  searches: Record<string, Times & { recall: number | null }>;
  /** Messages a second while the large organization was filled, until kept and until indexed. */
  loaded: { kept: number; indexed: number };
}

/** All that a run found out. */
export interface Measurement {
  machine: { cores: number; node: string; platform: string };
  messages: number;
  singles: number;
  queries: number;
  warmUps: number;
  rounds: number;
  /** Windows that Engram makes of the messages, each a vector; 0 when it was not measured. */
  windows: number;
  systems: SystemFigures[];
  inserts: InsertFigures | null;
  large: LargeFigures | null;
  /** What could not be measured, and why. */
  skipped: { name: string; reason: string }[];
  goals: Goal[];
}

/** Rates are the median of the rounds; percentiles are of the searches of all rounds together. */
export function summarizeRounds(
  rounds: readonly MeasuredRound[],
): Pick<SystemFigures, "rounds" | "appended" | "searches" | "residentBytes"> {
  const rate = (toMs: (round: MeasuredRound) => number, toMessages: (round: MeasuredRound) => number) =>
    median(rounds.map((round) => (1_000 * toMessages(round)) / toMs(round)));
  const beside = (name: string) => rounds.flatMap((round) => round.beside[name] ?? []);
  const empty = percentile(beside("empty"), 0.5);
  const residentBytes = Math.max(...rounds.map((round) => round.residentBytes));
  return {
    rounds: rounds.length,
    appended: {
      singly: rate(
        ({ singleMs }) => sum(singleMs),
        ({ singleMs }) => singleMs.length,
      ),
      batched: rate(
        ({ batchMs }) => sum(batchMs),
        ({ messages }) => messages,
      ),
      settled: rate(
        ({ settledMs }) => settledMs,
        ({ messages }) => messages,
      ),
    },
    searches: Object.fromEntries(
      Object.keys(rounds[0]?.searches ?? {}).map((way) => {
        const searched = rounds.flatMap((round) => round.searches[way] ?? []);
        const figures: SearchFigures = {
          ...summarize(searched.flatMap(({ ms }) => ms)),
          p50OfRounds: searched.map(({ ms }) => percentile(ms, 0.5)),
          recall: searched[0]?.recall ?? null,
          scanP50: percentile(beside("scan"), 0.5),
          emptyP50: Number.isNaN(empty) ? null : empty,
        };
        return [way, figures];
      }),
    ),
    residentBytes: Number.isNaN(residentBytes) ? null : residentBytes,
  };
}

/** Rows a second, the median of the rounds. */
export function summarizeInserts(rounds: readonly BareInserts[]): InsertFigures {
  return {
    singly: median(rounds.map(({ singleMs }) => (1_000 * singleMs.length) / sum(singleMs))),
    batched: median(rounds.map(({ batchMs, messages }) => (1_000 * messages) / sum(batchMs))),
  };
}

export function summarizeLarge({ sizes, appendMs, indexedMs, searches, loadMs }: Large): LargeFigures {
  const messages = 1_000 * sizes.organizations.large;
  return {
    sizes,
    append: { small: median(appendMs.small), large: median(appendMs.large) },
    indexed: { small: median(indexedMs.small), large: median(indexedMs.large) },
    searches: Object.fromEntries(
      Object.entries(searches).map(([name, { ms, recall }]) => [name, { ...summarize(ms), recall }]),
    ),
    loaded: { kept: messages / loadMs.kept, indexed: messages / loadMs.indexed },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

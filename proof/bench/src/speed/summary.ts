import { quantile } from "../../../support/statistics.ts";
import type { SystemName } from "./args.ts";
import type { Goal } from "./goals.ts";
import type { Large } from "./large.ts";
import type { BareInserts } from "./limits.ts";
import type { MeasuredRound } from "./peers.ts";
import { median, summarize, type Times } from "./statistics.ts";

export interface SearchFigures extends Times {
  /** The median of each round. */
  p50OfRounds: number[];
  /** Null when the ranking uses more than vectors. */
  recall: number | null;
  /** Median time of scanning all vectors in the caller's memory, measured after each search. */
  scanP50: number;
  /** Median time of an empty request, measured after each search; null without HTTP. */
  emptyP50: number | null;
}

export interface SystemFigures {
  name: SystemName;
  title: string;
  versions: string[];
  /** Whether it is a memory or stores and finds vectors only. */
  job: "memory" | "vectors";
  rounds: number;
  /** Messages per second: one by one, in batches, and in batches until they can be found by meaning. */
  appended: { singly: number; batched: number; settled: number };
  /** By kind of search. */
  searches: Record<string, SearchFigures>;
  /** Peak of all rounds; null where it cannot be measured. */
  residentBytes: number | null;
}

/** Lower bound for storing the same rows, in messages per second. */
export interface InsertFigures {
  singly: number;
  batched: number;
}

export interface LargeFigures {
  sizes: Large["sizes"];
  /** Median milliseconds at each size. */
  append: { small: number; large: number };
  indexed: { small: number; large: number };
  /** By size and kind of search: "small hybrid", … */
  searches: Record<string, Times & { recall: number | null }>;
  /** Messages per second while filling the large organization, until stored and until indexed. */
  loaded: { kept: number; indexed: number };
}

export interface Measurement {
  machine: { cores: number; node: string; platform: string };
  messages: number;
  singles: number;
  queries: number;
  warmUps: number;
  rounds: number;
  /** Windows that Engram makes of the messages, each with one vector; 0 when Engram was not measured. */
  windows: number;
  systems: SystemFigures[];
  inserts: InsertFigures | null;
  large: LargeFigures | null;
  skipped: { name: string; reason: string }[];
  goals: Goal[];
}

/** Rates are the median of the rounds. Percentiles cover the searches of all rounds together. */
export function summarizeRounds(
  rounds: readonly MeasuredRound[],
): Pick<SystemFigures, "rounds" | "appended" | "searches" | "residentBytes"> {
  const rate = (toMs: (round: MeasuredRound) => number, toMessages: (round: MeasuredRound) => number) =>
    median(rounds.map((round) => (1_000 * toMessages(round)) / toMs(round)));
  const baseline = (name: string) => rounds.flatMap((round) => round.baselines[name] ?? []);
  const empty = quantile(baseline("empty"), 0.5);
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
          p50OfRounds: searched.map(({ ms }) => quantile(ms, 0.5)),
          recall: searched[0]?.recall ?? null,
          scanP50: quantile(baseline("scan"), 0.5),
          emptyP50: Number.isNaN(empty) ? null : empty,
        };
        return [way, figures];
      }),
    ),
    residentBytes: Number.isNaN(residentBytes) ? null : residentBytes,
  };
}

/** Rows per second, as the median of the rounds. */
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

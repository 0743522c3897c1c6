import type { SystemName } from "./args.ts";
import type { Large } from "./large.ts";
import type { Times } from "./statistics.ts";

export interface Goal {
  name: string;
  /** The goal as text for the report. */
  goal: string;
  /** In the goal's unit; null when it was not measured. */
  measured: number | null;
  /** Null when it was not measured. */
  met: boolean | null;
}

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
  /** Messages per second: one by one, in batches, and in batches until they can be found by meaning. */
  appended: { singly: number; batched: number; settled: number };
  /** By kind of search. */
  searches: Record<string, SearchFigures>;
  /** Seconds from an append until a search by meaning finds the message; null without such a search. */
  found: { messages: number; median: number; slowest: number } | null;
  /** Peak of all rounds; null where it cannot be measured. */
  memoryBytes: number | null;
}

export interface CallFigures extends Times {
  perSecond: number;
}

/** Several clients that call a system at once. */
export interface AtOnceFigures {
  name: SystemName;
  title: string;
  versions: string[];
  /** How they call it. */
  called: string;
  /** Of one message each. */
  appends: CallFigures;
  /** By kind of search. */
  searches: Record<string, CallFigures>;
}

/** Frequent requests with their defaults: a search over long messages, one for a conversation, and contexts. */
export interface RequestFigures {
  longSearch: Times;
  conversation: Times;
  context: Times;
  /** A search of messages and memories with the query and the size of the context. */
  sameSearch: Times;
  contextWithoutQuery: Times;
  /** Median time of an empty request between them. */
  emptyP50: number;
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
  /** Whether a service was measured that ran before. */
  isRemote: boolean;
  machine: { cores: number; node: string; platform: string };
  messages: number;
  queries: number;
  warmUps: number;
  rounds: number;
  /** Windows that Engram makes of the messages, each with one vector; 0 when Engram was not measured. */
  windows: number;
  systems: SystemFigures[];
  /** Calls of each client in each part of `atOnce`. */
  calls: number;
  /** Empty when they were not measured. */
  atOnce: AtOnceFigures[];
  /** Memory of Engram after its start, the highest of all rounds; NaN where it cannot be measured. */
  restBytes: number | null;
  requests: RequestFigures | null;
  inserts: InsertFigures | null;
  large: LargeFigures | null;
  skipped: { name: string; reason: string }[];
  goals: Goal[];
}

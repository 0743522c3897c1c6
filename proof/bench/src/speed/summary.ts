import { quantile } from "../../../support/statistics.ts";
import type { AtOnce, Calls } from "./at-once.ts";
import type {
  AtOnceFigures,
  CallFigures,
  InsertFigures,
  LargeFigures,
  RequestFigures,
  SearchFigures,
  SystemFigures,
} from "./figures.ts";
import type { Large } from "./large.ts";
import type { BareInserts } from "./limits.ts";
import type { MeasuredRound } from "./peers.ts";
import type { FrequentRequests } from "./requests.ts";
import { median, summarize } from "./statistics.ts";

/** Rates are the median of the rounds. Percentiles cover the searches of all rounds together. */
export function summarizeRounds(
  rounds: readonly MeasuredRound[],
): Pick<SystemFigures, "appended" | "searches" | "found" | "memoryBytes"> {
  const rate = (toMs: (round: MeasuredRound) => number, toMessages: (round: MeasuredRound) => number) =>
    median(rounds.map((round) => (1_000 * toMessages(round)) / toMs(round)));
  const baseline = (name: string) => rounds.flatMap((round) => round.baselines[name] ?? []);
  const empty = quantile(baseline("empty"), 0.5);
  const memoryBytes = Math.max(...rounds.map((round) => round.memoryBytes));
  const foundMs = rounds.flatMap((round) => round.foundMs);
  return {
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
    found:
      foundMs.length === 0
        ? null
        : {
            messages: foundMs.length,
            median: median(foundMs) / 1_000,
            slowest: Math.max(...foundMs) / 1_000,
          },
    memoryBytes: Number.isNaN(memoryBytes) ? null : memoryBytes,
  };
}

export function summarizeAtOnce(rounds: readonly AtOnce[]): Pick<AtOnceFigures, "appends" | "searches"> {
  return {
    appends: summarizeCalls(rounds.map(({ appends }) => appends)),
    searches: Object.fromEntries(
      Object.keys(rounds[0]?.searches ?? {}).map((way) => [
        way,
        summarizeCalls(rounds.flatMap(({ searches }) => searches[way] ?? [])),
      ]),
    ),
  };
}

/** The rate is the median of the rounds. Percentiles cover the calls of all rounds together. */
const summarizeCalls = (rounds: readonly Calls[]): CallFigures => ({
  perSecond: median(rounds.map(({ ms, totalMs }) => (1_000 * ms.length) / totalMs)),
  ...summarize(rounds.flatMap(({ ms }) => ms)),
});

/** Rows per second, as the median of the rounds. */
export function summarizeInserts(rounds: readonly BareInserts[]): InsertFigures {
  return {
    singly: median(rounds.map(({ singleMs }) => (1_000 * singleMs.length) / sum(singleMs))),
    batched: median(rounds.map(({ batchMs, messages }) => (1_000 * messages) / sum(batchMs))),
  };
}

export const summarizeRequests = (rounds: readonly FrequentRequests[]): RequestFigures => ({
  longSearch: summarize(rounds.flatMap(({ longSearchMs }) => longSearchMs)),
  conversation: summarize(rounds.flatMap(({ conversationMs }) => conversationMs)),
  context: summarize(rounds.flatMap(({ contexts }) => contexts.contextMs)),
  sameSearch: summarize(rounds.flatMap(({ contexts }) => contexts.sameSearchMs)),
  contextWithoutQuery: summarize(rounds.flatMap(({ contexts }) => contexts.withoutQueryMs)),
  emptyP50: median(rounds.flatMap(({ emptyMs, contexts }) => [...emptyMs, ...contexts.emptyMs])),
});

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

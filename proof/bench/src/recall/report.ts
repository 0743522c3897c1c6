import { quantile } from "../../../support/statistics.ts";
import { textTable } from "../command/tables.ts";
import type { Mode } from "./args.ts";
import type { AskedQuestion, Shape } from "./ask.ts";
import type { DialogueSet } from "./dialogues.ts";
import { METRICS, type Metric, meanScores, type Scores, scoresOf } from "./metrics.ts";
import type { Received } from "./model-answer.ts";

export const MODE_NAMES = {
  hybrid: "hybrid",
  semantic: "semantic (plain dense chunks)",
  keyword: "keyword (plain keywords)",
} satisfies Record<Mode, string>;

/** Figures over some questions, in percent with one decimal. */
export interface Figures {
  questions: number;
  /** Each metric in its own shape: `t@k` in windows, the others in turns. */
  metrics: Scores;
  /** Share of the evidence in the answer of 4,000 tokens that a model gets through MCP. */
  e4k: Received;
}

/** Relevance that a kind of question without an answer rarely reaches. Must match the contract. */
export const UNLIKELY = { off_topic: 0.25, unanswerable: 0.8 };
export const SILENCES = ["off_topic", "unanswerable"] as const;
export type Silence = (typeof SILENCES)[number];

/**
 * How well `relevance` separates answered from unanswered questions, in percent of each kind; null without
 * questions.
 */
export interface RelevanceReport extends Record<Silence, number | null> {
  /** Answered questions whose evidence reaches each of the two thresholds. */
  evidence: Record<Silence, number | null>;
}

/** Results of one mode in one scope, as in the JSON file, with every metric in each shape. */
export interface ModeReport extends Figures, Record<Shape, Scores> {
  mode: Mode;
  /** By the category's key; only categories with questions. */
  by_category: Record<string, Figures>;
  /** Questions without an answer that got no result above the contract's threshold. */
  relevance: RelevanceReport;
  degraded: number;
  /** Milliseconds per search, with 4 concurrent searches. */
  search_ms: { p50: number; p95: number };
  /** Average number of messages per result of the windows shape. */
  messages_per_window: number;
}

export interface ScopeReport extends ModeReport {
  /** The same questions in other modes; only with `--baselines`. */
  baselines?: Record<string, ModeReport>;
}

export function reportMode(
  mode: Mode,
  asked: readonly AskedQuestion[],
  highest: Record<Silence, readonly number[]>,
  { categories }: Pick<DialogueSet, "categories">,
): ModeReport {
  const searchMs = asked.flatMap((question) => question.searchMs);
  const windowMessages = asked.flatMap((question) => question.windowMessages);
  return {
    mode,
    ...figuresOf(asked),
    by_category: Object.fromEntries(
      [...categories.keys()].flatMap((category) => {
        const some = asked.filter((question) => question.category === category);
        return some.length === 0 ? [] : [[category, figuresOf(some)]];
      }),
    ),
    turns: inPercent(asked, () => "turns"),
    windows: inPercent(asked, () => "windows"),
    windows_of_five: inPercent(asked, () => "windows_of_five"),
    relevance: {
      ...toSilences((kind) => highest[kind].map((relevance) => relevance < UNLIKELY[kind])),
      evidence: toSilences((kind) =>
        asked.map(({ evidenceRelevance }) => evidenceRelevance >= UNLIKELY[kind]),
      ),
    },
    degraded: asked.filter((question) => question.degraded).length,
    search_ms: { p50: rounded(quantile(searchMs, 0.5)), p95: rounded(quantile(searchMs, 0.95)) },
    messages_per_window: rounded(
      windowMessages.reduce((sum, count) => sum + count, 0) / Math.max(1, windowMessages.length),
    ),
  };
}

/** Uses the first mode, with the others as its baselines. */
export function reportScope([first, ...baselines]: [ModeReport, ...ModeReport[]]): ScopeReport {
  if (baselines.length === 0) return first;
  return { ...first, baselines: Object.fromEntries(baselines.map((report) => [report.mode, report])) };
}

export function describeRelevance({ relevance }: Pick<ModeReport, "relevance">): string {
  const { off_topic, unanswerable, evidence } = relevance;
  return [
    `${off_topic} % of off-topic questions get no result with a relevance of ${UNLIKELY.off_topic} or more`,
    ...(unanswerable === null
      ? []
      : [`${unanswerable} % of unanswerable questions get none with ${UNLIKELY.unanswerable}`]),
    `the evidence of ${evidence.off_topic} % and ${evidence.unanswerable} % of the others reaches ${UNLIKELY.off_topic} and ${UNLIKELY.unanswerable}.`,
  ].join("; ");
}

/**
 * Format the figures as a table: the first mode with its categories and in windows of five, then the others.
 */
export function formatTable(
  reports: readonly [ModeReport, ...ModeReport[]],
  { categories: labels }: Pick<DialogueSet, "categories">,
): string {
  const [first, ...baselines] = reports;
  const categories = [...labels].flatMap(([category, label]) => {
    const figures = first.by_category[category];
    return figures === undefined ? [] : [[`  ${label}`, figures] as const];
  });
  const rows = [
    ["", "questions", ...METRICS, "e4k whole", "e4k any"],
    ...[
      [MODE_NAMES[first.mode], first] as const,
      ...categories,
      [
        "  windows of five",
        { questions: first.questions, metrics: first.windows_of_five, e4k: null },
      ] as const,
      ...baselines.map((report) => [MODE_NAMES[report.mode], report] as const),
    ].map(([name, { questions, metrics, e4k }]) => [
      name,
      String(questions),
      ...METRICS.map((metric) => metrics[metric].toFixed(1)),
      ...(e4k === null ? ["", ""] : [e4k.whole.toFixed(1), e4k.any.toFixed(1)]),
    ]),
  ];
  return textTable(rows, 10);
}

/** Percent for which `holds` is true, by kind; null without questions. */
function toSilences(holds: (kind: Silence) => boolean[]): Record<Silence, number | null> {
  const share = (all: boolean[]) =>
    all.length === 0 ? null : rounded((100 * all.filter((one) => one).length) / all.length);
  return { off_topic: share(holds("off_topic")), unanswerable: share(holds("unanswerable")) };
}

function figuresOf(asked: readonly AskedQuestion[]): Figures {
  return {
    questions: asked.length,
    metrics: inPercent(asked, (metric) => (metric.startsWith("t@") ? "windows" : "turns")),
    e4k: { whole: receivedOf(asked, "whole"), any: receivedOf(asked, "any") },
  };
}

const receivedOf = (asked: readonly AskedQuestion[], how: keyof Received): number =>
  rounded((100 * asked.reduce((sum, { received }) => sum + received[how], 0)) / asked.length);

const inPercent = (asked: readonly AskedQuestion[], shapeOf: (metric: Metric) => Shape): Scores =>
  scoresOf(METRICS, (metric) =>
    rounded(meanScores(asked.map((question) => question[shapeOf(metric)]))[metric]),
  );

export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

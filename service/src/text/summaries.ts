import { chooseSentences, type ExtractLimits } from "./extracts.ts";
import type { Steps } from "./pace.ts";
import { findSentences } from "./sentences.ts";
import type { Stem } from "./stems.ts";

/** Version of the rules for segments, sentences and checks. A summary by other rules is made again when it is next due. */
export const SUMMARY_RULES = 1;

/** Of a summary of messages. */
export const SEGMENT_LIMITS: ExtractLimits = { sentences: 6, tokens: 220 };
/** Of a summary of summaries. */
export const GROUP_LIMITS: ExtractLimits = { sentences: 8, tokens: 300 };

/** A message, as it is summarized. */
export interface SummarizedMessage {
  id: string;
  sequence: number;
  role: string;
  name: string | null;
  content: string;
}

/** A message that a sentence cites. The place is that of the sentence, verbatim; null if a model wrote it. */
export interface Citation {
  message_id: string;
  sequence: number;
  start: number | null;
  end: number | null;
}

export interface SummarySentence {
  text: string;
  cites: Citation[];
}

/** Longer sentences are data, or text without punctuation. */
const SENTENCE_CHARACTERS_MAX = 400;
const SENTENCE_CHARACTERS_MIN = 12;
/** Of each message, so many characters are read. */
const READ_CHARACTERS_MAX = 100_000;
/** Factors of a sentence's score. A question names what is looked for, and its answer what is so. */
const QUESTION_WEIGHT = 0.6;
const ROLE_WEIGHTS: Readonly<Record<string, number>> = { system: 0.4, tool: 0.4 };

/** Chooses sentences of messages, verbatim, each with its message and its place there. Needs no model. */
export function* extractFromMessages(
  stem: Stem,
  messages: readonly SummarizedMessage[],
  limits: ExtractLimits = SEGMENT_LIMITS,
): Steps<SummarySentence[]> {
  const candidates: (SummarySentence & { weight: number })[] = [];
  for (const message of messages) {
    const content = message.content.slice(0, READ_CHARACTERS_MAX);
    for (const place of yield* findSentences(content)) {
      const { start, end } = shortened(content, place);
      const text = content.slice(start, end);
      if (text.length < SENTENCE_CHARACTERS_MIN) continue;
      const weight = (ROLE_WEIGHTS[message.role] ?? 1) * (/[?？؟]\W*$/u.test(text) ? QUESTION_WEIGHT : 1);
      const cites = [{ message_id: message.id, sequence: message.sequence, start, end }];
      candidates.push({ text, cites, weight });
    }
  }
  return (yield* chooseSentences(stem, candidates, limits)).map(({ text, cites }) => ({ text, cites }));
}

/** Chooses sentences of the summaries that a summary covers. Each keeps what it cites. */
export function* extractFromSummaries(
  stem: Stem,
  summaries: readonly { sentences: readonly SummarySentence[] }[],
  limits: ExtractLimits = GROUP_LIMITS,
): Steps<SummarySentence[]> {
  const candidates = summaries.flatMap(({ sentences }) =>
    sentences.map((sentence) => ({ ...sentence, weight: 1 })),
  );
  return (yield* chooseSentences(stem, candidates, limits)).map(({ text, cites }) => ({ text, cites }));
}

/** Of a long sentence, its start up to the end of a word. */
function shortened(content: string, { start, end }: { start: number; end: number }) {
  if (end - start <= SENTENCE_CHARACTERS_MAX) return { start, end };
  const head = content.slice(start, start + SENTENCE_CHARACTERS_MAX);
  const blank = head.search(/\s\S*$/);
  const length = blank > 0 ? blank : head.replace(/[\ud800-\udbff]$/, "").length;
  return { start, end: start + length };
}

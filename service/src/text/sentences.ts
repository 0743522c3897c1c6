import type { Steps } from "./pace.ts";

/** A part of a text, in UTF-16 code units. */
export interface Sentence {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const FENCE = /^[ \t]*(?:```|~~~)/;
/** What precedes the words of a heading, an item of a list or a quotation in Markdown. */
const MARKER = /^[\s>]*(?:(?:#{1,6}|[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?/;
/** A line of this length may have been broken within a sentence. */
const WRAPPED_CHARACTERS_MIN = 50;
const ENDS_SENTENCE = /[.!?…:;。！？|]["')\]»”]*\s*$/u;
const CONTINUES = /^\p{Ll}/u;
/** The end of a piece after which the sentence goes on with a capital: "Dr. Ito", "J. Doe", "No. 5". */
const ABBREVIATION =
  /(?:^|[\s("'“])(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|vs|cf|al|No|Nr|Nos|Fig|Eq|Sec|Ch|Vol|pp?|Inc|Ltd|Co|Corp|approx|ca|bzw|usw|Abs|Art|Str|Hr|Fr|Sra?|Dra?|Mme|Mlle|e\.g|i\.e|z\.B|d\.h|p\.ej|т\.е|т\.к|ул)\.\s*$/u;
/** Lines that are joined at most, because the segmenter reads them at once. */
const PARAGRAPH_CHARACTERS_MAX = 4_000;

/**
 * Finds the sentences of a text, in any language, without the whitespace around them and the signs of Markdown before
 * them. Code blocks have none.
 */
export function* findSentences(text: string): Steps<Sentence[]> {
  const sentences: Sentence[] = [];
  for (const { start, end } of paragraphsOf(text)) {
    // A line break ends a sentence for the segmenter. Of the same length, so that the offsets stay.
    const paragraph = text.slice(start, end).replace(/[\r\n]/g, " ");
    for (const piece of joinAbbreviations(paragraph)) {
      const from = start + piece.start + leadingBlanks(paragraph.slice(piece.start, piece.end));
      const to = start + piece.start + paragraph.slice(piece.start, piece.end).trimEnd().length;
      if (from < to) sentences.push({ start: from, end: to });
    }
    yield end - start;
  }
  return sentences;
}

const leadingBlanks = (text: string): number => text.length - text.trimStart().length;

function* joinAbbreviations(paragraph: string): Generator<Sentence> {
  let start = 0;
  for (const { segment, index } of segmenter.segment(paragraph)) {
    const end = index + segment.length;
    if (end < paragraph.length && ABBREVIATION.test(segment)) continue;
    yield { start, end };
    start = end;
  }
  if (start < paragraph.length) yield { start, end: paragraph.length };
}

/** Lines outside of code blocks, without their markers. A line that was broken within a sentence is joined with the next. */
function* paragraphsOf(text: string): Generator<Sentence> {
  let open: Sentence | null = null;
  let isInFence = false;
  for (let at = 0; at < text.length; ) {
    const lineBreak = text.indexOf("\n", at);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const line = text.slice(at, end);
    const start = at + (MARKER.exec(line)?.[0].length ?? 0);
    at = end + 1;
    const isFence = FENCE.test(line);
    if (isFence) isInFence = !isInFence;
    if (isFence || isInFence || start >= end) {
      if (open !== null) yield open;
      open = null;
      continue;
    }
    if (open !== null && continues(text, open, { start, end })) {
      open = { start: open.start, end };
      continue;
    }
    if (open !== null) yield open;
    open = { start, end };
  }
  if (open !== null) yield open;
}

function continues(text: string, open: Sentence, next: Sentence): boolean {
  const before = text.slice(open.start, open.end);
  return (
    before.length >= WRAPPED_CHARACTERS_MIN &&
    next.end - open.start <= PARAGRAPH_CHARACTERS_MAX &&
    !ENDS_SENTENCE.test(before.slice(-8)) &&
    CONTINUES.test(text.slice(next.start, next.start + 2))
  );
}

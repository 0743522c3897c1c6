import { joinShapes, SOFT_HYPHEN, shapeOf } from "../text/look-alikes.ts";
import { DATA_LABEL } from "../text/message-lines.ts";
import { inJson, toModelTokens } from "../text/model-tokens.ts";
import type { Steps } from "../text/pace.ts";
import { innerWords, pairStart } from "../text/parts.ts";
import { contentTokens, type Entry } from "./entries.ts";

const TAG = "engram-context";
/** Digits of the number that the tag has if it occurs in stored text. */
const TAG_DIGITS_MAX = 7;
const FIRST_NUMBER = 2;
/** Letters that look like digits in a number. */
const DIGIT_OF: Record<string, string> = {
  o: "0",
  l: "1",
  i: "1",
  z: "2",
  з: "3",
  s: "5",
  б: "6",
  b: "6",
  g: "9",
};
const shapePattern = (shape: string): string =>
  Array.from(shape, (letter) => (letter === "-" ? `[-${SOFT_HYPHEN}]` : `${letter}${SOFT_HYPHEN}?`)).join("");
const TAKEN = new RegExp(
  `${shapePattern(shapeOf(TAG))}(?:-([\\d${Object.keys(DIGIT_OF).join("")}]{1,${TAG_DIGITS_MAX}}))?`,
  "g",
);
/** Length of the shape of a tag, at most. Each letter may have a soft hyphen after it. */
const TAG_SHAPES_MAX = 2 * TAG.length + 1 + TAG_DIGITS_MAX;
const TAG_SLICE = 4_096;

export const MEMORIES_HEADING = "Memories:";

/** A part of a text: a line whose tokens were counted, or another text. */
export type Piece = string | Entry;

/** A heading and its lines. */
export const section = (heading: string, entries: readonly Piece[]): Piece[] => [
  heading,
  ...entries.flatMap((entry): Piece[] => ["\n", entry]),
];

/**
 * Puts tags around the sections that occur nowhere within them.
 *
 * @returns the text, and its tokens as text or as a JSON string, whichever are more.
 */
export function* framed(
  sections: readonly Piece[][],
  lastLine: string | null,
): Steps<{ text: string; tokens: number }> {
  const body = bodyOf(sections, lastLine);
  const pieces = inTags(yield* tagFor(textOf(body)), body);
  return { text: textOf(pieces), tokens: yield* tokensOfPieces(pieces) };
}

/** Most that the frame can cost, without what the sections have besides their headings. */
export const frameTokens = (headings: readonly string[], lastLine: string | null): Steps<number> =>
  toModelTokens(
    JSON.stringify(
      textOf(
        inTags(
          `${TAG}-${"9".repeat(TAG_DIGITS_MAX)}`,
          bodyOf(
            headings.map((heading) => [heading]),
            lastLine,
          ),
        ),
      ),
    ),
  );

function bodyOf(sections: readonly Piece[][], lastLine: string | null): Piece[] {
  const all = lastLine === null ? sections : [...sections, [lastLine]];
  return [DATA_LABEL, ...all.flatMap((pieces): Piece[] => ["\n\n", ...pieces])];
}

const inTags = (name: string, body: readonly Piece[]): Piece[] => [`<${name}>\n`, ...body, `\n</${name}>`];

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : piece.line)).join("");

/**
 * Tokens of the pieces as one text or as a JSON string, whichever are more. What was counted as a line is not counted
 * again: only the first and the last word of a line, which may make tokens with what is before or after it.
 */
function* tokensOfPieces(pieces: readonly Piece[]): Steps<number> {
  let [asText, asJson] = [0, 0];
  let pending = "";
  let quote = '"';
  for (const piece of pieces) {
    const inner = typeof piece === "string" || !piece.isExact ? null : innerWords(piece.line);
    if (typeof piece === "string" || inner === null) {
      pending += typeof piece === "string" ? piece : piece.line;
      continue;
    }
    const { line } = piece;
    const [first, last] = [line.slice(0, inner.start), line.slice(inner.end)];
    const middle = line.slice(inner.start, inner.end);
    const written = inJson(middle);
    const tokens =
      contentTokens(piece) - (yield* toModelTokens(inJson(first))) - (yield* toModelTokens(inJson(last)));
    asText +=
      (yield* toModelTokens(pending + first)) + (written === middle ? tokens : yield* toModelTokens(middle));
    asJson += (yield* toModelTokens(quote + inJson(pending + first))) + tokens;
    pending = last;
    quote = "";
  }
  asText += yield* toModelTokens(pending);
  asJson += yield* toModelTokens(`${quote}${inJson(pending)}"`);
  return Math.max(asText, asJson);
}

/** A tag that the text does not contain, nor anything that looks like it. */
function* tagFor(text: string): Steps<string> {
  const taken = new Set<number>();
  let shape = "";
  for (let start = 0; start < text.length; ) {
    const end = Math.min(text.length, pairStart(text, start + TAG_SLICE));
    // Begins with the end of the slice before, which may begin a tag.
    shape = joinShapes(shape.slice(-TAG_SHAPES_MAX), shapeOf(text.slice(start, end)));
    for (const [, digits] of shape.matchAll(TAKEN)) {
      taken.add(FIRST_NUMBER - 1);
      const number = digits?.replace(/\D/g, (letter) => DIGIT_OF[letter] ?? "") ?? "";
      for (let length = 1; length <= number.length; length++) taken.add(Number(number.slice(0, length)));
    }
    yield end - start;
    start = end;
  }
  if (taken.size === 0) return TAG;
  let number = FIRST_NUMBER;
  while (taken.has(number)) number++;
  return `${TAG}-${number}`;
}

/** Length of a part of a text, which then continues to the next word. A part without a blank is divided anyway. */
const PART_CHARACTERS = 512;
const PART_CHARACTERS_MAX = 2 * PART_CHARACTERS;

/** A blank between two words. No token of o200k contains such a blank and the character before it. */
const BETWEEN_WORDS = /(?<=[!-~\u00a1-\uffff])(?<!\s) (?=\S)/;
const EVERY_BETWEEN_WORDS = new RegExp(BETWEEN_WORDS, "g");
/** The last word of most texts is shorter. */
const LAST_CHARACTERS = 64;
/** Begins or ends within a character, or between CR and LF. */
const WITHIN = /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)$/;

/**
 * Where a short part of a text that begins at `from` ends: before the blank of a word, so that the tokens of all parts
 * are those of the text. Only parts of a long stretch without single blanks can have more or fewer.
 */
export function partEnd(text: string, from: number): number {
  if (text.length - from <= PART_CHARACTERS) return text.length;
  const near = text.slice(from + PART_CHARACTERS - 1, from + PART_CHARACTERS_MAX + 2);
  const blank = near.search(BETWEEN_WORDS);
  if (blank >= 0) return from + PART_CHARACTERS - 1 + blank;
  const end = Math.min(text.length, from + PART_CHARACTERS_MAX);
  return end < text.length && WITHIN.test(text.slice(end - 1, end + 1)) ? end - 1 : end;
}

/** Whether {@link partEnd} divides a stretch without single blanks. */
export const isDivided = (text: string, end: number): boolean =>
  end < text.length && text.charAt(end) !== " ";

/** Whether {@link partsOf} divides the text before words only, so that its parts have as many tokens as the text. */
export function isDividedAtWords(text: string): boolean {
  for (let end = partEnd(text, 0); end < text.length; end = partEnd(text, end))
    if (isDivided(text, end)) return false;
  return true;
}

/** From the blank before the second word to the blank before the last one. Null for fewer than three words. */
export function innerWords(text: string): { start: number; end: number } | null {
  const start = text.search(BETWEEN_WORDS);
  if (start < 0) return null;
  for (let from = text.length - LAST_CHARACTERS; ; from -= LAST_CHARACTERS) {
    const near = [...text.slice(Math.max(start, from)).matchAll(EVERY_BETWEEN_WORDS)].at(-1);
    const end = near === undefined ? -1 : Math.max(start, from) + near.index;
    if (end > start) return { start, end };
    if (from <= start) return null;
  }
}

/** The short parts of a text, in order. */
export function* partsOf(text: string): Generator<{ part: string; isDivided: boolean }> {
  for (let from = 0; from < text.length; ) {
    const end = partEnd(text, from);
    yield { part: text.slice(from, end), isDivided: isDivided(text, end) };
    from = end;
  }
}

/** Moves a position within a surrogate pair to the start of the pair. */
export const pairStart = (text: string, at: number): number =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1)) ? at - 1 : at;

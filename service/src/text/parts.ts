/** Length of a part of a text, which then continues to the next word. A part without a blank is divided anyway. */
const PART_CHARACTERS = 512;
const PART_CHARACTERS_MAX = 2 * PART_CHARACTERS;

/** A blank between two words. No token of o200k contains such a blank and the character before it. */
const BETWEEN_WORDS = /(?<=[!-~\u00a1-\uffff])(?<!\s) (?=\S)/;
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

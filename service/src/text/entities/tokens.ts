import type { Span } from "./kinds.ts";

/** Longer runs of characters are data, not names. */
const TOKEN_CHARACTERS_MAX = 200;
/** Number of tokens that a rule may read before and after the current one. */
const REACH = 16;
const KEPT_MAX = 2_048;

/** Properties of a token, by which rules skip it without a regular expression. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
export const SIGN = 8;
export const OTHER_SCRIPT = 16;

export interface Token extends Span {
  text: string;
  /** `text` in lower case. */
  lower: string;
  /** Which of the properties above its characters have. */
  traits: number;
}

/** Characters of ASCII between tokens. Commas are between tokens unless digits surround them. */
const SEPARATORS = '"`<>|,;{}[]()&=\u007f';
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SLASH = 0x2f;
/** Signs around a word that are no part of it. */
const SIGNS_BEFORE = "*'‘’:?^+";
const SIGNS_AFTER = ".:!?'‘’*~^-+";

const isDigit = (code: number) => code >= 48 && code <= 57;

/** For each character of ASCII, its trait; 0 for separators. */
const TRAITS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 0x20 || SEPARATORS.includes(String.fromCharCode(code))) return 0;
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return isDigit(code) ? DIGIT : SIGN;
});

/** The trait of a character; 0 if it is a separator. */
function traitAt(text: string, at: number, code: number): number {
  if (code >= 0x80) return isSeparator(code) ? 0 : OTHER_SCRIPT;
  if (code !== COMMA) return TRAITS[code] ?? 0;
  return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1)) ? SIGN : 0;
}

/** Whether a character outside of ASCII is never part of a token. */
function isSeparator(code: number): boolean {
  // Typographic apostrophes are part of a word, and € is no punctuation.
  if (code === 0x2018 || code === 0x2019) return false;
  return (
    code <= 0xa1 ||
    code === 0xab ||
    code === 0xb7 ||
    code === 0xbb ||
    code === 0xbf ||
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x2190 && code <= 0x2bff) ||
    // Scripts without spaces between words, emojis, and full-width punctuation.
    ((code >= 0x2e80 ||
      (code >= 0x0e00 && code <= 0x0eff) ||
      (code >= 0x1000 && code <= 0x109f) ||
      (code >= 0x1780 && code <= 0x17ff)) &&
      !isDecimal(code))
  );
}

/** Digits of Thai, Lao, Burmese and Khmer, and full-width ones. */
const isDecimal = (code: number) =>
  (code >= 0xff10 && code <= 0xff19) ||
  (code >= 0x0e50 && code <= 0x0e59) ||
  (code >= 0x0ed0 && code <= 0x0ed9) ||
  (code >= 0x1040 && code <= 0x1049) ||
  (code >= 0x17e0 && code <= 0x17e9);

/** The start of a run without the signs before its word: a dot of `../`, `~/` and `!12` belongs to the word. */
function skipSignsBefore(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const sign = text.charAt(at);
    const next = text.charAt(at + 1);
    const isSign =
      SIGNS_BEFORE.includes(sign) ||
      (sign === "~" && next !== "/") ||
      (sign === "!" && !isDigit(next.charCodeAt(0))) ||
      (sign === "." && next === "." && !"/\\".includes(text.charAt(at + 2) || "."));
    if (!isSign) return at;
  }
  return end;
}

/** The end of a run without the signs after its word, and without `'s`. */
function skipSignsAfter(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && SIGNS_AFTER.includes(text.charAt(at - 1))) at -= 1;
  const isPossessive = at - start > 2 && text.charAt(at - 1) === "s" && "'’".includes(text.charAt(at - 2));
  return isPossessive ? at - 2 : at;
}

export function toToken(text: string, start: number, end: number): Token {
  let traits = 0;
  for (let at = start; at < end; at++) traits |= traitAt(text, at, text.charCodeAt(at)) || SIGN;
  return createToken(text, start, end, traits);
}

function createToken(text: string, start: number, end: number, traits: number): Token {
  const word = text.slice(start, end);
  return {
    start,
    end,
    text: word,
    lower: (traits & ~(LOWER | DIGIT)) === 0 ? word : word.toLowerCase(),
    traits,
  };
}

/** Reads the tokens of a text one by one. Keeps only those near the current one, because a text may have a million. */
export class Tokens {
  readonly text: string;
  readonly #gaps: readonly Span[];
  #kept: Token[] = [];
  #current = -1;
  #read = 0;
  #gap = 0;

  /** @param taken spans, in order, that no token may overlap. */
  constructor(text: string, taken: readonly Span[]) {
    this.text = text;
    this.#gaps = taken;
  }

  /** Moves to the next token. False at the end of the text. */
  next(): boolean {
    if (this.#current > KEPT_MAX) {
      this.#kept = this.#kept.slice(this.#current - REACH);
      this.#current = REACH;
    }
    this.#current += 1;
    return this.at(0) !== undefined;
  }

  /** The token at a distance from the current one; undefined beyond the text and beyond 16 tokens. */
  at(distance: number): Token | undefined {
    if (Math.abs(distance) > REACH) return undefined;
    const index = this.#current + distance;
    while (index >= this.#kept.length) {
      const token = this.#readToken();
      if (token === undefined) return undefined;
      this.#kept.push(token);
    }
    return this.#kept[index];
  }

  /** The token's text in lower case; "" where there is none. */
  lower(distance: number): string {
    return this.at(distance)?.lower ?? "";
  }

  /** The characters between two neighbors: the current token has distance 0. */
  between(distance: number): string {
    const [left, right] = [this.at(distance), this.at(distance + 1)];
    return left === undefined || right === undefined ? "\n" : this.text.slice(left.end, right.start);
  }

  /** Whether only blanks of a line separate a token from the one after it. */
  isNextTo(distance: number): boolean {
    const gap = this.between(distance);
    return gap === " " || gap === "\u00a0" || gap === "\u202f" || (gap.length < 4 && /^[ \t]+$/.test(gap));
  }

  #readToken(): Token | undefined {
    const { text } = this;
    for (;;) {
      const run = this.#readRun();
      if (run === undefined) return undefined;
      if (run.end - run.start > TOKEN_CHARACTERS_MAX) continue;
      if ((run.traits & (SIGN | OTHER_SCRIPT)) === 0)
        return createToken(text, run.start, run.end, run.traits);
      const start = skipSignsBefore(text, run.start, run.end);
      const end = skipSignsAfter(text, start, run.end);
      if (start < end) return toToken(text, start, end);
    }
  }

  /** The next run of characters that are no separators. A placeholder of a route (`/{id}`) does not end a run. */
  #readRun(): (Span & { traits: number }) | undefined {
    const { text } = this;
    let at = this.#read;
    let gap = this.#gaps[this.#gap];
    while (at < text.length && traitAt(text, at, text.charCodeAt(at)) === 0) at += 1;
    while (gap !== undefined && gap.start <= at) {
      at = Math.max(at, gap.end);
      this.#gap += 1;
      gap = this.#gaps[this.#gap];
      while (at < text.length && traitAt(text, at, text.charCodeAt(at)) === 0) at += 1;
    }
    const start = at;
    const limit = gap?.start ?? text.length;
    let traits = 0;
    let isInPlaceholder = false;
    for (; at < limit; at++) {
      const code = text.charCodeAt(at);
      const trait = traitAt(text, at, code);
      if (trait === 0) {
        const isOpening = code === OPEN_BRACE && text.charCodeAt(at - 1) === SLASH;
        if (!isOpening && !(isInPlaceholder && code === CLOSE_BRACE)) break;
        isInPlaceholder = isOpening;
      }
      traits |= trait || SIGN;
    }
    this.#read = at;
    return start === at ? undefined : { start, end: at, traits };
  }
}

import { fold, WORD } from "./fold.ts";
import { findIdentifiers, readIdentifier } from "./identifiers.ts";
import { IRREGULAR_WORDS } from "./irregular-words.ts";
import { runAtOnce, STEP_CHARACTERS, type Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";

/** Longer words are truncated, in texts and queries alike. */
const WORD_CHARACTERS_MAX = 64;

const NO_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const ENGLISH = /^[a-z]+$/;
const ASCII = /^[a-z0-9']*$/;
const BLANK = /[ \t\n\r]/g;
/** Length of a part of a text, which then continues to the next blank. A part without a blank may be longer. */
const PART_CHARACTERS = 4_096;
/** Processing this number of parts of identifiers takes about as long as processing `STEP_CHARACTERS` characters. */
const STEP_PIECES = 64;
/** Highlighting this number of characters takes as long as splitting one into terms. */
const HIGHLIGHTED_PER_CHARACTER = 4;
/** A plain English word, which needs less processing. Most words match. */
const PLAIN = /^[A-Z]?[a-z]+$/;

const SIGN = /[_.-]/;

export interface TextWords {
  /**
   * Words in lower case without accents. English words are stemmed ("went" is "go"), and text in scripts without spaces
   * is split into words.
   */
  words: string[];
  /**
   * Parts of the identifiers (such as `fetchUser`) in the text, and each identifier as one word. Leaves out what
   * `words` has.
   */
  identifiers: string[];
}

/**
 * Splits a short text, such as a query or a name, without pauses.
 *
 * @param omitted words to leave out. They are compared before stemming: "does" is only part of a question, "doe" may be
 *   a name.
 */
export const splitWords = (stem: Stem, text: string, omitted: ReadonlySet<string> = NONE): TextWords =>
  runAtOnce(splitInSteps(stem, text, omitted));

export function* splitInSteps(
  stem: Stem,
  text: string,
  omitted: ReadonlySet<string> = NONE,
): Steps<TextWords> {
  const words: string[] = [];
  const identifiers = new Set<string>();
  for (const part of partsOf(text)) {
    yield* addWords(stem, words, fold(part), omitted);
    let pieces = 0;
    for (const { joined, parts } of findIdentifiers(part)) {
      const own: string[] = [];
      for (const each of parts) yield* addWords(stem, own, fold(each), omitted);
      for (const word of own) identifiers.add(word);
      identifiers.add(toWord(stem, joined));
      pieces += parts.length;
      if (pieces < STEP_PIECES) continue;
      yield STEP_CHARACTERS;
      pieces = 0;
    }
  }
  if (identifiers.size > 0) for (const word of words) identifiers.delete(word);
  return { words, identifiers: [...identifiers] };
}

/**
 * Splits a text at blanks into parts that are processed one by one, because even removing case and accents from a
 * million characters takes long. Each part except the first begins with a blank. No word, identifier, or letter with
 * its accents is divided, so the parts have the same words as the whole text.
 */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    BLANK.lastIndex = start + PART_CHARACTERS;
    const end = BLANK.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
}

function* addWords(stem: Stem, words: string[], folded: string, omitted: ReadonlySet<string>): Steps<void> {
  let counted = 0;
  for (const { 0: run, index } of folded.matchAll(WORD)) {
    if (ASCII.test(run) || !NO_SPACES.test(run)) {
      const word = withoutApostrophes(run);
      if (!omitted.has(word)) words.push(toWord(stem, word));
    } else {
      for (const { segment, isWordLike, index: at } of segmenter.segment(run)) {
        if (isWordLike && !omitted.has(segment)) words.push(toWord(stem, segment));
        if (index + at - counted < STEP_CHARACTERS) continue;
        yield index + at - counted;
        counted = index + at;
      }
    }
    if (index - counted < STEP_CHARACTERS) continue;
    yield index - counted;
    counted = index;
  }
  yield folded.length - counted;
}

const NONE: ReadonlySet<string> = new Set();

function toWord(stem: Stem, word: string): string {
  const kept = word.length <= WORD_CHARACTERS_MAX ? word : word.slice(0, WORD_CHARACTERS_MAX);
  return ENGLISH.test(kept) ? stem(kept) : kept.toWellFormed();
}

/** A range of a text, in UTF-16 units. `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Creates a function that finds up to `count` words of a text to highlight.
 *
 * @param wanted terms as `readQuery` returns them.
 */
export function createWordFinder(
  stem: Stem,
  wanted: ReadonlySet<string>,
  count: number,
): (text: string) => Steps<TextRange[]> {
  const isWanted = function* (segment: string): Steps<boolean> {
    if (PLAIN.test(segment)) {
      return wanted.has(stem(segment.slice(0, WORD_CHARACTERS_MAX).toLowerCase()));
    }
    const { words, identifiers } = yield* splitInSteps(stem, segment);
    return words.some((word) => wanted.has(word)) || identifiers.some((word) => wanted.has(word));
  };
  const skipped = skipWordsExcept(initialsOf(stem, wanted));
  // Caches whether a word is wanted: texts repeat words, and a search highlights many texts.
  const known = new Map<string, boolean>();
  return function* (text) {
    const ranges: TextRange[] = [];
    let paused = 0;
    let marked = 0;
    let identifierEnd = 0;
    for (const { run, index } of wordsWithout(skipped, text)) {
      if (index - paused >= STEP_CHARACTERS) {
        yield (index - paused) / HIGHLIGHTED_PER_CHARACTER;
        paused = index;
      }
      const isPlain = PLAIN.test(run);
      const firstEnd = identifierEnd;
      // In `don't-stop`, `t-stop` may be an identifier, but `stop` does not begin one.
      const apostrophe = isPlain ? -1 : Math.max(run.lastIndexOf("'"), run.lastIndexOf("’"));
      if (apostrophe >= 0) identifierEnd = readIdentifier(text, index + apostrophe + 1).end;
      if (index < marked) continue;
      let identifier: string | null = null;
      // Most words are plain and end where no identifier continues, so that they need no further look.
      if (index >= firstEnd && !(isPlain && !SIGN.test(text.charAt(index + run.length)))) {
        const read = readIdentifier(text, index);
        if (read.identifier !== null && wanted.has(stem(read.identifier.joined)))
          identifier = read.identifier.text;
        identifierEnd = Math.max(identifierEnd, read.end);
      }
      const parts =
        identifier === null && !isPlain && NO_SPACES.test(run)
          ? segmenter.segment(run)
          : [{ segment: identifier ?? run, index: 0 }];
      for (const { segment, index: at } of parts) {
        if (index + at - paused >= STEP_CHARACTERS) {
          yield index + at - paused;
          paused = index + at;
        }
        if (identifier === null) {
          const isKnown = known.get(segment) ?? (yield* isWanted(segment));
          known.set(segment, isKnown);
          if (!isKnown) continue;
        }
        marked = index + at + segment.length;
        ranges.push({ start: index + at, end: marked });
        if (ranges.length === count) return ranges;
      }
    }
    yield (text.length - paused) / HIGHLIGHTED_PER_CHARACTER;
    return ranges;
  };
}

/** The first letters of all plain English words that are wanted. A stem begins as its word does. */
function initialsOf(stem: Stem, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const irregular = [...IRREGULAR_WORDS].flatMap(([word, base]) => (wanted.has(stem(base)) ? [word] : []));
  return new Set([...wanted, ...irregular].map((word) => word.charAt(0)));
}

/** Characters that end a plain word and begin neither an identifier nor a part with an apostrophe. */
const SEPARATOR = String.raw`[ \t\n,;:!?()"]`;
/** Words that are skipped at once. The number is limited, because each needs memory. */
const SKIPPED_MAX = 64;
const NEXT_WORD = new RegExp(WORD, "gu");

/** Skips plain words that begin with none of the letters. It is compiled for each search, so it knows ASCII only. */
function skipWordsExcept(initials: ReadonlySet<string>): RegExp {
  const others = Array.from("abcdefghijklmnopqrstuvwxyz").filter((letter) => !initials.has(letter));
  const letters = others.join("") + others.join("").toUpperCase();
  const before = String.raw`(?:${SEPARATOR}|\.(?=[ \n]))*`;
  const after = String.raw`(?=${SEPARATOR}|\.[ \n]|$)`;
  return new RegExp(`(?:${before}[${letters}][a-z]*${after}){1,${SKIPPED_MAX}}`, "y");
}

/** The words of a text, without those that are skipped. */
function* wordsWithout(skipped: RegExp, text: string): Generator<{ run: string; index: number }> {
  for (let at = 0; ; ) {
    skipped.lastIndex = at;
    while (skipped.test(text)) at = skipped.lastIndex;
    NEXT_WORD.lastIndex = at;
    const match = NEXT_WORD.exec(text);
    if (match === null) return;
    at = NEXT_WORD.lastIndex;
    yield { run: match[0], index: match.index };
  }
}

const segmenter = new Intl.Segmenter("en", { granularity: "word" });

function withoutApostrophes(word: string): string {
  if (ENGLISH.test(word)) return word;
  return word.replace(/['’]s$/, "").replace(/['’]/g, "");
}

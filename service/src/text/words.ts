import { fold, foldWords, toLowerWords, WORD, WRITTEN_WORD, withoutHidden } from "./fold.ts";
import { findIdentifiers, readIdentifier } from "./identifiers.ts";
import { IRREGULAR_WORDS } from "./irregular-words.ts";
import { type Inflected, LanguageCounter, stopWordsOf } from "./languages.ts";
import { runAtOnce, STEP_CHARACTERS, type Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";
import type { Language } from "./stop-words.ts";
import { formsOfWord, isDivided, koreanBase, pairsOf } from "./word-forms.ts";

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
  /**
   * Other forms of the words, such as their stems in other languages than English, and the pairs of characters of words
   * without spaces. Leaves out what the others have.
   */
  forms: string[];
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
  const counter = new LanguageCounter();
  for (const written of partsOf(text)) {
    const part = withoutHidden(written);
    yield* addWords(stem, words, foldWords(part), omitted, counter);
    let pieces = 0;
    for (const { joined, parts } of findIdentifiers(part)) {
      const own: string[] = [];
      for (const each of parts) yield* addWords(stem, own, each, omitted);
      for (const word of own) identifiers.add(word);
      identifiers.add(toWord(stem, joined));
      pieces += parts.length;
      if (pieces < STEP_PIECES) continue;
      yield STEP_CHARACTERS;
      pieces = 0;
    }
  }
  const found = yield* findForms(stem, text, counter);
  if (identifiers.size > 0) for (const word of words) identifiers.delete(word);
  if (found.size === 0) return { words, identifiers: [...identifiers], forms: [] };
  const forms = new Set(found);
  for (const word of words) forms.delete(word);
  for (const word of identifiers) forms.delete(word);
  return { words, identifiers: [...identifiers], forms: [...forms] };
}

/** Finding the forms of a word takes as long as processing this number of characters. */
const FORMS_CHARACTERS = 100;

/** The other forms of all words of a text whose words were counted. */
function* findForms(stem: Stem, text: string, counter: LanguageCounter): Steps<ReadonlySet<string>> {
  const inflected = counter.inflected();
  if (inflected.languages.length === 0 && !counter.hasDivided && !counter.hasOtherScript) return NONE;
  const forms = new Set<string>();
  const seen = new Set<string>();
  let work = 0;
  for (const part of partsOf(text)) {
    for (const [run] of toLowerWords(withoutHidden(part)).matchAll(WORD)) {
      work += run.length;
      if (seen.has(run)) continue;
      seen.add(run);
      // In an English text, only words that an apostrophe divides have other forms.
      if (inflected.languages.length === 0 && ASCII.test(run) && !isDivided(run)) continue;
      for (const piece of piecesOf(run)) {
        for (const form of formsOf(stem, piece, inflected)) forms.add(form);
        work += FORMS_CHARACTERS;
        if (work < STEP_CHARACTERS) continue;
        yield work;
        work = 0;
      }
    }
  }
  yield work;
  return forms;
}

const HANGUL = /\p{sc=Hang}/u;
const IDEOGRAPHIC = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;

/** @param piece in lower case, in one script. */
function* formsOf(stem: Stem, piece: string, inflected: Inflected): Generator<string> {
  if (IDEOGRAPHIC.test(piece) || HANGUL.test(piece))
    for (const pair of pairsOf(foldWords(piece))) yield pair.toWellFormed();
  if (NO_SPACES.test(piece) || piece.length > WORD_CHARACTERS_MAX) return;
  for (const form of formsOfWord(stem, piece, inflected)) {
    const folded = foldWords(form);
    if (folded !== "") yield toWord(stem, folded);
  }
}

/** A word of a query. */
export interface QueryWord {
  term: string;
  forms: readonly string[];
  isStopWord?: boolean;
}

/** Splits a query into words, each with the other forms that count as the word. */
export function splitQuery(stem: Stem, text: string): QueryWord[] {
  const runs = Array.from(toLowerWords(withoutHidden(text)).matchAll(WORD), ([run]) => run);
  const counter = new LanguageCounter();
  for (const run of runs) count(counter, foldWords(run));
  const inflected = counter.inflected();
  const stopWords = [
    stopWordsOf("english"),
    ...(inflected.isUnknown ? [] : inflected.languages.map((language) => stopWordsOf(language))),
  ];
  const isStopWord = (word: string) => stopWords.some((list) => list.has(word));
  return runs.flatMap((run) => {
    if (ASCII.test(run) && inflected.languages.length === 0 && !isDivided(run)) {
      const word = withoutApostrophes(run);
      return { term: toWord(stem, word), forms: [], isStopWord: isStopWord(word) };
    }
    // A text that was indexed before has the word without the rules for its script.
    const asBefore = toWord(stem, withoutApostrophes(fold(run)));
    return piecesOf(run).flatMap((piece): QueryWord[] => {
      const word = withoutApostrophes(foldWords(piece));
      if (NO_SPACES.test(piece)) return wordsWithoutSpaces(stem, word);
      const base = HANGUL.test(word) ? koreanBase(word) : word;
      const forms = [...formsOf(stem, piece, inflected), asBefore];
      if (!HANGUL.test(word)) return [{ term: toWord(stem, word), forms, isStopWord: isStopWord(word) }];
      const isOmitted = [word, base].some((each) => stopWordsOf("korean").has(each));
      const pairs = base.length > 2 ? pairsOf(base) : [];
      if (pairs.length === 0)
        return [{ term: toWord(stem, base), forms: [toWord(stem, word), asBefore], isStopWord: isOmitted }];
      return pairs.map((term) => ({ term, forms: [word, base, asBefore], isStopWord: isOmitted }));
    });
  });
}

/** The words of a query without spaces. Texts may divide a long one differently, so its pairs are searched. */
function wordsWithoutSpaces(stem: Stem, text: string): QueryWord[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }): QueryWord[] => {
    if (!isWordLike) return [];
    const term = toWord(stem, segment);
    const isStopWord = STOPPED_WITHOUT_SPACES.some((language) => stopWordsOf(language).has(segment));
    const pairs = IDEOGRAPHIC.test(segment) && !isStopWord ? pairsOf(segment) : [];
    if (pairs.length < 2) return [{ term, forms: [], isStopWord }];
    return pairs.map((pair) => ({ term: pair.toWellFormed(), forms: [term], isStopWord }));
  });
}

const STOPPED_WITHOUT_SPACES: readonly Language[] = ["chinese", "japanese"];

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

function* addWords(
  stem: Stem,
  words: string[],
  folded: string,
  omitted: ReadonlySet<string>,
  counter: LanguageCounter | null = null,
): Steps<void> {
  let counted = 0;
  for (const { 0: run, index } of folded.matchAll(WORD)) {
    if (ENGLISH.test(run)) {
      counter?.add(run);
      if (!omitted.has(run)) words.push(toWord(stem, run));
    } else if (ASCII.test(run)) {
      if (counter !== null) count(counter, run);
      const word = withoutApostrophes(run);
      if (!omitted.has(word)) words.push(toWord(stem, word));
    } else {
      for (const piece of piecesOf(run)) {
        if (counter !== null && !LATIN_PIECE.test(piece)) counter.hasOtherScript = true;
        if (NO_SPACES.test(piece)) {
          let at = 0;
          for (const { segment, isWordLike, index: place } of segmenter.segment(piece)) {
            if (isWordLike && !omitted.has(segment)) words.push(toWord(stem, segment));
            if (place - at < STEP_CHARACTERS) continue;
            yield place - at;
            at = place;
          }
          continue;
        }
        if (counter !== null) count(counter, piece);
        const word = withoutApostrophes(piece);
        if (word !== "" && !omitted.has(word)) words.push(toWord(stem, word));
      }
      counted = Math.max(counted, index);
    }
    if (index - counted < STEP_CHARACTERS) continue;
    yield index - counted;
    counted = index;
  }
  yield folded.length - counted;
}

function count(counter: LanguageCounter, word: string): void {
  if (!/['’]/.test(word)) counter.add(word);
  else if (isDivided(word)) counter.hasDivided = true;
  else counter.addContraction();
}

/** Digits, marks and apostrophes belong to the letters before them, or to those after them at the start of a word. */
const OF_ANY_SCRIPT = String.raw`\p{N}\p{M}\u0640'’\u00ad\u200b-\u200d\u2060\ufeff`;
const SCRIPTS = [
  String.raw`\p{sc=Latn}\p{sc=Grek}`,
  String.raw`\p{sc=Cyrl}`,
  String.raw`\p{sc=Arab}`,
  String.raw`\p{sc=Hebr}`,
  String.raw`\p{sc=Hang}`,
  String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}`,
  String.raw`\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`,
];
const PIECE = new RegExp(
  [
    ...SCRIPTS.map((script) => `[${OF_ANY_SCRIPT}]*[${script}][${script}${OF_ANY_SCRIPT}]*`),
    `[^${SCRIPTS.join("")}]+`,
  ].join("|"),
  "gu",
);
const LATIN_PIECE = /^[\p{sc=Latn}\p{N}\p{M}'’]*$/u;

/** Divides a word where its script changes: "Notion에" is "Notion" and "에". */
function piecesOf(run: string): string[] {
  if (ASCII.test(run) || LATIN_PIECE.test(run)) return [run];
  return run.match(PIECE) ?? [run];
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
  const beginnings = new Set([...wanted].map(beginningOf));
  // A stem begins as its word does, or as a part of it that an apostrophe divides off.
  const mayHaveWantedForm = (segment: string): boolean => {
    const word = segment.toLowerCase();
    if (!ASCII.test(word)) return true;
    return word.split("'").some((part) => {
      const beginning = beginningOf(part);
      return beginnings.has(beginning) || beginnings.has(beginning.slice(0, -1));
    });
  };
  const isForm = (segment: string, inflected: Inflected): boolean => {
    for (const [run] of toLowerWords(withoutHidden(segment)).matchAll(WORD))
      for (const piece of piecesOf(run))
        for (const form of formsOf(stem, piece, inflected)) if (wanted.has(form)) return true;
    return false;
  };
  const skipped = skipWordsExcept(initialsOf(stem, wanted));
  // Caches whether a word is wanted, or may have a wanted form in the languages of a text: texts repeat words, and a
  // search highlights many texts.
  const known = new Map<string, "wanted" | "form" | "other">();
  return function* (text) {
    const ranges: TextRange[] = [];
    let paused = 0;
    let marked = 0;
    let identifierEnd = 0;
    /** Whether a word has a wanted form in the languages of the text, which are read once they are needed. */
    let inflected: Inflected | null = null;
    const forms = new Map<string, boolean>();
    const hasWantedForm = function* (segment: string): Steps<boolean> {
      const isKnown = forms.get(segment);
      if (isKnown !== undefined) return isKnown;
      inflected ??= yield* languagesOf(text);
      const isFound = isForm(segment, inflected);
      forms.set(segment, isFound);
      return isFound;
    };
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
        identifier === null && !isPlain
          ? segmentsOf(run, wanted)
          : [{ segment: identifier ?? run, index: 0 }];
      for (const { segment, index: at } of parts) {
        if (index + at - paused >= STEP_CHARACTERS) {
          yield index + at - paused;
          paused = index + at;
        }
        if (identifier === null) {
          let kind = known.get(segment);
          if (kind === undefined) {
            kind = (yield* isWanted(segment)) ? "wanted" : mayHaveWantedForm(segment) ? "form" : "other";
            known.set(segment, kind);
          }
          if (kind === "other" || (kind === "form" && !(yield* hasWantedForm(segment)))) continue;
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

/** What a stem and its word have in common: the first letters, where a doubled one counts once ("maan" is "man"). */
const beginningOf = (word: string): string => word.slice(0, 5).replace(/(.)\1/g, "$1").slice(0, 3);

/** The languages of a text whose words are not split. */
function* languagesOf(text: string): Steps<Inflected> {
  const counter = new LanguageCounter();
  for (const part of partsOf(text))
    yield* addWords(identity, [], foldWords(withoutHidden(part)), NONE, counter);
  return counter.inflected();
}

const identity: Stem = (word) => word;

/**
 * Divides a word as it is written where its script changes, and text without spaces into its words. A wanted pair of
 * characters that reaches over the border of two words joins them.
 */
function* segmentsOf(
  run: string,
  wanted: ReadonlySet<string>,
): Generator<{ segment: string; index: number }> {
  let at = 0;
  for (const piece of piecesOf(run)) {
    if (!NO_SPACES.test(piece)) {
      yield { segment: piece, index: at };
      at += piece.length;
      continue;
    }
    let joined = "";
    for (const { segment } of segmenter.segment(piece)) {
      const isJoined =
        joined !== "" &&
        wanted.has(foldWords((Array.from(joined).at(-1) ?? "") + (Array.from(segment)[0] ?? "")));
      if (!isJoined && joined !== "") {
        yield { segment: joined, index: at };
        at += joined.length;
        joined = "";
      }
      joined += segment;
    }
    if (joined !== "") yield { segment: joined, index: at };
    at += joined.length;
  }
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
const NEXT_WORD = new RegExp(WRITTEN_WORD, "gu");

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

import { MAGNITUDES, NUMBER_WORDS } from "./entities/number-words.ts";
import { fold, foldWords, WORD, withoutHidden } from "./fold.ts";
import { stopWordsOf } from "./languages.ts";
import type { Stem } from "./stems.ts";
import { type Language, STOP_WORDS } from "./stop-words.ts";

/** Share of the words of a sentence, without function words, that stand in what it cites. */
const SUPPORTED_SHARE_MIN = 0.5;

/** A run of characters with a digit: "4711", "1,200.50", "2026-03-01", "v1.2", "3rd", "10:30". */
const NUMBER = /[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*(?:[.,:/'’_-][\p{L}\p{N}]+)*/gu;
/** Text in quotation marks or backticks. An apostrophe within a word is none. */
const QUOTATION =
  /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|»([^«]+)«|‹([^›]+)›|「([^」]+)」|『([^』]+)』|`([^`]+)`|‘([^’]+)’|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;
/** A run that is written as no word is: a path, an address, `snake_case`, `camelCase`, `a.b`. */
const IDENTIFIER = /[_/\\@#:=<>$%&~^|{}[\]+*]|\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}|[\p{L}\p{N}]\.[\p{L}\p{N}]/u;
const TRIMMED = /^[\s"'“”„«»‹›‘’()[\]{}「」『』`,;:!?.…–—-]+|[\s"'“”„«»‹›‘’()[\]{}「」『』`,;:!?.…–—-]+$/gu;
const CAPITAL = /^\p{Lu}|^\p{Lt}/u;
/** Letters of scripts without capitals, where a name looks like any other word. */
const CASELESS = /\p{Lo}/u;
/** Scripts that write no blanks between words. */
const NO_SPACES = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const CONTINUES_BEFORE = /(?:[\p{L}\p{M}\p{N}]|\p{N}[.,:/'’-])$/u;
const CONTINUES_AFTER = /^(?:[\p{L}\p{M}\p{N}]|[.,:/'’-]\p{N})/u;
const words = new Intl.Segmenter("und", { granularity: "word" });
/** Words that stand for amounts only next to others: "one of them". */
const NO_NUMBERS = new Set(["one", "cr"]);

let functionWords: ReadonlySet<string> | undefined;
const isFunctionWord = (word: string): boolean => {
  functionWords ??= new Set(
    (Object.keys(STOP_WORDS) as Language[]).flatMap((language) => [...stopWordsOf(language)]),
  );
  return functionWords.has(word);
};

/**
 * Whether texts say all that can be checked without a model of a sentence about them: each number, date, name, quotation
 * and identifier stands in one of the texts, and so does at least half of the other words.
 *
 * It says no rather too often: to a word with a capital that is none of a name, and in scripts without capitals to each
 * word that the texts lack.
 */
export function isSupported(stem: Stem, sentence: string, texts: readonly string[]): boolean {
  const cited = new Evidence(stem, texts);
  const plain = withoutHidden(sentence);
  return (
    hasNumbers(plain, cited) &&
    hasQuotations(plain, cited) &&
    hasIdentifiers(plain, cited) &&
    hasNames(stem, plain, cited)
  );
}

/** What a sentence cites. */
class Evidence {
  /** As it is written, with single blanks. */
  readonly exact: string;
  /** The same in the form in which words are compared. */
  readonly folded: string;
  readonly #words: ReadonlySet<string>;
  readonly #stems: ReadonlySet<string>;

  constructor(stem: Stem, texts: readonly string[]) {
    const text = texts.map(withoutHidden).join("\n");
    this.exact = toSingleBlanks(text);
    this.folded = foldWords(this.exact);
    this.#words = new Set(this.folded.match(WORD) ?? []);
    this.#stems = new Set([...this.#words].map((word) => stem(word)));
  }

  /** Whether a folded text stands there and is no part of a word or number. */
  hasWhole(folded: string): boolean {
    for (let at = this.folded.indexOf(folded); at >= 0; at = this.folded.indexOf(folded, at + 1)) {
      const before = this.folded.slice(Math.max(0, at - 3), at);
      const end = at + folded.length;
      if (!CONTINUES_BEFORE.test(before) && !CONTINUES_AFTER.test(this.folded.slice(end, end + 3)))
        return true;
    }
    return false;
  }

  hasWord(folded: string): boolean {
    if (NO_SPACES.test(folded)) return this.folded.includes(folded);
    return this.#words.has(folded) || this.hasWhole(folded);
  }

  hasStem(stem: string): boolean {
    return this.#stems.has(stem);
  }
}

const toSingleBlanks = (text: string): string => text.replace(/\s+/g, " ");

function hasNumbers(sentence: string, cited: Evidence): boolean {
  for (const [run] of foldWords(sentence).matchAll(NUMBER)) if (!cited.hasWhole(run)) return false;
  for (const [word] of fold(sentence).matchAll(/\p{L}+/gu)) {
    const isNumber = (NUMBER_WORDS.has(word) || MAGNITUDES.has(word)) && !NO_NUMBERS.has(word);
    if (isNumber && !cited.hasWord(word)) return false;
  }
  return true;
}

function hasQuotations(sentence: string, cited: Evidence): boolean {
  for (const match of sentence.matchAll(QUOTATION)) {
    const quoted = match.slice(1).find((group) => group !== undefined) ?? "";
    // American typography puts the mark of the sentence before the quotation mark.
    const text = toSingleBlanks(quoted)
      .trim()
      .replace(/[.,!?]$/, "");
    if (text === "" || !cited.exact.includes(text)) return false;
  }
  return true;
}

function hasIdentifiers(sentence: string, cited: Evidence): boolean {
  for (const run of sentence.split(/\s+/)) {
    const trimmed = run.replace(TRIMMED, "");
    if (IDENTIFIER.test(trimmed) && !cited.exact.includes(trimmed)) return false;
  }
  return true;
}

function hasNames(stem: Stem, sentence: string, cited: Evidence): boolean {
  let supported = 0;
  let counted = 0;
  let isFirst = true;
  for (const { segment, isWordLike } of words.segment(sentence)) {
    if (!isWordLike || !/\p{L}/u.test(segment)) continue;
    const folded = foldWords(segment);
    const isFunction = isFunctionWord(folded) || isFunctionWord(folded.replace(/['’].*$/, ""));
    const stands =
      cited.hasWord(folded) ||
      partsOf(folded).every((part) => cited.hasWord(part) || cited.hasStem(stem(part)));
    const mayBeName = CASELESS.test(segment)
      ? !isFunction && (segment.length > 1 || /\p{sc=Han}/u.test(segment))
      : CAPITAL.test(segment) && !(isFirst && isFunction) && !isPronoun(segment);
    isFirst = false;
    // Of a name, no other form stands for it.
    const isNamed = cited.hasWord(folded) || cited.hasWord(folded.replace(/['’]s?$/, ""));
    if (mayBeName && !(isNamed || (stands && counted === 0 && supported === 0))) return false;
    if (isFunction) continue;
    counted += 1;
    if (stands) supported += 1;
  }
  return counted > 0 && supported >= SUPPORTED_SHARE_MIN * counted;
}

const partsOf = (word: string): string[] => word.split(/['’-]/).filter((part) => part !== "" && part !== "s");
/** In English, always written with a capital. */
const isPronoun = (word: string): boolean => /^I(?:['’]\p{L}+)?$/u.test(word);

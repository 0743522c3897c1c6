import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { fold, foldWords } from "./fold.ts";
import { type Inflected, languagesOfWord } from "./languages.ts";
import type { Stem } from "./stems.ts";
import type { Language } from "./stop-words.ts";
import { isFrequentWord } from "./word-frequencies.ts";

/** Shorter words and stems are left alone: without its ending, "rosen" would be any "ros". */
const STEM_LETTERS_MIN = 3;
const INFLECTED_LETTERS_MIN = 4;

/**
 * Removes an ending, and gives the last consonant as it is before other endings: Polska, w Polsce; Praha, v Praze.
 *
 * @param endings from long to short.
 * @param hard the consonants that change before some endings.
 */
const withoutSoftEnding =
  (endings: RegExp, hard: Record<string, string>) =>
  (word: string): string => {
    const stem = word.replace(endings, "");
    if (stem.length < STEM_LETTERS_MIN) return word;
    return stem.replace(/dz$|[czř]$/u, (last) => hard[last] ?? last);
  };

const STEMMERS: Partial<Record<Language, (word: string) => string>> = {
  ...{ danish, dutch, french, german, hungarian, hindi, italian, norwegian, portuguese },
  ...{ romanian, russian, spanish, swedish, turkish },
  greek: (word) => greek(fold(word).replaceAll("ς", "σ")),
  finnish: (word) => withStrongGrade(finnish(word)),
  ukrainian: (word) => withOpenVowel(ukrainian(word), word),
  polish: withoutSoftEnding(
    /(?:iami|ami|iach|ach|owie|owi|ego|iemu|emu|iej|ich|ych|imi|ymi|iem|iom|ów|om|em|ie|im|ym|ej|ią|ię|ia|iu|io|ą|ę|y|i|a|e|o|u)$/u,
    { c: "k", dz: "g" },
  ),
  czech: withoutSoftEnding(
    /(?:atech|ětem|atům|ech|ich|ích|ého|ěmi|emi|ému|ěte|ými|ách|ata|aty|ých|ama|ami|ové|ovi|em|es|ém|ím|ům|at|ám|os|us|ým|mi|ou|ů|y|a|e|i|o|u|ě|í|á|é|ý)$/u,
    { c: "k", z: "h", ř: "r" },
  ),
};

/**
 * Finnish consonants change before endings: Helsinki, Helsingissä. A stem has the consonants that stand before no
 * ending, so that both have the same.
 */
function withStrongGrade(stem: string): string {
  return stem
    .replace(/(kk|pp|tt)(?=[aeiouyäö]*$)/, ([letter = ""]) => letter)
    .replace(/(?<=[nlr])g(?=[aeiouyäö]*$)/, "k")
    .replace(/(?<=m)m(?=[aeiouyäö]*$)/, "p")
    .replace(/(?<=([nlr]))\1(?=[aeiouyäö]*$)/, "t")
    .replace(/d(?=[aeiouyäö]*$)/, "t");
}

/** In Ukrainian, і of a last closed syllable is о before endings: Львів, Львова; Київ, Києва. */
function withOpenVowel(stem: string, word: string): string {
  const base = /[ії][^аеєиіїоуюяьй]$/.test(word) ? word : stem;
  return base.replace(/і([^аеєиіїоуюяьй])$/, "о$1").replace(/ї([^аеєиіїоуюяьй])$/, "є$1");
}

/** "O'Connor" and "l'hôtel" have a name after the apostrophe, "Ankara'da" has one before it. */
const APOSTROPHE = /['’]/;
const ENGLISH_CONTRACTION = /['’](?:s|t|re|ve|ll|d|m)$/;
/** Whether a word in lower case has an apostrophe that may divide a name from an ending or an article. */
export const isDivided = (word: string): boolean => APOSTROPHE.test(word) && !ENGLISH_CONTRACTION.test(word);

/** Prefixes of Arabic that are written together with the word: and, by, like, for, the. */
const ARABIC_PREFIX = /^(?:[وف]?(?:ال|بال|كال|لل)|[وف][بلكس]?|[بلكس])/u;
/** The endings of the plural, of the dual and of possession. */
const ARABIC_ENDING = /(?:ها|ان|ات|ون|ين|يه|هم|نا|ه|ي)$/u;
const HEBREW_PREFIX = /^(?:[ושכמ]?[הבלכמש]|ו)/u;
const HEBREW_ENDING = /(?:ים|ימ|ות|יי|י)$/u;

/** Endings of Korean nouns (particles) and verbs, from long to short. */
const KOREAN_ENDING =
  /(?:했었습니다|하겠습니다|하였습니다|했습니다|됐습니다|되었습니다|합니다|됩니다|입니다|이었다|이에요|이라고|이라는|했어요|했다가|했는데|하려고|하면서|했던|했다|했어|했지|했나요|해요|해서|하는|하고|하기|하다|한다|할지|에게서|에서는|에서도|에서의|으로는|으로부터|까지는|까지|부터|에서|에게|한테|께서|처럼|보다|마다|밖에|조차|이나|이랑|으로|라고|라는|이란|에는|에도|와의|과의|들은|들이|들을|들의|들|은|는|이|가|을|를|의|에|로|와|과|도|만|랑|나|야|요)$/u;

function* arabicForms(word: string): Generator<string> {
  const bases = [foldWords(word)];
  for (const base of bases) {
    const prefix = ARABIC_PREFIX.exec(base)?.[0] ?? "";
    const shorter = base.slice(prefix.length);
    // A single letter other than "and" is more often part of the word.
    const lettersMin = prefix.length === 1 && !/[وف]/u.test(prefix) ? STEM_LETTERS_MIN + 1 : STEM_LETTERS_MIN;
    if (prefix === "" || shorter.length < lettersMin) continue;
    bases.push(shorter);
  }
  for (const base of bases) {
    yield base;
    yield arabic(base);
    const stem = base.replace(ARABIC_ENDING, "");
    if (stem.length >= STEM_LETTERS_MIN) yield stem;
  }
}

function* hebrewForms(word: string): Generator<string> {
  const bases = [foldWords(word)];
  for (let rest = foldWords(word); bases.length < 3; ) {
    const shorter = rest.replace(HEBREW_PREFIX, "");
    if (shorter === rest || shorter.length < STEM_LETTERS_MIN) break;
    // Of two letters that may both be prefixes, perhaps only the first is one.
    if (rest.length - shorter.length === 2) bases.push(rest.slice(1));
    bases.push(shorter);
    rest = shorter;
  }
  for (const base of bases) {
    yield base;
    const stem = base.replace(HEBREW_ENDING, "");
    if (stem.length >= STEM_LETTERS_MIN) yield stem;
  }
}

/** A Korean word without its ending. At least one syllable stays. */
export function koreanBase(word: string): string {
  const base = word.replace(KOREAN_ENDING, "");
  return base === "" ? word : base;
}

/**
 * Other forms under which a word is found: its stem in each of the languages, and what is left without an article, a
 * preposition or a particle that its language writes together with it. May repeat forms.
 *
 * @param word in lower case with its accents, of letters of one script.
 */
export function* formsOfWord(english: Stem, word: string, languages: Inflected): Generator<string> {
  if (/\p{sc=Hang}/u.test(word)) yield koreanBase(word);
  else if (/\p{sc=Arab}/u.test(word)) yield* arabicForms(word);
  else if (/\p{sc=Hebr}/u.test(word)) yield* hebrewForms(word);
  else {
    const parts = isDivided(word)
      ? word.split(APOSTROPHE).filter((part) => part.length >= STEM_LETTERS_MIN)
      : [];
    yield* parts;
    for (const base of [word.replace(/['’]/g, ""), ...parts]) yield* stems(english, base, languages);
  }
}

function* stems(english: Stem, word: string, { languages, isUnknown }: Inflected): Generator<string> {
  if (word.length < INFLECTED_LETTERS_MIN || (isUnknown && isFrequentWord(english(fold(word))))) return;
  const lettersMin = isUnknown ? INFLECTED_LETTERS_MIN : STEM_LETTERS_MIN;
  for (const language of languagesOfWord(word, languages)) {
    const stem = STEMMERS[language]?.(word);
    if (stem === undefined || stem.length < lettersMin) continue;
    // "plugh" is no form of the English word "plug".
    if (!(isUnknown && isFrequentWord(stem))) yield stem;
  }
}

/** All pairs of neighboring characters, by which a part of a word without spaces is found. */
export function pairsOf(word: string): string[] {
  const characters = Array.from(word);
  return characters.slice(1).map((character, i) => (characters[i] ?? "") + character);
}

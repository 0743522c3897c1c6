import { fold, WORD } from "./fold.ts";
import { stopWordsOf } from "./languages.ts";
import { type Language, STOP_WORDS } from "./stop-words.ts";

/** What two notes about the same thing may disagree on. */
const VALUES = {
  url: /\b(?:https?:\/\/|www\.)[^\s<>"')\]]+/giu,
  email: /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  date: /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/gu,
  number: /\d+(?:[.,:]\d+)*/gu,
} as const;

const words = (text: string): string[] => text.trim().split(/\s+/);
/** Months and days of the week, and words for numbers, in the languages of the negations. */
const NAMED_VALUES = {
  date: new Set(
    words(`january february march april may june july august september october november december
      monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
      januar februar marz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
      montags dienstags mittwochs donnerstags freitags samstags sonntags
      enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
      lunes martes miercoles jueves viernes sabado domingo
      janvier fevrier mars avril juin juillet aout septembre octobre decembre
      lundi mardi mercredi jeudi vendredi samedi dimanche`),
  ),
  number: new Set(
    words(`one two three four five six seven eight nine ten eleven twelve twenty
      eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf
      dos tres cuatro cinco seis siete ocho nueve diez
      deux trois quatre cinq sept huit neuf dix`),
  ),
};
const NEGATIONS = new Set(
  words(`not no never none without cannot neither nor cant dont doesnt didnt isnt arent wasnt werent wont
    shouldnt couldnt wouldnt hasnt havent hadnt stopped
    nicht kein keine keinen keinem keiner nie niemals ohne
    nunca jamas sin ningun ninguna tampoco
    pas jamais aucun aucune sans`),
);
/** Scripts without spaces between words, in which pairs of characters are compared. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_NEGATION = /[不没沒无無非未]|ない|ません/gu;
const STOPS = new Set(
  (Object.keys(STOP_WORDS) as Language[]).flatMap((language) => [...stopWordsOf(language)].map(fold)),
);
/** Letters of a word that are compared, so that its endings make no difference. */
const STEM_LETTERS = 5;
/** Notes are near if they share this part of the words of the shorter one, and at least two words. */
const SHARED_MIN = 0.6;
const SHARED_WORDS_MIN = 2;

export interface Claims {
  topic: ReadonlySet<string>;
  values: Readonly<Record<keyof typeof VALUES, ReadonlySet<string>>>;
  isNegated: boolean;
}

/** What a note is about, and what it says of it. */
export function readClaims(text: string): Claims {
  let rest = text;
  const values = {
    url: new Set<string>(),
    email: new Set<string>(),
    date: new Set<string>(),
    number: new Set<string>(),
  };
  for (const kind of ["url", "email", "date", "number"] as const)
    rest = rest.replace(VALUES[kind], (found) => {
      values[kind].add(found.toLowerCase().replace(/[.,;:!?]+$/, ""));
      return " ";
    });
  const topic = new Set<string>();
  let isNegated = false;
  for (const [written] of rest.matchAll(WORD)) {
    const word = fold(written).replaceAll(/['’]/g, "");
    if (UNSPACED.test(word)) {
      const plain = word.replaceAll(UNSPACED_NEGATION, "");
      isNegated ||= plain !== word;
      for (let i = 0; i + 1 < plain.length; i++) topic.add(plain.slice(i, i + 2));
    } else if (NEGATIONS.has(word)) isNegated = true;
    else if (NAMED_VALUES.date.has(word)) values.date.add(word.replace(/(?<=day)s$/, ""));
    else if (NAMED_VALUES.number.has(word)) values.number.add(word);
    else if (!STOPS.has(word)) topic.add(word.slice(0, STEM_LETTERS));
  }
  return { topic, values, isNegated };
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((value) => all.has(value));

/**
 * Whether two notes are near in their words, and differ in a number, date, URL, e-mail address or negation. A hint,
 * never a verdict: both may be true. A value that only one of them has is no difference.
 */
export function mayConflict(one: Claims, other: Claims): boolean {
  const shared = [...one.topic].filter((word) => other.topic.has(word)).length;
  const isNear =
    shared >= SHARED_WORDS_MIN && shared >= SHARED_MIN * Math.min(one.topic.size, other.topic.size);
  if (!isNear) return false;
  if (one.isNegated !== other.isNegated) return true;
  return (Object.keys(VALUES) as (keyof typeof VALUES)[]).some((kind) => {
    const [ours, theirs] = [one.values[kind], other.values[kind]];
    return ours.size > 0 && theirs.size > 0 && !isWithin(ours, theirs) && !isWithin(theirs, ours);
  });
}

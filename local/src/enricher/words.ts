import nlp from "compromise/two";

export interface Word {
  /**
   * The word in lower case; nouns in the singular, verbs in the infinitive. Only ASCII letters, digits and
   * hyphens.
   */
  name: string;
  /** Only nouns become new tags. Other words can only match a known tag. */
  isNoun: boolean;
  /** True if only a space or hyphen separates the word from the preceding one in the list. */
  follows: boolean;
}

export interface Sentence {
  text: string;
  words: Word[];
}

/** Word classes of the library `compromise` whose words are no topic. */
const NO_TOPIC = ["Pronoun", "Date", "Time", "Value", "Url", "Email", "Emoji", "Emoticon", "PhoneNumber"];
const FUNCTION_WORDS = [
  "Determiner",
  "Preposition",
  "Conjunction",
  "Auxiliary",
  "Copula",
  "Modal",
  "Negative",
  "QuestionWord",
];
const VAGUE = new Set(
  (
    "bit case day deal detail example fact hour idea issue item kind list lot matter minute moment month morning " +
    "note one part people person place plan point problem question reason result side sort step stuff thing time " +
    "today todo tomorrow use want way week year yesterday"
  ).split(" "),
);

/** The rest of a longer note is ignored. */
const NOTE_CHARACTERS_MAX = 10_000;
/**
 * The rest of a longer run of characters without spaces is ignored, because the library `compromise` needs
 * quadratic time for such a run.
 */
const RUN_CHARACTERS_MAX = 100;
const LONG_RUN = new RegExp(`(\\S{${RUN_CHARACTERS_MAX}})\\S+`, "g");
/** About 500 characters, up to a blank line. Reading them takes some milliseconds. */
const PARAGRAPHS = /[\s\S]{1,500}(?:(?!\n[^\S\n]*\n)[\s\S])*\s*/g;
/**
 * A constant, because TypeScript would reject `root` in a literal argument: the types of `compromise` lack
 * it.
 */
const SHOWN = { terms: { normal: true, tags: true, root: true } };

/** Reads a few paragraphs in each step. A sentence does not continue after a blank line. */
export function* readSentences(note: string): Generator<void, Sentence[], void> {
  const text = note.slice(0, NOTE_CHARACTERS_MAX).replace(LONG_RUN, "$1").toWellFormed();
  const sentences: Sentence[] = [];
  for (const [paragraphs] of text.matchAll(PARAGRAPHS)) {
    const read = nlp(paragraphs).compute("root").json(SHOWN);
    for (const { text, terms } of read as ReadSentence[]) sentences.push({ text, words: toWords(terms) });
    yield;
  }
  return sentences;
}

interface ReadTerm {
  normal: string;
  root?: string;
  pre: string;
  post: string;
  tags: string[];
}

interface ReadSentence {
  text: string;
  terms: ReadTerm[];
}

function toWords(terms: ReadTerm[]): Word[] {
  const words: Word[] = [];
  let follows = false;
  for (const { normal, root, pre, post, tags } of terms) {
    const name = toName(root ?? normal);
    const tagged = (names: string[]) => names.some((one) => tags.includes(one));
    const counts =
      name.length > 1 && /[a-z]/.test(name) && !VAGUE.has(name) && !tagged([...NO_TOPIC, ...FUNCTION_WORDS]);
    if (counts) words.push({ name, isNoun: tags.includes("Noun"), follows: follows && pre === "" });
    follows = counts && /^[ -]?$/.test(post);
  }
  return words;
}

function toName(word: string): string {
  const plain = word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}|['’]s?\b/gu, "");
  return plain.match(/[a-z0-9]+/g)?.join("-") ?? "";
}

import nlp from "compromise/two";

/** A word of a note that may be what the note is about. */
export interface Word {
  /** In lower case, a noun in the singular, a verb in the infinitive; ASCII letters, digits and hyphens alone. */
  name: string;
  /** Whether it names something; other words tell at most which known tag is meant. */
  isNoun: boolean;
  /** Whether it stands right after the word before it, with nothing between but a blank or hyphen. */
  follows: boolean;
}

export interface Sentence {
  text: string;
  words: Word[];
}

/** Nouns by their form that say when, how many or who is meant, and nothing of the topic. */
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
/** Nouns that any note may have. */
const VAGUE = new Set(
  (
    "bit case day deal detail example fact hour idea issue item kind list lot matter minute moment month morning " +
    "note one part people person place plan point problem question reason result side sort step stuff thing time " +
    "today todo tomorrow use want way week year yesterday"
  ).split(" "),
);

/** What is read of a note, and of a run without blanks, which takes compromise time by its square; the rest is cut off. */
const NOTE_CHARACTERS_MAX = 10_000;
const RUN_CHARACTERS_MAX = 100;
const LONG_RUN = new RegExp(`(\\S{${RUN_CHARACTERS_MAX}})\\S+`, "g");
/** Its types do not know of `root`. */
const SHOWN = { terms: { normal: true, tags: true, root: true } };

/** The sentences of an English note, with those of their words that say something, by the parts of speech that compromise tells. */
export function readSentences(note: string): Sentence[] {
  const text = note.slice(0, NOTE_CHARACTERS_MAX).replace(LONG_RUN, "$1").toWellFormed();
  const read = nlp(text).compute("root").json(SHOWN);
  return (read as ReadSentence[]).map(({ text, terms }) => ({ text, words: toWords(terms) }));
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

import stem from "wink-porter2-stemmer";
import { primaryName } from "./aliases.ts";
import { readSentences, type Sentence, type Word } from "./words.ts";

const SUMMARY_CHARACTERS_MAX = 140;
const TAGS_MIN = 3;
const TAGS_MAX = 7;
/** Maximum number of tags that are not known tags. Small, so that notes share tags. */
const NEW_TAGS_MAX = 5;
const TAG_CHARACTERS_MAX = 40;
const TAG_WORDS_MAX = 3;
/** YAML, which begins with a key, between two lines `---` at the start of a Markdown note. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([^\s:][^:\r\n]*:\s[\s\S]*?)?---[ \t]*(?:\r?\n|$)/;
const KEY = /^[ \t-]*[^\s:]+:(?=\s)/gm;
/** A line of Markdown that draws a rule, or underlines a heading. */
const RULE = /^[ \t]*([-*_=])(?:[ \t]*\1){2,}[ \t]*$/gm;
/** Adjacent words become a new tag only if they occur this often in the note. */
const PHRASE_OCCURRENCES_MIN = 2;
/** Maximum number of keys in memory. */
const KEYS_MAX = 20_000;

interface Candidate {
  tag: string;
  weight: number;
  isNoun: boolean;
  isPhrase: boolean;
  isKnown: boolean;
  occurrences: number;
}

/**
 * The same note with the same known tags always gets the same summary and tags.
 *
 * Tags are nouns of the note, and phrases of nouns that occur repeatedly. They are weighted as in RAKE (Rose
 * et al.: Automatic keyword extraction from individual documents, 2010): each occurrence adds the number of
 * nouns in the run of adjacent words that it is part of. A word or phrase that is another form or another
 * name of a known tag becomes that tag, and known tags come first. The summary is the sentence whose words
 * have the highest weight (Luhn: The automatic creation of literature abstracts, 1958). It is not taken from front
 * matter, unless the note has nothing else.
 *
 * A long note takes some tenths of a second, so the caller can pause between steps.
 */
export function* enrichByExtraction(
  note: string,
  knownTags: string[],
): Generator<void, { summary: string; tags: string[] }, void> {
  const [front = "", yaml = ""] = FRONT_MATTER.exec(note) ?? [];
  const text = yield* readSentences(note.slice(front.length).replace(RULE, ""));
  const fields = yield* readSentences(yaml.replace(KEY, ""));
  const candidates = yield* weigh([...text, ...fields], knownTags);
  const sentences = text.length > 0 ? text : fields;
  return { summary: yield* summarize(sentences, candidates), tags: chooseTags([...candidates.values()]) };
}

function* weigh(sentences: Sentence[], knownTags: string[]): Generator<void, Map<string, Candidate>, void> {
  const known = new Map(knownTags.map((tag) => [keyOf(tag), tag]));
  const candidates = new Map<string, Candidate>();
  for (const run of sentences.flatMap(({ words }) => toRuns(words))) {
    const degree = run.filter(({ isNoun }) => isNoun).length;
    for (const words of phrasesOf(run)) {
      yield;
      const name = words.map((word) => word.name).join("-");
      const key = keyOf(name);
      // A phrase that contains a known tag, such as "k8s cluster" if "k8s" is one, is not a topic of its own.
      if (!known.has(key) && words.length > 1 && words.some((word) => known.has(keyOf(word.name)))) continue;
      const tag = known.get(key) ?? primaryName(name);
      if (tag.length > TAG_CHARACTERS_MAX) continue;
      const isNoun = words.every((word) => word.isNoun);
      const earlier = candidates.get(key);
      candidates.set(key, {
        tag: earlier?.tag ?? tag,
        weight: (earlier?.weight ?? 0) + (isNoun ? degree : 1),
        isNoun: isNoun || earlier?.isNoun === true,
        isPhrase: words.length > 1,
        isKnown: known.has(key),
        occurrences: (earlier?.occurrences ?? 0) + 1,
      });
    }
  }
  return candidates;
}

/** Keys that {@link keyOf} has computed: notes repeat words, and each note is compared with the known tags. */
const keysByTag = new Map<string, string>();

/** The same key for all forms and names of a tag, such as singular and plural. */
function keyOf(tag: string): string {
  const computed = keysByTag.get(tag);
  if (computed !== undefined) return computed;
  if (keysByTag.size === KEYS_MAX) keysByTag.clear();
  const key = primaryName(tag).split("-").map(stem).join("-");
  keysByTag.set(tag, key);
  return key;
}

function toRuns(words: Word[]): Word[][] {
  const runs: Word[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    if (word.follows && run !== undefined) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function phrasesOf(run: Word[]): Word[][] {
  return run.flatMap((_, start) =>
    Array.from({ length: Math.min(TAG_WORDS_MAX, run.length - start) }, (_, more) =>
      run.slice(start, start + more + 1),
    ),
  );
}

/** Known tags come first. Words that are not nouns are chosen only if there are too few tags. */
function chooseTags(candidates: Candidate[]): string[] {
  const byWeight = candidates
    .filter((one) => one.isKnown || !one.isPhrase || one.occurrences >= PHRASE_OCCURRENCES_MIN)
    .sort((a, b) => b.weight - a.weight);
  const tags = new Set<string>();
  const add = (tagsMax: number, isMeant: (candidate: Candidate) => boolean) => {
    for (const candidate of byWeight) {
      if (tags.size < tagsMax && isMeant(candidate)) tags.add(candidate.tag);
    }
  };
  add(TAGS_MAX, ({ isKnown }) => isKnown);
  const tagsMax = Math.min(TAGS_MAX, tags.size + NEW_TAGS_MAX);
  // A tag that is part of a chosen phrase adds nothing.
  const isCovered = ({ tag }: Candidate) => [...tags].some((chosen) => `-${chosen}-`.includes(`-${tag}-`));
  add(tagsMax, (one) => one.isNoun && one.isPhrase && !isCovered(one));
  add(tagsMax, (one) => one.isNoun && !one.isPhrase && !isCovered(one));
  add(TAGS_MIN, (one) => !one.isPhrase && !isCovered(one));
  add(TAGS_MIN, (one) => !one.isPhrase);
  return [...tags];
}

function* summarize(
  sentences: Sentence[],
  candidates: Map<string, Candidate>,
): Generator<void, string, void> {
  const weightOf = ({ words }: Sentence): number => {
    const keys = new Set(words.filter(({ isNoun }) => isNoun).map(({ name }) => keyOf(name)));
    const weights = [...keys].map((key) => candidates.get(key)?.weight ?? 0);
    return weights.reduce((sum, weight) => sum + weight, 0) / Math.sqrt(words.length || 1);
  };
  const weights: number[] = [];
  for (const sentence of sentences) {
    weights.push(weightOf(sentence));
    yield;
  }
  const best = sentences[weights.indexOf(Math.max(...weights))];
  return splitAtBoundaries(
    (best?.text ?? "")
      .replace(/^[\s#>*-]+/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

function splitAtBoundaries(line: string): string {
  if (line.length <= SUMMARY_CHARACTERS_MAX) return line;
  const head = line.slice(0, SUMMARY_CHARACTERS_MAX);
  const end = head.lastIndexOf(" ");
  return `${(end === -1 ? head.slice(0, -1) : head.slice(0, end)).toWellFormed()}…`;
}

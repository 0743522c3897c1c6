import type { Kinship, Topic } from "./topics.ts";

export interface TaggedNote {
  topic: Topic;
  tags: string[];
}

/** Tags a note by its topics; null when it finds none. */
export type Tagger = (note: string, vocabulary: string[]) => Promise<string[] | null>;

/** Vocabulary for each note: none, the tags of earlier notes, or all tags of a first pass. */
export const MANNERS = ["alone", "as captured", "backfilled"] as const;
export type Manner = (typeof MANNERS)[number];

export interface Drift {
  notes: number;
  /** Percent of the notes with a tag that names their topic. */
  named: number;
  /** Mean number of names in use per topic, over topics with any; 1 is ideal. */
  namesPerTopic: number;
  /** Percent of the pairs of notes about one topic that a filter by one of its names finds together. */
  together: number;
}

/** The size of the vocabulary that the service sends to a text model. */
const VOCABULARY_TAGS = 50;

/** Tag the notes of all topics in order of capture, alternating between topics. */
export async function tagNotes(topics: Topic[], tagger: Tagger, manner: Manner): Promise<TaggedNote[]> {
  const tagAll = async (vocabularyOf: (earlier: TaggedNote[]) => string[]) => {
    const tagged: TaggedNote[] = [];
    for (const { topic, note } of inTurns(topics))
      tagged.push({ topic, tags: (await tagger(note, vocabularyOf(tagged))) ?? [] });
    return tagged;
  };
  if (manner === "as captured") return tagAll(toVocabulary);
  const alone = await tagAll(() => []);
  if (manner === "alone") return alone;
  const vocabulary = toVocabulary(alone);
  return tagAll(() => vocabulary);
}

/** The first note of every topic, then the second of each, and so on. */
function inTurns(topics: Topic[]): { topic: Topic; note: string }[] {
  const rounds = Math.max(...topics.map(({ notes }) => notes.length));
  return Array.from({ length: rounds }, (_, round) =>
    topics.flatMap((topic) => topic.notes.slice(round, round + 1).map((note) => ({ topic, note }))),
  ).flat();
}

/** The most frequent tags, with ties in alphabetical order, as in the service. */
function toVocabulary(notes: TaggedNote[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of notes.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, VOCABULARY_TAGS)
    .map(([tag]) => tag);
}

export function measureDrift(notes: TaggedNote[], kinship?: Kinship): Drift {
  const counted = notes.filter(({ topic }) => kinship === undefined || topic.kinship === kinship);
  const byTopic = Map.groupBy(counted, ({ topic }) => topic);
  const named = counted.filter((note) => namesOf(note).length > 0);
  const inUse = [...byTopic.values()]
    .map((ofTopic) => new Set(ofTopic.flatMap(namesOf)).size)
    .filter((names) => names > 0);
  const pairs = [...byTopic.values()].flatMap((ofTopic) =>
    ofTopic.flatMap((one, i) => ofTopic.slice(i + 1).map((other) => [one, other] as const)),
  );
  const together = pairs.filter(([one, other]) => namesOf(one).some((name) => other.tags.includes(name)));
  return {
    notes: counted.length,
    named: (100 * named.length) / counted.length,
    namesPerTopic: inUse.reduce((sum, names) => sum + names, 0) / inUse.length,
    together: (100 * together.length) / pairs.length,
  };
}

const namesOf = ({ topic, tags }: TaggedNote): string[] => tags.filter((tag) => topic.names.includes(tag));

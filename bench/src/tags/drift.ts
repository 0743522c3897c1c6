import type { Kinship, Topic } from "./topics.ts";

/** Tags of one note, by what it is about. */
export interface TaggedNote {
  topic: Topic;
  tags: string[];
}

/** Reads a note and says what it is about; null when it cannot tell. */
export type Tagger = (note: string, vocabulary: string[]) => Promise<string[] | null>;

/** What notes are tagged with: nothing known, what those before them have, what a first pass over all found. */
export const MANNERS = ["alone", "as captured", "backfilled"] as const;
export type Manner = (typeof MANNERS)[number];

/** How far the tags of notes about one thing drift apart. */
export interface Drift {
  notes: number;
  /** Percent of the notes with a tag that names their topic. */
  named: number;
  /** Names in use for a topic, of those whose notes bear any; the mean. 1 is none too many. */
  namesPerTopic: number;
  /** Percent of the pairs of notes about one topic that a filter by one name of it finds together. */
  together: number;
}

/** As many as the service shows a text model. */
const VOCABULARY_TAGS = 50;

/** Tag the notes of all topics, taking turns, in the order in which they were captured. */
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

/** First the first note of every topic, then the second. */
function inTurns(topics: Topic[]): { topic: Topic; note: string }[] {
  const rounds = Math.max(...topics.map(({ notes }) => notes.length));
  return Array.from({ length: rounds }, (_, round) =>
    topics.flatMap((topic) => topic.notes.slice(round, round + 1).map((note) => ({ topic, note }))),
  ).flat();
}

/** The most frequent tags, as the service takes them: of two as frequent, the first in the alphabet. */
function toVocabulary(notes: TaggedNote[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of notes.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, VOCABULARY_TAGS)
    .map(([tag]) => tag);
}

/** What the tags come to, of all topics or of those whose names are alike in one way. */
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

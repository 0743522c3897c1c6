import { type Filter, type Note, passesFilter } from "./notes.ts";

/** Values recommended by Robertson & Zaragoza 2009. */
const K1 = 1.2;
const B = 0.75;

interface Counted {
  note: Note;
  counts: Map<string, number>;
  length: number;
}

/** Finds notes by words alone: the baseline that a search has to beat. */
export type FindByWords = (query: string, filter: Filter, limit: number) => string[];

/**
 * Plain BM25 over the notes' contents: lower-case words, without stemming or tags.
 *
 * @returns A function that returns ids of notes, best first. Notes without a word of the query are left out.
 */
export function createFindByWords(notes: readonly Note[]): FindByWords {
  const counted = notes.map(count);
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const rarityOf = (word: string) => {
    const holding = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5));
  };
  const score = ({ counts, length }: Counted, rarities: ReadonlyMap<string, number>) => {
    const norm = K1 * (1 - B + (B * length) / averageLength);
    return [...rarities].reduce((sum, [word, rarity]) => {
      const times = counts.get(word) ?? 0;
      return sum + (rarity * times * (K1 + 1)) / (times + norm);
    }, 0);
  };
  return (query, filter, limit) => {
    const rarities = new Map(wordsOf(query).map((word) => [word, rarityOf(word)]));
    return counted
      .filter(({ note }) => passesFilter(note, filter))
      .map((one) => ({ id: one.note.id, score: score(one, rarities) }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id);
  };
}

function count(note: Note): Counted {
  const counts = new Map<string, number>();
  const words = wordsOf(note.content);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { note, counts, length: words.length };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

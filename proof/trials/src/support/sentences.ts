import { createRandom, type Random } from "../../../support/random.ts";

const WHO = ["Amara", "Bjarne", "Chiyo", "Dmitri", "Esther", "Farid", "Greta", "Hamza", "Ines", "Jonas"];
const DID = [
  "repaired",
  "painted",
  "borrowed",
  "sold",
  "photographed",
  "hid",
  "polished",
  "found",
  "weighed",
];
const WHAT = [
  "lantern",
  "bicycle",
  "violin",
  "teapot",
  "telescope",
  "carpet",
  "typewriter",
  "ladder",
  "canoe",
];
const WHERE = [
  "harbour",
  "orchard",
  "library",
  "attic",
  "station",
  "bakery",
  "greenhouse",
  "chapel",
  "market",
];
/** No vowels and no s, so that no stemmer finds a suffix. No digits, so that a marker stays one word. */
const LETTERS = "bcdfghjkmnpqrtvwxz";
/** The middle of every marker, so that one pass over a file finds them all. */
export const MARK = "qzxvkw";
export const MARKER_END_CHARACTERS = 8;
/** A short text about a topic, with a word that occurs in no other text. */
export interface Sentence {
  text: string;
  marker: string;
}

/** Interval of long texts, and the number of sentences on each side of the one with the marker. */
const LONG_EVERY = 10;
const AROUND = 6;
/** Minimum length of long texts; all others are shorter. */
export const LONG_CHARACTERS_MIN = 512;

/** Endless sentences, the same for the same seed. Short enough to be stored uncompressed. */
export function* createSentences(seed: string): Generator<Sentence, never, undefined> {
  const random = createRandom(seed);
  const half = () => Array.from({ length: MARKER_END_CHARACTERS }, () => random.pick([...LETTERS])).join("");
  for (;;) {
    const marker = `${half()}${MARK}${half()}`;
    yield { marker, text: `${sentenceOf(random)}, note ${marker}` };
  }
}

/** The same, but every tenth has about 600 bytes with its marker in the middle, and is stored compressed. */
export function* createTexts(seed: string): Generator<Sentence, never, undefined> {
  const random = createRandom(`${seed} around`);
  const around = () => Array.from({ length: AROUND }, () => `${sentenceOf(random)}. `).join("");
  const sentences = createSentences(seed);
  for (let count = 1; ; count++) {
    const { marker, text } = sentences.next().value;
    yield { marker, text: count % LONG_EVERY === 0 ? `${around()}${text}. ${around()}`.trim() : text };
  }
}

function sentenceOf(random: Random): string {
  const [who, did, what, where] = [WHO, DID, WHAT, WHERE].map((words) => random.pick(words));
  return `${who} ${did} the ${what} at the ${where}`;
}

/**
 * The part after the mark. It is as unique as the marker, and remains where the marker's beginning was
 * overwritten.
 */
export function markerEnd(marker: string): string {
  return marker.slice(-MARKER_END_CHARACTERS);
}

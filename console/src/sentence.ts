/** Characters of a sentence that are shown on each side of a place in it. */
const AROUND = 160;
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** A part of a text, and a place in it, in UTF-16 code units. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

/** The sentence or sentences that hold a place of a text. A long one is cut on both sides, with "…". */
export function sentenceAround(text: string, start: number, end: number): Sentence {
  const first = Math.max(0, start - AROUND);
  const part = text.slice(first, end + AROUND);
  let from = 0;
  let to = part.length;
  for (const { index, segment } of SENTENCES.segment(part)) {
    if (index <= start - first) from = index;
    if (index + segment.length >= end - first) {
      to = index + segment.length;
      break;
    }
  }
  const before = from === 0 && first > 0 ? "…" : "";
  const after = to === part.length && end + AROUND < text.length ? "…" : "";
  const sentence = part.slice(from, to);
  const lead = sentence.length - sentence.trimStart().length;
  const shift = before.length - first - from - lead;
  return {
    text: `${before}${sentence.trim()}${after}`.toWellFormed(),
    start: start + shift,
    end: end + shift,
  };
}

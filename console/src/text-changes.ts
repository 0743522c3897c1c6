import { diffWordsWithSpace } from "diff";

/** Words that may differ. Above it, finding the smallest difference would hold up the page. */
const DIFFERENT_MAX = 1_000;
/** Characters of unchanged text that are shown on each side of a change. */
const AROUND = 80;
/** Characters of a text that changed as a whole. */
const WHOLE_MAX = 600;

/** A part of a text: in both versions, or in only one of them. */
export interface TextChange {
  kind: "same" | "added" | "removed";
  text: string;
}

/** What changed between two versions of a text, word by word, with the text around it. The rest is left out, with "…". */
export function changesOf(before: string, after: string): TextChange[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: DIFFERENT_MAX });
  if (changes === undefined)
    return [
      { kind: "removed", text: start(before, WHOLE_MAX) },
      { kind: "added", text: start(after, WHOLE_MAX) },
    ];
  return changes.map(({ value, added, removed }, i) => {
    if (added || removed) return { kind: added ? "added" : "removed", text: start(value, WHOLE_MAX) };
    const isLast = i === changes.length - 1;
    if (i === 0) return { kind: "same", text: isLast ? start(value, WHOLE_MAX) : end(value, AROUND) };
    if (isLast) return { kind: "same", text: start(value, AROUND) };
    const isShort = value.length <= 2 * AROUND;
    return { kind: "same", text: isShort ? value : `${start(value, AROUND)} ${end(value, AROUND)}` };
  });
}

/** The first characters. A cut divides no character. */
const start = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;

const end = (text: string, length: number): string =>
  text.length <= length ? text : `…${text.slice(-length).replace(/^[\udc00-\udfff]/, "")}`;

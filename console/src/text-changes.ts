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
  const all = joined(
    changes.map(({ value, added, removed }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      text: value,
    })),
  );
  return all.map(({ kind, text }, i) => {
    if (kind !== "same") return { kind, text: start(text, WHOLE_MAX) };
    const isLast = i === all.length - 1;
    if (i === 0) return { kind, text: isLast ? start(text, WHOLE_MAX) : end(text, AROUND) };
    if (isLast) return { kind, text: start(text, AROUND) };
    const isShort = text.length <= 2 * AROUND;
    return { kind, text: isShort ? text : `${start(text, AROUND)} ${end(text, AROUND)}` };
  });
}

/** Joins changes between which only blanks are the same: several words in a row are one change. */
function joined(changes: readonly TextChange[]): TextChange[] {
  const all: TextChange[] = [];
  let [removed, added] = ["", ""];
  const flush = () => {
    if (removed !== "") all.push({ kind: "removed", text: removed });
    if (added !== "") all.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  changes.forEach(({ kind, text }, i) => {
    const isBetween = i > 0 && i < changes.length - 1 && text.trim() === "" && !text.includes("\n");
    if (kind !== "added" && (kind === "removed" || isBetween)) removed += text;
    if (kind !== "removed" && (kind === "added" || isBetween)) added += text;
    if (kind === "same" && !isBetween) {
      flush();
      all.push({ kind, text });
    }
  });
  flush();
  return all;
}

/** The first characters. A cut divides no character. */
const start = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;

const end = (text: string, length: number): string =>
  text.length <= length ? text : `…${text.slice(-length).replace(/^[\udc00-\udfff]/, "")}`;

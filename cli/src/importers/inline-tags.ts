/**
 * A `#` at the start of a line or after white space, followed by the characters of an Obsidian tag. Numbers
 * alone are excluded below.
 */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]+)/gu;
/** Start or end of a code block, including in lists and quotes. */
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** The tags in a text, without `#`, in order. Tags in code are ignored. */
export function inlineTags(markdown: string): string[] {
  const tags: string[] = [];
  let fence = "";
  for (const line of markdown.split(/\r?\n/)) {
    const [, mark = ""] = FENCE.exec(line) ?? [];
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
      continue;
    }
    fence = mark;
    if (mark !== "") continue;
    for (const [, tag = ""] of line.replace(/`[^`]*`/g, " ").matchAll(TAG)) {
      const name = tag.replace(/\/+$/, "");
      if (/[^\p{N}/]/u.test(name)) tags.push(name);
    }
  }
  return tags;
}

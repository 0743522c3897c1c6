/** A `#` behind a blank, with what Obsidian takes for a tag; a number alone is none. */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]+)/gu;
/** What begins or ends a block of code, in a list or a quote too. */
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** Tags that stand in a text, without their `#`, in order; none of what is code. */
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

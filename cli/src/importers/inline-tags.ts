/** Also matches a tag of only digits, which `inlineTags` leaves out. */
const TAG = /(?<=^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]+)/gu;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** The tags in a Markdown text, such as `#work`, without the `#`. Tags in code are ignored. */
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

/** A table in Markdown. The first row is its head. @param left Number of columns that are text; the rest are numbers. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[], left = 1): string {
  const rule = head.map((_, column) => (column < left ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A table for a terminal: names to the left, and numbers to the right, `width` characters each. */
export function textTable(rows: readonly (readonly string[])[], width: number): string {
  const nameWidth = Math.max(...rows.map(([name = ""]) => name.length));
  return rows
    .map(
      ([name = "", ...cells]) => name.padEnd(nameWidth) + cells.map((cell) => cell.padStart(width)).join(""),
    )
    .join("\n");
}

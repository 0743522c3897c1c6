/** A part of a context's text. `frame` is what the service writes around the stored texts. */
export type ContextPart = "frame" | "memories" | "results" | "messages";

export interface ContextLines {
  part: ContextPart;
  text: string;
}

/** First words of the lines that begin a part. Stored text begins no line: its further lines are indented. */
const HEADINGS: readonly (readonly [start: string, part: ContextPart])[] = [
  ["Memories:", "memories"],
  ["Found in conversations:", "results"],
  ["Newest messages of ", "messages"],
  ["Left out: ", "frame"],
  ["</engram-context", "frame"],
];

/** Splits a context's text into its parts, which together are the text again. */
export function splitContext(text: string): ContextLines[] {
  const parts: ContextLines[] = [];
  let part: ContextPart = "frame";
  for (const line of text.split(/(?<=\n)/)) {
    part = HEADINGS.find(([start]) => line.startsWith(start))?.[1] ?? part;
    const last = parts.at(-1);
    if (last?.part === part) last.text += line;
    else parts.push({ part, text: line });
  }
  return parts;
}

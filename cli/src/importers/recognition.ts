import type { Source } from "./importer.ts";
import { fieldsOf, parseJson, textOf } from "./values.ts";

/** Characters of a file's start that are read. A chat has its distinctive fields within the first hundreds. */
const HEAD_CHARACTERS = 65_536;
const LINES_READ = 10;

/** Fields that only one format has, as they are in JSON. A quoted text cannot contain them: its quotes are escaped. */
const DISTINCTIVE: readonly [RegExp, string][] = [
  [/(?<!\\)"mapping"\s*:\s*\{/, "chatgpt"],
  [/(?<!\\)"chat_messages"\s*:\s*\[/, "claude"],
  [/(?<!\\)"(conversations_memory|prompt_template|authorAccountUuid|export_url)"\s*:/, "claude"],
  [/(?<!\\)"memory"\s*:\s*"/, "mem0"],
];

/** The names of the formats that a file has by its start, the most likely first. Empty if it is none of the known ones. */
export async function recognizeFormats(source: Source): Promise<string[]> {
  const head = await readHead(source);
  const lines = head.split("\n", LINES_READ).flatMap((line) => formatOfLine(parseJson(line)) ?? []);
  return lines.length > 0 ? lines : formatsOfDocument(head);
}

async function readHead(source: Source): Promise<string> {
  const file = await source.open();
  let head = "";
  try {
    for await (const chunk of file) {
      head += String(chunk);
      if (head.length >= HEAD_CHARACTERS) break;
    }
  } finally {
    file.destroy();
  }
  return head.slice(0, HEAD_CHARACTERS);
}

/** For formats whose lines are JSON objects. */
function formatOfLine(value: unknown): string | undefined {
  const line = fieldsOf(value);
  const { type } = line;
  if (textOf(line.sessionId) !== undefined || textOf(line.leafUuid) !== undefined) return "claude-code";
  if (type === "session_meta" || (typeof line.payload === "object" && "timestamp" in line)) return "codex";
  // Codex's first line in 2025.
  if (type === undefined && "instructions" in line && "timestamp" in line) return "codex";
  if (type === "conversation" && "last_sequence" in line) return "ndjson";
  if (type === "message" && "conversation_id" in line) return "ndjson";
  if (type === "memory" && "content" in line) return "ndjson";
  return undefined;
}

function formatsOfDocument(head: string): string[] {
  const found = DISTINCTIVE.flatMap(([pattern, name]) => {
    const at = head.search(pattern);
    return at < 0 ? [] : [{ at, name }];
  });
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

import { homedir } from "node:os";
import { join } from "node:path";
import { importChatgpt } from "./chatgpt.ts";
import { importClaude } from "./claude.ts";
import { importClaudeCode } from "./claude-code.ts";
import { importCodex } from "./codex.ts";
import type { Entry, Source } from "./importer.ts";
import { importMem0 } from "./mem0.ts";
import { importNdjson } from "./ndjson.ts";
import type { Sessions } from "./sessions.ts";

interface FileTimes {
  path: string;
  modifiedAtMs: number;
}

/**
 * The log that was changed last comes last, because it may contain a copy of an earlier one. Logs of subagents come
 * after those of the sessions.
 */
const byLastChange = (a: FileTimes, b: FileTimes): number =>
  Number(isSubagent(a)) - Number(isSubagent(b)) ||
  a.modifiedAtMs - b.modifiedAtMs ||
  (a.path < b.path ? -1 : 1);

const isSubagent = ({ path }: FileTimes): boolean => /[\\/](subagents[\\/]|agent-[^\\/]*$)/.test(path);

/** Lists, or directories and zip files with one item in each file, and the manifest of a large export. */
const CLAUDE_FILES =
  /(^|\/)((conversations|projects|memories|design_chats)(-\d+)?(\.json|(\.zip)?\/[^/]+\.json)|manifest-[^/]*\.json)$/;

/**
 * Reads the entries of a file. Keeps at most one conversation in memory. `sessions` knows the sessions of the other
 * files of the import.
 *
 * The same conversation always yields the same lines, and new ones if it has grown, so a repeated import
 * finds what is stored. Ids are derived from the ids in the file, and sequence numbers from positions that do
 * not change when a conversation grows.
 *
 * @throws {Error} If the file as a whole is invalid.
 */
export type Importer = (source: Source, sessions?: Sessions) => AsyncIterable<Entry>;

export interface Format {
  description: string;
  importer: Importer;
  /** Matches the paths, in a directory or a .zip, of files that are imported from it. */
  files: RegExp;
  /** Sorts the files of an import. Default: by path. */
  order?: (a: FileTimes, b: FileTimes) => number;
  /** The path that is used if the user names none. */
  home?: (env: Readonly<Record<string, string | undefined>>) => string;
}

export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    "chatgpt",
    {
      description: "ChatGPT export: .zip, directory or conversations.json; keeps every branch",
      importer: importChatgpt,
      files: /(^|\/)conversations(-\d+)?\.json$/,
    },
  ],
  [
    "claude",
    {
      description:
        "Claude export: .zip, directory with them, or conversations.json; with projects and memories",
      importer: importClaude,
      files: CLAUDE_FILES,
    },
  ],
  [
    "claude-code",
    {
      description: "Claude Code sessions: file or directory; default ~/.claude/projects",
      importer: importClaudeCode,
      files: /\.jsonl$/,
      order: byLastChange,
      home: (env) => join(env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "projects"),
    },
  ],
  [
    "codex",
    {
      description: "Codex sessions: file or directory; default ~/.codex/sessions",
      importer: importCodex,
      files: /(^|\/)rollout-[^/]*\.jsonl$/,
      home: (env) => join(env.CODEX_HOME || join(homedir(), ".codex"), "sessions"),
    },
  ],
  [
    "mem0",
    {
      description: "mem0: JSON of get_all; each memory becomes a memory of its user",
      importer: importMem0,
      files: /\.json$/,
    },
  ],
  ["ndjson", { description: "output of `engram export`", importer: importNdjson, files: /\.ndjson$/ }],
]);

export const NOTE_FORMATS: ReadonlyMap<string, Pick<Format, "description">> = new Map([
  ["obsidian", { description: "Obsidian vault: each note becomes a memory; changed notes are updated" }],
]);

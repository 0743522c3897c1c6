import { homedir } from "node:os";
import { join } from "node:path";
import { importChatgpt } from "./chatgpt.ts";
import { importClaude } from "./claude.ts";
import { importClaudeCode } from "./claude-code.ts";
import { importCodex } from "./codex.ts";
import type { Importer } from "./importer.ts";
import { importMem0 } from "./mem0.ts";
import { importNdjson } from "./ndjson.ts";

export interface Format {
  description: string;
  importer: Importer;
  files: RegExp;
  /** The default path, for programs that always use the same one. */
  home?: (env: Readonly<Record<string, string | undefined>>) => string;
}

/** Formats that are imported as conversations, by their name on the command line. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    "chatgpt",
    {
      description: "a ChatGPT export: the .zip, its directory or conversations.json; every branch is kept",
      importer: importChatgpt,
      files: /^conversations(-\d+)?\.json$/,
    },
  ],
  [
    "claude",
    {
      description: "a Claude export: the .zip, its directory or conversations.json",
      importer: importClaude,
      files: /^conversations(-\d+)?\.json$/,
    },
  ],
  [
    "claude-code",
    {
      description: "sessions of Claude Code: a file, or a directory; ~/.claude/projects unless named",
      importer: importClaudeCode,
      files: /\.jsonl$/,
      home: (env) => join(env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "projects"),
    },
  ],
  [
    "codex",
    {
      description: "sessions of Codex: a file, or a directory; ~/.codex/sessions unless named",
      importer: importCodex,
      files: /^rollout-.*\.jsonl$/,
      home: (env) => join(env.CODEX_HOME || join(homedir(), ".codex"), "sessions"),
    },
  ],
  [
    "mem0",
    {
      description: "memories as mem0's get_all answers them, as JSON",
      importer: importMem0,
      files: /\.json$/,
    },
  ],
  ["ndjson", { description: "what `engram export` wrote", importer: importNdjson, files: /\.ndjson$/ }],
]);

/** Formats that are imported as memories, by their name on the command line. */
export const NOTE_FORMATS: ReadonlyMap<string, Pick<Format, "description">> = new Map([
  ["obsidian", { description: "a vault of Obsidian: each note becomes a memory, a changed one is updated" }],
]);

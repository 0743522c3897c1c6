import { importChatgpt } from "./chatgpt.ts";
import { importClaude } from "./claude.ts";
import type { Importer } from "./importer.ts";
import { importNdjson } from "./ndjson.ts";

export interface Format {
  /** What it is, for people. */
  description: string;
  importer: Importer;
  /** Which files of a directory belong to it. */
  files: RegExp;
  /** Where its files are when nobody says, for what always keeps them in one place. */
  home?: (env: Readonly<Record<string, string | undefined>>) => string;
}

/** What can be imported, by the name it is asked for. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  [
    "chatgpt",
    {
      description: "conversations.json of a ChatGPT export, or its directory; every branch of a chat is kept",
      importer: importChatgpt,
      files: /^conversations(-\d+)?\.json$/,
    },
  ],
  [
    "claude",
    {
      description: "conversations.json of a Claude export, or its directory",
      importer: importClaude,
      files: /^conversations(-\d+)?\.json$/,
    },
  ],
  ["ndjson", { description: "what `engram export` wrote", importer: importNdjson, files: /\.ndjson$/ }],
]);

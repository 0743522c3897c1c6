import type { ExportedLine } from "@engram/sdk";

/** What a line of an export is counted as. */
export const COUNTED_AS = {
  conversation: "conversations",
  message: "messages",
  memory: "memories",
} as const satisfies Record<ExportedLine["type"], string>;

/** How many there are of each kind. */
export type LineCounts = Record<(typeof COUNTED_AS)[ExportedLine["type"]], number>;

export const noLines = (): LineCounts => ({ conversations: 0, messages: 0, memories: 0 });

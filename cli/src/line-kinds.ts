import type { ExportedLine } from "@engram/sdk";

export const COUNTED_AS = {
  conversation: "conversations",
  message: "messages",
  memory: "memories",
  memory_version: "memory_versions",
  recall: "recalls",
} as const satisfies Record<ExportedLine["type"], string>;

export type LineCounts = Record<(typeof COUNTED_AS)[ExportedLine["type"]], number>;

export const noLines = (): LineCounts => ({
  conversations: 0,
  messages: 0,
  memories: 0,
  memory_versions: 0,
  recalls: 0,
});

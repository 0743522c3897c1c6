import { createHash } from "node:crypto";
import type { Question } from "./dialogues.ts";

/** What settings may be chosen by, and what judges the choice. */
export const HALVES = ["dev", "held"] as const;
export type Half = (typeof HALVES)[number];

/** Whether a question belongs to a half; it stays there whatever happens to other questions. */
export function isInHalf({ dialogueId, text }: Pick<Question, "dialogueId" | "text">, half: Half): boolean {
  const hash = createHash("sha256").update(`${dialogueId}\n${text}`).digest();
  return half === HALVES[hash.readUInt8(0) % HALVES.length];
}

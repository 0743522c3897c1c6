import { createHash } from "node:crypto";
import type { Question } from "./dialogues.ts";

/** `dev` is for choosing settings, `held` for judging them. */
export const HALVES = ["dev", "held"] as const;
export type Half = (typeof HALVES)[number];

/** Whether a question belongs to a half. Depends only on the question itself. */
export function isInHalf({ dialogueId, text }: Pick<Question, "dialogueId" | "text">, half: Half): boolean {
  const hash = createHash("sha256").update(`${dialogueId}\n${text}`).digest();
  return half === HALVES[hash.readUInt8(0) % HALVES.length];
}

import { sha256 } from "../digest.ts";
import { toBase32, toBigInt } from "../ids.ts";
import type { Chunk } from "./chunks.ts";

/** Hashes what a chunk is: indexing twice gives the same ids, and no two organizations share one. */
export async function toChunkId(chunk: {
  organizationId: string;
  model: string;
  windowStart: number;
  messageIds: string[];
  part: number;
}): Promise<string> {
  const identity = [chunk.organizationId, chunk.model, chunk.windowStart, ...chunk.messageIds, chunk.part];
  return `chk_${toBase32(toBigInt((await sha256(identity.join("\n"))).subarray(0, 13)) >> 4n, 20)}`;
}

/**
 * Id of a chunk's vector: it tells which messages it stands for, so that search knows them before D1
 * is asked. At most 46 of the 64 bytes an id may have.
 */
export const toVectorId = (
  chunk: Pick<Chunk, "id" | "startSequence" | "endSequence">,
  conversationNumber: number,
): string =>
  [
    chunk.id,
    conversationNumber.toString(36),
    chunk.startSequence.toString(36),
    chunk.endSequence.toString(36),
  ].join(".");

/** What a vector's id tells; null for an id of another form. */
export function readVectorId(
  id: string,
): { chunkId: string; conversationNumber: number; startSequence: number; endSequence: number } | null {
  const [chunkId, ...numbers] = id.split(".");
  const [conversationNumber, startSequence, endSequence] = numbers.map((text) => Number.parseInt(text, 36));
  if (!chunkId || !conversationNumber || !startSequence || !endSequence) return null;
  return { chunkId, conversationNumber, startSequence, endSequence };
}

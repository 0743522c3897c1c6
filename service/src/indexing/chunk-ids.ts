import { sha256 } from "../platform/digest.ts";
import { toBase32, toBigInt } from "../platform/ids.ts";

/**
 * A hash of everything that identifies a chunk. Indexing twice gives the same ids, and no two organizations
 * share one.
 */
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
 * Id of a chunk's vector. It contains the range of messages, so search knows them before it reads D1. At most
 * 46 of the 64 bytes that an id may have.
 */
export const toVectorId = (
  chunk: { id: string; startSequence: number; endSequence: number },
  conversationNumber: number,
): string =>
  [
    chunk.id,
    conversationNumber.toString(36),
    chunk.startSequence.toString(36),
    chunk.endSequence.toString(36),
  ].join(".");

/** The parts of a vector id; null for an id of another form. */
export function readVectorId(
  id: string,
): { chunkId: string; conversationNumber: number; startSequence: number; endSequence: number } | null {
  const [chunkId, ...numbers] = id.split(".");
  const [conversationNumber, startSequence, endSequence] = numbers.map((text) => Number.parseInt(text, 36));
  if (!chunkId || !conversationNumber || !startSequence || !endSequence) return null;
  return { chunkId, conversationNumber, startSequence, endSequence };
}

import { sha256 } from "../platform/digest.ts";
import { toBase32, toBigInt } from "../platform/ids.ts";

/**
 * The id of a chunk, a text with one vector: a hash of the parameters, which do not include the text. Indexing the
 * same messages again gives the same ids. Two organizations never share an id.
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
 * The id of a chunk's vector. It contains the number of the conversation and the range of messages, so that
 * search knows them before it reads the database. It has at most 46 bytes; the vector store allows 64.
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

import { sha256 } from "./digest.ts";
import { toBase32, toBigInt } from "./ids.ts";

/** What identifies a chunk, a text with one vector. */
export interface ChunkIdentity {
  organizationId: string;
  conversationId: string;
  model: string;
  windowStart: number;
  /** Index of the chunk in its window, from 0. */
  part: number;
  startSequence: number;
  /** Sequence number of its last message; null for the last chunk of a window, which further messages may join. */
  closedAt: number | null;
  /** Sequence numbers of the window that were assigned and have no message, because it was deleted. */
  missing: number[];
}

/**
 * The id of a chunk: a hash of its identity, which does not include the text. Indexing the same messages again gives
 * the same ids. Two organizations never share an id.
 *
 * A chunk keeps its id while messages join it, so its vector is replaced in place. The deletion of a message changes
 * the ids of its window. So each vector computed from the deleted text is deleted itself, and that it is gone proves
 * that the text is.
 */
export async function toChunkId(chunk: ChunkIdentity): Promise<string> {
  const identity = [
    chunk.organizationId,
    chunk.conversationId,
    chunk.model,
    chunk.windowStart,
    chunk.part,
    chunk.startSequence,
    chunk.closedAt ?? "",
    ...chunk.missing,
  ];
  return `chk_${toBase32(toBigInt((await sha256(identity.join("\n"))).subarray(0, 13)) >> 4n, 20)}`;
}

/**
 * The id of a chunk's vector. It contains the number of the conversation and the range of messages, so that
 * search knows them before it reads the database. It has at most 46 bytes; the vector store allows 64.
 *
 * @param lastSequence the highest sequence number that a message of the chunk can have.
 */
export const toVectorId = (
  chunk: { id: string; startSequence: number; lastSequence: number },
  conversationRowKey: number,
): string =>
  [
    chunk.id,
    conversationRowKey.toString(36),
    chunk.startSequence.toString(36),
    chunk.lastSequence.toString(36),
  ].join(".");

/** The parts of a vector id; null for an id of another form. The range may include messages that do not exist. */
export function readVectorId(
  id: string,
): { chunkId: string; conversationRowKey: number; startSequence: number; endSequence: number } | null {
  const [chunkId, ...numbers] = id.split(".");
  const [conversationRowKey, startSequence, endSequence] = numbers.map((text) => Number.parseInt(text, 36));
  if (!chunkId || !conversationRowKey || !startSequence || !endSequence) return null;
  return { chunkId, conversationRowKey, startSequence, endSequence };
}

import type { Invocation } from "../invocation.ts";
import type { ClaimedWork } from "../jobs/queries.ts";
import { toVectorId } from "../platform/chunk-ids.ts";
import { sha256Hex } from "../platform/digest.ts";
import { EMBED_TOKENS_MAX } from "../platform/embedder.ts";
import { toDay, toVectorText, toVectorUser, type VectorMetadata } from "../platform/vectors.ts";
import { type Chunk, chunksOfWindow, messagesOfWindow, textOf } from "./chunks.ts";
import type { ChunkRecord, IndexedMessage, PlannedChunk } from "./chunks-queries.ts";
import type { Unit } from "./split-text.ts";

/** A chunk as it should be stored for the current messages: its row, the metadata of its vector, and its text. */
export interface ExpectedChunk {
  record: PlannedChunk;
  metadata: VectorMetadata;
  units: Unit[];
}

/** Metadata that all vectors of a conversation share. */
type SharedMetadata = Omit<VectorMetadata, "day" | "last_day">;

/** The chunks that these windows should have, in order. */
export async function expectedChunks(
  invocation: Invocation,
  work: ClaimedWork,
  windows: number[],
  messages: IndexedMessage[],
): Promise<ExpectedChunk[]> {
  const { organizationId, conversationId, corpus } = work;
  const { model } = invocation.embedder;
  // Messages may have been appended since the work was claimed.
  const lastSequence = Math.max(work.lastSequence, messages.at(-1)?.sequence ?? 0);
  const shared = await sharedMetadata(work, model);
  const expected: ExpectedChunk[] = [];
  for (const windowStart of windows) {
    const inside = messagesOfWindow(messages, windowStart);
    const window = { organizationId, conversationId, corpus, model, windowStart, lastSequence };
    for (const chunk of await chunksOfWindow(
      { ...window, tokensMax: EMBED_TOKENS_MAX },
      inside,
      invocation.pace,
    )) {
      expected.push(await toExpectedChunk(chunk, inside, { work, model, shared }));
      await invocation.pace.count(chunk.units.reduce((sum, { text }) => sum + text.length, 0));
    }
  }
  return expected;
}

const sharedMetadata = async (work: ClaimedWork, model: string): Promise<SharedMetadata> => ({
  conversation_id: await toVectorText(work.conversationId),
  agent: work.agentId === null ? "" : await toVectorText(work.agentId),
  user: work.userId === null ? "" : await toVectorUser(work.userId),
  kind: work.corpus === "memories" ? "memory" : "conversation",
  model: await toVectorText(model),
});

async function toExpectedChunk(
  chunk: Chunk,
  window: IndexedMessage[],
  { work, model, shared }: { work: ClaimedWork; model: string; shared: SharedMetadata },
): Promise<ExpectedChunk> {
  const messages = window.filter(
    ({ sequence }) => sequence >= chunk.startSequence && sequence <= chunk.endSequence,
  );
  const days = messages.map(({ createdAtMs }) => toDay(createdAtMs));
  const metadata = { ...shared, day: Math.min(...days), last_day: Math.max(...days) };
  const record = {
    id: chunk.id,
    vector_id: toVectorId(chunk, work.conversationRowKey),
    window_start: chunk.windowStart,
    start_sequence: chunk.startSequence,
    end_sequence: chunk.endSequence,
    model,
    text_hash: await hashText(chunk.units, metadata),
    ordinal: chunk.position?.ordinal ?? null,
    text_start: chunk.position?.start ?? null,
    text_end: chunk.position?.end ?? null,
    overlap_start: chunk.position?.overlapStart ?? null,
    message_count: messages.length,
  };
  return { record, metadata, units: chunk.units };
}

/**
 * A hash of the text and the metadata of a vector. If it is unchanged, the chunk is not embedded again. The
 * hash depends on the order of the fields in the metadata, so that order must not change.
 */
export const hashText = async (units: Unit[], metadata: VectorMetadata): Promise<string> =>
  (await sha256Hex(JSON.stringify([textOf(units), metadata]))).slice(0, 32);

/** The differences between the stored chunks of some windows and the expected ones. */
export interface ChunkChanges {
  /** Chunks to embed and store. */
  changed: ExpectedChunk[];
  /**
   * Chunks that are stored with another position, because earlier text was changed. Their vectors stay valid,
   * unless they are in `changed` too.
   */
  moved: ChunkRecord[];
  /** Stored chunks that are no longer expected. */
  removed: ChunkRecord[];
}

/** @param rebuild whether all expected chunks count as changed. */
export function compareChunks(
  stored: (ChunkRecord & { indexed: boolean })[],
  expected: ExpectedChunk[],
  { rebuild }: { rebuild: boolean },
): ChunkChanges {
  const storedById = new Map(stored.map((chunk) => [chunk.id, chunk]));
  const expectedIds = new Set(expected.map(({ record }) => record.id));
  return {
    changed: expected.filter(({ record }) => {
      const chunk = storedById.get(record.id);
      return rebuild || !chunk?.indexed || chunk.text_hash !== record.text_hash;
    }),
    moved: expected.flatMap(({ record }) => {
      const chunk = storedById.get(record.id);
      return chunk === undefined || hasSamePosition(chunk, record) ? [] : [record];
    }),
    removed: stored.filter(({ id }) => !expectedIds.has(id)),
  };
}

const hasSamePosition = (a: ChunkRecord, b: ChunkRecord): boolean =>
  a.text_start === b.text_start && a.text_end === b.text_end && a.overlap_start === b.overlap_start;

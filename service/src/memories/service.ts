import type { CapturedMemories, Memory, MemoryChunk, NewMemory } from "@engram/spec";
import type { KeyCaller } from "../context.ts";
import type { ConversationFilter } from "../conversations/filters-queries.ts";
import { assertVersion } from "../conversations/queries.ts";
import { notFound } from "../errors.ts";
import { indexConversations } from "../indexing/groups.ts";
import { chunksOfMemory } from "../indexing/memory-chunks.ts";
import { indexConversation } from "../indexing/run.ts";
import { indexAllUntilDone, indexInBackground } from "../indexing/service.ts";
import { updatedMessage } from "../messages/queries.ts";
import { refuseLargeWrite } from "../messages/write-bytes.ts";
import { assertKeyActive, assertMemoryExists } from "../platform/batch.ts";
import {
  type CursorScope,
  fromCursor,
  isListPosition,
  PAGE_ITEMS_DEFAULT,
  toCursor,
} from "../platform/cursors.ts";
import { sha256Hex } from "../platform/digest.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { toMessageId } from "../platform/ids.ts";
import { runInTurn } from "../platform/large-runs.ts";
import { batch, run, type Statement } from "../platform/sql.ts";
import { countStored, countUsage } from "../usage/service.ts";
import * as captures from "./captures-queries.ts";
import { assertContentFree, updatedMemory } from "./changes-queries.ts";
import { enrichInBackground, queuedEnrichment } from "./enrichment.ts";
import * as queries from "./queries.ts";
import { encodeContent, toNewRecords } from "./records.ts";

/**
 * Maximum number of indexing steps after the response, because D1 runs at most 1,000 statements in one invocation of
 * the Worker. The sweep, a periodic background run, does the rest.
 */
const INDEX_STEPS = 25;

/**
 * Creates a memory. If the agent has one with the same content, returns that one, and only its version and
 * `updated_at` change.
 *
 * @throws {ApiError} `forbidden` for another agent than that of the key, `not_found` if a request is repeated
 * after the memory was deleted.
 */
export async function createMemory(
  ctx: KeyCaller,
  input: { memory: NewMemory; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<queries.VersionedMemory & { created: boolean }>> {
  const [record] = await toNewRecords(ctx, [input.memory]);
  if (record === undefined) throw new Error("a capture of nothing");
  const { answer, replayed } = await capture(
    ctx,
    { records: [record], waitUntilIndexed: input.waitUntilIndexed, idempotency },
    captures.capturedMemory(ctx.principal.organizationId, record),
  );
  const [captured] = answer.rows;
  const found = answer.memory ?? (captured && (await selectMemory(ctx, captured.id)));
  if (!captured || !found) throw notFound("memory");
  return { replayed, answer: { ...found, created: captured.is_new === 1 } };
}

/** Creates all memories or none. @throws {ApiError} `payload_too_large`, `forbidden`. */
export async function createMemories(
  ctx: KeyCaller,
  input: { memories: NewMemory[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<CapturedMemories>> {
  refuseLargeWrite(input.memories);
  const records = await toNewRecords(ctx, input.memories);
  const distinct = [
    ...new Map(records.toReversed().map((record) => [captures.identityOf(record), record])).values(),
  ].toReversed();
  const places = new Map(distinct.map((record, place) => [captures.identityOf(record), place]));
  const { answer, replayed } = await capture(
    ctx,
    { records: distinct, waitUntilIndexed: input.waitUntilIndexed, idempotency },
    null,
  );
  const items = records.map((record) => {
    const place = places.get(captures.identityOf(record)) ?? 0;
    const row = answer.rows[place];
    if (row === undefined) throw new Error("a memory was not captured");
    // If the request has the same agent and content several times, only its first memory counts as new.
    return { id: row.id, created: row.is_new === 1 && record === distinct[place] };
  });
  return { replayed, answer: { items } };
}

/** `memory` is null for a repeated request, or if `capture` was given no statement that reads it. */
interface Captured {
  rows: captures.CapturedRow[];
  memory: queries.VersionedMemory | null;
}

async function capture(
  ctx: KeyCaller,
  input: {
    records: captures.MemoryRecord[];
    waitUntilIndexed: boolean;
    idempotency: IdempotentRequest | null;
  },
  memory: Statement<queries.VersionedMemory | null> | null,
): Promise<Idempotent<Captured>> {
  const { records } = input;
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const ids = records.map(({ id }) => id);
  const written = await runIdempotent(db, input.idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs }),
      inserted: captures.insertedMemories(organizationId, records, nowMs),
      enrichment: queuedEnrichment(ctx, ids, nowMs),
      memory,
    },
    answer: captures.capturedAnswer(organizationId, records),
    read: (rows: captures.CapturedRow[], results): Captured => ({ rows, memory: results?.memory ?? null }),
  });
  if (written.replayed) return written;
  const due = ids.map((id) => ({ organizationId, conversationId: id }));
  const stored = records.filter((_, i) => written.answer.rows[i]?.is_new === 1);
  countStored(ctx, stored);
  const bytes = stored.reduce((sum, record) => sum + record.bytes, 0);
  enrichInBackground(ctx);
  if (input.waitUntilIndexed) {
    // The write is committed, so a failure while waiting for the index must not make it look failed.
    await indexAllUntilDone(ctx, due).catch(() => false);
    return written;
  }
  indexInBackground(ctx, async (later) => {
    const { indexed } = await runInTurn(later, bytes, () => indexConversations(later, due, INDEX_STEPS));
    return { embedded: indexed.reduce((sum, { embedded }) => sum + embedded, 0) };
  });
  return written;
}

/**
 * A page may have few memories or none although more pages follow, because one request reads a limited number
 * of rows.
 *
 * @throws {ApiError} `invalid_cursor`.
 */
export async function listMemories(
  ctx: KeyCaller,
  input: {
    filter: ConversationFilter;
    sort: "created_at" | "updated_at";
    order: "asc" | "desc";
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
  },
): Promise<{ items: Memory[]; next_cursor: string | null; total?: number | null }> {
  const { organizationId, agentId } = ctx.principal;
  const { filter, sort, order, withTotal } = input;
  const scope: CursorScope = { list: "memories", organizationId, agentId, parameters: [filter, sort, order] };
  const after = await fromCursor(scope, input.cursor, isListPosition);
  const { memories, next, total } = await queries.selectMemories(
    ctx.db,
    { owner: ctx.principal, corpus: "memories", filter, sort, order, after, limits: ctx.limits },
    { limit: input.limit ?? PAGE_ITEMS_DEFAULT, withTotal },
    ctx.limits,
  );
  return {
    items: memories,
    next_cursor: next === null ? null : await toCursor(scope, next),
    ...(total === undefined ? {} : { total }),
  };
}

/** @throws {ApiError} `not_found`. */
export async function getMemory(
  ctx: KeyCaller,
  id: string,
): Promise<queries.VersionedMemory & { chunks: MemoryChunk[] }> {
  const { db, embedder, principal } = ctx;
  const { organizationId } = principal;
  const { model } = embedder;
  const { memory, indexedIds } = await batch(db, {
    memory: queries.memoryById(principal, id),
    indexedIds: queries.indexedChunkIds(organizationId, id, model),
  });
  if (memory === null) throw notFound("memory");
  const indexed = new Set(indexedIds);
  const chunks = await chunksOfMemory({ organizationId, model, pace: ctx.pace }, memory.memory);
  return { ...memory, chunks: chunks.map((chunk) => ({ ...chunk, indexed: indexed.has(chunk.id) })) };
}

/** @throws {ApiError} `not_found`, `precondition_failed`, `content_conflict`. */
export async function updateMemory(
  ctx: KeyCaller,
  input: {
    id: string;
    version: number | null;
    content: string | undefined;
    source: string | null | undefined;
    tags: string[] | undefined;
    summary: string | null | undefined;
    metadata: Record<string, unknown> | undefined;
  },
): Promise<queries.VersionedMemory> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const { id } = input;
  const nowMs = runtime.nowMs();
  const contentHash = input.content === undefined ? undefined : await sha256Hex(input.content);
  const content = input.content === undefined ? null : await encodeContent(ctx, input.content);
  const target = { organizationId, conversationId: id, nowMs };
  const { memory } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    exists: assertMemoryExists(principal, id),
    version: assertVersion({ organizationId, id, version: input.version }),
    content: contentHash === undefined ? null : assertContentFree(organizationId, id, contentHash),
    updated: updatedMemory({ ...input, organizationId, contentHash, nowMs }),
    message:
      content === null
        ? null
        : updatedMessage(target, {
            id: toMessageId(id),
            counter: "memory_token_count",
            content,
            metadata: undefined,
          }),
    enrichment: content === null ? null : queuedEnrichment(ctx, [id], nowMs),
    memory: queries.memoryById(principal, id),
  });
  if (content !== null) {
    const { bytes } = content;
    countUsage(ctx, { message_bytes: bytes });
    enrichInBackground(ctx);
    indexInBackground(ctx, (later) =>
      runInTurn(later, bytes, () => indexConversation(later, { organizationId, conversationId: id })),
    );
  }
  if (memory === null) throw notFound("memory");
  return memory;
}

const selectMemory = ({ db, principal }: KeyCaller, id: string) => run(db, queries.memoryById(principal, id));

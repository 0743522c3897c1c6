import type { CapturedMemories, Memory, MemoryChunk, NewMemory } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { sha256Hex } from "../digest.ts";
import { notFound } from "../errors.ts";
import { toMessageId } from "../ids.ts";
import { chunksOfMemory } from "../indexing/memory-chunks.ts";
import { indexConversation, indexConversations } from "../indexing/run.ts";
import { refuseAbsentMemory, refuseDeadKey, runBatch } from "../queries/batch.ts";
import type { ConversationFilter } from "../queries/conversation-filters.ts";
import { refuseOtherVersion } from "../queries/conversations.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import * as queries from "../queries/memories.ts";
import { updateMessage } from "../queries/messages.ts";
import { type CursorScope, fromCursor, isListPosition, PAGE_ITEMS_DEFAULT, toCursor } from "./cursors.ts";
import { enrichBehind, queueEnrichment } from "./enrichment.ts";
import { type Once, runOnce } from "./idempotency.ts";
import { encodeContent, toNewRecords } from "./memory-records.ts";
import { indexAllUntilDone, indexBehind } from "./search-index.ts";
import { countStored, countUsage } from "./usage.ts";
import { refuseLargeWrite } from "./write-bytes.ts";

/** Steps of indexing after a capture, within D1's 1,000 queries. The sweep continues with the rest. */
const INDEX_STEPS = 25;

/**
 * Captures a memory, or updates the existing one with the same content.
 *
 * @throws {ApiError} `forbidden`.
 */
export async function createMemory(
  ctx: RequestContext,
  input: { memory: NewMemory; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Once<queries.VersionedMemory & { created: boolean }>> {
  const { db, principal } = ctx;
  const { organizationId } = principal;
  const [record] = await toNewRecords(ctx, [input.memory]);
  if (record === undefined) throw new Error("a capture of nothing");
  return capture(
    ctx,
    { records: [record], waitUntilIndexed: input.waitUntilIndexed, idempotency },
    {
      statements: [queries.memoryByContent(db, organizationId, record)],
      read: async (results) => {
        const found = await queries.readMemory(results.at(-1));
        if (found === null) throw new Error("the batch stored no memory");
        return { ...found, created: found.memory.id === record.id };
      },
      stored: ({ created }) => (created ? [record] : []),
      replay: async ([kept]) => {
        const found = kept && (await selectMemory(ctx, kept.id));
        if (!found) throw notFound("memory");
        return { ...found, created: kept.is_new === 1 };
      },
    },
  );
}

/**
 * Captures many memories, all or none. Repeated content is stored once.
 *
 * @throws {ApiError} `payload_too_large`, `forbidden`.
 */
export async function createMemories(
  ctx: RequestContext,
  input: { memories: NewMemory[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Once<CapturedMemories>> {
  const { db, principal } = ctx;
  refuseLargeWrite(input.memories);
  const records = await toNewRecords(ctx, input.memories);
  const distinct = [
    ...new Map(records.toReversed().map((record) => [queries.identityOf(record), record])).values(),
  ].toReversed();
  const places = new Map(distinct.map((record, place) => [queries.identityOf(record), place]));
  const toAnswer = (rows: queries.CapturedRow[]): CapturedMemories => ({
    items: records.map((record) => {
      const place = places.get(queries.identityOf(record)) ?? 0;
      const row = rows[place];
      if (row === undefined) throw new Error("a memory was not captured");
      // If the request repeats content, only its first memory counts as created.
      return { id: row.id, created: row.is_new === 1 && record === distinct[place] };
    }),
  });
  return capture(
    ctx,
    { records: distinct, waitUntilIndexed: input.waitUntilIndexed, idempotency },
    {
      statements: [queries.selectCaptured(db, principal.organizationId, distinct)],
      read: (results) => toAnswer((results.at(-1)?.results ?? []) as queries.CapturedRow[]),
      stored: ({ items }) => records.filter((_, i) => items[i]?.created),
      replay: toAnswer,
    },
  );
}

/**
 * Stores records once, counts them, and indexes them in the background or, on request, before it resolves.
 */
async function capture<Answer>(
  ctx: RequestContext,
  input: {
    records: queries.MemoryRecord[];
    waitUntilIndexed: boolean;
    idempotency: IdempotentRequest | null;
  },
  answer: {
    statements: D1PreparedStatement[];
    read: (results: D1Result<unknown>[]) => Answer | Promise<Answer>;
    /** The records that did not exist before. */
    stored: (answer: Answer) => queries.MemoryRecord[];
    replay: (kept: queries.CapturedRow[]) => Answer | Promise<Answer>;
  },
): Promise<Once<Answer>> {
  const { records } = input;
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const nowMs = runtime.nowMs();
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    ...queries.insertMemories(db, organizationId, records, nowMs),
    ...queueEnrichment(
      ctx,
      records.map(({ id }) => id),
      nowMs,
    ),
    ...answer.statements,
  ];
  const once = await runOnce(
    db,
    input.idempotency,
    { statements, result: queries.CAPTURED_AS_JSON, resultBinds: queries.capturedBinds(records) },
    answer.read,
    (kept) => answer.replay(kept as queries.CapturedRow[]),
  );
  if (once.replayed) return once;
  const due = records.map(({ id }) => ({ organizationId, conversationId: id }));
  countStored(ctx, answer.stored(once.answer));
  enrichBehind(ctx);
  if (input.waitUntilIndexed) {
    // The write is committed, so a failure while waiting for the index must not make it look failed.
    await indexAllUntilDone(ctx, due).catch(() => false);
    return once;
  }
  indexBehind(ctx, async (later) => {
    const { indexed } = await indexConversations(later, due, INDEX_STEPS);
    return { embedded: indexed.reduce((sum, { embedded }) => sum + embedded, 0) };
  });
  return once;
}

/**
 * A page of the owner's memories with full content. A selective filter may leave it short or empty although a
 * cursor follows.
 */
export async function listMemories(
  ctx: RequestContext,
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

/**
 * A memory with its chunks, in one read.
 *
 * @throws {ApiError} `not_found`.
 */
export async function getMemory(
  ctx: RequestContext,
  id: string,
): Promise<queries.VersionedMemory & { chunks: MemoryChunk[] }> {
  const { db, embedder, principal } = ctx;
  const { organizationId } = principal;
  const { model } = embedder;
  const [found, stored] = await db.batch([
    queries.memoryById(db, principal, id),
    queries.storedChunksOf(db, { organizationId, id, model }),
  ]);
  const memory = await queries.readMemory(found);
  if (memory === null) throw notFound("memory");
  const rows = (stored?.results ?? []) as { id: string; indexed: 0 | 1 }[];
  const indexed = new Set(rows.filter((row) => row.indexed === 1).map((row) => row.id));
  const chunks = await chunksOfMemory({ organizationId, model, pace: ctx.pace }, memory.memory);
  return { ...memory, chunks: chunks.map((chunk) => ({ ...chunk, indexed: indexed.has(chunk.id) })) };
}

/**
 * Updates the given fields of a memory.
 *
 * @throws {ApiError} `not_found`, `precondition_failed`, `content_conflict`.
 */
export async function updateMemory(
  ctx: RequestContext,
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
  const results = await runBatch(db, [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseAbsentMemory(db, principal, id),
    refuseOtherVersion(db, { organizationId, id, version: input.version }),
    ...(contentHash === undefined
      ? []
      : [queries.refuseOtherMemory(db, { organizationId, id, contentHash })]),
    queries.updateMemory(db, { ...input, organizationId, contentHash, nowMs }),
    ...(content === null
      ? []
      : updateMessage(db, target, {
          id: toMessageId(id),
          counter: "memory_token_count",
          content,
          metadata: undefined,
        })),
    ...(content === null ? [] : queueEnrichment(ctx, [id], nowMs)),
    queries.memoryById(db, principal, id),
  ]);
  if (content !== null) {
    countUsage(ctx, { message_bytes: content.bytes });
    enrichBehind(ctx);
    indexBehind(ctx, (later) => indexConversation(later, { organizationId, conversationId: id }));
  }
  const memory = await queries.readMemory(results.at(-1));
  if (memory === null) throw notFound("memory");
  return memory;
}

const selectMemory = async ({ db, principal }: RequestContext, id: string) =>
  queries.readMemory(await queries.memoryById(db, principal, id).all());

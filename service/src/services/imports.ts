import type { ConversationLine, ImportedLines, MemoryLine, MessageLine, Operation } from "@engram/spec";
import type { BodyLine, RequestContext, ServiceContext } from "../context.ts";
import { sha256Hex } from "../digest.ts";
import { ApiError } from "../errors.ts";
import { createId } from "../ids.ts";
import { indexConversations } from "../indexing/run.ts";
import { Refused, refuseDeadKey, runBatch } from "../queries/batch.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { type Numbered, selectHoldings, toTimes } from "../queries/import-holdings.ts";
import {
  countPart,
  type ImportPart,
  insertImportOperation,
  refusePart,
} from "../queries/import-operations.ts";
import { insertImport, type PlacedRecord } from "../queries/imports.ts";
import { toMark } from "../text/index-words.ts";
import type { Pace } from "../text/pace.ts";
import { enrichBehind, queueEnrichment } from "./enrichment.ts";
import type { Once } from "./idempotency.ts";
import { type ImportBatch, joinAnswers, toBatches } from "./import-batches.ts";
import { decide } from "./import-decisions.ts";
import { toPlacedRecord } from "./memory-records.ts";
import { toRecord } from "./message-records.ts";
import { openOperation } from "./operations.ts";
import { indexBehind } from "./search-index.ts";
import { countStored } from "./usage.ts";

/** Times in one request that another write may come between, within D1's 1,000 queries. */
const RACES_MAX = 5;
const RETRY_AFTER_SECONDS = 2;
/** Steps of indexing behind the answer, within D1's 1,000 queries. */
const INDEX_STEPS = 25;

/** Open an import that takes many requests. */
export async function beginImport(
  ctx: RequestContext,
  lines: number | null,
  idempotency: IdempotentRequest | null,
): Promise<Once<Operation>> {
  const { db, principal, runtime } = ctx;
  const { organizationId, agentId } = principal;
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "op");
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    insertImportOperation(db, { organizationId, id, targetId: organizationId, agentId, nowMs, lines }),
  ];
  return openOperation(ctx, id, statements, idempotency);
}

/**
 * Store what is new of some lines, in batches and in their order: one transaction a batch.
 *
 * A failure leaves the batches before it stored, and counted where they are a part. The same lines sent again find
 * them there.
 *
 * @param part which lines of an import of many requests they are; null for one that is this request.
 * @throws {ApiError} `unavailable` when others keep writing to the same places; of a part `not_found`,
 *   `operation_ended`, `lines_missing`.
 */
export async function importConversations(
  ctx: RequestContext,
  body: { lines: BodyLine[]; lineCount: number },
  part: ImportPart | null,
): Promise<ImportedLines> {
  // Also before what is there is read: a line is refused for want of its conversation only when that came before.
  if (part !== null) await runBatch(ctx.db, refusePart(ctx.db, ctx.principal, part));
  const progress: Progress = { races: 0, touched: new Set(), undescribed: 0 };
  const answers: ImportedLines[] = [];
  try {
    for (const batch of toBatches(body.lines, body.lineCount, ctx.limits.importBatchBytes)) {
      answers.push(await storeBatch(ctx, batch, part && toPart(part, batch), progress));
    }
  } finally {
    finishStored(ctx, progress);
  }
  return joinAnswers(answers);
}

/** What batches of one request have come to so far. */
interface Progress {
  /** How often another write came between. */
  races: number;
  /** Conversations and memories with something new to index. */
  touched: Set<string>;
  /** New memories that a text model may describe. */
  undescribed: number;
}

/** The lines of a batch as a part of their own, so that they are counted in the transaction that stores them. */
const toPart = (part: ImportPart, { after, end }: ImportBatch): ImportPart => ({
  operationId: part.operationId,
  afterLine: part.afterLine + after,
  lines: end - after,
  isLast: part.isLast && end === part.lines,
});

async function storeBatch(
  ctx: RequestContext,
  batch: ImportBatch,
  part: ImportPart | null,
  progress: Progress,
): Promise<ImportedLines> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const mark = toMark(principal.organizationNumber, "conversations");
  const lines = await Promise.all(batch.lines.map(refuseOtherHash));
  const asked = sortLines(lines);
  while (progress.races < RACES_MAX) {
    const holdings = await selectHoldings(db, organizationId, asked);
    const { answer, conversations, ...fresh } = decide(lines, holdings);
    const isNothing = conversations.length + fresh.messages.length + fresh.memories.length === 0;
    if (isNothing && part === null) return answer;
    const nowMs = runtime.nowMs();
    const messages = await Promise.all(fresh.messages.map((message) => toPlaced(ctx.pace, mark, message)));
    const memories = await Promise.all(fresh.memories.map((memory) => toPlacedRecord(ctx, memory)));
    // What a model wrote is taken over as it is.
    const undescribed = memories.flatMap(({ id, enriched_by }) => (enriched_by === null ? [id] : []));
    try {
      await runBatch(db, [
        refuseDeadKey(db, { ...principal, nowMs }),
        ...(part === null ? [] : countPart(db, principal, part, nowMs)),
        ...(isNothing ? [] : insertImport(db, organizationId, { conversations, messages, memories, nowMs })),
        ...queueEnrichment(ctx, undescribed, nowMs),
      ]);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "import_raced") throw error;
      progress.races += 1;
      continue;
    }
    countStored(ctx, [...messages, ...memories]);
    progress.undescribed += undescribed.length;
    for (const { conversation_id } of messages) progress.touched.add(conversation_id);
    for (const { id } of memories) progress.touched.add(id);
    return answer;
  }
  throw new ApiError(
    "unavailable",
    `Others keep writing to the same places. The first ${batch.after} lines are done; send the request again.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Describe and index in the background what was stored, whether all of it was or not. */
function finishStored(ctx: RequestContext, { touched, undescribed }: Progress): void {
  const { organizationId } = ctx.principal;
  if (undescribed > 0) enrichBehind(ctx);
  if (touched.size > 0) indexBehind(ctx, (later) => indexSome(later, organizationId, [...touched]));
}

function sortLines(lines: BodyLine[]) {
  const conversations: Numbered<ConversationLine>[] = [];
  const messages: Numbered<MessageLine>[] = [];
  const memories: Numbered<MemoryLine>[] = [];
  for (const body of lines) {
    if (!("value" in body)) continue;
    const { line, value } = body;
    if (value.type === "conversation") conversations.push({ line, value });
    if (value.type === "message") messages.push({ line, value });
    if (value.type === "memory") memories.push({ line, value });
  }
  return { conversations, messages, memories };
}

/** The same line, unless it is a memory whose hash is not its content's: by it the same content is known. */
async function refuseOtherHash(body: BodyLine): Promise<BodyLine> {
  if (!("value" in body) || body.value.type !== "memory") return body;
  const { content, content_hash } = body.value;
  if ((await sha256Hex(content)) === content_hash) return body;
  const detail = "`content_hash`: is not the SHA-256 of the content.";
  return { line: body.line, problem: new ApiError("validation_failed", detail) };
}

async function toPlaced(pace: Pace, mark: string, message: MessageLine): Promise<PlacedRecord> {
  const { id, external_digest, conversation_id, sequence } = message;
  const { created_at_ms, ...times } = toTimes(message);
  const record = await toRecord(pace, mark, message, { id, external_digest, created_at_ms });
  return { ...record, conversation_id, sequence, ...times };
}

/** Index conversations as far as one invocation may; the sweep goes on with what is left. */
async function indexSome(
  ctx: ServiceContext,
  organizationId: string,
  conversationIds: string[],
): Promise<{ embedded: number }> {
  const due = conversationIds.map((conversationId) => ({ organizationId, conversationId }));
  const { indexed } = await indexConversations(ctx, due, INDEX_STEPS);
  return { embedded: indexed.reduce((sum, { embedded }) => sum + embedded, 0) };
}

import type {
  ConversationLine,
  ImportedLines,
  MemoryLine,
  MemoryVersionLine,
  MessageLine,
  OperationOf,
  RecallLine,
  Source,
} from "@engram/spec";
import { enrichInBackground, queuedEnrichment } from "../enrichment/service.ts";
import { ApiError } from "../errors.ts";
import { indexLater } from "../indexing/service.ts";
import type { BodyLine, Invocation, KeyCaller } from "../invocation.ts";
import { insertLateWordsOf } from "../keyword-index/late-words.ts";
import type { MemoryRecord } from "../memories/captures-queries.ts";
import { toMemoryTerms } from "../memories/captures-queries.ts";
import { toMemoryFields, toVersionRecord } from "../memories/fields.ts";
import { toAuthored } from "../memories/queries.ts";
import { toPlace } from "../messages/fields.ts";
import { toRecord } from "../messages/records.ts";
import { openOperation } from "../operations/service.ts";
import { assertKeyActive, assertMayStore } from "../platform/batch.ts";
import { sha256Hex } from "../platform/digest.ts";
import type { Idempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId, toMessageId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch } from "../platform/sql.ts";
import { toRecallRow } from "../recalls/fields.ts";
import { sourceBytes } from "../sources/queries.ts";
import { encodeText } from "../text/compression.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { prepareText } from "../text/prepared-text.ts";
import {
  conversationIdNames,
  conversationNames,
  hashNames,
  memoryIdNames,
  memoryNames,
  messageIdNames,
  messageNames,
  type Name,
  userNames,
} from "../tombstones/hashes.ts";
import { assertNoneForgotten, insertedWithRefused } from "../tombstones/queries.ts";
import { findForgotten, hashesOf, withTombstoneKey } from "../tombstones/service.ts";
import { countStored } from "../usage/service.ts";
import { type Numbered, selectExistingRows } from "./existing-rows-queries.ts";
import { type ImportBatch, joinAnswers, toBatches } from "./import-batches.ts";
import { decide } from "./import-decisions.ts";
import { insertedItems, type PlacedRecord, type VersionRecord } from "./imports-queries.ts";
import { assertPartFits, countedPart, type ImportPart, insertedImport } from "./operations-queries.ts";

/**
 * Maximum number of transactions that fail in one request because another request wrote the same items. D1 runs at
 * most 1,000 statements per invocation of the Worker.
 */
const RACES_MAX = 5;
const RETRY_AFTER_SECONDS = 2;

export async function createImport(
  caller: KeyCaller,
  lines: number | null,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<OperationOf<"import">>> {
  const { principal, runtime } = caller;
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "op");
  const statements = {
    key: assertKeyActive({ ...principal, nowMs }),
    opened: insertedImport({ owner: principal, id, targetId: principal.organizationId, nowMs, lines }),
  };
  return openOperation(caller, { id, type: "import" }, statements, idempotency);
}

/**
 * Stores lines in batches, each in one transaction. After a failure, the batches before it stay stored. If the
 * request is a part of a larger import, the lines of stored batches count as progress of that import. If the
 * same lines are sent again, stored items stay unchanged.
 *
 * @param part the lines' position in an import of several requests; null for a whole import.
 * @throws {ApiError} `unavailable` when concurrent writes keep conflicting; for a part also `not_found`,
 * `operation_ended`, `lines_missing`.
 */
export async function importLines(
  caller: KeyCaller,
  body: { lines: BodyLine[]; lineCount: number },
  part: ImportPart | null,
): Promise<ImportedLines> {
  // Checked here too, before existing rows are read. Otherwise a line whose conversation is in an earlier,
  // still unsent part would be rejected.
  if (part !== null) await batch(caller.db, assertPartFits(caller.principal, part));
  const progress: Progress = { races: 0, touched: new Set(), bytes: 0, undescribed: 0 };
  const answers: ImportedLines[] = [];
  try {
    for (const one of toBatches(body.lines, body.lineCount, caller.limits.importBatchBytes)) {
      answers.push(
        await withTombstoneKey(caller, (key) =>
          storeBatch(caller, one, part && toPart(part, one), progress, key),
        ),
      );
    }
  } finally {
    finishStored(caller, progress);
  }
  return joinAnswers(answers);
}

interface Progress {
  races: number;
  touched: Set<string>;
  /** Size of the stored content. */
  bytes: number;
  /** Number of stored memories that no text model has enriched yet. */
  undescribed: number;
}

/** A batch as a part of the import. Its lines are counted in the transaction that stores them. */
const toPart = (part: ImportPart, { after, end }: ImportBatch): ImportPart => ({
  operationId: part.operationId,
  afterLine: part.afterLine + after,
  lines: end - after,
  isLast: part.isLast && end === part.lines,
});

/** @param tombstoneKey the secret of the organization's tombstones; null if it has none. */
async function storeBatch(
  caller: KeyCaller,
  { lines: bodyLines, after }: ImportBatch,
  part: ImportPart | null,
  progress: Progress,
  tombstoneKey: string | null,
): Promise<ImportedLines> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const mark = toTermPrefix(principal.organizationNumber, "conversations");
  const lines = await Promise.all(bodyLines.map(refuseOtherHash));
  const sorted = sortLines(lines);
  const conversationIds = containersOf(sorted);
  while (progress.races < RACES_MAX) {
    const existingRows = await selectExistingRows(db, organizationId, sorted);
    const forgotten = await findForgotten(caller, tombstoneKey, lines, namesOfLine);
    const { answer, refused, ...decided } = decide(lines, existingRows, forgotten);
    const fresh = {
      ...decided,
      memories: await withoutForgottenQuotes(caller, tombstoneKey, decided.memories),
    };
    const { conversations } = fresh;
    const isNothing = Object.values(fresh).every(({ length }) => length === 0);
    if (isNothing && refused.length === 0 && part === null) {
      await insertLateWordsOf(caller.system, organizationId, { conversationIds, messages: [] });
      return answer;
    }
    const nowMs = runtime.nowMs();
    const messages = await Promise.all(fresh.messages.map((message) => toPlaced(caller, mark, message)));
    const memories = await Promise.all(fresh.memories.map((memory) => toPlacedMemory(caller, memory)));
    const versions = await toVersionRecords(caller, fresh.versions, memories);
    // A memory that a model enriched before it was exported is imported unchanged.
    const undescribed = memories.flatMap(({ id, enriched_by }) => (enriched_by === null ? [id] : []));
    try {
      const quoted = fresh.memories.flatMap(({ sources }) => sources.filter(({ quote }) => quote !== null));
      const names = [...Object.values(fresh).flat().flatMap(namesOf), ...quoted.flatMap(namesOfSource)];
      await batch(db, {
        key: assertMayStore({ ...principal, tombstoneKey, nowMs }),
        notForgotten: assertNoneForgotten(
          organizationId,
          await hashesOf(tombstoneKey, names),
          "import_raced",
        ),
        refused: await refusedIds(organizationId, tombstoneKey, refused),
        part: part && countedPart(principal, part, nowMs),
        items: isNothing
          ? null
          : insertedItems(
              organizationId,
              { conversations, messages, memories, versions, recalls: fresh.recalls.map(toRecallRow) },
              { limits: caller.limits, nowMs },
            ),
        enrichment: queuedEnrichment(caller, undescribed, nowMs),
      });
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "import_raced") throw error;
      progress.races += 1;
      continue;
    }
    countStored(caller, [...messages, ...memories]);
    await insertLateWordsOf(caller.system, organizationId, {
      conversationIds,
      messages: [...messages, ...toMemoryTerms(memories)],
    });
    for (const { bytes } of [...messages, ...memories]) progress.bytes += bytes;
    progress.undescribed += undescribed.length;
    for (const { conversation_id } of messages) progress.touched.add(conversation_id);
    for (const { id } of memories) progress.touched.add(id);
    return answer;
  }
  throw new ApiError(
    "unavailable",
    `Other requests kept writing the same items. The first ${after} lines are done; send the request again.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Names under which a tombstone may refuse a line. A conversation is refused with its messages. */
function namesOf(line: ConversationLine | MessageLine | MemoryLine | MemoryVersionLine | RecallLine): Name[] {
  if (line.type === "recall") return userNames(line);
  if (line.type === "conversation") return [...conversationNames(line), ...userNames(line)];
  if (line.type === "memory") return [...memoryNames(line), ...userNames(line)];
  if (line.type === "memory_version") return memoryIdNames(line.memory_id);
  return [...conversationIdNames(line.conversation_id), ...messageNames(line)];
}

/**
 * Adds the ids of conversations and memories to the tombstones that refuse them, which may be for their users: their
 * messages and versions may be in later requests.
 */
async function refusedIds(
  organizationId: string,
  key: string | null,
  refused: (ConversationLine | MemoryLine)[],
) {
  if (key === null || refused.length === 0) return null;
  const hashOf = await hashNames(key, refused.flatMap(namesOf));
  const idNames = ({ type, id }: ConversationLine | MemoryLine) =>
    type === "memory" ? memoryIdNames(id) : conversationIdNames(id);
  const pairs = refused.flatMap((line) =>
    idNames(line).flatMap((id) =>
      namesOf(line).map((name) => ({ hash: hashOf.get(id) ?? "", refused: hashOf.get(name) ?? "" })),
    ),
  );
  return insertedWithRefused(organizationId, pairs);
}

/** The memories, whose sources quote no message that a tombstone refuses. */
async function withoutForgottenQuotes(
  caller: KeyCaller,
  key: string | null,
  memories: MemoryLine[],
): Promise<MemoryLine[]> {
  const sources = memories.flatMap((memory) => memory.sources);
  const forgotten = await findForgotten(caller, key, sources, namesOfSource);
  if (forgotten.size === 0) return memories;
  const deleted = { quote: null, start: null, end: null, state: "deleted" as const };
  return memories.map((memory) => ({
    ...memory,
    sources: memory.sources.map((source) => (forgotten.has(source) ? { ...source, ...deleted } : source)),
  }));
}

const namesOfSource = ({ conversation_id, message_id }: Source): Name[] => [
  ...conversationIdNames(conversation_id),
  ...messageIdNames(message_id),
];

const namesOfLine = (body: BodyLine): Name[] =>
  "value" in body && body.value.type !== "end" ? namesOf(body.value) : [];

/** Enriches and indexes what was stored, in the background. Runs after a failure too. */
function finishStored(caller: KeyCaller, { touched, bytes, undescribed }: Progress): void {
  const { organizationId } = caller.principal;
  if (undescribed > 0) enrichInBackground(caller);
  const due = [...touched].map((conversationId) => ({ organizationId, conversationId }));
  if (due.length > 0) indexLater(caller, due, bytes);
}

function sortLines(lines: BodyLine[]) {
  const conversations: Numbered<ConversationLine>[] = [];
  const messages: Numbered<MessageLine>[] = [];
  const memories: Numbered<MemoryLine>[] = [];
  const versions: Numbered<MemoryVersionLine>[] = [];
  const recalls: Numbered<RecallLine>[] = [];
  for (const body of lines) {
    if (!("value" in body)) continue;
    const { line, value } = body;
    if (value.type === "conversation") conversations.push({ line, value });
    if (value.type === "message") messages.push({ line, value });
    if (value.type === "memory") memories.push({ line, value });
    if (value.type === "memory_version") versions.push({ line, value });
    if (value.type === "recall") recalls.push({ line, value });
  }
  return { conversations, messages, memories, versions, recalls };
}

/** The conversations and memories of the lines. An earlier request may have stored some without their words. */
const containersOf = ({ messages, memories }: ReturnType<typeof sortLines>): string[] => [
  ...new Set([
    ...messages.map(({ value }) => value.conversation_id),
    ...memories.map(({ value }) => value.id),
  ]),
];

/**
 * Turns a memory or version with a wrong `content_hash` into a problem, because the hash is used to find memories with the
 * same content.
 */
async function refuseOtherHash(body: BodyLine): Promise<BodyLine> {
  if (!("value" in body)) return body;
  if (body.value.type !== "memory" && body.value.type !== "memory_version") return body;
  const { content, content_hash } = body.value;
  if (content === null || (await sha256Hex(content)) === content_hash) return body;
  const detail = "`content_hash`: Must be the SHA-256 of the content.";
  return { line: body.line, problem: new ApiError("validation_failed", detail) };
}

const toPlaced = async (
  invocation: Invocation,
  mark: string,
  message: MessageLine,
): Promise<PlacedRecord> => ({
  ...(await toRecord(invocation, mark, message)),
  ...toPlace(message),
});

async function toPlacedMemory(caller: KeyCaller, line: MemoryLine): Promise<MemoryRecord> {
  const prefix = toTermPrefix(caller.principal.organizationNumber, "memories");
  return {
    ...toMemoryFields(line),
    ...(await prepareText(caller, prefix, line.content)),
    message_id: toMessageId(line.id),
    parts: line.parts,
    sources: line.sources,
    source_bytes: sourceBytes(line.sources),
    authored: toAuthored(line.given),
    version: line.version,
    changed_by: line.key_id,
    changed_at_ms: line.stored_at === null ? caller.runtime.nowMs() : Date.parse(line.stored_at),
  };
}

/** @param memories of the same batch, some of which have the content of a version. */
async function toVersionRecords(
  { pace }: KeyCaller,
  lines: MemoryVersionLine[],
  memories: MemoryRecord[],
): Promise<VersionRecord[]> {
  const keyOf = (memoryId: string, hash: string) => `${memoryId} ${hash}`;
  const bytesOf = new Map(memories.map(({ id, content_hash, bytes }) => [keyOf(id, content_hash), bytes]));
  const records: VersionRecord[] = [];
  for (const line of lines) {
    const { memory_id, version, content, content_hash } = line;
    const stored = content === null ? null : await encodeText(content, pace);
    const key = keyOf(memory_id, content_hash);
    const bytes = stored?.bytes ?? bytesOf.get(key) ?? null;
    if (bytes !== null) bytesOf.set(key, bytes);
    records.push({
      ...toVersionRecord(line),
      ...{ memory_id, version, authored: toAuthored(line.given), parts: line.parts, changed_by: line.key_id },
      ...{ content: stored?.content ?? null, encoding: stored?.encoding ?? null, bytes },
      stored_at_ms: Date.parse(line.stored_at),
      replaced_at_ms: Date.parse(line.replaced_at),
    });
  }
  return records;
}

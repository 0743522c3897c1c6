import {
  type CapturedMemories,
  CONFLICT_CONTENT_BYTES_MAX,
  type Memory,
  type MemoryChunk,
  type MemoryVersion,
  type NewMemory,
  type NewSource,
  POSSIBLE_CONFLICTS_MAX,
} from "@engram/spec";
import { assertVersion } from "../conversations/queries.ts";
import { enrichInBackground, queuedEnrichment } from "../enrichment/service.ts";
import { ApiError, notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import { assertNotHeld } from "../holds/queries.ts";
import { refusingHeld } from "../holds/service.ts";
import { indexMemoriesLater } from "../indexing/memory-runs.ts";
import { chunksOfMemory, indexUntilDone } from "../indexing/service.ts";
import type { KeyCaller } from "../invocation.ts";
import { insertLateWords } from "../keyword-index/late-words.ts";
import { type NewContent, updatedMessage } from "../messages/queries.ts";
import { assertKeyActive, assertMayStore, assertMemoryWritable } from "../platform/batch.ts";
import { sharedFor, userFor } from "../platform/bindings.ts";
import {
  type CursorScope,
  fromCursor,
  isListPosition,
  isWhole,
  PAGE_ITEMS_DEFAULT,
  toCursor,
} from "../platform/cursors.ts";
import { sha256Hex } from "../platform/digest.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { toMessageId } from "../platform/ids.ts";
import { readPage } from "../platform/pages.ts";
import { type ExpectedVersions, PreconditionFailed } from "../platform/preconditions.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import { batch, run, type Statement } from "../platform/sql.ts";
import { refuseLargeWrite } from "../platform/write-bytes.ts";
import { changedSharing } from "../sharing/queries.ts";
import { replacedSources } from "../sources/queries.ts";
import { type Citations, type GivenSources, withCitations } from "../sources/service.ts";
import { mayConflict, readClaims } from "../text/conflicts.ts";
import { type MemoryIdentity, memoryNames, type Name, userNames } from "../tombstones/hashes.ts";
import { assertNoneForgotten } from "../tombstones/queries.ts";
import {
  findForgotten,
  type Guard,
  hashesOf,
  refusingForgotten,
  withTombstoneKey,
} from "../tombstones/service.ts";
import { countStored, countUsage } from "../usage/service.ts";
import * as captures from "./captures-queries.ts";
import {
  assertUnique,
  type Change,
  changedMemory,
  givenUser,
  replacedMemory,
  updatedMemory,
} from "./changes-queries.ts";
import { type ComparedMemory, comparedMemories } from "./conflicts-queries.ts";
import { assertSameIdentity, identityById } from "./identities-queries.ts";
import * as queries from "./queries.ts";
import { prepareContent, toNewRecords, withSources } from "./records.ts";
import { assertSupersedable, supersededMemories } from "./supersedes-queries.ts";
import * as history from "./versions-queries.ts";

/** Attempts to create or replace a memory while other requests create or delete it. */
const PUT_ATTEMPTS_MAX = 4;
/** Attempts to capture memories while other requests delete some of them with `forget`. */
const BULK_ATTEMPTS_MAX = 4;
/** Attempts to change a memory of an organization with tombstones while others change it. */
const CHANGE_ATTEMPTS_MAX = 4;

/**
 * Creates a memory. If the agent and user have the same one, returns that, and only its version and `updated_at` change.
 *
 * @throws {ApiError} `forbidden` for another agent or user than that of the key, `external_id_conflict` if the external
 * id belongs to other content, `not_found` if a request is repeated after the memory was deleted, or there is no memory
 * to supersede, `held` if that one is under legal hold, `content_conflict` if a memory that supersedes another is stored already, `forgotten`.
 */
export async function createMemory(
  caller: KeyCaller,
  input: { memory: NewMemory; checksConflicts: boolean; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<queries.VersionedMemory & { created: boolean; conflicts: string[] | null }>> {
  const nowMs = caller.runtime.nowMs();
  const [record] = await toNewRecords(caller, [input.memory], nowMs);
  if (record === undefined) throw new Error("a capture of nothing");
  const { waitUntilIndexed } = input;
  const item = { path: "", names: namesOf(record) };
  const { answer, replayed } = await withCitations(
    caller,
    [sourcesOf(input.memory, record)],
    ({ sources: [sources], unchanged }) => {
      const records = [withSources(record, sources)];
      return refusingForgotten(caller, [item], (guard) =>
        capture(
          caller,
          { records, stored: records, nowMs, guard, unchanged, waitUntilIndexed, idempotency },
          {
            memory: captures.capturedMemory(caller.principal.organizationId, record),
            compared: input.checksConflicts ? comparedWith(caller, record) : null,
          },
        ),
      );
    },
  );
  const conflicts = input.checksConflicts
    ? findConflicts(
        input.memory.content,
        answer.compared ?? (await run(caller.db, comparedWith(caller, record))),
      )
    : null;
  const [captured] = answer.rows;
  const found = answer.memory ?? (captured?.id ? await selectMemory(caller, captured.id) : null);
  if (!captured || !found) throw notFound("memory");
  return { replayed, answer: { ...found, created: captured.is_new === 1, conflicts } };
}

const comparedWith = ({ principal, runtime }: KeyCaller, record: captures.MemoryRecord) =>
  comparedMemories(principal.organizationId, record, runtime.nowMs());

/** Ids of the memories that a content may contradict, in their order. */
function findConflicts(content: string, compared: ComparedMemory[]): string[] {
  // A text never has more characters than bytes.
  if (content.length > CONFLICT_CONTENT_BYTES_MAX) return [];
  const claims = readClaims(content);
  return compared
    .filter((other) => mayConflict(claims, readClaims(other.content)))
    .slice(0, POSSIBLE_CONFLICTS_MAX)
    .map(({ id }) => id);
}

/** What a request gives for the sources of a memory that has the user of a record. */
const sourcesOf = (
  { sources = [] }: Pick<NewMemory, "sources">,
  { user_id: userId }: Pick<Memory, "user_id">,
  path = "sources",
): GivenSources => ({ path, userId, sources });

/** All names under which a tombstone may refuse a memory. */
const namesOf = ({ id: _, ...memory }: MemoryIdentity): Name[] => [
  ...memoryNames(memory),
  ...userNames(memory),
];

/**
 * Creates all memories or none, without those that a tombstone refuses.
 *
 * @throws {ApiError} `payload_too_large`, `forbidden`, `external_id_conflict`, `not_found`, `content_conflict`, and
 * `unavailable` when memories are deleted with `forget` again and again meanwhile.
 */
export async function createMemories(
  caller: KeyCaller,
  input: { memories: NewMemory[]; waitUntilIndexed: boolean },
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<CapturedMemories>> {
  refuseLargeWrite(input.memories);
  const nowMs = caller.runtime.nowMs();
  const records = await toNewRecords(caller, input.memories, nowMs);
  refuseTwoContents(records);
  const distinct = [
    ...new Map(records.toReversed().map((record) => [captures.identityOf(record), record])).values(),
  ].toReversed();
  const places = new Map(distinct.map((record, place) => [captures.identityOf(record), place]));
  const given = records.map((record, i) =>
    sourcesOf(input.memories[i] ?? {}, record, `memories.${i}.sources`),
  );
  const { answer, replayed } = await withCitations(caller, given, ({ sources, unchanged }) =>
    captureUnforgotten(
      caller,
      distinct.map((record) => withSources(record, sources[records.indexOf(record)])),
      { nowMs, unchanged, waitUntilIndexed: input.waitUntilIndexed, idempotency },
    ),
  );
  const items = records.map((record) => {
    const place = places.get(captures.identityOf(record)) ?? 0;
    const row = answer.rows[place];
    if (row === undefined) throw new Error("a memory was not captured");
    if (row.id === null) return { id: null, created: false, skipped: "forgotten" as const };
    // If the request has the same memory several times, only the first counts as new.
    return { id: row.id, created: row.is_new === 1 && record === distinct[place] };
  });
  return { replayed, answer: { items } };
}

/** Captures the records that no tombstone refuses. If one is refused in the meantime, tries again without it. */
async function captureUnforgotten(
  caller: KeyCaller,
  records: captures.MemoryRecord[],
  input: {
    nowMs: number;
    unchanged: Citations["unchanged"];
    waitUntilIndexed: boolean;
    idempotency: IdempotentRequest | null;
  },
): Promise<Idempotent<Captured>> {
  const { organizationId } = caller.principal;
  for (let attempt = 0; attempt < BULK_ATTEMPTS_MAX; attempt++) {
    try {
      return await withTombstoneKey(caller, async (tombstoneKey) => {
        const refused = await findForgotten(caller, tombstoneKey, records, namesOf);
        const stored = records.filter((record) => !refused.has(record));
        const hashes = await hashesOf(tombstoneKey, stored.flatMap(namesOf));
        const guard = (atMs: number): Guard => ({
          key: assertMayStore({ ...caller.principal, tombstoneKey, nowMs: atMs }),
          forgotten: assertNoneForgotten(organizationId, hashes),
        });
        return capture(caller, { records, stored, guard, ...input }, null);
      });
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "forgotten") throw error;
    }
  }
  throw new ApiError("unavailable", "Memories of the request keep being deleted. Send it again.", {
    retryAfterSeconds: 1,
  });
}

/** @throws {ApiError} `external_id_conflict` if two records have the same external id and different contents. */
function refuseTwoContents(records: captures.MemoryRecord[]): void {
  const contents = new Map<string, string>();
  for (const record of records) {
    const identity = captures.identityOf(record);
    if ((contents.get(identity) ?? record.content_hash) !== record.content_hash)
      throw new ApiError(
        "external_id_conflict",
        `Two memories of the request have the external id \`${record.external_id}\` and different contents. Nothing was stored.`,
      );
    contents.set(identity, record.content_hash);
  }
}

interface PutInput {
  memory: NewMemory;
  versions: ExpectedVersions;
  waitUntilIndexed: boolean;
}

/**
 * Creates a memory with an external id, or replaces all fields of the one that has it.
 *
 * @throws {ApiError} `forbidden`, `forgotten`, `held`, `precondition_failed`, `not_found` if there is no memory to supersede, and `unavailable` when the memory is created and deleted again and again meanwhile.
 */
export async function putMemory(
  caller: KeyCaller,
  input: PutInput,
): Promise<queries.VersionedMemory & { created: boolean }> {
  const [record] = await toNewRecords(caller, [input.memory], caller.runtime.nowMs());
  if (record === undefined) throw new Error("a put of nothing");
  for (let attempt = 1; ; attempt++) {
    const stored = await run(caller.db, captures.capturedMemory(caller.principal.organizationId, record));
    try {
      if (stored !== null)
        return { ...(await replaceMemory(caller, stored.memory, record, input)), created: false };
      if (input.versions !== null)
        throw new ApiError("precondition_failed", "There is no memory with this external id.");
      const { answer } = await createMemory(caller, { ...input, checksConflicts: false }, null);
      // Another request may have created it first, with the same content and other fields.
      if (answer.created) return answer;
    } catch (error) {
      const isRaced =
        error instanceof PreconditionFailed &&
        (error.code === "external_id_conflict" || error.code === "not_found");
      // There may also be no memory to supersede.
      if (!isRaced || (attempt === PUT_ATTEMPTS_MAX && record.supersedes !== null)) throw error;
    }
    if (attempt === PUT_ATTEMPTS_MAX)
      throw new ApiError("unavailable", "Other requests keep changing this memory. Send the request again.", {
        retryAfterSeconds: 1,
      });
  }
}

async function replaceMemory(
  caller: KeyCaller,
  { id, content_hash }: Memory,
  record: captures.MemoryRecord,
  { memory, versions, waitUntilIndexed }: PutInput,
): Promise<queries.VersionedMemory> {
  const isSame = record.content_hash === content_hash;
  const given = {
    createdAtMs: memory.created_at === undefined ? null : record.created_at_ms,
    hasValidFrom: memory.valid_from !== undefined,
  };
  const { agent_id, user_id, external_id } = record;
  const identity = { agent_id, user_id, external_id };
  const names = namesOf({ ...identity, content_hash: record.content_hash });
  const known = namesOf({ ...identity, content_hash });
  const item = { path: "", names: names.filter((name) => !known.includes(name)) };
  const change = {
    id,
    versions,
    content: isSame ? null : record,
    uniqueHash: undefined,
    userId: undefined,
    shared: record.shared === 1,
    superseding: record.supersedes === null ? [] : [record],
  };
  const answer = await withCitations(
    caller,
    [sourcesOf(memory, record)],
    ({ sources: [sources = []], unchanged }) =>
      refusingForgotten(caller, [item], (guard) =>
        changeMemory(caller, { ...change, sources, unchanged, guard }, replacedMemory(record, given)),
      ),
  );
  if (waitUntilIndexed && !isSame)
    await indexUntilDone(caller, [
      { organizationId: caller.principal.organizationId, conversationId: id },
    ]).catch(() => false);
  return answer;
}

/** What a capture reads in its batch. Null for a repeated request, or if there was no such statement. */
interface Read {
  memory: queries.VersionedMemory | null;
  compared: ComparedMemory[] | null;
}
interface Captured extends Read {
  rows: captures.CapturedRow[];
}

const supersededIds = (records: captures.MemoryRecord[]): string[] =>
  records.flatMap(({ supersedes }) => supersedes ?? []);

async function capture(
  caller: KeyCaller,
  input: {
    /** Those that the answer covers. */
    records: captures.MemoryRecord[];
    /** Those of them that are stored. */
    stored: captures.MemoryRecord[];
    /** Time of the records, at which all that the capture changes is changed. */
    nowMs: number;
    guard: (nowMs: number) => Guard;
    unchanged: Citations["unchanged"];
    waitUntilIndexed: boolean;
    idempotency: IdempotentRequest | null;
  },
  read: { [What in keyof Read]: Statement<Read[What]> | null } | null,
): Promise<Idempotent<Captured>> {
  const { records, nowMs } = input;
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const ids = input.stored.map(({ id }) => id);
  const superseding = input.stored.filter(({ supersedes }) => supersedes !== null);
  const supersedes = superseding.length > 0;
  const written = await refusingHeld(caller, supersededIds(superseding), () =>
    runIdempotent(db, input.idempotency, {
      statements: {
        guard: input.guard(runtime.nowMs()),
        cited: input.unchanged,
        supersedable: supersedes ? assertSupersedable(principal, superseding, nowMs) : null,
        inserted:
          ids.length === 0
            ? null
            : captures.insertedMemories(organizationId, input.stored, { limits: caller.limits, nowMs }),
        superseded: supersedes
          ? supersededMemories(principal, superseding, { keyId: principal.keyId, nowMs })
          : null,
        enrichment: queuedEnrichment(caller, ids, nowMs),
        memory: read?.memory ?? null,
        compared: read?.compared ?? null,
      },
      answer: captures.capturedAnswer(organizationId, records),
      read: (rows: captures.CapturedRow[], results): Captured => ({
        rows,
        memory: results?.memory ?? null,
        compared: results?.compared ?? null,
      }),
    }),
  );
  await insertLateWords(caller.system, organizationId, {
    conversationIds: written.answer.rows.flatMap(({ id }) => id ?? []),
    messages: captures.toMemoryTerms(input.stored),
  });
  if (written.replayed) return written;
  const stored = records.filter((_, i) => written.answer.rows[i]?.is_new === 1);
  if (stored.length === 0) return written;
  const due = stored.map(({ id }) => ({ organizationId, conversationId: id }));
  countStored(caller, stored);
  const bytes = stored.reduce((sum, record) => sum + record.bytes, 0);
  enrichInBackground(caller);
  if (input.waitUntilIndexed) {
    // The write is committed, so a failure while waiting for the index must not make it look failed.
    await indexUntilDone(caller, due).catch(() => false);
    return written;
  }
  indexMemoriesLater(caller, due, bytes);
  return written;
}

/**
 * A page may have few memories or none although more pages follow, because one request reads a limited number
 * of rows.
 *
 * @throws {ApiError} `invalid_cursor`.
 */
export async function listMemories(
  caller: KeyCaller,
  input: {
    filter: ConversationFilter;
    sort: "created_at" | "updated_at";
    order: "asc" | "desc";
    limit: number | undefined;
    cursor: string | undefined;
    withTotal: boolean;
    asOf: string | undefined;
  },
): Promise<{ items: Memory[]; next_cursor: string | null; total?: number | null }> {
  const { sort, order, withTotal, asOf } = input;
  const filter: ConversationFilter = { ...input.filter, corpora: ["memories"] };
  const scope: CursorScope = {
    list: "memories",
    owner: caller.principal,
    parameters: asOf === undefined ? [filter, sort, order] : [filter, sort, order, asOf],
  };
  const moment = await readMoment(caller, asOf);
  const after = await fromCursor(scope, input.cursor, isListPosition);
  const { memories, next, total } = await queries.selectMemories(
    caller.db,
    {
      owner: caller.principal,
      access: "read",
      corpus: "memories",
      filter,
      sort,
      order,
      after,
      moment,
      limits: caller.limits,
    },
    { limit: input.limit ?? PAGE_ITEMS_DEFAULT, withTotal },
    caller.limits,
  );
  return {
    items: memories,
    next_cursor: next === null ? null : await toCursor(scope, next),
    ...(total === undefined ? {} : { total }),
  };
}

/** @throws {ApiError} `not_found`. */
export async function getMemory(
  caller: KeyCaller,
  id: string,
  asOf: string | undefined,
): Promise<queries.VersionedMemory & { chunks: MemoryChunk[] }> {
  const { db, embedder, principal } = caller;
  const { organizationId } = principal;
  const { model } = embedder;
  const moment = await readMoment(caller, asOf);
  // The stored chunks are those of the content of today.
  const chunksOf = moment === null ? queries.storedChunks : queries.indexedChunks;
  const { memory, stored } = await batch(db, {
    memory: queries.memoryById(principal, id, moment),
    stored: chunksOf(organizationId, id, model),
  });
  if (memory === null) throw notFound("memory");
  if (stored.current !== null) return { ...memory, chunks: stored.current };
  // Splitting a megabyte takes a second.
  const chunks = await chunksOfMemory({ organizationId, model, pace: caller.pace }, memory.memory);
  return { ...memory, chunks: chunks.map((chunk) => ({ ...chunk, indexed: stored.indexed.has(chunk.id) })) };
}

/**
 * @throws {ApiError} `not_found`, `held`, `precondition_failed`, `content_conflict`, `external_id_conflict`, `forgotten`, `user_conflict`;
 * `forbidden` for another user than that of the key, or if a key that is bound to a user shares it.
 */
export async function updateMemory(
  caller: KeyCaller,
  input: {
    id: string;
    versions: ExpectedVersions;
    content: string | undefined;
    userId: string | undefined;
    shared: boolean | undefined;
    sources: NewSource[] | undefined;
    source: string | null | undefined;
    tags: string[] | undefined;
    summary: string | null | undefined;
    metadata: Record<string, unknown> | undefined;
    validFromMs: number | null | undefined;
    validUntilMs: number | null | undefined;
    occurredAtMs: number | null | undefined;
    expiresAtMs: number | null | undefined;
  },
): Promise<queries.VersionedMemory> {
  const { id, versions, userId, shared } = input;
  if (userId !== undefined) userFor(caller.principal, userId);
  sharedFor(caller.principal, shared);
  const contentHash = input.content === undefined ? undefined : await sha256Hex(input.content);
  const content = input.content === undefined ? null : await prepareContent(caller, input.content);
  const change = { id, versions, content, uniqueHash: contentHash, userId, shared, superseding: [] };
  const changed = updatedMemory({ ...input, contentHash });
  const write = (more: Pick<Parameters<typeof changeMemory>[1], "sources" | "unchanged">) =>
    contentHash === undefined && userId === undefined
      ? changeMemory(caller, { ...change, ...more, guard: activeGuard(caller) }, changed)
      : changeUnforgotten(caller, { ...change, ...more }, changed);
  if (input.sources === undefined) return write({});
  const found = await selectMemory(caller, id);
  if (found === null) throw notFound("memory");
  // If another request gives the memory a user meanwhile, it may still cite what a memory without a user can.
  const cited = sourcesOf(input, { user_id: userId ?? found.memory.user_id });
  return withCitations(caller, [cited], ({ sources: [sources = []], unchanged }) =>
    write({ sources, unchanged }),
  );
}

/** For a change that gives the memory no name that a tombstone may refuse. */
const activeGuard =
  ({ principal }: KeyCaller) =>
  (nowMs: number): Guard => ({ key: assertKeyActive({ ...principal, nowMs }), forgotten: [] });

/** Changes the content or the user of a memory, unless a tombstone refuses what it would become. */
async function changeUnforgotten(
  caller: KeyCaller,
  change: Omit<Parameters<typeof changeMemory>[1], "guard">,
  changed: Change,
): Promise<queries.VersionedMemory> {
  const { id, uniqueHash: contentHash, userId } = change;
  const { organizationId } = caller.principal;
  for (let attempt = 0; attempt < CHANGE_ATTEMPTS_MAX; attempt++) {
    try {
      return await withTombstoneKey(caller, async (tombstoneKey) => {
        // Which names the change gives the memory depends on the ones that it has.
        const before =
          tombstoneKey === null ? null : await run(caller.db, identityById(caller.principal, id));
        const hashes = before && (await hashesOf(tombstoneKey, newNames(before, { contentHash, userId })));
        const guard = (atMs: number): Guard => ({
          key: assertMayStore({ ...caller.principal, tombstoneKey, nowMs: atMs }),
          forgotten: [
            ...(before === null ? [] : [assertSameIdentity(organizationId, id, before)]),
            ...assertNoneForgotten(organizationId, hashes ?? []),
          ],
        });
        return changeMemory(caller, { ...change, guard }, changed);
      });
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || error.code !== "item_changed") throw error;
    }
  }
  throw new ApiError("unavailable", "Other requests keep changing this memory. Send the request again.", {
    retryAfterSeconds: 1,
  });
}

/** The names of a memory after a change that it does not have before. */
function newNames(
  before: MemoryIdentity,
  { contentHash, userId }: { contentHash: string | undefined; userId: string | undefined },
): Name[] {
  const after = {
    ...before,
    user_id: userId ?? before.user_id,
    content_hash: contentHash ?? before.content_hash,
  };
  const known = namesOf(before);
  return namesOf(after).filter((name) => !known.includes(name));
}

/**
 * The current version of a memory and the earlier ones, newest first.
 *
 * @throws {ApiError} `not_found`, `invalid_cursor`.
 */
export async function listMemoryVersions(
  { db, limits, principal }: KeyCaller,
  input: { id: string; limit: number | undefined; cursor: string | undefined },
): Promise<{ items: MemoryVersion[]; next_cursor: string | null }> {
  const { id, limit = PAGE_ITEMS_DEFAULT } = input;
  const scope: CursorScope = { list: "memory-versions", owner: principal, parameters: { id } };
  const before = await fromCursor(scope, input.cursor, isWhole);
  const { current, earlier } = await batch(db, {
    current: history.currentVersion(principal, id),
    earlier: history.earlierVersions(principal, id, {
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit: limit + 1,
      bytesMax: limits.pageBytes,
    }),
  });
  if (current === null) throw notFound("memory");
  const first = before === null ? [{ ...current, replaced_at_ms: null }] : [];
  const listed = [...first, ...earlier.map(history.withContentOf(current))].slice(0, limit);
  const items = await readPage(
    listed,
    limits,
    ({ metadata, parts }) => [metadata, parts],
    history.toMemoryVersion,
  );
  const isCut = items.length < first.length + (earlier[0]?.found ?? 0);
  return { items, next_cursor: isCut ? await toCursor(scope, items.at(-1)?.version) : null };
}

/** Changes a memory, the message with its content, and its place in the index. Keeps the version before. */
async function changeMemory(
  caller: KeyCaller,
  change: {
    id: string;
    versions: ExpectedVersions;
    /** Null if it stays. */
    content: NewContent | null;
    /** Hash of the content if it must be unique. */
    uniqueHash: string | undefined;
    /** Undefined if the user stays. */
    userId: string | undefined;
    /** Undefined if it stays as it is. */
    shared: boolean | undefined;
    /** The record that replaces the memory if it supersedes another one. */
    superseding: captures.MemoryRecord[];
    /** Undefined if they stay. */
    sources?: Memory["sources"];
    unchanged?: Citations["unchanged"];
    guard: (nowMs: number) => Guard;
  },
  changed: Change,
): Promise<queries.VersionedMemory> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const { id, content, userId, shared } = change;
  const nowMs = runtime.nowMs();
  const target = { organizationId, conversationId: id, nowMs };
  const supersedable =
    change.superseding.length === 0 ? null : assertSupersedable(principal, change.superseding, nowMs);
  const { memory, sharing } = await refusingHeld(caller, [id, ...supersededIds(change.superseding)], () =>
    batch(db, {
      guard: change.guard(nowMs),
      exists: assertMemoryWritable(principal, id),
      notHeld: assertNotHeld(organizationId, id),
      version: assertVersion({ organizationId, id, versions: change.versions }),
      cited: change.unchanged ?? null,
      unique:
        change.uniqueHash === undefined && userId === undefined
          ? null
          : assertUnique({ organizationId, id }, { contentHash: change.uniqueHash, userId }),
      user:
        userId === undefined
          ? null
          : givenUser({ organizationId, id }, { userId, stopsSharing: shared === false, nowMs }),
      sharing: shared === undefined ? null : changedSharing({ organizationId, id, nowMs }, shared),
      supersedable: supersedable && [supersedable.readOnly, supersedable.found, supersedable.notHeld],
      changed: changedMemory({ organizationId, id }, changed, {
        keyId: principal.keyId,
        nowMs,
        sources: change.sources,
      }),
      sources:
        change.sources === undefined
          ? null
          : replacedSources(organizationId, { id, sources: change.sources }),
      message:
        content === null && changed.parts === undefined
          ? null
          : updatedMessage(target, {
              id: toMessageId(id),
              counter: "memory_term_count",
              content,
              metadata: undefined,
              parts: changed.parts,
            }),
      superseded:
        change.superseding.length === 0
          ? null
          : supersededMemories(principal, change.superseding, { keyId: principal.keyId, nowMs }),
      enrichment: content === null ? null : queuedEnrichment(caller, [id], nowMs),
      event: recordedEvent("memory.updated", { organizationId, subjectId: id, nowMs }),
      memory: queries.memoryById(principal, id),
    }),
  );
  if (content !== null) {
    countUsage(caller, { message_bytes: content.bytes });
    enrichInBackground(caller);
  }
  if (content !== null || userId !== undefined || (sharing?.vectors ?? null) !== null)
    indexMemoriesLater(caller, [target], content?.bytes ?? 0);
  if (memory === null) throw notFound("memory");
  return memory;
}

const selectMemory = ({ db, principal }: KeyCaller, id: string) => run(db, queries.memoryById(principal, id));

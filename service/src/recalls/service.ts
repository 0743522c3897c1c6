import type { ContextAnswer, Recall, RecalledOperation, SearchAnswer, UpdateRecallBody } from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import { readMoment } from "../filters/moments.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive, assertMayStore } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { createId, firstIdAt, isMemoryId } from "../platform/ids.ts";
import { readPage } from "../platform/pages.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { drawRound } from "../platform/round-robin.ts";
import { batch } from "../platform/sql.ts";
import { userNames } from "../tombstones/hashes.ts";
import { assertNoneForgotten } from "../tombstones/queries.ts";
import { hashesOf, tombstoneKeyFor } from "../tombstones/service.ts";
import { type StoredAnswer, storedContext, storedSearch } from "./answers.ts";
import { RECALL_MS, type StoredRecall, toRecall } from "./fields.ts";
import * as queries from "./queries.ts";
import { RULES_VERSION } from "./rules.ts";

/** The fields of requests that a receipt knows. Those of the operations differ in others. */
export interface RecalledBody {
  user_id?: string | undefined;
  agent_id?: string | undefined;
  conversation_id?: string | undefined;
  as_of?: string | undefined;
  rerank?: boolean;
}

/** A request whose answer may be recorded. */
export interface Recallable {
  operation: RecalledOperation;
  /** The field `record` of the request. */
  record: boolean | { run_id?: string | undefined; metadata?: Record<string, unknown> | undefined };
  /** All other fields. */
  body: RecalledBody;
}

/**
 * Answers a request, and keeps a receipt if the request wants one. The receipt is stored before this resolves.
 *
 * @throws the errors of `answer`, and those of a write.
 */
export async function recorded<Answer extends SearchAnswer | ContextAnswer>(
  caller: KeyCaller,
  request: Recallable,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  if (request.record === false) return answer();
  const startMs = caller.runtime.nowMs();
  const answered = await answer();
  return { ...answered, recall_id: await record(caller, request, answered, startMs) };
}

/** Resolves to the id of the receipt; null if none is kept. */
async function record(
  caller: KeyCaller,
  { operation, record: wanted, body }: Recallable,
  answer: SearchAnswer | ContextAnswer,
  startMs: number,
): Promise<string | null> {
  const { db, principal, runtime } = caller;
  const { organizationId, agentId, userId } = principal;
  const [tombstoneKey, moment] = await Promise.all([tombstoneKeyFor(caller), readMoment(caller, body.as_of)]);
  const stored: StoredRecall = {
    ...(await toStored(tombstoneKey, body, answer)),
    models: modelsOf(caller, body),
    rules: RULES_VERSION,
  };
  const ids = stored.groups.flatMap(({ items }) => items.map(([id]) => id));
  const { run_id = null, metadata = {} } = wanted === true || wanted === false ? {} : wanted;
  const of = { agent_id: agentId ?? body.agent_id ?? null, user_id: userId ?? body.user_id ?? null };
  const id = createId(runtime, "rcl");
  try {
    const { inserted } = await batch(db, {
      key: assertMayStore({ ...principal, tombstoneKey, nowMs: runtime.nowMs() }),
      userNotForgotten: assertNoneForgotten(organizationId, await hashesOf(tombstoneKey, userNames(of))),
      inserted: queries.insertedRecall({
        ...{ organizationId, id, operation, run_id, key_id: principal.keyId },
        ...{ agent_id: agentId, user_id: userId, of_agent_id: of.agent_id, of_user_id: of.user_id },
        answer: JSON.stringify(stored),
        request: JSON.stringify(body),
        metadata: JSON.stringify(metadata),
        conversationId: body.conversation_id ?? null,
        memoryIds: ids.filter(isMemoryId),
        messageIds: ids.filter((item) => !isMemoryId(item)),
        startMs,
        atMs: moment?.atMs ?? startMs,
      }),
    });
    return inserted === 0 ? null : id;
  } catch (error) {
    if (error instanceof PreconditionFailed && error.code === "forgotten") return null;
    throw error;
  }
}

/** What a receipt keeps of an answer. */
export const toStored = (
  secret: string,
  { conversation_id }: RecalledBody,
  answer: SearchAnswer | ContextAnswer,
): Promise<StoredAnswer> =>
  "text" in answer ? storedContext(secret, answer, conversation_id) : storedSearch(secret, answer);

export const modelsOf = (
  { embedder, reranker }: KeyCaller,
  { rerank = false }: RecalledBody,
): Recall["models"] => ({ embedding: embedder.model, reranking: rerank ? reranker.model : null });

const refOf = ({ principal, runtime }: KeyCaller, id: string) => ({
  owner: principal,
  id,
  firstId: firstKept(runtime.nowMs()),
});

/** The first id that is not expired. */
export const firstKept = (nowMs: number): string => firstIdAt("rcl", nowMs - RECALL_MS);

/** @throws {ApiError} `not_found`. */
export async function getRecallRow(caller: KeyCaller, id: string): Promise<queries.RecallRow> {
  const row = await queries.selectRecall(caller.db, refOf(caller, id));
  if (row === null) throw notFound("receipt");
  return row;
}

/** @throws {ApiError} `not_found`. */
export const getRecall = async (caller: KeyCaller, id: string): Promise<Recall> =>
  toRecall(await getRecallRow(caller, id));

/** @throws {ApiError} `invalid_cursor`. */
export async function listRecalls(
  caller: KeyCaller,
  input: {
    user_id?: string | undefined;
    run_id?: string | undefined;
    item_id?: string | undefined;
    conversation_id?: string | undefined;
    created_after?: string | undefined;
    created_before?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<{ items: Recall[]; next_cursor: string | null }> {
  const { db, limits, principal, runtime } = caller;
  const { limit = PAGE_ITEMS_DEFAULT, cursor, ...filters } = input;
  const { created_after, created_before } = filters;
  const scope: CursorScope = { list: "recalls", owner: principal, parameters: filters };
  const afterMs = created_after === undefined ? 0 : Date.parse(created_after);
  const { found, scanEnd } = await queries.selectRecallIds(db, {
    owner: principal,
    userId: filters.user_id,
    runId: filters.run_id,
    itemId: filters.item_id,
    conversationId: filters.conversation_id,
    firstId: firstIdAt("rcl", Math.max(afterMs, runtime.nowMs() - RECALL_MS)),
    beforeId:
      (await fromCursor(scope, cursor, isId)) ??
      (created_before === undefined ? AFTER_ALL : firstIdAt("rcl", Date.parse(created_before))),
    limit: limit + 1,
    rowsMax: limits.scannedRecalls,
  });
  const ids = withinBytes(found.slice(0, limit), limits.pageBytes);
  const rows = await queries.selectRecalls(db, { owner: principal, ids });
  const items = await readPage(rows, limits, ({ metadata }) => [metadata], toRecall);
  const last = items.at(-1)?.id ?? ids.at(-1);
  const isCut = last !== undefined && last !== found.at(-1)?.id;
  return toPage(scope, items, { limit, positionOf: ({ id }) => id, scanEnd: isCut ? last : scanEnd });
}

/** After the ids of all receipts. */
const AFTER_ALL = "rcl_~";

/** The first receipts whose rows have at most `bytesMax` bytes together, and at least one. */
function withinBytes(found: queries.FoundRecall[], bytesMax: number): string[] {
  let bytes = 0;
  const end = found.findIndex((recall) => {
    bytes += recall.bytes;
    return bytes > bytesMax;
  });
  return (end < 0 ? found : found.slice(0, Math.max(1, end))).map(({ id }) => id);
}

/** @throws {ApiError} `not_found`, `validation_failed` for an item that the receipt does not have. */
export async function updateRecall(
  caller: KeyCaller,
  id: string,
  { used, outcome }: UpdateRecallBody,
): Promise<Recall> {
  const { db, principal, runtime } = caller;
  const { items } = await getRecall(caller, id);
  const ids = new Set(items.map((item) => item.id));
  const errors = (used ?? []).flatMap((item, i) =>
    ids.has(item) ? [] : [{ path: `used.${i}`, message: "The receipt has no such item." }],
  );
  if (errors.length > 0)
    throw new ApiError("validation_failed", "The receipt does not have all of these items.", { errors });
  const nowMs = runtime.nowMs();
  const { updated } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    updated: queries.updatedRecall(refOf(caller, id), {
      used: used && JSON.stringify(used),
      outcome,
      nowMs,
    }),
  });
  if (updated === null) throw notFound("receipt");
  return toRecall(updated);
}

/** Removes receipts of deleted users and expired ones, in steps. */
export async function removeRecalls(invocation: Invocation): Promise<void> {
  const { db, limits, runtime } = invocation;
  const { recallRoundRows: limit, recallSweepRounds } = limits;
  const round = drawRound(invocation);
  for (let i = 0; i < recallSweepRounds; i++)
    if ((await queries.deleteRecallsOfUsers(db, { round, limit })) < limit) break;
  const expired = { firstId: firstKept(runtime.nowMs()), limit, ...round };
  for (let i = 0; i < recallSweepRounds; i++)
    if ((await queries.deleteExpiredRecalls(db, expired)) < limit) break;
}

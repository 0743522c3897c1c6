import {
  type CreateEvaluationBody,
  EVALUATION_EXPECTED_MAX,
  EVALUATIONS_MAX,
  type EvaluatedOperation,
  type Evaluation,
  type EvaluationResult,
  type EvaluationRun,
  type SearchAnswer,
  SearchBody,
  SearchMemoriesBody,
} from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { assertKeyActive, toTimestamp } from "../platform/batch.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { batch, sql } from "../platform/sql.ts";
import { RULES_VERSION } from "../recalls/rules.ts";
import { getRecallRow, modelsOf, type RecalledBody } from "../recalls/service.ts";
import { assertSearchable, search, searchMemories } from "../search/service.ts";
import { userNames } from "../tombstones/hashes.ts";
import { refusingForgotten } from "../tombstones/service.ts";
import * as queries from "./queries.ts";
import { scoresOf } from "./scores.ts";

/** After the ids of all evaluations. */
const AFTER_ALL = "eval_~";

/**
 * @throws {ApiError} `not_found` for an unknown receipt or conversation, `validation_failed` for a request that a search
 *   refuses, a receipt of a context, or one that notes nothing as used, or too much, `forgotten`, `too_many_evaluations`, `idempotency_mismatch`.
 */
export async function createEvaluation(
  caller: KeyCaller,
  input: CreateEvaluationBody,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<Evaluation>> {
  const { db, principal, runtime } = caller;
  const { organizationId, agentId, userId } = principal;
  const { operation, body, expected } = await readInput(caller, input);
  const of = { agent_id: agentId ?? body.agent_id ?? null, user_id: userId ?? body.user_id ?? null };
  const conversationId = body.conversation_id ?? null;
  const id = createId(runtime, "eval");
  return refusingForgotten(caller, [{ path: "", names: userNames(of) }], (guard) =>
    runIdempotent(db, idempotency, {
      statements: {
        guard: guard(runtime.nowMs()),
        room: queries.assertRoom(organizationId, EVALUATIONS_MAX),
        conversation: conversationId === null ? null : queries.assertSearched(principal, conversationId),
        evaluation: queries.insertedEvaluation(
          organizationId,
          {
            ...{ id, operation, request: JSON.stringify(body), expected: JSON.stringify(expected) },
            ...{ depth: input.depth, agent_id: agentId, user_id: userId },
            ...{ of_agent_id: of.agent_id, of_user_id: of.user_id },
            ...{ from_recall: input.from_recall ?? null, last_run: null },
          },
          conversationId,
        ),
      },
      answer: sql`json_object('id', ${id})`,
      read: async (stored: { id: string }, results) =>
        queries.toEvaluation(results?.evaluation ?? (await getRow(caller, stored.id))),
    }),
  );
}

interface Input {
  operation: EvaluatedOperation;
  body: RecalledBody;
  expected: string[];
}

async function readInput(caller: KeyCaller, input: CreateEvaluationBody): Promise<Input> {
  const { request, from_recall, expected } = input;
  if (request !== undefined && expected !== undefined) {
    await assertSearchable(caller, request, "request");
    return { operation: "search", body: request, expected };
  }
  const { operation, request: json, used, agent_id, user_id } = await getRecallRow(caller, from_recall ?? "");
  if (operation === "getContext") throw invalid("from_recall", "Must be a receipt of a search.");
  const ids = expected ?? [...new Set(used === null ? [] : (JSON.parse(used) as string[]))];
  if (ids.length === 0) throw invalid("expected", "Must be given: the receipt notes no item as used.");
  if (ids.length > EVALUATION_EXPECTED_MAX)
    throw invalid(
      "expected",
      `Must be given: the receipt notes more than ${EVALUATION_EXPECTED_MAX} items as used.`,
    );
  // The key of the receipt may have been bound to an agent or a user to whom this one is not.
  const bound = { ...(agent_id !== null && { agent_id }), ...(user_id !== null && { user_id }) };
  return { operation, body: { ...(JSON.parse(json) as RecalledBody), ...bound }, expected: ids };
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError("validation_failed", message, { errors: [{ path, message }] });

async function getRow({ db, principal }: KeyCaller, id: string): Promise<queries.EvaluationRow> {
  const row = await queries.selectEvaluation(db, principal, id);
  if (row === null) throw notFound("evaluation");
  return row;
}

/** @throws {ApiError} `invalid_cursor`. */
export async function listEvaluations(
  { db, principal }: KeyCaller,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<{ items: Evaluation[]; next_cursor: string | null }> {
  const scope: CursorScope = { list: "evaluations", owner: principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const beforeId = (await fromCursor(scope, input.cursor, isId)) ?? AFTER_ALL;
  const rows = await queries.selectEvaluations(db, { owner: principal, beforeId, limit: limit + 1 });
  const page = await toPage(scope, rows, { limit, positionOf: ({ id }) => id });
  return { ...page, items: page.items.map(queries.toEvaluation) };
}

/** @throws {ApiError} `not_found`, and the errors of a search. */
export async function runEvaluation(caller: KeyCaller, id: string): Promise<EvaluationResult> {
  const { db, principal, runtime } = caller;
  const row = await getRow(caller, id);
  const previous = queries.toEvaluation(row);
  const body = JSON.parse(row.request) as RecalledBody;
  const { agent_id: agentId, user_id: userId } = row;
  const bound = { ...caller, principal: { ...principal, agentId, userId } };
  const { results, degraded } = await searchAgain(bound, row.operation, body);
  const nowMs = runtime.nowMs();
  const lastRun: EvaluationRun = {
    ...scoresOf(results, previous),
    degraded,
    models: modelsOf(caller, body),
    rules: RULES_VERSION,
    run_at: toTimestamp(nowMs),
  };
  const { ran } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    ran: queries.ranEvaluation(principal, id, JSON.stringify(lastRun)),
  });
  if (ran === null) throw notFound("evaluation");
  const before = new Map(previous.last_run?.ranks.map(({ id: item, rank }) => [item, rank]));
  return {
    evaluation: queries.toEvaluation(ran),
    previous: previous.last_run,
    moved: lastRun.ranks.flatMap(({ id: item, rank: now }) => {
      const rank = before.get(item);
      return rank === undefined || rank === now ? [] : [{ id: item, before: rank, now }];
    }),
  };
}

/** Finds nothing if the message of `as_of` is not there any more, like a search in a conversation that is not. */
async function searchAgain(
  caller: KeyCaller,
  operation: EvaluatedOperation,
  body: RecalledBody,
): Promise<Pick<SearchAnswer, "results" | "degraded">> {
  try {
    return await (operation === "search"
      ? search(caller, SearchBody.parse(body))
      : searchMemories(caller, SearchMemoriesBody.parse(body)));
  } catch (error) {
    if (error instanceof ApiError && error.code === "validation_failed") return { results: [], degraded: [] };
    throw error;
  }
}

/** @throws {ApiError} `not_found`. */
export async function deleteEvaluation(caller: KeyCaller, id: string): Promise<Evaluation> {
  const { db, principal, runtime } = caller;
  const { deleted } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs: runtime.nowMs() }),
    deleted: queries.deletedEvaluation(principal, id),
  });
  if (deleted === null) throw notFound("evaluation");
  return queries.toEvaluation(deleted);
}

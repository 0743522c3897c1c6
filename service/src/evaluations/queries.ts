import type { EvaluatedOperation, Evaluation, EvaluationRun } from "@engram/spec";
import { isOwned, isReadable, type Owner, toTimestamp } from "../platform/batch.ts";
import { createdAtOf } from "../platform/ids.ts";
import {
  and,
  assertThat,
  columns,
  given,
  nothing,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { isUserBeingDeleted } from "../recalls/queries.ts";

export interface EvaluationRow {
  id: string;
  operation: EvaluatedOperation;
  /** As JSON, like the next one and `last_run`. */
  request: string;
  expected: string;
  depth: number;
  agent_id: string | null;
  user_id: string | null;
  of_agent_id: string | null;
  of_user_id: string | null;
  from_recall: string | null;
  last_run: string | null;
}

const COLUMNS = columns([
  ...["id", "operation", "request", "expected", "depth", "agent_id", "user_id", "of_agent_id", "of_user_id"],
  ...["from_recall", "last_run"],
]);

export const toEvaluation = (evaluation: EvaluationRow): Evaluation => ({
  id: evaluation.id,
  operation: evaluation.operation,
  request: JSON.parse(evaluation.request) as Evaluation["request"],
  expected: JSON.parse(evaluation.expected) as string[],
  depth: evaluation.depth,
  agent_id: evaluation.of_agent_id,
  user_id: evaluation.of_user_id,
  from_recall: evaluation.from_recall,
  last_run: evaluation.last_run === null ? null : (JSON.parse(evaluation.last_run) as EvaluationRun),
  created_at: toTimestamp(createdAtOf(evaluation.id)),
});

const identity = (evaluation: EvaluationRow) => evaluation;

export const assertRoom = (organizationId: string, evaluationsMax: number): Statement<void> =>
  assertThat(
    "too_many_evaluations",
    sql`(SELECT count(*) FROM evaluations WHERE organization_id = ${organizationId}) < ${evaluationsMax}`,
  );

/** Fails the batch with `not_found` unless the conversation exists, and neither it nor its user is being deleted. */
export const assertSearched = (owner: Owner, conversationId: string): Statement<void> =>
  assertThat(
    "not_found",
    sql`EXISTS (SELECT 1 FROM conversations AS c
                 WHERE c.organization_id = ${owner.organizationId} AND c.id = ${conversationId}
                   AND c.deleted_at_ms IS NULL AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)}
                   AND NOT ${isUserBeingDeleted(owner.organizationId)})`,
  );

/** @param conversationId the conversation of the search, whose user is that of the evaluation unless it has one. */
export const insertedEvaluation = (
  organizationId: string,
  evaluation: EvaluationRow,
  conversationId: string | null,
): Statement<EvaluationRow | null> =>
  row(
    sql`INSERT INTO evaluations (organization_id, ${COLUMNS})
        SELECT ${organizationId}, ${evaluation.id}, ${evaluation.operation}, ${evaluation.request},
               ${evaluation.expected}, ${evaluation.depth}, ${evaluation.agent_id}, ${evaluation.user_id},
               coalesce(${evaluation.of_agent_id}, c.agent_id), coalesce(${evaluation.of_user_id}, c.user_id),
               ${evaluation.from_recall}, NULL
          FROM (SELECT ${conversationId} AS id) AS named
          LEFT JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = named.id
        RETURNING ${COLUMNS}`,
    identity,
  );

const isOne = (owner: Owner, id: string): Sql =>
  sql`organization_id = ${owner.organizationId} AND id = ${id} AND ${isOwned(owner)}`;

export const selectEvaluation = (db: D1Database, owner: Owner, id: string): Promise<EvaluationRow | null> =>
  run(db, row(sql`SELECT ${COLUMNS} FROM evaluations WHERE ${isOne(owner, id)}`, identity));

/** Newest first. An organization has few. */
export const selectEvaluations = (
  db: D1Database,
  { owner, beforeId, limit }: { owner: Owner; beforeId: string; limit: number },
): Promise<EvaluationRow[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM evaluations
           WHERE organization_id = ${owner.organizationId} AND id < ${beforeId} AND ${isOwned(owner)}
           ORDER BY id DESC LIMIT ${limit}`,
      identity,
    ),
  );

export const ranEvaluation = (owner: Owner, id: string, lastRun: string): Statement<EvaluationRow | null> =>
  row(
    sql`UPDATE evaluations SET last_run = ${lastRun} WHERE ${isOne(owner, id)} RETURNING ${COLUMNS}`,
    identity,
  );

export const deletedEvaluation = (owner: Owner, id: string): Statement<EvaluationRow | null> =>
  row(sql`DELETE FROM evaluations WHERE ${isOne(owner, id)} RETURNING ${COLUMNS}`, identity);

/** Deletes the evaluations of a user, in the batch that opens the deletion of the user. */
export const deletedEvaluationsOf = (
  { organizationId, agentId }: Pick<Owner, "organizationId" | "agentId">,
  userId: string,
): Statement<void> =>
  nothing(sql`
    DELETE FROM evaluations WHERE (organization_id, id) IN (
      SELECT e.organization_id, e.id FROM evaluations AS e INDEXED BY evaluations_of_users
       WHERE e.organization_id = ${organizationId} AND e.of_user_id = ${userId}
         AND ${and(given(agentId, (id) => sql`e.of_agent_id = ${id}`))})`);

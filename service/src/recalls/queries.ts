import type { RecalledOperation } from "@engram/spec";
import { isOwned, isReadable, type Owner } from "../platform/batch.ts";
import { boundTo } from "../platform/fields.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import { scannedPage } from "../platform/scans.ts";
import {
  and,
  batch,
  changes,
  columns,
  given,
  joined,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";

/** A row of `recalls` without its organization. Texts in `answer`, `versions`, `request`, `metadata` and `used` are JSON. */
export interface RecallRow {
  id: string;
  operation: RecalledOperation;
  key_id: string;
  agent_id: string | null;
  user_id: string | null;
  of_agent_id: string | null;
  of_user_id: string | null;
  run_id: string | null;
  answer: string;
  versions: string;
  request: string;
  metadata: string;
  used: string | null;
  outcome: string | null;
  noted_at_ms: number | null;
}

const COLUMN_NAMES = [
  ...["id", "operation", "key_id", "agent_id", "user_id", "of_agent_id", "of_user_id", "run_id"],
  ...["answer", "versions", "request", "metadata", "used", "outcome", "noted_at_ms"],
] as const satisfies (keyof RecallRow)[];
const COLUMNS = columns(COLUMN_NAMES, "recalls");

export type NewRecall = Omit<RecallRow, "versions" | "used" | "outcome" | "noted_at_ms"> & {
  organizationId: string;
  /** The conversation that the request names. */
  conversationId: string | null;
  memoryIds: string[];
  messageIds: string[];
  /** Time before the items were read. */
  startMs: number;
  /** Time of the versions of memories: `startMs`, or the moment of the past as of which the request was answered. */
  atMs: number;
};

/**
 * Inserts a receipt. Gives 0 if it does not: the conversation that the request names is not there, or its user is being
 * deleted.
 */
export function insertedRecall(recall: NewRecall): Statement<number> {
  const { organizationId, conversationId } = recall;
  return changes(sql`
    INSERT INTO recalls
      (organization_id, id, operation, key_id, agent_id, user_id, of_agent_id, of_user_id, run_id, answer, versions,
       request, metadata)
    SELECT ${organizationId}, ${recall.id}, ${recall.operation}, ${recall.key_id}, ${recall.agent_id}, ${recall.user_id},
           coalesce(${recall.of_agent_id}, c.agent_id), coalesce(${recall.of_user_id}, c.user_id), ${recall.run_id},
           ${recall.answer}, ${versionsOf(recall)}, ${recall.request}, ${recall.metadata}
      FROM (SELECT ${conversationId} AS id) AS named
      LEFT JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = named.id
                AND c.kind = 'conversation' AND c.deleted_at_ms IS NULL
                AND ${isReadable({ agentId: recall.agent_id, userId: recall.user_id }, sql`c.`)}
     WHERE named.id IS NULL OR (c.id IS NOT NULL AND NOT ${isUserBeingDeleted(organizationId)})`);
}

/** Whether the user of the conversation `c` is being deleted, and so the conversation, too, though it still exists. */
export const isUserBeingDeleted = (organizationId: string): Sql => sql`EXISTS (
  SELECT 1 FROM operations AS o
   WHERE o.organization_id = ${organizationId} AND o.filter IS NOT NULL AND o.type = 'delete_user'
     AND o.target_id = c.user_id)`;

/** JSON of the versions of memories and the times of the last change to messages, by id. */
const versionsOf = ({ organizationId, memoryIds, messageIds, startMs, atMs }: NewRecall): Sql => sql`
  (SELECT json_group_object(item.id, item.version) FROM (
     SELECT c.id, CASE WHEN coalesce(c.changed_at_ms, 0) <= ${atMs} THEN c.version
                       ELSE (SELECT v.version FROM memory_versions AS v
                              WHERE v.organization_id = c.organization_id AND v.memory_id = c.id
                                AND v.replaced_at_ms > ${atMs} ORDER BY v.version LIMIT 1) END AS version
       FROM json_each(${JSON.stringify(memoryIds)}) AS listed
      CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = listed.value
      UNION ALL
     SELECT m.id, m.updated_at_ms FROM json_each(${JSON.stringify(messageIds)}) AS listed
      CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.id = listed.value
      WHERE m.updated_at_ms <= ${startMs}) AS item)`;

/** Whether a receipt is of a user that was deleted after it. It stays until the sweep removes it. */
const IS_DELETED = sql`EXISTS (
  SELECT 1 FROM operations AS o
   WHERE o.organization_id = recalls.organization_id AND o.target_id = recalls.of_user_id
     AND o.recalls_until >= recalls.id AND coalesce(o.agent_id = recalls.of_agent_id, o.agent_id IS NULL))`;

/** A receipt that the owner may read. */
interface RecallRef {
  owner: Owner;
  id: string;
  /** The first id that is not expired. */
  firstId: string;
}

const isReadableRecall = ({ owner, id, firstId }: RecallRef): Sql =>
  and([
    sql`recalls.organization_id = ${owner.organizationId}`,
    sql`recalls.id = ${id}`,
    sql`recalls.id >= ${firstId}`,
    isOwned(owner, sql`recalls.`),
    sql`NOT ${IS_DELETED}`,
  ]);

export const selectRecall = (db: D1Database, recall: RecallRef): Promise<RecallRow | null> =>
  run(
    db,
    row(sql`SELECT ${COLUMNS} FROM recalls WHERE ${isReadableRecall(recall)}`, (found: RecallRow) => found),
  );

/** A receipt of a list, with the size of its JSON in the database. */
export interface FoundRecall {
  id: string;
  bytes: number;
}

const BYTES = sql`octet_length(answer) + octet_length(request) + octet_length(metadata)`;

/** The planner would choose the primary key, and read the receipts of all users. */
const indexFor = (userId: string | null): Sql => (userId === null ? sql`` : sql`INDEXED BY recalls_of_users`);

/** The next receipts of a list, newest first. */
export async function selectRecallIds(
  db: D1Database,
  input: {
    owner: Owner;
    userId: string | undefined;
    runId: string | undefined;
    itemId: string | undefined;
    conversationId: string | undefined;
    firstId: string;
    beforeId: string;
    limit: number;
    rowsMax: number;
  },
): Promise<{ found: FoundRecall[]; scanEnd: string | null }> {
  const { owner, limit, rowsMax } = input;
  const userId = input.userId ?? owner.userId;
  const page = await batch(
    db,
    scannedPage(
      {
        columns: sql`id, ${BYTES} AS bytes`,
        table: sql`recalls`,
        index: indexFor(userId),
        range: and([
          sql`organization_id = ${owner.organizationId}`,
          sql`id >= ${input.firstId} AND id < ${input.beforeId}`,
          ...given(userId, (id) => sql`of_user_id = ${id}`),
        ]),
        order: sql`id DESC`,
        filter: and([
          isOwned(owner, sql`recalls.`),
          ...given(input.runId, (id) => sql`run_id = ${id}`),
          ...given(input.itemId, (id) => sql`instr(answer, ${`[${JSON.stringify(id)},`}) > 0`),
          ...given(
            input.conversationId,
            (id) => sql`instr(answer, ${`"conversation":${JSON.stringify(id)}`}) > 0`,
          ),
          sql`NOT ${IS_DELETED}`,
        ]),
        position: sql`id`,
        limit,
        rowsMax,
      },
      (recall: FoundRecall) => recall,
      ({ id }: { id: string }) => id,
    ),
  );
  return { found: page.items, scanEnd: page.scanEnd };
}

/** Newest first. */
export const selectRecalls = (
  db: D1Database,
  { owner, ids }: { owner: Owner; ids: string[] },
): Promise<RecallRow[]> =>
  run(
    db,
    rows(
      sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(ids)}) AS listed
           CROSS JOIN recalls ON recalls.organization_id = ${owner.organizationId} AND recalls.id = listed.value
           WHERE ${isOwned(owner, sql`recalls.`)} AND NOT ${IS_DELETED} ORDER BY listed.key`,
      (found: RecallRow) => found,
    ),
  );

/** Receipts of an export after an id, in the order of ids, at most `limit` and of about `bytesMax` bytes. */
export const exportedRecalls = ({
  organizationId,
  userId,
  afterId,
  untilId,
  limit,
  bytesMax,
}: {
  organizationId: string;
  userId: string | null;
  afterId: string;
  untilId: string;
  limit: number;
  bytesMax: number;
}): Sql => sql`
  WITH found AS MATERIALIZED (
    SELECT id, ${BYTES} AS bytes FROM recalls ${indexFor(userId)}
     WHERE organization_id = ${organizationId} AND id > ${afterId} AND id < ${untilId}
       AND ${and(given(userId, (id) => sql`of_user_id = ${id}`))} AND NOT ${IS_DELETED}
     ORDER BY id LIMIT ${limit + 1}),
  page AS (SELECT id, row_number() OVER line AS place, sum(bytes) OVER line AS bytes FROM found
           WINDOW line AS (ORDER BY id))
  SELECT ${COLUMNS}, (SELECT count(*) FROM found) AS found
    FROM page CROSS JOIN recalls ON recalls.organization_id = ${organizationId} AND recalls.id = page.id
   WHERE page.place <= ${limit} AND (page.bytes <= ${bytesMax} OR page.place = 1)
   ORDER BY page.place`;

/** Whether an organization has receipts. */
export const hasRecalls = (organizationId: string): Statement<boolean> =>
  onlyRow(
    sql`SELECT EXISTS (SELECT 1 FROM recalls WHERE organization_id = ${organizationId}) AS found`,
    ({ found }: { found: 0 | 1 }) => found === 1,
  );

/** Those of the ids that receipts of the organization have. */
export const existingRecalls = (organizationId: string, list: string): Statement<string[]> =>
  rows(
    sql`SELECT r.id FROM json_each(${list}) AS new
         CROSS JOIN recalls AS r ON r.organization_id = ${organizationId} AND r.id = new.value`,
    ({ id }: { id: string }) => id,
  );

/** Inserts receipts as they are. Those with an id that exists are left out. @param list of rows, as JSON. */
export const importedRecalls = (organizationId: string, list: string): Statement<void> =>
  nothing(sql`
    INSERT OR IGNORE INTO recalls (organization_id, ${columns(COLUMN_NAMES)})
    SELECT ${organizationId}, ${joined(COLUMN_NAMES.map(boundTo), sql`, `)} FROM json_each(${list}) AS new`);

/** Undefined fields stay as they are. Gives null if there is no such receipt. */
export const updatedRecall = (
  recall: RecallRef,
  notes: { used: string | undefined; outcome: string | null | undefined; nowMs: number },
): Statement<RecallRow | null> => {
  const assignments = [
    ...given(notes.used, (used) => sql`used = ${used}`),
    ...(notes.outcome === undefined ? [] : [sql`outcome = ${notes.outcome}`]),
    sql`noted_at_ms = ${notes.nowMs}`,
  ];
  return row(
    sql`UPDATE recalls SET ${joined(assignments, sql`, `)} WHERE ${isReadableRecall(recall)} RETURNING ${columns(COLUMN_NAMES)}`,
    (updated: RecallRow) => updated,
  );
};

/** Removes expired receipts of organizations from a random one on, at most `limit`. Resolves to their number. */
export function deleteExpiredRecalls(
  db: D1Database,
  {
    firstId,
    chance,
    organizationsMax,
    limit,
  }: {
    firstId: string;
    chance: number;
    organizationsMax: number;
    limit: number;
  },
): Promise<number> {
  const start = sql`CAST(${chance} * (SELECT max(number) FROM organizations) AS INTEGER)`;
  const some = (from: Sql) => sql`
    SELECT * FROM (SELECT id FROM organizations WHERE number ${from} ORDER BY number LIMIT ${organizationsMax})`;
  return run(
    db,
    changes(sql`
      DELETE FROM recalls WHERE (organization_id, id) IN (
        WITH some AS MATERIALIZED (
          SELECT id FROM (${some(sql`>= ${start}`)} UNION ALL ${some(sql`< ${start}`)}) LIMIT ${organizationsMax})
        SELECT r.organization_id, r.id FROM some
         CROSS JOIN recalls AS r ON r.organization_id = some.id AND r.id < ${firstId} LIMIT ${limit})`),
  );
}

/** Marks the receipts of a user as deleted, in the batch that opens the deletion of the user. */
export const markedRecallsDeleted = (
  { organizationId, agentId }: Pick<Owner, "organizationId" | "agentId">,
  { operationId, userId }: { operationId: string; userId: string },
): Statement<void> =>
  nothing(sql`
    UPDATE operations
       SET recalls_until = (SELECT max(r.id) FROM recalls AS r
                             WHERE r.organization_id = ${organizationId} AND r.of_user_id = ${userId}
                               AND ${and(given(agentId, (id) => sql`r.of_agent_id = ${id}`))})
     WHERE organization_id = ${organizationId} AND id = ${operationId} AND type = 'delete_user'`);

interface RecallsDeletion {
  organizationId: string;
  operationId: string;
  userId: string;
  agentId: string | null;
  until: string;
}

/**
 * Removes receipts of deleted users, at most `limit`, round-robin by organization, and counts them in the operations.
 * Resolves to their number.
 */
export async function deleteRecallsOfUsers(
  db: D1Database,
  { round, limit }: { round: Round; limit: number },
): Promise<number> {
  const waiting = sql`recalls_until IS NOT NULL`;
  const queue = {
    table: sql`operations`,
    key: sql`organization_id`,
    all: waiting,
    waits: () => waiting,
    order: sql`target_id`,
  };
  const deletions = await run(
    db,
    rows(
      sql`${roundRobin(queue, round)}
          SELECT o.organization_id AS organizationId, o.id AS operationId, o.target_id AS userId, o.agent_id AS agentId,
                 o.recalls_until AS until
            FROM line CROSS JOIN operations AS o ON o.rowid = line.id ORDER BY position, turn`,
      (deletion: RecallsDeletion) => deletion,
    ),
  );
  if (deletions.length === 0) return 0;
  const list = JSON.stringify(deletions);
  const ofGone = (gone: Sql) => sql`
    recalls AS r INDEXED BY recalls_of_users ON r.organization_id = ${gone}.value ->> 'organizationId' AND r.of_user_id = ${gone}.value ->> 'userId'
      AND r.id <= ${gone}.value ->> 'until'
      AND coalesce(r.of_agent_id = ${gone}.value ->> 'agentId', ${gone}.value ->> 'agentId' IS NULL)`;
  const some = sql`FROM json_each(${list}) AS gone CROSS JOIN ${ofGone(sql`gone`)} LIMIT ${limit}`;
  const { removed } = await batch(db, {
    counted: nothing(sql`
      UPDATE operations SET recalls_deleted = recalls_deleted + gone.recalls
        FROM (SELECT organization_id, operation_id, count(*) AS recalls
                FROM (SELECT r.organization_id, gone.value ->> 'operationId' AS operation_id ${some})
               GROUP BY organization_id, operation_id) AS gone
       WHERE operations.organization_id = gone.organization_id AND operations.id = gone.operation_id`),
    removed: changes(sql`
      DELETE FROM recalls WHERE (organization_id, id) IN (SELECT r.organization_id, r.id ${some})`),
    ended: nothing(sql`
      UPDATE operations SET recalls_until = NULL
       WHERE (organization_id, id) IN (
         SELECT gone.value ->> 'organizationId', gone.value ->> 'operationId' FROM json_each(${list}) AS gone
          WHERE NOT EXISTS (SELECT 1 FROM (SELECT gone.value AS value) AS left CROSS JOIN ${ofGone(sql`left`)}))`),
  });
  return removed;
}

/** Removes receipts of an organization whose deletion is under way, at most `limit`. Resolves to their number. */
export const deleteRecallsOf = (
  db: D1Database,
  { organizationId, isDeleting, limit }: { organizationId: string; isDeleting: Sql; limit: number },
): Promise<number> =>
  run(
    db,
    changes(sql`
      DELETE FROM recalls WHERE (organization_id, id) IN (
        SELECT organization_id, id FROM recalls WHERE organization_id = ${organizationId} AND ${isDeleting}
         LIMIT ${limit})`),
  );

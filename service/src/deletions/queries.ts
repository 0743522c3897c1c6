import type { Corpus } from "@engram/spec";
import type { ConversationFilter } from "../filters/queries.ts";
import {
  type Scan,
  type ScanLimits,
  type ScanSort,
  scanEnd,
  scannedMatches,
  scanTable,
  toPosition,
} from "../filters/scans-queries.ts";
import { activeHolds, areActive, hasHolds, holdIdsOf, isHeld } from "../holds/queries.ts";
import {
  beginsAgain,
  type FilteredDeletion,
  isOrganizationDeletion,
  type NewOperation,
} from "../operations/queries.ts";
import type { Owner } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { eventOf, recordedEvent, recordedEvents } from "../platform/recorded-events.ts";
import {
  assertThat,
  batch,
  changes,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import {
  citesConversation,
  citingCounts,
  markedDeleted,
  settledMarks,
  settledSources,
} from "../sources/queries.ts";
import type { ForgettableStep } from "./forgotten-queries.ts";

/** What the deletion of a user goes over, in this order. */
const USER_CORPORA = ["conversations", "memories"] as const satisfies Corpus[];

const DELETED_EVENTS = { conversations: "conversation.deleted", memories: "memory.deleted" } as const;

const UNCOUNTED = {
  conversations: (deleted: Sql) => sql`
    (conversation_count, message_count, term_count) =
    (SELECT organization_counters.conversation_count - count(*),
            organization_counters.message_count - coalesce(sum(c.message_count), 0),
            organization_counters.term_count - coalesce(sum(c.term_count), 0) ${deleted})`,
  memories: (deleted: Sql) => sql`
    (memory_count, memory_term_count) =
    (SELECT organization_counters.memory_count - count(*),
            organization_counters.memory_term_count - coalesce(sum(c.term_count), 0) ${deleted})`,
};

export function softDeletedConversation(
  corpus: Corpus,
  input: { organizationId: string; id: string; operationId: string; nowMs: number },
) {
  const { organizationId, id, operationId, nowMs } = input;
  const isLive = sql`organization_id = ${organizationId} AND id = ${id} AND deleted_at_ms IS NULL`;
  return {
    uncounted: nothing(sql`
      UPDATE organization_counters
         SET ${UNCOUNTED[corpus](sql`FROM conversations AS c WHERE c.organization_id = ${organizationId} AND c.id = ${id}`)}
       WHERE organization_id = ${organizationId} AND EXISTS (SELECT 1 FROM conversations WHERE ${isLive})`),
    event: recordedEvent(
      DELETED_EVENTS[corpus],
      { organizationId, subjectId: id, nowMs },
      sql`EXISTS (SELECT 1 FROM conversations WHERE ${isLive})`,
    ),
    softDeleted: nothing(sql`
      UPDATE conversations SET deleted_at_ms = ${nowMs}, operation_id = ${operationId} WHERE ${isLive}`),
  } satisfies Statements;
}

/**
 * Soft-deletes at most `limit` conversations and memories of an organization whose deletion is under way.
 * Returns their number. It is 0 if that deletion was canceled, even just before this call.
 */
export async function softDeleteConversationsOf(
  db: D1Database,
  input: { organizationId: string; operationId: string; nowMs: number; limit: number },
): Promise<number> {
  const { organizationId, operationId, nowMs, limit } = input;
  const isDeleting = isOrganizationDeletion(organizationId, operationId);
  // Ordered, so that both statements select the same rows.
  const next = sql`
    SELECT row_key FROM conversations
     WHERE organization_id = ${organizationId} AND deleted_at_ms IS NULL ORDER BY id LIMIT ${limit}`;
  const conversations = sql`FILTER (WHERE c.kind = 'conversation')`;
  const memories = sql`FILTER (WHERE c.kind <> 'conversation')`;
  const { softDeleted } = await batch(db, {
    uncounted: nothing(sql`
      UPDATE organization_counters
         SET (conversation_count, message_count, term_count, memory_count, memory_term_count) =
             (SELECT organization_counters.conversation_count - count(*) ${conversations},
                     organization_counters.message_count - coalesce(sum(c.message_count) ${conversations}, 0),
                     organization_counters.term_count - coalesce(sum(c.term_count) ${conversations}, 0),
                     organization_counters.memory_count - count(*) ${memories},
                     organization_counters.memory_term_count - coalesce(sum(c.term_count) ${memories}, 0)
                FROM conversations AS c WHERE c.row_key IN (${next}))
       WHERE organization_id = ${organizationId} AND ${isDeleting}`),
    // A canceled deletion does not restore these conversations, so readers learn of them.
    events: recordedEvents(
      organizationId,
      nowMs,
      sql`SELECT iif(c.kind = 'conversation', ${DELETED_EVENTS.conversations}, ${DELETED_EVENTS.memories}) AS type,
                 c.id AS subject_id, NULL AS first_sequence, NULL AS last_sequence
            FROM conversations AS c WHERE c.row_key IN (${next}) AND ${isDeleting}`,
    ),
    // A canceled deletion restores memories that cite these conversations.
    sources: markedDeleted(
      { organizationId },
      citesConversation(
        sql`IN (SELECT c.id FROM conversations AS c WHERE c.row_key IN (${next})) AND ${isDeleting}`,
      ),
    ),
    softDeleted: changes(sql`
      UPDATE conversations SET deleted_at_ms = ${nowMs}, operation_id = ${operationId}
       WHERE row_key IN (${next})
         AND +organization_id = ${organizationId} -- The plus makes the planner find the rows by their keys.
         AND ${isDeleting}`),
    settled: settledMarks(organizationId, "deleted"),
  });
  return softDeleted;
}

/**
 * Counts the items that one scan of the list finds: those that are not held with their messages, and those that are. In
 * `messages`, a memory counts as one message. `next` is null at the end of the list.
 */
export function countConversations(
  db: D1Database,
  { owner, filter, after, limits }: FilteredList & { after: ListPosition | null },
): Promise<{ conversations: number; messages: number; held: number; next: ListPosition | null }> {
  const list = oldestFirst({ owner, filter, limits }, after);
  const held = isHeld(owner.organizationId);
  return run(
    db,
    onlyRow(
      sql`WITH ${scanTable(list)}
          SELECT count(*) FILTER (WHERE NOT is_held) AS conversations,
                 coalesce(sum(message_count) FILTER (WHERE NOT is_held), 0) AS messages,
                 count(*) FILTER (WHERE is_held) AS held, (${scanEnd(list)}) AS scan_end
            FROM (SELECT c.message_count AS message_count, ${held} AS is_held ${scannedMatches(list)})`,
      (counted: { conversations: number; messages: number; held: number; scan_end: string | null }) => ({
        conversations: counted.conversations,
        messages: counted.messages,
        held: counted.held,
        next: toPosition(counted.scan_end),
      }),
    ),
  );
}

export function insertedFilteredDeletion(
  input: NewOperation & FilteredList & { retentionRuleId: string | null },
): Statement<void> {
  const { owner, filter } = input;
  const list = oldestFirst(input, null);
  // The total stays null if one scan does not reach the end of the list, or another corpus follows.
  return nothing(sql`
    WITH ${scanTable(list)}
    INSERT INTO operations
      (organization_id, id, type, target_id, agent_id, user_id, created_at_ms, filter, done, total, last_row_key,
       retention_rule_id)
    SELECT ${owner.organizationId}, ${input.id}, ${input.type}, ${input.targetId}, ${owner.agentId}, ${owner.userId},
           ${input.nowMs}, ${JSON.stringify(filter)}, 0,
           CASE WHEN ${laterCorpora(filter) === null} AND (${scanEnd(list)}) IS NULL
                THEN (SELECT count(*) ${scannedMatches(list, [sql`NOT ${isHeld(owner.organizationId)}`])}) END,
           (SELECT coalesce(max(row_key), 0) FROM conversations), ${input.retentionRuleId}`);
}

/** The filter for the corpora after the first; null if there are none. */
function laterCorpora(filter: ConversationFilter): ConversationFilter | null {
  const [, ...corpora] = filter.corpora ?? [];
  return corpora.length === 0 ? null : { ...filter, corpora };
}

/**
 * One step of a bulk deletion, in the first corpus of the filter. It changes nothing if the stored filter is another:
 * the deletion was canceled, or an earlier step was the last in this corpus, or if it waits for a hold. `left` is the filter of the next step;
 * null if there is none, or if this step changed nothing. Skips what is held, and counts it.
 *
 * The deletion of a user that has skipped something goes over its list again when a hold is lifted.
 *
 * @param picked the items to delete, of a deletion with `forget`. Then it fails with `item_changed` instead of changing
 * nothing, or if another run has done the step.
 */
export function softDeletedStep(
  { owner, id, filter }: FilteredDeletion,
  { nowMs, limit, limits }: { nowMs: number; limit: number; limits: ScanLimits },
  picked: ForgettableStep | null,
) {
  const { organizationId } = owner;
  const list = oldestFirst({ owner, filter, limits }, { operationId: id });
  const scan = picked === null ? scanTable(list) : pickedTable(organizationId, picked);
  const ofRequest = sql`c.row_key <= (SELECT last_row_key FROM operations WHERE id = ${id})`;
  const matches =
    picked === null
      ? scannedMatches(list, [ofRequest, sql`NOT ${isHeld(organizationId)}`])
      : // An earlier statement of the batch may have deleted some, which cite what it deletes.
        sql`FROM scan CROSS JOIN conversations AS c ON c.row_key = scan.row_key
            WHERE c.deleted_at_ms IS NULL AND NOT ${isHeld(organizationId)}`;
  const later = laterCorpora(filter);
  const hasFilter = sql`organization_id = ${organizationId} AND id = ${id} AND filter = ${JSON.stringify(filter)}
    AND waits_for_hold = 0`;
  const isOpen = sql`EXISTS (SELECT 1 FROM operations WHERE ${hasFilter})`;
  const citing = citingCounts(organizationId);
  const isEnd = sql`${later === null} AND step.position IS NULL`;
  const isAgain = sql`(${isEnd} AND type = 'delete_user' AND held > 0)`;
  const isLast = sql`(${isEnd} AND NOT ${isAgain})`;
  const whole = { ...filter, corpora: USER_CORPORA };
  // If one of the holds was lifted since it was noted, the lift did not see that the deletion waits for it.
  const waits = sql`(${isAgain} AND ${areActive(organizationId, sql`hold_ids`)})`;
  // Without those that earlier steps deleted. The scan starts after `filter_position`, so it has none of them, unless it
  // has begun again: then it has those that came under a hold before they were purged.
  const softDeleted = sql`
    FROM scan CROSS JOIN conversations AS c ON c.row_key = scan.row_key
    WHERE c.operation_id = ${id} AND c.deleted_at_ms = ${nowMs}`;
  /** Where the next step begins. */
  const placeAfter =
    picked === null
      ? sql`SELECT CASE WHEN count(*) < ${limit} THEN (${scanEnd(list)})
                   ELSE (SELECT json_array(scan.sort_value, scan.id) ${softDeleted}
                          ORDER BY scan.sort_value DESC, scan.id DESC LIMIT 1) END ${softDeleted}`
      : sql`SELECT ${picked.to}`;
  return {
    isNext:
      picked === null
        ? null
        : assertThat(
            "item_changed",
            // The step is repeated if the holds changed since its items were read: it would pass over what was released.
            sql`EXISTS (SELECT 1 FROM operations WHERE ${hasFilter} AND filter_position IS ${picked.from})
                AND ${activeHolds(organizationId)} = ${picked.holds}`,
          ),
    softDeleted: nothing(sql`
      WITH ${scan}
      UPDATE conversations SET deleted_at_ms = ${nowMs}, operation_id = ${id}
       WHERE row_key IN (SELECT scan.row_key ${matches} AND ${isOpen}
                         ORDER BY scan.sort_value, scan.id LIMIT ${limit})
         AND +organization_id = ${organizationId}`),
    sources:
      list.corpus === "memories"
        ? null
        : {
            marked: markedDeleted(
              owner,
              citesConversation(sql`IN (WITH ${scan} SELECT c.id ${softDeleted} AND ${isOpen})`),
            ),
            counted: nothing(sql`
              UPDATE operations
                 SET memories_flagged = memories_flagged + ${citing.flagged},
                     memories_deleted = memories_deleted + ${citing.deleted}
               WHERE ${hasFilter}`),
            citing: settledSources({ organizationId, nowMs }, "deleted"),
          },
    uncounted: nothing(sql`
      WITH ${scan}
      UPDATE organization_counters SET ${UNCOUNTED[list.corpus](softDeleted)}
       WHERE organization_id = ${organizationId} AND ${isOpen}`),
    events: recordedEvents(
      organizationId,
      nowMs,
      sql`WITH ${scan} ${eventOf(DELETED_EVENTS[list.corpus], sql`c.id`)} ${softDeleted} AND ${isOpen}`,
    ),
    skipped: skippedItems(list, ofRequest, { hasFilter, end: placeAfter }),
    left: row(
      sql`WITH ${scan},
            step AS (SELECT count(*) AS hidden, (${placeAfter}) AS position ${softDeleted})
          UPDATE operations
             SET filter_position = step.position,
                 filter = CASE WHEN step.position IS NOT NULL THEN filter
                               WHEN ${isAgain} THEN ${JSON.stringify(whole)}
                               ELSE ${later === null ? null : JSON.stringify(later)} END,
                 waits_for_hold = ${waits},
                 held = CASE WHEN ${isAgain} AND NOT ${waits} THEN 0 ELSE held END,
                 hold_ids = CASE WHEN ${isAgain} AND NOT ${waits} THEN '[]' ELSE hold_ids END,
                 done = CASE WHEN ${isLast} AND held = 0 THEN coalesce(total, done + step.hidden) ELSE done + step.hidden END,
                 total = CASE WHEN NOT ${isLast} THEN total
                              WHEN held = 0 THEN coalesce(total, done + step.hidden) ELSE done + step.hidden END,
                 overlaps_until = CASE WHEN ${isLast} THEN (SELECT max(rowid) FROM operations) END
            FROM step
           WHERE operations.${hasFilter}
          RETURNING CASE WHEN NOT waits_for_hold AND NOT ${beginsAgain(sql`operations`)} THEN operations.filter END AS filter`,
      ({ filter: left }: { filter: string | null }) =>
        left === null ? null : (JSON.parse(left) as ConversationFilter),
    ),
  } satisfies Statements;
}

/**
 * Counts the held items up to the end of a step, which the step has left, and notes their holds. Reads one row of an index
 * in an organization without holds.
 */
function skippedItems(
  list: Scan,
  ofRequest: Sql,
  { hasFilter, end }: { hasFilter: Sql; end: Sql },
): Statement<void> {
  const { organizationId } = list.owner;
  const position = sql`(SELECT position FROM place)`;
  const held = scannedMatches(list, [
    ofRequest,
    isHeld(organizationId),
    sql`coalesce((scan.sort_value, scan.id) <= (${position} ->> 0, ${position} ->> 1), TRUE)`,
  ]);
  return nothing(sql`
    WITH ${scanTable(list)},
         place AS MATERIALIZED (SELECT (${end}) AS position),
         skipped AS MATERIALIZED (SELECT c.row_key AS row_key ${held})
    UPDATE operations
       SET held = held + (SELECT count(*) FROM skipped),
           hold_ids = (SELECT json_group_array(id) FROM (
             SELECT value AS id FROM json_each(operations.hold_ids)
              UNION ${holdIdsOf(sql`FROM skipped CROSS JOIN conversations AS c ON c.row_key = skipped.row_key`)}))
     WHERE ${hasFilter} AND ${hasHolds(organizationId)}`);
}

/** The items that were picked, in place of what a scan finds. */
const pickedTable = (organizationId: string, { items }: ForgettableStep): Sql => sql`
  scan AS (
    SELECT c.row_key AS row_key, c.created_at_ms AS sort_value, c.id AS id
      FROM json_each(${JSON.stringify(items.map(({ row_key }) => row_key))}) AS picked
     CROSS JOIN conversations AS c ON c.row_key = picked.value AND +c.organization_id = ${organizationId})`;

interface FilteredList {
  owner: Owner;
  filter: ConversationFilter;
  limits: ScanLimits;
}

/** The time by which a filter says what is due. */
function sortOf({ expired_at, updated_before, last_message_before }: ConversationFilter): ScanSort {
  if (expired_at !== undefined) return "expires_at";
  if (updated_before !== undefined) return "updated_at";
  return last_message_before === undefined ? "created_at" : "last_message_at";
}

/** The first ids that the scan of a list finds, in its order. */
export const sampleIds = (
  db: D1Database,
  { owner, filter, limits, after, limit }: FilteredList & { after: ListPosition | null; limit: number },
): Promise<string[]> => {
  const list = oldestFirst({ owner, filter, limits }, after);
  return run(
    db,
    rows(
      sql`WITH ${scanTable(list)}
          SELECT c.id AS id ${scannedMatches(list, [sql`NOT ${isHeld(owner.organizationId)}`])}
           ORDER BY scan.sort_value, scan.id LIMIT ${limit}`,
      ({ id }: { id: string }) => id,
    ),
  );
};

export const oldestFirst = ({ owner, filter, limits }: FilteredList, after: Scan["after"]): Scan => ({
  owner,
  access: "write",
  corpus: filter.corpora?.[0] ?? "conversations",
  filter,
  sort: sortOf(filter),
  order: "asc",
  after,
  limits,
});

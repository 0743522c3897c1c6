import type { Memory } from "@engram/spec";
import { queuedRange } from "../jobs/queries.ts";
import type { MessageRecord } from "../messages/fields.ts";
import {
  assertThat,
  columns,
  given,
  joined,
  nothing,
  type Sql,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { keptVersions, nextVersionIf } from "../versions/queries.ts";
import type { MemoryRecord } from "./captures-queries.ts";
import { MEMORY_CONTENT, toAuthored } from "./queries.ts";

interface MemoryId {
  organizationId: string;
  id: string;
}

/**
 * Fails the batch if another memory has the content or the external id that this one gets, among those of its agent and
 * user. Undefined stands for what the memory has.
 */
export function assertUnique(
  { organizationId, id }: MemoryId,
  change: { contentHash: string | undefined; userId: string | undefined },
) {
  const userId = sql`coalesce(${change.userId ?? null}, mine.user_id, '')`;
  const others = (key: Sql) => sql`NOT EXISTS (
    SELECT 1 FROM conversations AS mine
     CROSS JOIN conversations AS c ON c.organization_id = ${organizationId} AND ${key}
                AND coalesce(c.agent_id, '') = coalesce(mine.agent_id, '') AND coalesce(c.user_id, '') = ${userId}
                AND c.deleted_at_ms IS NULL
     WHERE mine.organization_id = ${organizationId} AND mine.id = ${id} AND c.id <> ${id})`;
  return {
    content: assertThat(
      "content_conflict",
      others(sql`c.content_hash = coalesce(${change.contentHash ?? null}, mine.content_hash)
                 AND coalesce(c.memory_external_id, '') = '' AND mine.memory_external_id IS NULL`),
    ),
    externalId: assertThat(
      "external_id_conflict",
      others(sql`c.memory_external_id = mine.memory_external_id`),
    ),
  } satisfies Statements;
}

/** Queues the vectors of a memory that gets a user. Fails the batch if it belongs to another user, or is shared and stays so. */
export const givenUser = (
  { organizationId, id }: MemoryId,
  { userId, stopsSharing, nowMs }: { userId: string; stopsSharing: boolean; nowMs: number },
) =>
  ({
    isFree: assertThat(
      "user_conflict",
      sql`NOT EXISTS (SELECT 1 FROM conversations
                       WHERE organization_id = ${organizationId} AND id = ${id}
                         AND (user_id <> ${userId} OR (shared = 1 AND ${!stopsSharing})))`,
    ),
    vectors: queuedRange({ organizationId, conversationId: id, nowMs }, sql`SELECT 1 AS first, 1 AS last`),
  }) satisfies Statements;

/** New values of columns of the memory `c`. */
type Assignments = (readonly [column: string, value: Sql])[];

export interface Change {
  /** Undefined if the content stays. */
  contentHash: string | undefined;
  /** Undefined if they stay. */
  parts: MessageRecord["parts"] | undefined;
  fields: Assignments;
  /** Undefined if it stays as it is. All versions are shared if the memory is, so a change of it keeps none. */
  shared: boolean | undefined;
  /** The same. */
  expiresAtMs: number | null | undefined;
  /** Which of tags and summary a person has set, as bits. */
  authored: Sql;
}

/**
 * Changes the row of a memory, and keeps the version before if any field gets another value. Otherwise `updated_at`
 * stays, too, unless the request replaces the sources. Must run before the statements that change its message.
 */
export function changedMemory(
  { organizationId, id }: MemoryId,
  { contentHash, parts, fields, shared, expiresAtMs, authored }: Change,
  { keyId, nowMs, sources }: { keyId: string; nowMs: number; sources: Memory["sources"] | undefined },
) {
  const isContentNew = contentHash === undefined ? sql`FALSE` : sql`c.content_hash <> ${contentHash}`;
  const all: Assignments = [
    ...fields,
    ...(contentHash === undefined ? [] : [["content_hash", sql`${contentHash}`] as const]),
  ];
  const differences = [
    ...all.map(([column, value]) => sql`${columns([column], "c")} IS NOT ${value}`),
    ...(parts === undefined
      ? []
      : [
          sql`(SELECT m.parts FROM messages AS m
              WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id) IS NOT ${parts === null ? null : JSON.stringify(parts)}`,
        ]),
  ];
  const isDifferent = sql`(${joined([sql`FALSE`, ...differences], sql` OR `)})`;
  const mayCiteOthers =
    sources === undefined ? sql`FALSE` : sources.length > 0 ? sql`TRUE` : sql`c.source_bytes > 0`;
  const isIt = sql`c.organization_id = ${organizationId} AND c.id = ${id}`;
  const assigned = all.map(([column, value]) => sql`${columns([column])} = ${value}, `);
  const sharing = shared === undefined ? null : sql`${Number(shared)}`;
  const expiry = expiresAtMs === undefined ? null : sql`${expiresAtMs}`;
  return {
    kept: keptVersions(
      sql`FROM conversations AS c CROSS JOIN ${MEMORY_CONTENT} WHERE ${isIt} AND ${isDifferent}`,
      { nowMs, changesContent: isContentNew },
    ),
    changed: nothing(sql`
      UPDATE conversations AS c
         SET ${joined([sql``, ...assigned, ...given(sharing, (value) => sql`shared = ${value}, `), ...given(expiry, (value) => sql`expires_at_ms = ${value}, `)], sql``)} ${nextVersionIf(isDifferent, keyId, nowMs)}, authored = ${authored},
             version = version + 1,
             updated_at_ms = CASE WHEN ${isDifferent} OR ${mayCiteOthers} OR c.shared <> ${sharing ?? sql`c.shared`}
                             OR c.expires_at_ms IS NOT ${expiry ?? sql`c.expires_at_ms`} THEN ${nowMs} ELSE c.updated_at_ms END
       WHERE ${isIt}`),
  } satisfies Statements;
}

/** If the content changes, the tags and the summary that a text model wrote for the old content are removed. */
export function updatedMemory(input: {
  contentHash: string | undefined;
  userId: string | undefined;
  shared: boolean | undefined;
  source: string | null | undefined;
  tags: string[] | undefined;
  summary: string | null | undefined;
  metadata: Record<string, unknown> | undefined;
  validFromMs: number | null | undefined;
  validUntilMs: number | null | undefined;
  occurredAtMs: number | null | undefined;
  expiresAtMs: number | null | undefined;
}): Change {
  const { contentHash, tags, summary, metadata } = input;
  const authored = toAuthored({ tags: tags !== undefined, summary: summary !== undefined });
  const assigned = (column: string, value: string | number | null | undefined): Assignments =>
    value === undefined ? [] : [[column, sql`${value}`]];
  const isOutdated = sql`c.content_hash <> ${contentHash ?? null}`;
  const outdated: Assignments = [
    ["enriched_by", sql`CASE WHEN NOT ${isOutdated} THEN c.enriched_by END`],
    ...(tags === undefined
      ? [["tags", sql`CASE WHEN ${isOutdated} AND NOT c.authored & 1 THEN '[]' ELSE c.tags END`] as const]
      : []),
    ...(summary === undefined
      ? [
          [
            "summary",
            sql`CASE WHEN ${isOutdated} AND NOT c.authored & 2 THEN NULL ELSE c.summary END`,
          ] as const,
        ]
      : []),
  ];
  return {
    contentHash,
    parts: undefined,
    fields: [
      ...assigned("user_id", input.userId),
      ...assigned("source", input.source),
      ...assigned("tags", tags && JSON.stringify(tags)),
      ...assigned("summary", summary),
      ...assigned("metadata", metadata && JSON.stringify(metadata)),
      ...assigned("valid_from_ms", input.validFromMs),
      ...assigned("valid_until_ms", input.validUntilMs),
      ...assigned("occurred_at_ms", input.occurredAtMs),
      ...(contentHash === undefined ? [] : outdated),
    ],
    shared: input.shared,
    expiresAtMs: input.expiresAtMs,
    authored: sql`c.authored | ${authored}`,
  };
}

/**
 * Replaces all fields of a memory but its links to others, unless the record supersedes one. If the content is the same, tags and a summary that a text
 * model wrote stay where the record has none.
 */
export function replacedMemory(
  record: MemoryRecord,
  given: { createdAtMs: number | null; hasValidFrom: boolean },
): Change {
  const { createdAtMs } = given;
  const isSame = sql`c.content_hash = ${record.content_hash}`;
  const keeps = (bit: Sql) => sql`${isSame} AND NOT (c.authored | ${record.authored}) & ${bit}`;
  return {
    contentHash: record.content_hash,
    parts: record.parts,
    fields: [
      ["kind", sql`${record.kind}`],
      ["source", sql`${record.source}`],
      ["metadata", sql`${JSON.stringify(record.metadata)}`],
      ["tags", sql`CASE WHEN ${keeps(sql`1`)} THEN c.tags ELSE ${JSON.stringify(record.tags)} END`],
      ["summary", sql`CASE WHEN ${keeps(sql`2`)} THEN c.summary ELSE ${record.summary} END`],
      // A repeated put does not move the time from which the memory holds.
      [
        "valid_from_ms",
        given.hasValidFrom || record.supersedes === null
          ? sql`${record.valid_from_ms}`
          : sql`CASE WHEN c.supersedes IS ${record.supersedes} THEN c.valid_from_ms ELSE ${record.valid_from_ms} END`,
      ],
      ...(record.supersedes === null ? [] : [["supersedes", sql`${record.supersedes}`] as const]),
      ["valid_until_ms", sql`${record.valid_until_ms}`],
      ["occurred_at_ms", sql`${record.occurred_at_ms}`],
      ["enriched_by", sql`CASE WHEN ${isSame} THEN c.enriched_by END`],
      ...(createdAtMs === null ? [] : [["created_at_ms", sql`${createdAtMs}`] as const]),
    ],
    shared: record.shared === 1,
    expiresAtMs: record.expires_at_ms,
    authored: sql`${record.authored}`,
  };
}

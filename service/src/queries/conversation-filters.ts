import type { Corpus, MemoryKind } from "@engram/spec";
import type { Owner } from "./batch.ts";

/** Filter of a list of conversations or memories. An item must meet all conditions. */
export interface ConversationFilter {
  /** Defaults to conversations only. */
  corpora?: readonly Corpus[] | undefined;
  agentId?: string | undefined;
  userId?: string | undefined;
  externalId?: string | undefined;
  tagsAny?: string[] | undefined;
  tagsAll?: string[] | undefined;
  createdAfterMs?: number | undefined;
  createdBeforeMs?: number | undefined;
  metadata?: Record<string, string | number | boolean> | undefined;
  kind?: MemoryKind | undefined;
  source?: string | undefined;
}

/** A condition of a WHERE clause. `$` is the placeholder of its value. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** The condition, or none when its value is absent. An absent filter adds nothing to the statement. */
export const given = (sql: string, value: unknown): Condition[] =>
  value === undefined || value === null
    ? []
    : [{ sql, value: typeof value === "object" ? JSON.stringify(value) : value }];

/** Joins conditions with AND. Their values are bound from number `first` on. */
export function toWhere(conditions: Condition[], first: number): { sql: string; binds: unknown[] } {
  const sql = conditions.map((condition, i) => condition.sql.replaceAll("$", `?${first + i}`));
  return { sql: sql.join(" AND ") || "TRUE", binds: conditions.map(({ value }) => value) };
}

/** Conditions on `c` for the rows of each corpus. The partial indexes use the same conditions. */
export const ROWS_OF = { conversations: "c.kind = 'conversation'", memories: "c.kind <> 'conversation'" };

/**
 * Condition on `c` for the rows that are not deleted, of the organization bound at ?1 and the filter's
 * corpora.
 */
export function existing({ corpora = ["conversations"] }: ConversationFilter): string {
  const [corpus, ...others] = corpora;
  const rows = corpus === undefined || others.length > 0 ? "" : ` AND ${ROWS_OF[corpus]}`;
  return `c.organization_id = ?1 AND c.deleted_at_ms IS NULL${rows}`;
}

/** Conditions on `c` for the rows that the owner may see and the filter selects. */
export const conversationConditions = (owner: Owner, filter: ConversationFilter): Condition[] => [
  ...given("c.agent_id = $", owner.agentId),
  ...given("c.agent_id = $", filter.agentId),
  ...given("c.user_id = $", filter.userId),
  ...given("c.external_id = $", filter.externalId),
  ...given("c.kind = $", filter.kind),
  ...given("c.source = $", filter.source),
  ...createdBetween(filter),
  ...tagConditions(filter),
  ...metadataConditions(filter),
];

export const createdBetween = ({ createdAfterMs, createdBeforeMs }: ConversationFilter): Condition[] => [
  ...given("c.created_at_ms >= $", createdAfterMs),
  ...given("c.created_at_ms < $", createdBeforeMs),
];

/** Whether the filter compares tags or metadata, which takes far longer than comparing columns. */
export const comparesJson = ({ tagsAny, tagsAll, metadata }: ConversationFilter): boolean =>
  tagsAny !== undefined || tagsAll !== undefined || metadata !== undefined;

const tagConditions = ({ tagsAny, tagsAll }: ConversationFilter): Condition[] => [
  ...given(
    "EXISTS (SELECT 1 FROM json_each(c.tags) AS t WHERE t.value IN (SELECT value FROM json_each($)))",
    tagsAny,
  ),
  // Counts the matching tags in one pass instead of searching for each tag.
  ...given(
    `(SELECT count(DISTINCT t.value) FROM json_each(c.tags) AS t
       WHERE t.value IN (SELECT value FROM json_each($))) = ${new Set(tagsAll).size}`,
    tagsAll,
  ),
];

/** Also one pass. SQLite stores `true` as 1, so the type is compared too. */
const metadataConditions = ({ metadata }: ConversationFilter): Condition[] =>
  given(
    `(SELECT count(*) FROM json_each(c.metadata) AS m
       WHERE (m.key, m.atom, m.type IN ('true', 'false'))
          IN (SELECT w.key, w.atom, w.type IN ('true', 'false') FROM json_each($) AS w)) = ${Object.keys(metadata ?? {}).length}`,
    metadata,
  );

import type { Corpus, MemoryKind } from "@engram/spec";
import type { Owner } from "./batch.ts";

/** What a list of conversations, or of memories, is narrowed to; all of it must hold. */
export interface ConversationFilter {
  /** Conversations alone by default. */
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

/** A condition of a WHERE; `$` stands where its value is bound. */
export interface Condition {
  sql: string;
  value: unknown;
}

/** A condition when its value is given, nothing otherwise: what a statement does not say costs it nothing. */
export const given = (sql: string, value: unknown): Condition[] =>
  value === undefined || value === null
    ? []
    : [{ sql, value: typeof value === "object" ? JSON.stringify(value) : value }];

/** Conditions as one, with their values bound from `first` on. */
export function toWhere(conditions: Condition[], first: number): { sql: string; binds: unknown[] } {
  const sql = conditions.map((condition, i) => condition.sql.replaceAll("$", `?${first + i}`));
  return { sql: sql.join(" AND ") || "TRUE", binds: conditions.map(({ value }) => value) };
}

/** Which rows a corpus is, over `c`: as the partial indexes have it. */
export const ROWS_OF = { conversations: "c.kind = 'conversation'", memories: "c.kind <> 'conversation'" };

/** Conversations of the organization bound at ?1, or memories, or both as a filter has it, over `c`. */
export function existing({ corpora = ["conversations"] }: ConversationFilter): string {
  const [corpus, ...others] = corpora;
  const rows = corpus === undefined || others.length > 0 ? "" : ` AND ${ROWS_OF[corpus]}`;
  return `c.organization_id = ?1 AND c.deleted_at_ms IS NULL${rows}`;
}

/** What narrows these to the owner's that a filter allows, over `c`. */
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
  // One pass over the tags: they are counted, not looked for one by one.
  ...given(
    `(SELECT count(DISTINCT t.value) FROM json_each(c.tags) AS t
       WHERE t.value IN (SELECT value FROM json_each($))) = ${new Set(tagsAll).size}`,
    tagsAll,
  ),
];

/** One pass over the metadata too. To SQLite `true` is 1, so that the type has to be compared. */
const metadataConditions = ({ metadata }: ConversationFilter): Condition[] =>
  given(
    `(SELECT count(*) FROM json_each(c.metadata) AS m
       WHERE (m.key, m.atom, m.type IN ('true', 'false'))
          IN (SELECT w.key, w.atom, w.type IN ('true', 'false') FROM json_each($) AS w)) = ${Object.keys(metadata ?? {}).length}`,
    metadata,
  );

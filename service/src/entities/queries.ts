import {
  ENTITY_CONVERSATIONS_RANKED_MAX,
  ENTITY_KINDS,
  ENTITY_MENTIONS_RANKED_MAX,
  ENTITY_ROWS_COUNTED_MAX,
  type EntityKind,
  type Mention,
} from "@engram/spec";
import { type Scan, scannedMatches, scanTable } from "../filters/scans-queries.ts";
import { isReadable, type Owner, SHARED_USER, toTimestamp } from "../platform/batch.ts";
import {
  and,
  batch,
  given,
  joined,
  literal,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { toScope } from "./mentions-queries.ts";

/** Conversations and messages of an entity, from the newest on, that are read for `last_seen_at`. */
const NEWEST_ROWS_MAX = 100;
const COUNTED_MAX = literal(ENTITY_ROWS_COUNTED_MAX);
const RANKED_MAX = literal(ENTITY_MENTIONS_RANKED_MAX);
const NEWEST_MAX = literal(NEWEST_ROWS_MAX);
const ROW_KEY_MAX = literal(Number.MAX_SAFE_INTEGER);
const ASCENDING = sql`ASC`;
const DESCENDING = sql`DESC`;

/** The conversations whose mentions are listed. */
export interface Place {
  /** Whose key lists them. */
  owner: Owner;
  /** The only agent; null for all that the owner can read. */
  agentId: string | null;
  /** The only user, without what is shared; null for all that the owner can read. */
  userId: string | null;
  /** Of the only conversation; null for all. */
  rowKey: number | null;
}

/** All that the owner can read. */
export const placeOf = (owner: Owner): Place => ({ owner, agentId: null, userId: null, rowKey: null });

/** The scopes of `entity_conversations` that together list the conversations of a place, each once. */
function scopesOf({ owner, ...place }: Place): Sql[] {
  const agentId = place.agentId ?? owner.agentId;
  if (place.userId !== null) return [toScope(agentId, place.userId)];
  if (owner.userId === null) return [toScope(agentId, null)];
  return [toScope(agentId, owner.userId), toScope(agentId, SHARED_USER)];
}

/** The rows of several SELECTs in order. SQLite merges them, and reads only as many rows as it needs. */
const merged = (selects: Sql[], order: Sql, limit: Sql): Sql =>
  sql`${joined(selects, sql` UNION ALL `)} ORDER BY ${order} LIMIT ${limit}`;

export type EntitySort = "value" | "mentions";

/** The last entity of a page. */
export interface EntityPosition {
  kind: string;
  folded: string;
  /** The mentions that are counted for the order; null in the order of values. */
  ranked: number | null;
}

export interface EntityRow extends EntityPosition {
  kind: EntityKind;
  counted: {
    mentions: number;
    conversations: number;
    first_ms: number | null;
    last_ms: number | null;
    value: string | null;
    /** False if more rows may follow than were read. */
    isWhole: boolean;
  };
  newest: { said_at_ms: number; value: string } | null;
}

/** The rows of a place, as `x`: those of each scope are in the order of kind and folded value. */
const entitiesOf = (place: Place): Sql[] => {
  const { organizationId } = place.owner;
  if (place.rowKey !== null)
    return [
      sql`entity_messages AS x WHERE x.organization_id = ${organizationId} AND x.conversation_row_key = ${place.rowKey}`,
    ];
  return scopesOf(place).map(
    (scope) =>
      sql`entity_conversations AS x WHERE x.organization_id = ${organizationId} AND x.scope = ${scope}`,
  );
};

/** The first or last messages with an entity, in conversations that are not deleted. `key` is a JSON array. */
const messagesOf = (place: Place, key: Sql, order: Sql, limit: Sql): Sql => {
  const isEntity = (table: Sql) => sql`${table}.kind = ${key} ->> 0 AND ${table}.folded = ${key} ->> 1`;
  const columns = (table: Sql) => sql`m.mention_count, m.said_at_ms, m.value,
    ${table}.conversation_row_key AS conversation_row_key, m.sequence AS sequence`;
  const { organizationId } = place.owner;
  if (place.rowKey !== null)
    return sql`SELECT ${columns(sql`m`)} FROM entity_messages AS m
                WHERE m.organization_id = ${organizationId} AND m.conversation_row_key = ${place.rowKey}
                  AND ${isEntity(sql`m`)} ORDER BY m.sequence ${order} LIMIT ${limit}`;
  const isAscending = order === ASCENDING;
  const ofScope = (scope: Sql) => {
    const listed = sql`x.organization_id = ${organizationId} AND x.scope = ${scope} AND ${isEntity(sql`x`)}`;
    // The last conversation that is read. Without it, a scan over conversations that are being deleted has no end.
    const end = sql`coalesce((SELECT x.conversation_row_key FROM entity_conversations AS x WHERE ${listed}
      ORDER BY x.conversation_row_key ${order} LIMIT 1 OFFSET ${limit} - 1), ${isAscending ? ROW_KEY_MAX : sql`0`})`;
    return sql`
      SELECT ${columns(sql`x`)}
        FROM entity_conversations AS x
       CROSS JOIN conversations AS c ON c.row_key = x.conversation_row_key AND c.deleted_at_ms IS NULL
       CROSS JOIN entity_messages AS m ON m.organization_id = ${organizationId}
                  AND m.conversation_row_key = x.conversation_row_key AND ${isEntity(sql`m`)}
       WHERE ${listed} AND x.conversation_row_key ${isAscending ? sql`<=` : sql`>=`} ${end}`;
  };
  return merged(scopesOf(place).map(ofScope), sql`conversation_row_key ${order}, sequence ${order}`, limit);
};

interface EntityList {
  kind: EntityKind | null;
  prefix: string | null;
  after: EntityPosition | null;
  limit: number;
}

// U+10FFFF is no character, so no value continues with it.
const startsWith = (prefix: string | null, folded: Sql): Sql =>
  and(given(prefix, (start) => sql`${folded} >= ${start} AND ${folded} < ${`${start}\u{10ffff}`}`));

/**
 * CTE `entities`: a page in the order of kind and folded value. Each entity takes one step in the index: to the first
 * folded value after the last, by kind.
 */
const entitiesByValue = (place: Place, { kind, prefix, after, limit }: EntityList): Sql => {
  const kinds = JSON.stringify(kind === null ? ENTITY_KINDS.toSorted() : [kind]);
  const first = (lastKind: Sql, lastFolded: Sql): Sql => {
    const each = entitiesOf(place).map(
      (entities) => sql`(SELECT x.folded FROM ${entities} AND x.kind = kind.value
                             AND ${startsWith(prefix, sql`x.folded`)}
                             AND x.folded > iif(kind.value = ${lastKind}, ${lastFolded}, '')
                           ORDER BY x.folded LIMIT 1)`,
    );
    return each.length === 1
      ? joined(each, sql``)
      : sql`(SELECT min(one.folded) FROM (${joined(
          each.map((folded) => sql`SELECT ${folded} AS folded`),
          sql` UNION ALL `,
        )}) AS one)`;
  };
  const next = (lastKind: Sql, lastFolded: Sql) => sql`
    SELECT json_array(found.kind, found.folded)
      FROM (SELECT kind.value AS kind, ${first(lastKind, lastFolded)} AS folded
              FROM json_each(${kinds}) AS kind WHERE kind.value >= ${lastKind}) AS found
     WHERE found.folded IS NOT NULL LIMIT 1`;
  return sql`
    RECURSIVE entities (key, place, ranked) AS (
      SELECT (${after === null ? next(sql`''`, sql`''`) : next(sql`${after.kind}`, sql`${after.folded}`)}), 1, NULL
       UNION ALL
      SELECT (${next(sql`entities.key ->> 0`, sql`entities.key ->> 1`)}), entities.place + 1, NULL
        FROM entities WHERE entities.key IS NOT NULL AND entities.place < ${limit})`;
};

/**
 * CTE `entities`: a page in the order of mentions. No row holds a count for each owner: it would be written with each
 * message that mentions the entity. A limited number of mentions is counted instead, before the filters apply.
 */
const entitiesByMentions = (place: Place, { kind, prefix, after, limit }: EntityList): Sql => {
  const matches = and([
    ...given(kind, (one) => sql`m.kind = ${one}`),
    startsWith(prefix, sql`m.folded`),
    ...given(
      after,
      (last) => sql`(-m.mentions, m.kind, m.folded) > (${-(last.ranked ?? 0)}, ${last.kind}, ${last.folded})`,
    ),
  ]);
  const order = sql`m.mentions DESC, m.kind, m.folded`;
  const conversations = place.rowKey === null ? sql`${scanTable(changedLast(place))},` : sql``;
  return sql`
    ${conversations} counted AS MATERIALIZED (${mentionsIn(place)}),
    entities (key, place, ranked) AS MATERIALIZED (
      SELECT json_array(m.kind, m.folded), row_number() OVER (ORDER BY ${order}), m.mentions
        FROM (SELECT kind, folded, count(*) AS mentions FROM counted GROUP BY kind, folded) AS m
       WHERE ${matches} ORDER BY ${order} LIMIT ${limit})`;
};

const changedLast = ({ owner, agentId, userId }: Place): Scan => ({
  owner,
  access: "read",
  corpus: "conversations",
  filter: { agent_id: agentId ?? undefined, user_id: userId ?? undefined },
  sort: "updated_at",
  order: "desc",
  after: null,
  limits: {
    filteredConversations: ENTITY_CONVERSATIONS_RANKED_MAX,
    scannedConversations: ENTITY_CONVERSATIONS_RANKED_MAX,
  },
});

/** Mentions, the newest first in one conversation, and those of the conversations that changed last otherwise. */
const mentionsIn = (place: Place): Sql => {
  const mentions = sql`SELECT mention.value ->> 'kind' AS kind, mention.value ->> 'folded' AS folded`;
  const stored = (rowKey: Sql) => sql`
    stored.organization_id = ${place.owner.organizationId}
    AND stored.row_key BETWEEN ${rowKey} << 24 AND (${rowKey} << 24) + 16777215`;
  if (place.rowKey !== null)
    return sql`${mentions} FROM message_entities AS stored CROSS JOIN json_each(stored.mentions) AS mention
                WHERE ${stored(sql`${place.rowKey}`)} ORDER BY stored.row_key DESC LIMIT ${RANKED_MAX}`;
  return sql`${mentions}
    FROM (SELECT c.row_key AS row_key ${scannedMatches(changedLast(place))}) AS changed
   CROSS JOIN message_entities AS stored ON ${stored(sql`changed.row_key`)}
   CROSS JOIN json_each(stored.mentions) AS mention LIMIT ${RANKED_MAX}`;
};

/** Selects entities in one of the orders. */
export const selectEntities = (
  db: D1Database,
  place: Place,
  { sort, ...list }: EntityList & { sort: EntitySort },
): Promise<EntityRow[]> => {
  const entities = sort === "value" ? entitiesByValue(place, list) : entitiesByMentions(place, list);
  const key = sql`e.key`;
  const conversations = sql`SELECT count(*) FROM (${joined(
    entitiesOf(place).map(
      (rows) => sql`SELECT 1 FROM ${rows} AND x.kind = e.key ->> 0 AND x.folded = e.key ->> 1`,
    ),
    sql` UNION ALL `,
  )} LIMIT ${COUNTED_MAX})`;
  const statement = sql`
    WITH ${entities}
    SELECT e.key ->> 0 AS kind, e.key ->> 1 AS folded, e.ranked AS ranked,
           (SELECT json_array(coalesce(sum(s.mention_count), 0), count(DISTINCT s.conversation_row_key),
                              min(s.said_at_ms), max(s.said_at_ms), min(s.value), count(*))
              FROM (${messagesOf(place, key, ASCENDING, COUNTED_MAX)}) AS s) AS counted,
           (${conversations}) AS conversations,
           (SELECT json_array(s.said_at_ms, s.value)
              FROM (${messagesOf(place, key, DESCENDING, NEWEST_MAX)}) AS s
             ORDER BY s.said_at_ms DESC LIMIT 1) AS newest
      FROM entities AS e WHERE e.key IS NOT NULL ORDER BY e.place`;
  return run(db, rows(statement, toEntityRow));
};

interface StoredEntityRow extends Pick<EntityRow, "kind" | "folded" | "ranked"> {
  /** JSON. */
  counted: string;
  conversations: number;
  /** JSON; null if there is none. */
  newest: string | null;
}

function toEntityRow({ counted, conversations, newest, ...entity }: StoredEntityRow): EntityRow {
  const [mentions, inConversations, first_ms, last_ms, value, messages] = JSON.parse(counted) as [
    number,
    number,
    number | null,
    number | null,
    string | null,
    number,
  ];
  const [said_at_ms, newestValue] = newest === null ? [] : (JSON.parse(newest) as [number, string]);
  return {
    ...entity,
    counted: {
      mentions,
      conversations: inConversations,
      first_ms,
      last_ms,
      value,
      isWhole: Math.max(messages, conversations) < ENTITY_ROWS_COUNTED_MAX,
    },
    newest: said_at_ms === undefined || newestValue === undefined ? null : { said_at_ms, value: newestValue },
  };
}

interface EntityKey {
  kind: EntityKind;
  folded: string;
}

/** The entity with this id; null if no conversation that the owner can read mentions it, or only such that are being deleted. */
export const entityKey = (owner: Owner, id: string): Statement<EntityKey | null> => {
  const { organizationId } = owner;
  return row(
    sql`SELECT one.kind, one.folded
          FROM (SELECT e.kind, e.folded FROM entity_conversations AS e
                 WHERE e.organization_id = ${organizationId} AND e.entity_id = ${id} AND e.scope = '[null,null]'
                 LIMIT 1) AS one
         WHERE EXISTS (
           SELECT 1 FROM (${joined(
             entitiesOf(placeOf(owner)).map(
               (rows) => sql`SELECT x.conversation_row_key AS row_key FROM ${rows}
                                AND x.kind = one.kind AND x.folded = one.folded`,
             ),
             sql` UNION ALL `,
           )} LIMIT ${COUNTED_MAX}) AS some
            CROSS JOIN conversations AS c ON c.row_key = some.row_key AND c.deleted_at_ms IS NULL)`,
    (key: EntityKey) => key,
  );
};

export const conversationRowKey = (organizationId: string, id: string): Statement<number | null> =>
  row(
    sql`SELECT row_key FROM conversations WHERE organization_id = ${organizationId} AND id = ${id}`,
    ({ row_key }: { row_key: number }) => row_key,
  );

export const visibleConversation = (owner: Owner, id: string) =>
  row(
    sql`SELECT row_key, agent_id, user_id FROM conversations
         WHERE organization_id = ${owner.organizationId} AND id = ${id} AND kind = 'conversation'
           AND deleted_at_ms IS NULL AND ${isReadable(owner)}`,
    (found: { row_key: number; agent_id: string | null; user_id: string | null }) => ({
      rowKey: found.row_key,
      agentId: found.agent_id,
      userId: found.user_id,
    }),
  );

export interface MentionPosition {
  /** Of the conversation. */
  rowKey: number;
  sequence: number;
  start: number;
}

/**
 * Selects mentions after a position, in order. `scanEnd` is the conversation after which the next page begins, although
 * this one may not be full: null if the end was reached.
 */
export async function selectMentions(
  db: D1Database,
  place: Place,
  { kind, folded }: EntityKey,
  { after, limit }: { after: MentionPosition | null; limit: number },
): Promise<{ mentions: Mention[]; scanEnd: string | null }> {
  const from = after ?? { rowKey: 0, sequence: 0, start: -1 };
  const { organizationId } = place.owner;
  const isEntity = (table: Sql) => sql`${table}.kind = ${kind} AND ${table}.folded = ${folded}`;
  // One conversation, which the owner can read, is in the list of all.
  const scopes = place.rowKey === null ? scopesOf(place) : [toScope(null, null)];
  const isInRange =
    place.rowKey === null
      ? sql`x.conversation_row_key >= ${from.rowKey}`
      : sql`x.conversation_row_key = ${place.rowKey}`;
  // Ends the scan of an entity whose conversations are mostly deleted and not yet removed.
  const ofScope = (scope: Sql) =>
    sql`x.organization_id = ${organizationId} AND x.scope = ${scope} AND ${isEntity(sql`x`)} AND ${isInRange}`;
  const last = sql`(${merged(
    scopes.map(
      (scope) =>
        sql`SELECT x.conversation_row_key AS row_key FROM entity_conversations AS x WHERE ${ofScope(scope)}`,
    ),
    sql`row_key`,
    sql`1 OFFSET ${ENTITY_ROWS_COUNTED_MAX - 1}`,
  )})`;
  const found = scopes.map(
    (scope) => sql`
      SELECT c.id AS conversation_id, x.conversation_row_key AS row_key, e.sequence AS sequence
        FROM entity_conversations AS x
       CROSS JOIN conversations AS c ON c.row_key = x.conversation_row_key AND c.deleted_at_ms IS NULL
       CROSS JOIN entity_messages AS e ON e.organization_id = ${organizationId}
                  AND e.conversation_row_key = x.conversation_row_key AND ${isEntity(sql`e`)}
                  AND e.sequence >= iif(x.conversation_row_key = ${from.rowKey}, ${from.sequence}, 0)
       WHERE ${ofScope(scope)} AND x.conversation_row_key <= coalesce(${last}, ${ROW_KEY_MAX})`,
  );
  const statement = sql`
    SELECT one.conversation_id, m.id AS message_id, one.sequence, m.created_at_ms,
           mention.value ->> 'start' AS start, mention.value ->> 'end' AS end,
           coalesce(mention.value ->> 'text', mention.value ->> 'value') AS text
      FROM (${merged(found, sql`row_key, sequence`, sql`${limit + 1}`)}) AS one
     CROSS JOIN messages AS m ON m.row_key = (one.row_key << 24) + one.sequence
     CROSS JOIN message_entities AS stored ON stored.row_key = m.row_key AND stored.organization_id = ${organizationId}
     CROSS JOIN json_each(stored.mentions) AS mention
     WHERE mention.value ->> 'kind' = ${kind} AND mention.value ->> 'folded' = ${folded}
       AND (one.row_key, one.sequence, mention.value ->> 'start') > (${from.rowKey}, ${from.sequence}, ${from.start})
     ORDER BY one.row_key, one.sequence, start LIMIT ${limit}`;
  return batch(db, {
    mentions: rows(statement, toMention),
    scanEnd: row(
      sql`SELECT c.id FROM conversations AS c WHERE c.row_key = ${last}`,
      ({ id }: { id: string }) => id,
    ),
  });
}

const toMention = ({
  created_at_ms,
  ...mention
}: Omit<Mention, "created_at"> & { created_at_ms: number }): Mention => ({
  ...mention,
  created_at: toTimestamp(created_at_ms),
});

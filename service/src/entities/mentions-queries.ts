import type { EntityKind } from "@engram/spec";
import { type Owner, SHARED_USER, toJsonLists } from "../platform/batch.ts";
import { nothing, type Sql, type Statement, type Statements, sql } from "../platform/sql.ts";
import { ENTITY_RULES } from "../text/entities/index.ts";

/** A mention as it is stored with its message. */
export interface StoredMention {
  entity_id: string;
  kind: EntityKind;
  /** See `foldValue`. Mentions with the same kind and folded value are one entity. */
  folded: string;
  value: string;
  /** The verbatim text, if it is not the value. */
  text?: string;
  start: number;
  end: number;
}

/**
 * Whose conversations are listed, as a key of `entity_conversations`. Null stands for all agents or users, and
 * `SHARED_USER` for what is shared with all users.
 */
export const toScope = (agentId: Sql | string | null, userId: Sql | string | null): Sql =>
  sql`json_array(${agentId ?? sql`NULL`}, ${userId ?? sql`NULL`})`;

/** The scopes that a shared conversation of an agent is also listed in, as JSON. */
const sharedScopes = (agentId: Sql): Sql => sql`
  CASE WHEN ${agentId} IS NULL THEN json_array(${toScope(null, SHARED_USER)})
       ELSE json_array(${toScope(null, SHARED_USER)}, ${toScope(agentId, SHARED_USER)}) END`;

/** The scopes that a conversation, `c`, is listed in, as rows of one column `value`. */
const SCOPES = sql`json_each(CASE
  WHEN c.shared = 1 AND c.agent_id IS NULL THEN json_array(${toScope(null, null)}, ${toScope(null, SHARED_USER)})
  WHEN c.shared = 1 THEN json_array(${toScope(null, null)}, ${toScope(sql`c.agent_id`, null)},
                                    ${toScope(null, SHARED_USER)}, ${toScope(sql`c.agent_id`, SHARED_USER)})
  WHEN c.agent_id IS NULL AND c.user_id IS NULL THEN json_array(${toScope(null, null)})
  WHEN c.user_id IS NULL THEN json_array(${toScope(null, null)}, ${toScope(sql`c.agent_id`, null)})
  WHEN c.agent_id IS NULL THEN json_array(${toScope(null, null)}, ${toScope(null, sql`c.user_id`)})
  ELSE json_array(${toScope(null, null)}, ${toScope(sql`c.agent_id`, null)}, ${toScope(null, sql`c.user_id`)},
                  ${toScope(sql`c.agent_id`, sql`c.user_id`)}) END)`;

export type EntityKey = Pick<StoredMention, "kind" | "folded">;

/** Condition: the conversation `c` mentions one of the entities. A list of all that do has no bound. */
export const isMentionedIn = ({ organizationId }: Owner, entities: EntityKey[]): Sql => sql`
  EXISTS (SELECT 1 FROM json_each(${JSON.stringify(entities)}) AS wanted
           CROSS JOIN entity_conversations AS x ON x.organization_id = ${organizationId}
                      AND x.scope = ${toScope(null, null)}
                      AND x.kind = wanted.value ->> 'kind' AND x.folded = wanted.value ->> 'folded'
                      AND x.conversation_row_key = c.row_key)`;

/** The entities of shared conversations, each in one scope more for every row. */
const sharedEntities = (organizationId: string, conversations: Sql): Sql => sql`
  SELECT DISTINCT m.organization_id, scope.value, m.kind, m.folded, m.conversation_row_key
    FROM (${conversations}) AS c
   CROSS JOIN json_each(${sharedScopes(sql`c.agent_id`)}) AS scope
   CROSS JOIN entity_messages AS m ON m.organization_id = ${organizationId} AND m.conversation_row_key = c.row_key`;

/** Lists the entities of conversations for all users. @param conversations a SELECT of `row_key` and `agent_id`. */
export const listedForReaders = (organizationId: string, conversations: Sql): Statement<void> =>
  nothing(sql`
    INSERT OR IGNORE INTO entity_conversations
      (organization_id, scope, kind, folded, conversation_row_key, entity_id)
    SELECT found.organization_id, found.value, found.kind, found.folded, found.conversation_row_key, x.entity_id
      FROM (${sharedEntities(organizationId, conversations)}) AS found
     CROSS JOIN entity_conversations AS x ON x.organization_id = found.organization_id AND x.scope = ${toScope(null, null)}
                AND x.kind = found.kind AND x.folded = found.folded
                AND x.conversation_row_key = found.conversation_row_key`);

/** Removes them from the lists of all users. */
export const unlistedForReaders = (organizationId: string, conversations: Sql): Statement<void> =>
  nothing(sql`
    DELETE FROM entity_conversations
     WHERE (organization_id, scope, kind, folded, conversation_row_key) IN (
       ${sharedEntities(organizationId, conversations)})`);

/** Condition: the message `m` mentions one of the entities. */
export const mentionsOneOf = ({ organizationId }: Owner, entities: EntityKey[]): Sql => sql`
  EXISTS (SELECT 1 FROM json_each(${JSON.stringify(entities)}) AS wanted
           CROSS JOIN entity_messages AS e ON e.organization_id = ${organizationId}
                      AND e.conversation_row_key = m.row_key >> 24
                      AND e.kind = wanted.value ->> 'kind' AND e.folded = wanted.value ->> 'folded'
                      AND e.sequence = m.row_key & 16777215)`;

/** The mentions found in a message. Valid only while its `updated_at_ms` is the same; null if it was never updated. */
export interface MessageMentions {
  id: string;
  updated_at_ms: number | null;
  mentions: StoredMention[];
}

/**
 * Stores the mentions of messages in place of other ones. Writes nothing for a message that has the same already, or
 * was changed since it was read.
 */
export const replacedMentions = (
  of: { organizationId: string; conversationId: string },
  messages: MessageMentions[],
): Record<string, Statements>[] =>
  toJsonLists(messages).map((list) => {
    const { organizationId } = of;
    const unchanged = unchangedMessages(of, list);
    const differ = sql`
      SELECT m.row_key AS row_key ${unchanged}
      CROSS JOIN message_entities AS e ON e.row_key = m.row_key
      WHERE e.rules <> ${ENTITY_RULES} OR e.mentions <> new.value ->> 'mentions'`;
    const found = sql`${unchanged} CROSS JOIN json_each(new.value, '$.mentions') AS mention`;
    const key = sql`mention.value ->> 'kind', mention.value ->> 'folded'`;
    return {
      others: deletedMentions(organizationId, differ),
      conversations: nothing(sql`
        INSERT OR IGNORE INTO entity_conversations
          (organization_id, scope, kind, folded, conversation_row_key, entity_id)
        SELECT DISTINCT ${organizationId}, scope.value, ${key}, c.row_key, mention.value ->> 'entity_id'
          ${found} CROSS JOIN ${SCOPES} AS scope`),
      messages: nothing(sql`
        INSERT OR IGNORE INTO entity_messages
          (organization_id, conversation_row_key, kind, folded, sequence, value, mention_count, said_at_ms)
        SELECT ${organizationId}, c.row_key, ${key}, m.sequence, mention.value ->> 'value', count(*), m.created_at_ms
          ${found} GROUP BY m.row_key, ${key}`),
      mentions: nothing(sql`
        INSERT OR IGNORE INTO message_entities (row_key, organization_id, rules, mentions)
        SELECT m.row_key, ${organizationId}, ${ENTITY_RULES}, new.value ->> 'mentions'
          ${unchanged} WHERE json_array_length(new.value, '$.mentions') > 0`),
    };
  });

/** The messages of a list, `new`, as `m`, and their conversation, `c`, without those changed since they were read. */
const unchangedMessages = (
  { organizationId, conversationId }: { organizationId: string; conversationId: string },
  list: string,
): Sql => sql`
  FROM json_each(${list}) AS new
  CROSS JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = ${conversationId}
             AND m.id = new.value ->> 'id' AND m.updated_at_ms IS new.value ->> 'updated_at_ms'
  CROSS JOIN conversations AS c ON c.row_key = m.row_key >> 24`;

/**
 * Deletes the mentions of messages. Their conversation must still exist.
 *
 * @param rowKeys a SELECT of the `row_key` of each message. It may select messages of several organizations if
 * `organizationId` is a column of `e`, the stored mentions.
 */
export function deletedMentions(organizationId: string | Sql, rowKeys: Sql) {
  const gone = sql`
    FROM (${rowKeys}) AS gone
    CROSS JOIN message_entities AS e ON e.row_key = gone.row_key AND e.organization_id = ${organizationId}
    CROSS JOIN json_each(e.mentions) AS mention`;
  const key = sql`mention.value ->> 'kind', mention.value ->> 'folded'`;
  return {
    messages: nothing(sql`
      DELETE FROM entity_messages
       WHERE (organization_id, conversation_row_key, kind, folded, sequence) IN
             (SELECT e.organization_id, e.row_key >> 24, ${key}, e.row_key & 16777215 ${gone})`),
    conversations: nothing(sql`
      DELETE FROM entity_conversations
       WHERE (organization_id, scope, kind, folded, conversation_row_key) IN
             (SELECT e.organization_id, scope.value, ${key}, c.row_key
                ${gone} CROSS JOIN conversations AS c ON c.row_key = e.row_key >> 24 CROSS JOIN ${SCOPES} AS scope)
         AND NOT EXISTS (SELECT 1 FROM entity_messages AS other
                          WHERE other.organization_id = entity_conversations.organization_id
                            AND other.conversation_row_key = entity_conversations.conversation_row_key
                            AND other.kind = entity_conversations.kind AND other.folded = entity_conversations.folded)`),
    mentions: nothing(sql`
      DELETE FROM message_entities
       WHERE row_key IN (SELECT e.row_key FROM (${rowKeys}) AS gone CROSS JOIN message_entities AS e
                         ON e.row_key = gone.row_key AND e.organization_id = ${organizationId})`),
  } satisfies Record<string, Statement<void>>;
}

import { isReadable, type Owner } from "../platform/batch.ts";
import { columns, joined, literal, row, type Sql, type Statement, sql } from "../platform/sql.ts";
import { VERSION_COLUMNS } from "../versions/queries.ts";

/**
 * A moment of the past, as of which a request is answered. Its numbers are part of the text of a statement, because they
 * are compared more often than a statement has parameters.
 */
export interface Moment {
  atMs: number;
  /** The message that was stored last, if the moment is that of a message. */
  last: { conversationRowKey: number; sequence: number } | null;
}

/** High part of the row key of a message: the row key of its conversation. The low part is its sequence number. */
const SEQUENCES = 2 ** 24;

/**
 * Condition that the message, by its alias `m`, was stored by then. True for that of a memory, whose versions have times
 * of their own. Its id comes after those of all conversations.
 */
export function existedAt({ atMs, last }: Moment): Sql {
  const isStored = sql`(m.stored_at_ms <= ${literal(atMs)} OR m.conversation_id >= 'mem_')`;
  if (last === null) return isStored;
  const first = last.conversationRowKey * SEQUENCES;
  return sql`${isStored}
    AND m.row_key NOT BETWEEN ${literal(first + last.sequence + 1)} AND ${literal(first + SEQUENCES - 1)}`;
}

/** Column of a message, by its alias `m`, after others: whether it was changed since. */
export const messageEditedSince = (moment: Moment | null): Sql =>
  moment === null ? sql`` : sql`, coalesce(m.updated_at_ms > ${literal(moment.atMs)}, 0) AS edited_since`;

const messagesOf = (table: Sql): Sql => sql`
  FROM messages AS m WHERE m.organization_id = ${table}organization_id AND m.conversation_id = ${table}id`;

/**
 * Condition that a conversation or memory was stored by then. A conversation is stored when it is created, a memory with
 * its first version. One that was last changed before versions had times was stored with its message.
 *
 * @param table alias of `conversations`, with a dot.
 */
export function itemExistedAt({ atMs }: Moment, table: Sql): Sql {
  const at = literal(atMs);
  return sql`
    CASE WHEN ${table}kind = 'conversation' THEN ${table}created_at_ms <= ${at}
         WHEN ${table}changed_at_ms IS NULL THEN EXISTS (SELECT 1 ${messagesOf(table)} AND m.stored_at_ms <= ${at})
         ELSE ${table}changed_at_ms <= ${at} OR coalesce((
           SELECT v.stored_at_ms FROM memory_versions AS v
            WHERE v.organization_id = ${table}organization_id AND v.memory_id = ${table}id
            ORDER BY v.version LIMIT 1) <= ${at}, FALSE) END`;
}

/** A column of the version that a memory had then. NULL if it has got no other since. */
export const versionAt = ({ atMs }: Moment, table: Sql, column: Sql): Sql => sql`
  (SELECT v.${column} FROM memory_versions AS v
    WHERE v.organization_id = ${table}organization_id AND v.memory_id = ${table}id
      AND v.replaced_at_ms > ${literal(atMs)}
    ORDER BY v.replaced_at_ms, v.version LIMIT 1)`;

/** Columns of `conversations` that stay the same, or of which no earlier values are kept. */
const KEPT = columns(
  [
    "row_key",
    "organization_id",
    "id",
    "external_id",
    "title",
    "agent_id",
    "shared",
    "deleted_at_ms",
    "memory_external_id",
    "source_bytes",
    "expires_at_ms",
  ],
  "p",
);
/** Columns that a version has, too. */
const VERSIONED = [...VERSION_COLUMNS, "version", "authored", "changed_by"];

/**
 * The table `conversations` as it was at a moment, or today's without one. What is counted from messages is counted again
 * where a message came later. A memory is in the version of then, and `is_earlier` if it has got another since.
 */
export function conversationsAt(moment: Moment | null | undefined): Sql {
  if (!moment) return sql`conversations`;
  const at = literal(moment.atMs);
  const { last } = moment;
  const messages = sql`${messagesOf(sql`p.`)} AND ${existedAt(moment)}`;
  const isCounted = sql`p.updated_at_ms <= ${at}${last === null ? sql`` : sql` AND p.row_key <> ${literal(last.conversationRowKey)}`}`;
  const counted = (column: Sql, value: Sql) =>
    sql`CASE WHEN ${isCounted} THEN p.${column} ELSE ${value} END AS ${column}`;
  const isEarlier = sql`coalesce(p.changed_at_ms > ${at}, FALSE)`;
  const versioned = (then: Sql, now: Sql) =>
    sql`CASE WHEN ${isEarlier} THEN ${versionAt(moment, sql`p.`, then)} ELSE ${now} END`;
  return sql`(
    SELECT ${KEPT}, ${isEarlier} AS is_earlier,
           ${joined(
             VERSIONED.map(
               (name) => sql`${versioned(columns([name]), columns([name], "p"))} AS ${columns([name])}`,
             ),
             sql`, `,
           )},
           ${versioned(sql`stored_at_ms`, sql`p.changed_at_ms`)} AS changed_at_ms,
           ${counted(sql`message_count`, sql`(SELECT count(*) ${messages})`)},
           ${counted(sql`last_sequence`, sql`(SELECT coalesce(max(m.sequence), 0) ${messages})`)},
           ${counted(
             sql`last_message_at_ms`,
             sql`coalesce((SELECT m.created_at_ms ${messages} ORDER BY m.sequence DESC LIMIT 1), p.created_at_ms)`,
           )},
           ${counted(
             sql`updated_at_ms`,
             sql`CASE p.kind WHEN 'conversation'
                   THEN max(p.created_at_ms, coalesce((SELECT max(m.stored_at_ms) ${messages}), 0),
                            CASE WHEN p.edited_at_ms <= ${at} THEN p.edited_at_ms ELSE 0 END)
                   ELSE ${versioned(sql`stored_at_ms`, sql`coalesce(p.changed_at_ms, p.created_at_ms)`)} END`,
           )},
           coalesce(p.edited_at_ms > ${at}, 0) AS edited_since
      FROM conversations AS p
     WHERE ${itemExistedAt(moment, sql`p.`)})`;
}

/**
 * Columns of a message `m` of `conversationsAt` as `c`. If it is that of a memory, those of the version that the memory had
 * then. A version without content has that of the memory or of another version, with the same hash.
 */
export function contentAt(
  moment: Moment | null,
): Record<"content" | "content_encoding" | "parts" | "model_tokens", Sql> {
  if (moment === null) return CONTENT;
  const then = (version: Sql, column: Sql) =>
    sql`CASE WHEN c.is_earlier THEN ${version} ELSE m.${column} END`;
  const kept = sql`FROM memory_versions AS k
    WHERE k.organization_id = c.organization_id AND k.memory_id = c.id AND k.content_hash = c.content_hash
      AND k.content IS NOT NULL ORDER BY k.rowid LIMIT 1`;
  const encoding = sql`
    CASE WHEN EXISTS (SELECT 1 ${kept}) THEN (SELECT k.content_encoding ${kept}) ELSE m.content_encoding END`;
  const ofVersion = (column: Sql) => versionAt(moment, sql`c.`, column);
  return {
    content: then(sql`coalesce((SELECT k.content ${kept}), m.content)`, sql`content`),
    content_encoding: then(encoding, sql`content_encoding`),
    parts: then(ofVersion(sql`parts`), sql`parts`),
    // No text has more tokens than bytes.
    model_tokens: then(ofVersion(sql`content_bytes`), sql`model_tokens`),
  };
}

const CONTENT = {
  content: sql`m.content`,
  content_encoding: sql`m.content_encoding`,
  parts: sql`m.parts`,
  model_tokens: sql`m.model_tokens`,
};

/** Size of the content of a memory `c` of then, to be added to a size. */
export const earlierBytes = (moment: Moment | null | undefined): Sql =>
  moment ? sql` + coalesce(${versionAt(moment, sql`c.`, sql`content_bytes`)}, 0)` : sql``;

/** The message of a conversation by its sequence number, as a moment. Null if the owner cannot read it. */
export const momentOfMessage = (
  owner: Owner,
  { conversationId, sequence }: { conversationId: string; sequence: number },
): Statement<Moment | null> =>
  row(
    sql`SELECT m.stored_at_ms AS atMs, c.row_key AS conversationRowKey FROM conversations AS c
         CROSS JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
         WHERE c.organization_id = ${owner.organizationId} AND c.id = ${conversationId} AND c.deleted_at_ms IS NULL
           AND c.kind = 'conversation' AND ${isReadable(owner, sql`c.`)} AND m.sequence = ${sequence}`,
    ({ atMs, conversationRowKey }: { atMs: number; conversationRowKey: number }) => ({
      atMs,
      last: { conversationRowKey, sequence },
    }),
  );

import {
  type Conversation,
  EXCERPT_CHARACTERS,
  type ListedConversation,
  type MessageRole,
} from "@engram/spec";
import { conversationsAt, existedAt, type Moment } from "../filters/moments-queries.ts";
import { pageOrder, pageTables, type Scan, toPosition, totalOfList } from "../filters/scans-queries.ts";
import { isExactlyOwned, isReadable, type Owner } from "../platform/batch.ts";
import type { ListPosition } from "../platform/cursors.ts";
import { type PageLimits, readPage } from "../platform/pages.ts";
import type { ExpectedVersions } from "../platform/preconditions.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import {
  and,
  assertThat,
  batch,
  columns,
  given,
  joined,
  literal,
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
import { type ContentEncoding, excerptOf } from "../text/compression.ts";
import {
  CONVERSATION_COLUMNS,
  type ConversationRow,
  changedFields,
  GIVEN_COLUMNS,
  type GivenConversation,
  givenValues,
  toConversation,
} from "./fields.ts";

export interface NewConversation {
  organizationId: string;
  id: string;
  given: GivenConversation;
  nowMs: number;
}

export interface VersionedConversation {
  conversation: Conversation;
  version: number;
}

const columnsAt = (moment: Moment | null | undefined): Sql =>
  columns(moment ? [...CONVERSATION_COLUMNS, "edited_since"] : CONVERSATION_COLUMNS, "c");

const toVersioned = (row: ConversationRow): VersionedConversation => ({
  conversation: toConversation(row),
  version: row.version,
});

const sameExternalId = ({ organizationId, given }: NewConversation): Sql => sql`
  SELECT row_key FROM conversations
   WHERE organization_id = ${organizationId} AND external_id = ${given.external_id ?? null}
     AND ${isExactlyOwned({ agentId: given.agent_id ?? null, userId: given.user_id ?? null })}
     AND deleted_at_ms IS NULL`;

const createdRowKey = (conversation: NewConversation): Sql => sql`
  SELECT row_key FROM conversations
   WHERE organization_id = ${conversation.organizationId} AND id = ${conversation.id}
  UNION ALL ${sameExternalId(conversation)} LIMIT 1`;

export const createdAnswer = (conversation: NewConversation): Sql => sql`
  json_object('new_id', ${conversation.id},
              'id', (SELECT id FROM conversations WHERE row_key = (${createdRowKey(conversation)})))`;

/**
 * Creates a conversation. If the agent and the user have one with the same external id, nothing is inserted and
 * `conversation` is the existing one.
 */
export function createdConversation(conversation: NewConversation) {
  const { organizationId, id, given, nowMs } = conversation;
  return {
    inserted: nothing(sql`
      INSERT INTO conversations
        (organization_id, id, ${GIVEN_COLUMNS}, created_at_ms, updated_at_ms, last_message_at_ms)
      SELECT ${organizationId}, ${id}, ${givenValues(given)}, ${nowMs}, ${nowMs}, ${nowMs}
       WHERE NOT EXISTS (${sameExternalId(conversation)})`),
    counted: nothing(sql`
      UPDATE organization_counters SET conversation_count = conversation_count
        + (SELECT count(*) FROM conversations WHERE organization_id = ${organizationId} AND id = ${id})
       WHERE organization_id = ${organizationId}`),
    event: recordedEvent(
      "conversation.created",
      { organizationId, subjectId: id, nowMs },
      sql`EXISTS (SELECT 1 FROM conversations WHERE organization_id = ${organizationId} AND id = ${id})`,
    ),
    conversation: onlyRow(
      sql`SELECT ${columns(CONVERSATION_COLUMNS)} FROM conversations WHERE row_key = (${createdRowKey(conversation)})`,
      toVersioned,
    ),
  } satisfies Statements;
}

export const conversationById = (
  owner: Owner,
  id: string,
  moment: Moment | null = null,
): Statement<VersionedConversation | null> =>
  row(
    sql`SELECT ${columnsAt(moment)} FROM ${conversationsAt(moment)} AS c
         WHERE c.organization_id = ${owner.organizationId} AND c.id = ${id} AND c.kind = 'conversation'
           AND c.deleted_at_ms IS NULL AND ${isReadable(owner, sql`c.`)}`,
    toVersioned,
  );

export const selectConversation = (
  db: D1Database,
  owner: Owner,
  id: string,
): Promise<VersionedConversation | null> => run(db, conversationById(owner, id));

export interface ConversationPage {
  conversations: ListedConversation[];
  /** Null at the end of the list. */
  next: ListPosition | null;
  /** Null when counting would read too many rows, undefined when not requested. */
  total: number | null | undefined;
}

/**
 * Returns fewer than `limit` conversations if more would exceed the size in `limits`, or if no more of the rows
 * that one scan reads match.
 */
export async function selectConversations(
  db: D1Database,
  scan: Scan,
  { limit, withTotal, withLast }: { limit: number; withTotal: boolean; withLast: boolean },
  limits: PageLimits,
): Promise<ConversationPage> {
  const { found, total } = await batch(db, {
    found: rows(
      sql`WITH ${pageTables(scan, limit)}
          SELECT ${columnsAt(scan.moment)}, ${withLast ? sql`${LAST_MESSAGE_COLUMNS}, ` : sql``}page.sort_value AS sort_value, reached.scan_end AS scan_end
            FROM reached LEFT JOIN page ON TRUE
                 LEFT JOIN ${conversationsAt(scan.moment)} AS c ON c.row_key = page.row_key
                 ${withLast ? lastMessageOf(scan) : sql``}
           ORDER BY ${pageOrder(scan)}`,
      (row: PageRow) => row,
    ),
    total: withTotal ? totalOfList(scan) : null,
  });
  // If no conversation matches, there is one row, which only says where the scan ended.
  const matches = found.filter(({ id }) => id !== null);
  const textsOf = ({ metadata }: ConversationRow) => [metadata];
  const conversations = await readPage(
    matches.slice(0, limit),
    limits,
    textsOf,
    withLast ? toListed : toConversation,
  );
  const last = matches[conversations.length - 1];
  const isCut = last !== undefined && conversations.length < matches.length;
  return {
    conversations,
    next: isCut ? { value: last.sort_value, id: last.id } : toPosition(found[0]?.scan_end ?? null),
    total: withTotal ? total : undefined,
  };
}

interface PageRow extends ConversationRow, Partial<LastMessageRow> {
  sort_value: number;
  scan_end: string | null;
}

/** All null without messages. */
interface LastMessageRow {
  message_id: string | null;
  sequence: number;
  role: MessageRole;
  name: string | null;
  content: string;
  content_encoding: ContentEncoding | null;
}

/** Length of stored content that is enough for an excerpt of most texts, compressed or not. */
const EXCERPT_STORED_CHARACTERS = 2_048;

const LAST_MESSAGE_COLUMNS = sql`m.id AS message_id, ${columns(["sequence", "role", "name", "content_encoding"], "m")},
  substr(m.content, 1, ${literal(EXCERPT_STORED_CHARACTERS)}) AS content`;

const lastMessageOf = ({ owner: { organizationId }, moment }: Scan): Sql => sql`
  LEFT JOIN messages AS m ON m.organization_id = ${organizationId} AND m.conversation_id = c.id
        AND m.sequence = (SELECT max(m.sequence) FROM messages AS m
                           WHERE m.organization_id = ${organizationId} AND m.conversation_id = c.id
                             AND ${and(given(moment, existedAt))})`;

function toListed(row: PageRow): ListedConversation {
  const {
    message_id: id,
    sequence = 0,
    role = "user",
    name = null,
    content = "",
    content_encoding = null,
  } = row;
  const conversation = toConversation(row);
  if (id === undefined || id === null) return { ...conversation, last_message: null };
  const excerpt = excerptOf(content, content_encoding, EXCERPT_CHARACTERS);
  return { ...conversation, last_message: { id, sequence, role, name, excerpt } };
}

/** For an item that exists, which another statement of the batch asserts. */
export const assertVersion = (input: {
  organizationId: string;
  id: string;
  versions: ExpectedVersions;
}): Statement<void> => {
  const versions = input.versions === "any" ? null : input.versions && JSON.stringify(input.versions);
  return assertThat(
    "precondition_failed",
    sql`${versions} IS NULL OR EXISTS (
          SELECT 1 FROM conversations
           WHERE organization_id = ${input.organizationId} AND id = ${input.id}
             AND version IN (SELECT value FROM json_each(${versions})))`,
  );
};

export const updatedConversation = (
  { organizationId, id, nowMs }: Omit<NewConversation, "given">,
  changes: GivenConversation,
): Statement<VersionedConversation | null> =>
  row(
    sql`UPDATE conversations
           SET ${joined([...changedFields(changes), sql`version = version + 1, updated_at_ms = ${nowMs}, edited_at_ms = ${nowMs}`], sql`, `)}
         WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at_ms IS NULL
        RETURNING ${columns(CONVERSATION_COLUMNS)}`,
    toVersioned,
  );

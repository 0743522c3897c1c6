import type { ConversationLine, MemoryLine, MemoryVersionLine, MessageLine, RecallLine } from "@engram/spec";
import { isHeld } from "../holds/queries.ts";
import { ofSameOwner, sameMemory } from "../memories/captures-queries.ts";
import { IS_SAME, toGiven, toPlace } from "../messages/fields.ts";
import { toJsonLists } from "../platform/batch.ts";
import { toMessageId } from "../platform/ids.ts";
import { batch, rows, type Sql, sql } from "../platform/sql.ts";
import { existingRecalls } from "../recalls/queries.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";

export interface Numbered<Line> {
  line: number;
  value: Line;
}

export interface ExistingRows {
  /**
   * By id. `deleted`: the id cannot be used, because it belongs to a memory, or to a soft-deleted conversation that is
   * not yet removed from the database.
   */
  conversations: Map<string, "there" | "deleted">;
  /** The last sequence numbers of held conversations. No message before the last one is added to them. */
  heldUntil: Map<string, number>;
  /** As `externalIdentity` writes them. */
  conversationExternalIds: Set<string>;
  /** By line number, if a message with the line's id exists; `same` means that all fields are equal. */
  messages: Map<number, "same" | "other">;
  /** By line number, which value of the line another message of the conversation has. */
  taken: Map<number, "sequence number" | "external id">;
  /**
   * By line number, if a memory with the line's id exists; `same` means the same agent and content, `deleted`
   * that it is soft-deleted.
   */
  memories: Map<number, "same" | "other" | "deleted">;
  /** By line number, the id of another memory of the same agent with the same content. */
  sameMemories: Map<number, string>;
  /**
   * Line numbers of memories that cannot be stored, because the message id derived from the memory's id belongs
   * to a message of another conversation.
   */
  memoriesTaken: Set<number>;
  /** By line number of a version whose memory exists. */
  versions: Map<number, ExistingVersion>;
  /** Ids of receipts of recall that exist. */
  recalls: Set<string>;
}

interface ExistingVersion {
  line: number;
  /** Whether the memory has a version with this number; `deleted`: the memory is soft-deleted. */
  state: "free" | "same" | "other" | "deleted";
  /** Number of the memory's current version. */
  current: number;
  /** Whether the memory or one of its versions has the content with this hash. */
  has_content: 0 | 1;
  /** Whether the memory is held. */
  is_held: 0 | 1;
}

export type ExternalIdOf = Pick<ConversationLine, "agent_id" | "user_id" | "external_id">;

/** An external id with the agent and the user for whom it is unique. */
export const externalIdentity = ({ agent_id, user_id, external_id }: ExternalIdOf): string =>
  JSON.stringify([agent_id, user_id, external_id]);

export const conversationById = (organizationId: string): Sql => sql`
  conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value ->> 'id'`;
export const conversationByExternalId = (organizationId: string): Sql => sql`
  conversations AS c ON ${ofSameOwner(organizationId)} AND c.external_id = new.value ->> 'external_id'`;
/** The sequence number of the last message of the conversation `c`. Null without messages. */
export const lastSequence = (organizationId: string): Sql => sql`
  SELECT max(last.sequence) FROM messages AS last
   WHERE last.organization_id = ${organizationId} AND last.conversation_id = c.id`;
export const messageById = (organizationId: string): Sql => sql`
  messages AS m ON m.organization_id = ${organizationId} AND m.id = new.value ->> 'id'`;
export const messageBySequence = (organizationId: string): Sql => sql`
  messages AS m ON m.organization_id = ${organizationId}
  AND m.conversation_id = new.value ->> 'conversation_id' AND m.sequence = new.value ->> 'sequence'`;
export const messageByExternalId = (organizationId: string): Sql => sql`
  messages AS m ON m.organization_id = ${organizationId}
  AND m.conversation_id = new.value ->> 'conversation_id' AND m.external_id = new.value ->> 'external_id'`;

interface Lines {
  conversations: Numbered<ConversationLine>[];
  messages: Numbered<MessageLine>[];
  memories: Numbered<MemoryLine>[];
  versions: Numbered<MemoryVersionLine>[];
  recalls: Numbered<RecallLine>[];
}

export async function selectExistingRows(
  db: D1Database,
  organizationId: string,
  lines: Lines,
): Promise<ExistingRows> {
  if (Object.values(lines).every(({ length }) => length === 0)) return noExistingRows();
  const { conversations, messages, memories, versions, recalls } = await batch(db, {
    conversations: existingConversations(organizationId, lines),
    messages: existingMessages(organizationId, lines.messages),
    memories: existingMemories(organizationId, lines.memories),
    versions: existingVersions(organizationId, lines.versions),
    recalls: toJsonLists(lines.recalls.map(({ value }) => value.id)).map((list) =>
      existingRecalls(organizationId, list),
    ),
  });
  const taken = [...messages.bySequence, ...messages.byExternalId].flat();
  return {
    conversations: new Map(conversations.byId.flat().map(({ id, state }) => [id, state])),
    heldUntil: new Map(
      conversations.byId
        .flat()
        .flatMap(({ id, held_until }) => (held_until === null ? [] : [[id, held_until]])),
    ),
    conversationExternalIds: new Set(conversations.externalIds.flat()),
    messages: await compareContents(messages.byId.flat(), lines.messages),
    taken: new Map(taken),
    memories: new Map(memories.byId.flat()),
    sameMemories: new Map(memories.twins.flat()),
    memoriesTaken: new Set(memories.messages.flat()),
    versions: new Map(versions.flat().map((version) => [version.line, version])),
    recalls: new Set(recalls.flat()),
  };
}

/** One query for each part of the items. Each part is a JSON value below D1's size limit. */
const perList = <Row, T>(items: unknown[], toSql: (list: string) => Sql, toItem: (row: Row) => T) =>
  toJsonLists(items).map((list) => rows(toSql(list), toItem));

function existingConversations(organizationId: string, { conversations, messages }: Lines) {
  const ids = new Set([
    ...conversations.map(({ value }) => value.id),
    ...messages.map(({ value }) => value.conversation_id),
  ]);
  return {
    byId: perList(
      [...ids].map((id) => ({ id })),
      (list) => sql`
        SELECT c.id, CASE WHEN c.deleted_at_ms IS NULL AND c.kind = 'conversation' THEN 'there' ELSE 'deleted' END AS state,
               CASE WHEN ${isHeld(organizationId)} THEN (${lastSequence(organizationId)}) END AS held_until
          FROM json_each(${list}) AS new CROSS JOIN ${conversationById(organizationId)}`,
      (row: { id: string; state: "there" | "deleted"; held_until: number | null }) => row,
    ),
    externalIds: perList(
      conversations.map(({ value: { agent_id, user_id, external_id } }) => {
        return { agent_id, user_id, external_id };
      }),
      (list) => sql`
        SELECT c.agent_id, c.user_id, c.external_id
          FROM json_each(${list}) AS new CROSS JOIN ${conversationByExternalId(organizationId)}`,
      (row: ExternalIdOf) => externalIdentity(row),
    ),
  };
}

/** `content` is null if another field already differs. */
interface ComparedRow {
  line: number;
  is_same: 0 | 1;
  content: string | null;
  content_encoding: ContentEncoding | null;
}

function existingMessages(organizationId: string, messages: Numbered<MessageLine>[]) {
  const takenLines = (message: Sql) => (list: string) =>
    sql`
    SELECT new.value ->> 'line' AS line
      FROM json_each(${list}) AS new CROSS JOIN ${message} WHERE m.id <> new.value ->> 'id'`;
  return {
    bySequence: perList(
      messages.map(toKeys),
      takenLines(messageBySequence(organizationId)),
      ({ line }: { line: number }) => [line, "sequence number"] as const,
    ),
    byExternalId: perList(
      messages.map(toKeys),
      takenLines(messageByExternalId(organizationId)),
      ({ line }: { line: number }) => [line, "external id"] as const,
    ),
    // Content is read only if it is as long as the line's, so the result is not larger than the request.
    byId: perList(
      messages.map(toComparable),
      (list) => sql`
        WITH found AS (SELECT new.value ->> 'line' AS line, m.row_key AS row_key, ${IS_SAME} AS is_same
                         FROM json_each(${list}) AS new CROSS JOIN ${messageById(organizationId)})
        SELECT f.line, f.is_same, m.content, m.content_encoding
          FROM found AS f LEFT JOIN messages AS m
            ON f.is_same AND m.row_key = f.row_key AND m.organization_id = ${organizationId}`,
      (row: ComparedRow) => row,
    ),
  };
}

function existingMemories(organizationId: string, memories: Numbered<MemoryLine>[]) {
  const keys = memories.map(({ line, value: { id, agent_id, user_id, external_id, content_hash } }) => {
    return { line, id, agent_id, user_id, external_id, content_hash };
  });
  return {
    byId: perList(
      keys,
      (list) => sql`
        SELECT new.value ->> 'line' AS line,
               CASE WHEN c.deleted_at_ms IS NOT NULL THEN 'deleted'
                    WHEN c.content_hash = new.value ->> 'content_hash' AND c.agent_id IS new.value ->> 'agent_id'
                         AND c.user_id IS new.value ->> 'user_id'
                         AND c.memory_external_id IS new.value ->> 'external_id' THEN 'same'
                    ELSE 'other' END AS state
          FROM json_each(${list}) AS new CROSS JOIN ${conversationById(organizationId)}`,
      ({ line, state }: { line: number; state: "same" | "other" | "deleted" }) => [line, state] as const,
    ),
    twins: perList(
      keys,
      (list) => sql`
        SELECT new.value ->> 'line' AS line, c.id AS memory_id
          FROM json_each(${list}) AS new CROSS JOIN ${sameMemory(organizationId)}
         WHERE c.id <> new.value ->> 'id'`,
      (row: { line: number; memory_id: string }) => [row.line, row.memory_id] as const,
    ),
    messages: perList(
      memories.map(({ line, value: { id } }) => ({ line, id: toMessageId(id), memory_id: id })),
      (list) => sql`
        SELECT new.value ->> 'line' AS line
          FROM json_each(${list}) AS new CROSS JOIN ${messageById(organizationId)}
         WHERE m.conversation_id <> new.value ->> 'memory_id'`,
      ({ line }: { line: number }) => line,
    ),
  };
}

/** The memory of a version, as `c`. */
export const memoryOfVersion = (organizationId: string): Sql => sql`
  conversations AS c ON c.organization_id = ${organizationId} AND c.id = new.value ->> 'memory_id'
  AND c.kind <> 'conversation'`;
export const versionByNumber = (organizationId: string): Sql => sql`
  memory_versions AS v ON v.organization_id = ${organizationId} AND v.memory_id = new.value ->> 'memory_id'
  AND v.version = new.value ->> 'version'`;

const existingVersions = (organizationId: string, versions: Numbered<MemoryVersionLine>[]) =>
  perList(
    versions.map(({ line, value }) => ({
      line,
      memory_id: value.memory_id,
      version: value.version,
      content_hash: value.content_hash,
      key_id: value.key_id,
      stored_at_ms: Date.parse(value.stored_at),
      replaced_at_ms: Date.parse(value.replaced_at),
    })),
    (list) => sql`
      SELECT new.value ->> 'line' AS line, c.version AS current,
             CASE WHEN c.deleted_at_ms IS NOT NULL THEN 'deleted'
                  WHEN v.version IS NULL THEN 'free'
                  WHEN v.content_hash = new.value ->> 'content_hash' AND v.changed_by IS new.value ->> 'key_id'
                       AND v.stored_at_ms = new.value ->> 'stored_at_ms'
                       AND v.replaced_at_ms = new.value ->> 'replaced_at_ms' THEN 'same'
                  ELSE 'other' END AS state,
             (c.content_hash = new.value ->> 'content_hash'
              OR EXISTS (SELECT 1 FROM memory_versions AS s
                          WHERE s.organization_id = ${organizationId} AND s.memory_id = c.id
                            AND s.content_hash = new.value ->> 'content_hash' AND s.content IS NOT NULL)) AS has_content,
             ${isHeld(organizationId)} AS is_held
        FROM json_each(${list}) AS new
       CROSS JOIN ${memoryOfVersion(organizationId)}
        LEFT JOIN ${versionByNumber(organizationId)}`,
    (row: ExistingVersion) => row,
  );

const noExistingRows = (): ExistingRows => ({
  conversations: new Map(),
  heldUntil: new Map(),
  conversationExternalIds: new Set(),
  messages: new Map(),
  taken: new Map(),
  memories: new Map(),
  sameMemories: new Map(),
  memoriesTaken: new Set(),
  versions: new Map(),
  recalls: new Set(),
});

/** Compares contents one after the other, so that only one is decompressed in memory at a time. */
async function compareContents(
  found: ComparedRow[],
  lines: Numbered<MessageLine>[],
): Promise<Map<number, "same" | "other">> {
  const contents = new Map(lines.map(({ line, value }) => [line, value.content]));
  const compared = new Map<number, "same" | "other">();
  for (const { line, is_same, content, content_encoding } of found) {
    const isSame = is_same && contents.get(line) === (await decodeText(content ?? "", content_encoding));
    compared.set(line, isSame ? "same" : "other");
  }
  return compared;
}

const toKeys = ({ line, value: { id, conversation_id, sequence, external_id } }: Numbered<MessageLine>) => ({
  line,
  id,
  conversation_id,
  sequence,
  external_id,
});

const encoder = new TextEncoder();

const toComparable = ({ line, value }: Numbered<MessageLine>) => ({
  line,
  bytes: encoder.encode(value.content).byteLength,
  ...toPlace(value),
  ...toGiven(value),
});

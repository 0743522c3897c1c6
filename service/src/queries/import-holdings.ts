import type { ConversationLine, MemoryLine, MessageLine } from "@engram/spec";
import { toMessageId } from "../ids.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { toJsonLists } from "./batch.ts";
import { MEMORY_BY_CONTENT } from "./memories.ts";

export interface Numbered<Line> {
  line: number;
  value: Line;
}

/** Existing rows that have an id, sequence, external id or content of the lines. */
export interface Holdings {
  /** By id: `there`, or `deleted` when soft-deleted and not purged yet. */
  conversations: Map<string, "there" | "deleted">;
  /** External ids that existing conversations have. */
  conversationExternalIds: Set<string>;
  /** By line, when a message with its id exists: `same` message or `other`. */
  messages: Map<number, "same" | "other">;
  /** By line, which of its values another message has. */
  taken: Map<number, "sequence number" | "external id">;
  /**
   * By line, when a memory with its id exists: `same` agent and content, `other`, or `deleted` and not purged
   * yet.
   */
  memories: Map<number, "same" | "other" | "deleted">;
  /** By line, the id of another memory of the agent with the same content. */
  memoriesByContent: Map<number, string>;
  /** Lines of memories whose message id belongs to another message. */
  memoriesTaken: Set<number>;
}

type HoldingRow =
  | { what: "there" | "deleted"; id: string }
  | { what: "conversation external id"; external_id: string }
  | { what: "sequence number" | "external id"; line: number }
  | { what: "memory"; line: number; held: "same" | "other" | "deleted" }
  | { what: "memory's content"; line: number; memory_id: string }
  | { what: "memory's message"; line: number }
  | {
      what: "message";
      line: number;
      is_same: 0 | 1;
      content: string | null;
      content_encoding: ContentEncoding | null;
    };

// Joins with the existing row that has a value of `new.value`, a JSON object.
export const CONVERSATION = "conversations AS c ON c.organization_id = ?1 AND c.id = new.value ->> 'id'";
export const CONVERSATION_BY_EXTERNAL_ID = `conversations AS c ON c.organization_id = ?1
  AND c.external_id = new.value ->> 'external_id' AND c.deleted_at_ms IS NULL`;
export const MESSAGE = "messages AS m ON m.organization_id = ?1 AND m.id = new.value ->> 'id'";
export const MESSAGE_BY_SEQUENCE = `messages AS m ON m.organization_id = ?1
  AND m.conversation_id = new.value ->> 'conversation_id' AND m.sequence = new.value ->> 'sequence'`;
export const MESSAGE_BY_EXTERNAL_ID = `messages AS m ON m.organization_id = ?1
  AND m.conversation_id = new.value ->> 'conversation_id' AND m.external_id = new.value ->> 'external_id'`;

/** Whether a message equals `new.value`, except for its content, of which only the length is compared. */
const IS_SAME = `m.conversation_id = new.value ->> 'conversation_id' AND m.sequence = new.value ->> 'sequence'
  AND m.content_bytes = new.value ->> 'bytes' AND m.role = new.value ->> 'role' AND m.name IS new.value ->> 'name'
  AND m.tool_call_id IS new.value ->> 'tool_call_id' AND m.tool_name IS new.value ->> 'tool_name'
  AND coalesce(m.metadata, '{}') = new.value ->> 'metadata' AND coalesce(m.parts, 'null') = new.value -> 'parts'
  AND m.external_id IS new.value ->> 'external_id' AND m.external_digest IS new.value ->> 'external_digest'
  AND m.created_at_ms = new.value ->> 'created_at_ms' AND m.stored_at_ms = new.value ->> 'stored_at_ms'
  AND m.updated_at_ms IS new.value ->> 'updated_at_ms'`;

/** Reads, in one batch, the existing rows that equal or conflict with some lines. */
export async function selectHoldings(
  db: D1Database,
  organizationId: string,
  lines: {
    conversations: Numbered<ConversationLine>[];
    messages: Numbered<MessageLine>[];
    memories: Numbered<MemoryLine>[];
  },
): Promise<Holdings> {
  const ask = (items: unknown[], ...questions: string[]) =>
    toJsonLists(items).flatMap((list) => questions.map((sql) => db.prepare(sql).bind(organizationId, list)));
  const named = new Set([
    ...lines.conversations.map(({ value }) => value.id),
    ...lines.messages.map(({ value }) => value.conversation_id),
  ]);
  const statements = [
    ...ask(
      [...named].map((id) => ({ id })),
      `SELECT CASE WHEN c.deleted_at_ms IS NULL AND c.kind = 'conversation' THEN 'there' ELSE 'deleted' END AS what, c.id
         FROM json_each(?2) AS new CROSS JOIN ${CONVERSATION}`,
    ),
    ...ask(
      lines.conversations.map(({ value: { external_id } }) => ({ external_id })),
      `SELECT 'conversation external id' AS what, c.external_id
         FROM json_each(?2) AS new CROSS JOIN ${CONVERSATION_BY_EXTERNAL_ID}`,
    ),
    ...ask(
      lines.messages.map(toPlace),
      `SELECT 'sequence number' AS what, new.value ->> 'line' AS line
         FROM json_each(?2) AS new CROSS JOIN ${MESSAGE_BY_SEQUENCE} WHERE m.id <> new.value ->> 'id'`,
      `SELECT 'external id' AS what, new.value ->> 'line' AS line
         FROM json_each(?2) AS new CROSS JOIN ${MESSAGE_BY_EXTERNAL_ID} WHERE m.id <> new.value ->> 'id'`,
    ),
    // Reads content only if it has the length of the line's, so the result is no larger than the request.
    ...ask(
      lines.messages.map(toComparable),
      `WITH found AS (SELECT new.value ->> 'line' AS line, m.number AS number, ${IS_SAME} AS is_same
                        FROM json_each(?2) AS new CROSS JOIN ${MESSAGE})
       SELECT 'message' AS what, f.line, f.is_same, m.content, m.content_encoding
         FROM found AS f LEFT JOIN messages AS m ON f.is_same AND m.number = f.number AND m.organization_id = ?1`,
    ),
    ...ask(
      lines.memories.map(({ line, value: { id, agent_id, content_hash } }) => {
        return { line, id, agent_id, content_hash };
      }),
      `SELECT 'memory' AS what, new.value ->> 'line' AS line,
              CASE WHEN c.deleted_at_ms IS NOT NULL THEN 'deleted'
                   WHEN c.content_hash = new.value ->> 'content_hash' AND c.agent_id IS new.value ->> 'agent_id' THEN 'same'
                   ELSE 'other' END AS held
         FROM json_each(?2) AS new CROSS JOIN ${CONVERSATION}`,
      `SELECT 'memory''s content' AS what, new.value ->> 'line' AS line, c.id AS memory_id
         FROM json_each(?2) AS new CROSS JOIN ${MEMORY_BY_CONTENT} WHERE c.id <> new.value ->> 'id'`,
    ),
    ...ask(
      lines.memories.map(({ line, value: { id } }) => ({ line, id: toMessageId(id), memory_id: id })),
      `SELECT 'memory''s message' AS what, new.value ->> 'line' AS line
         FROM json_each(?2) AS new CROSS JOIN ${MESSAGE} WHERE m.conversation_id <> new.value ->> 'memory_id'`,
    ),
  ];
  if (statements.length === 0) return emptyHoldings();
  const results = await db.batch(statements);
  return toHoldings(
    results.flatMap((result) => result.results as HoldingRow[]),
    lines.messages,
  );
}

const emptyHoldings = (): Holdings => ({
  conversations: new Map(),
  conversationExternalIds: new Set(),
  messages: new Map(),
  taken: new Map(),
  memories: new Map(),
  memoriesByContent: new Map(),
  memoriesTaken: new Set(),
});

async function toHoldings(rows: HoldingRow[], lines: Numbered<MessageLine>[]): Promise<Holdings> {
  const contents = new Map(lines.map(({ line, value }) => [line, value.content]));
  const holdings = emptyHoldings();
  for (const row of rows) {
    if (row.what === "message") {
      const { line, is_same, content, content_encoding } = row;
      const same = is_same && contents.get(line) === (await decodeText(content ?? "", content_encoding));
      holdings.messages.set(line, same ? "same" : "other");
    } else if (row.what === "memory") {
      holdings.memories.set(row.line, row.held);
    } else if (row.what === "memory's content") {
      holdings.memoriesByContent.set(row.line, row.memory_id);
    } else if (row.what === "memory's message") {
      holdings.memoriesTaken.add(row.line);
    } else if ("line" in row) {
      holdings.taken.set(row.line, row.what);
    } else if ("id" in row) {
      holdings.conversations.set(row.id, row.what);
    } else {
      holdings.conversationExternalIds.add(row.external_id);
    }
  }
  return holdings;
}

const toPlace = ({ line, value: { id, conversation_id, sequence, external_id } }: Numbered<MessageLine>) => ({
  line,
  id,
  conversation_id,
  sequence,
  external_id,
});

const encoder = new TextEncoder();

function toComparable({ line, value }: Numbered<MessageLine>) {
  const { content, metadata, created_at, stored_at, updated_at, ...rest } = value;
  return {
    line,
    ...rest,
    bytes: encoder.encode(content).byteLength,
    metadata: JSON.stringify(metadata),
    ...toTimes({ created_at, stored_at, updated_at }),
  };
}

/** The times of a message in milliseconds. */
export const toTimes = (times: Pick<MessageLine, "created_at" | "stored_at" | "updated_at">) => ({
  created_at_ms: Date.parse(times.created_at),
  stored_at_ms: Date.parse(times.stored_at),
  updated_at_ms: times.updated_at === null ? null : Date.parse(times.updated_at),
});

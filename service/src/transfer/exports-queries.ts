import type { ConversationLine, MemoryKind, MemoryLine, MessageLine } from "@engram/spec";
import {
  CONVERSATION_COLUMNS,
  type ConversationRow,
  GIVEN_BYTES,
  toConversation,
} from "../conversations/fields.ts";
import { type MemoryRow, ROW_COLUMNS, toMemory } from "../memories/fields.ts";
import { toGiven } from "../memories/queries.ts";
import { MESSAGE_COLUMNS, type MessageRow, toMessage } from "../messages/fields.ts";
import { MESSAGE_BYTES } from "../messages/queries.ts";
import { toTimestamp } from "../platform/batch.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "../platform/pages.ts";
import { columns, joined, literal, type Sql, type Statement, sql } from "../platform/sql.ts";

const encoder = new TextEncoder();

export interface ExportLimits extends PageLimits {
  /** Maximum number of rows on a page: messages, and conversations without messages. */
  pageRows: number;
}

/**
 * The last line that was exported: a message by conversation and sequence, or the conversation itself with
 * sequence 0. A memory has the sequence of its only message, 1.
 */
export interface ExportPosition {
  id: string;
  sequence: number;
}

export const EXPORT_START: ExportPosition = { id: "", sequence: 0 };

type Line = ConversationLine | MessageLine | MemoryLine;

/** A page of lines. It is kept as text, which takes a tenth of the memory of the parsed values. */
export interface ExportPage {
  text: Uint8Array;
  counts: Record<Line["type"], number>;
  /** The position after which the next page begins; null at the end of the export. */
  next: ExportPosition | null;
}

interface HeadRow extends ConversationRow, Omit<MemoryRow, keyof ConversationRow | "kind" | keyof Content> {
  kind: "conversation" | MemoryKind;
  memory_external_id: string | null;
  authored: number;
  changed_by: string | null;
  changed_at_ms: number | null;
}
type Content = Pick<MemoryRow, "content" | "content_encoding" | "parts">;

const HEAD_COLUMNS = [
  ...new Set([...CONVERSATION_COLUMNS, ...ROW_COLUMNS, "authored", "changed_by", "changed_at_ms"]),
] as (keyof HeadRow)[];

const HEAD = joined(
  HEAD_COLUMNS.map((name) => sql`${columns([name], "c")} AS ${columns([`head_${name}`])}`),
  sql`, `,
);

const HEAD_BYTES = sql`${literal(ITEM_BYTES)} + ${GIVEN_BYTES} + coalesce(octet_length(c.summary), 0)
  + coalesce(octet_length(c.source), 0) + coalesce(octet_length(c.memory_external_id), 0)`;

/**
 * The columns of a message, null for a conversation without messages, and the `head_` columns of its
 * conversation or memory, set only on the first row of each.
 */
type PageRow = (MessageRow | { [Column in keyof MessageRow]: null }) & { external_digest: string | null } & {
  [Column in keyof HeadRow as `head_${Column}`]: HeadRow[Column] | null;
} & { found: number };

/**
 * A page of the export, in the order of ids. Memories come last, because their ids begin with `mem_`, which
 * sorts after `conv_`. Reads two indexes in order, from the position on, so a late page takes no longer than
 * the first.
 */
export const exportPage = (
  { organizationId, userId }: { organizationId: string; userId: string | null },
  after: ExportPosition,
  limits: ExportLimits,
): Statement<ExportPage> => ({
  sql: sql`
    WITH found AS (${rowsAfter({ organizationId, userId }, after, limits.pageRows + 1)}),
    page AS (
      SELECT conversation_row_key, message_row_key, row_number() OVER line AS place, sum(bytes) OVER line AS bytes,
             lag(conversation_id, 1, ${after.id}) OVER line <> conversation_id AS begins
        FROM found WINDOW line AS (ORDER BY conversation_id, sequence))
    SELECT ${HEAD}, ${MESSAGE_COLUMNS}, m.external_digest, (SELECT count(*) FROM found) AS found
      FROM page
      LEFT JOIN conversations AS c ON page.begins AND c.row_key = page.conversation_row_key
                AND c.organization_id = ${organizationId}
      LEFT JOIN messages AS m ON m.row_key = page.message_row_key AND m.organization_id = ${organizationId}
     WHERE page.place <= ${limits.pageRows} AND (page.bytes <= ${limits.pageBytes} OR page.place = 1)
     ORDER BY page.place`,
  read: ({ results }) => readExportPage(results as PageRow[], limits),
});

/** The rows after a position. Includes conversations without messages. */
const rowsAfter = (
  { organizationId, userId }: { organizationId: string; userId: string | null },
  { id, sequence }: ExportPosition,
  limit: number,
): Sql => sql`
  SELECT c.row_key AS conversation_row_key, c.id AS conversation_id, m.row_key AS message_row_key,
         m.sequence AS sequence, coalesce(${MESSAGE_BYTES}, 0) + ${HEAD_BYTES} AS bytes
    FROM conversations AS c
    LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
              AND m.sequence > CASE WHEN c.id = ${id} THEN ${sequence} ELSE 0 END
   WHERE c.organization_id = ${organizationId} AND c.id >= ${id} AND c.deleted_at_ms IS NULL
     AND (c.id <> ${id} OR m.row_key IS NOT NULL)
     ${userId === null ? sql`` : sql`AND c.id IN (${idsOfUser({ organizationId, userId }, id, limit + 1)})`}
   ORDER BY c.id, m.sequence LIMIT ${limit}`;

/** Ids that fill a page: each has at least one row, except that of the position, whose rows may all be exported. */
const idsOfUser = (
  { organizationId, userId }: { organizationId: string; userId: string },
  afterId: string,
  limit: number,
): Sql => sql`
  SELECT u.id FROM conversations AS u INDEXED BY conversations_of_users
   WHERE u.organization_id = ${organizationId} AND u.user_id = ${userId} AND u.id >= ${afterId}
     AND u.deleted_at_ms IS NULL
   ORDER BY u.id LIMIT ${limit}`;

async function readExportPage(rows: PageRow[], limits: PageLimits): Promise<ExportPage> {
  const textsOf = ({ head_metadata, metadata, parts }: PageRow) => [head_metadata, metadata, parts];
  const read = await readPage(rows, limits, textsOf, toRowText, ({ text }) => text.byteLength);
  const counts = { conversation: 0, message: 0, memory: 0 };
  for (const type of read.flatMap(({ types }) => types)) counts[type] += 1;
  const last = read.at(-1);
  const isWhole = read.length === (rows[0]?.found ?? 0);
  return {
    text: concat(read.map(({ text }) => text)),
    counts,
    next: isWhole || last === undefined ? null : last.position,
  };
}

/** Converts a row to text immediately, so that the memory of its values can be freed. */
async function toRowText(row: PageRow) {
  const lines = await toLines(row);
  const last = lines.at(-1);
  if (last === undefined) throw new Error("a row without a line");
  return {
    text: encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
    types: lines.map(({ type }) => type),
    position: positionOf(last),
  };
}

function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.byteLength;
  }
  return whole;
}

const positionOf = (line: Line): ExportPosition =>
  line.type === "message"
    ? { id: line.conversation_id, sequence: line.sequence }
    : { id: line.id, sequence: line.type === "memory" ? 1 : 0 };

async function toLines(row: PageRow): Promise<Line[]> {
  const head = toHead(row);
  const lines: Line[] = [];
  if (head?.kind === "conversation") lines.push({ type: "conversation", ...toConversation(head) });
  if (row.row_key === null) return lines;
  if (head === null || head.kind === "conversation") {
    lines.push({ type: "message", ...(await toMessage(row)), external_digest: row.external_digest });
  } else {
    const { kind, authored, memory_external_id: external_id, version, changed_by: key_id } = head;
    const stored_at = toTimestamp(head.changed_at_ms ?? row.updated_at_ms ?? row.stored_at_ms);
    const { content, content_encoding, parts } = row;
    const memory = await toMemory({ ...head, kind, external_id, content, content_encoding, parts });
    lines.push({ type: "memory", ...memory, version, key_id, stored_at, given: toGiven(authored) });
  }
  return lines;
}

function toHead(row: PageRow): HeadRow | null {
  if (row.head_id === null) return null;
  return Object.fromEntries(HEAD_COLUMNS.map((name) => [name, row[`head_${name}`]])) as unknown as HeadRow;
}

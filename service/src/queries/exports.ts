import type { ConversationLine, MemoryKind, MemoryLine, MessageLine } from "@engram/spec";
import { type ConversationRow, toConversation } from "./conversations.ts";
import { type MemoryRow, toGiven, toMemory } from "./memories.ts";
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, toMessage } from "./messages.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "./pages.ts";

const encoder = new TextEncoder();

/** Rows of one page. */
const PAGE_ROWS_MAX = 500;

/**
 * The line that an export has told last: a message, or with sequence 0 the conversation itself. A memory is
 * told with its only message, whose sequence is 1.
 */
export interface ExportPosition {
  /** Of a conversation or a memory. */
  id: string;
  sequence: number;
}

/** Before all: every id comes behind it. */
export const EXPORT_START: ExportPosition = { id: "", sequence: 0 };

type Line = ConversationLine | MessageLine | MemoryLine;

/** A page as text, which takes a tenth of the memory of its values. */
export interface ExportPage {
  text: Uint8Array;
  /** Lines of each type. */
  counts: Record<Line["type"], number>;
  /** Where to go on; null at the end. */
  next: ExportPosition | null;
}

/** A conversation or a memory, but for its messages. */
interface HeadRow extends ConversationRow, Omit<MemoryRow, keyof ConversationRow | "kind" | keyof Content> {
  kind: "conversation" | MemoryKind;
  authored: number;
}
type Content = Pick<MemoryRow, "content" | "content_encoding">;

const HEAD_COLUMNS = [
  "id",
  "kind",
  "external_id",
  "title",
  "agent_id",
  "user_id",
  "tags",
  "metadata",
  "message_count",
  "last_sequence",
  "version",
  "created_at_ms",
  "updated_at_ms",
  "source",
  "summary",
  "authored",
  "enriched_by",
  "content_hash",
] as const satisfies (keyof HeadRow)[];

/** What a conversation's line holds, in bytes, as an SQL expression over `c`. */
const HEAD_BYTES = `${ITEM_BYTES} + octet_length(c.metadata) + octet_length(c.tags)
  + coalesce(octet_length(c.title), 0) + coalesce(octet_length(c.summary), 0) + coalesce(octet_length(c.source), 0)
  + coalesce(octet_length(c.external_id), 0) + coalesce(octet_length(c.agent_id), 0) + coalesce(octet_length(c.user_id), 0)`;

/** A message, or none where a conversation has none, with the conversation or memory where its line comes first. */
type PageRow = (MessageRow | { [Column in keyof MessageRow]: null }) & { external_digest: string | null } & {
  [Column in keyof HeadRow as `head_${Column}`]: HeadRow[Column] | null;
} & { found: number };

/**
 * The statement that answers the next page: conversations by id, each with its messages by sequence, over
 * as many conversations as it takes. Memories follow by themselves: `mem_` sorts behind `conv_`.
 *
 * Walks two keys side by side from the position on, so that a page costs the same wherever it begins.
 */
export function exportPage(
  db: D1Database,
  organizationId: string,
  after: ExportPosition,
  { pageBytes }: PageLimits,
): D1PreparedStatement {
  const head = HEAD_COLUMNS.map((name) => `c.${name} AS head_${name}`).join(", ");
  return db
    .prepare(
      `WITH found AS (
         SELECT c.number AS conversation_number, c.id AS conversation_id, m.number AS message_number, m.sequence AS sequence,
                coalesce(${MESSAGE_BYTES}, 0) + ${HEAD_BYTES} AS bytes
           FROM conversations AS c
           LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
                     AND m.sequence > CASE WHEN c.id = ?2 THEN ?3 ELSE 0 END
          WHERE c.organization_id = ?1 AND c.id >= ?2 AND c.deleted_at_ms IS NULL
            AND (c.id <> ?2 OR m.number IS NOT NULL)
          ORDER BY c.id, m.sequence LIMIT ${PAGE_ROWS_MAX} + 1),
       page AS (
         SELECT conversation_number, message_number, row_number() OVER line AS place, sum(bytes) OVER line AS bytes,
                lag(conversation_id, 1, ?2) OVER line <> conversation_id AS begins
           FROM found WINDOW line AS (ORDER BY conversation_id, sequence))
       SELECT ${head}, ${MESSAGE_COLUMNS}, m.external_digest, (SELECT count(*) FROM found) AS found
         FROM page
         LEFT JOIN conversations AS c ON page.begins AND c.number = page.conversation_number AND c.organization_id = ?1
         LEFT JOIN messages AS m ON m.number = page.message_number AND m.organization_id = ?1
        WHERE page.place <= ${PAGE_ROWS_MAX} AND (page.bytes <= ?4 OR page.place = 1)
        ORDER BY page.place`,
    )
    .bind(organizationId, after.id, after.sequence, pageBytes);
}

/** What the statement of `exportPage` answered, as far as a page may hold it. */
export async function readExportPage(
  result: D1Result<unknown> | undefined,
  limits: PageLimits,
): Promise<ExportPage> {
  const rows = (result?.results ?? []) as PageRow[];
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

/** The lines of a row as text: the values that they were made of can go. */
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
  if (row.number === null) return lines;
  if (head === null || head.kind === "conversation") {
    lines.push({ type: "message", ...(await toMessage(row)), external_digest: row.external_digest });
  } else {
    const { kind, authored } = head;
    const { content, content_encoding } = row;
    const memory = await toMemory({ ...head, kind, content, content_encoding });
    lines.push({ type: "memory", ...memory, given: toGiven(authored) });
  }
  return lines;
}

function toHead(row: PageRow): HeadRow | null {
  if (row.head_id === null) return null;
  return Object.fromEntries(HEAD_COLUMNS.map((name) => [name, row[`head_${name}`]])) as unknown as HeadRow;
}

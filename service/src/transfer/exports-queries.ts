import type {
  ConversationLine,
  MemoryKind,
  MemoryLine,
  MemoryVersionLine,
  MessageLine,
  RecallLine,
} from "@engram/spec";
import {
  CONVERSATION_COLUMNS,
  type ConversationRow,
  GIVEN_BYTES,
  toConversation,
} from "../conversations/fields.ts";
import { conversationsAt, existedAt, itemExistedAt, type Moment } from "../filters/moments-queries.ts";
import {
  type MemoryRow,
  ROW_COLUMNS,
  toMemory,
  toVersion,
  VERSION_BYTES,
  type VersionRow,
} from "../memories/fields.ts";
import { toGiven } from "../memories/queries.ts";
import { type MessageRow, messageColumnsAt, toMessage } from "../messages/fields.ts";
import { MESSAGE_BYTES } from "../messages/queries.ts";
import { toTimestamp } from "../platform/batch.ts";
import { firstIdAt } from "../platform/ids.ts";
import { ITEM_BYTES, type PageLimits, readPage } from "../platform/pages.ts";
import {
  and,
  columns,
  given,
  joined,
  literal,
  onlyRow,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { toRecall } from "../recalls/fields.ts";
import { exportedRecalls, type RecallRow } from "../recalls/queries.ts";
import { SOURCES } from "../sources/queries.ts";
import { VERSION_COLUMNS } from "../versions/queries.ts";

const encoder = new TextEncoder();

export interface ExportLimits extends PageLimits {
  /** Maximum number of rows on a page: messages, and conversations without messages. */
  pageRows: number;
}

/**
 * The last line that was exported: a message by conversation and sequence, or the conversation itself with
 * sequence 0. A memory has the sequence of its only message, 1.
 */
export interface ItemPosition {
  id: string;
  sequence: number;
}
/** The last earlier version that was exported, by its memory and number. These come after all items. */
export interface VersionPosition {
  id: string;
  version: number;
}
/** The last receipt of recall that was exported. These come after all other lines. */
export interface RecallPosition {
  recall: string;
}
export type ExportPosition = ItemPosition | VersionPosition | RecallPosition;

export const EXPORT_START: ItemPosition = { id: "", sequence: 0 };
/** Before all versions. */
export const VERSIONS_START: VersionPosition = { id: "", version: 0 };

/** Before all receipts. */
export const RECALLS_START: RecallPosition = { recall: "" };

type Line = RecallLine | ConversationLine | MessageLine | MemoryLine | MemoryVersionLine;

/** A page of lines. It is kept as text, which takes a tenth of the memory of the parsed values. */
export interface ExportPage {
  text: Uint8Array;
  counts: Record<Line["type"], number>;
  /** The position after which the next page begins; null at the end of the items, or of the versions. */
  next: ExportPosition | null;
}

interface HeadRow extends ConversationRow, Omit<MemoryRow, keyof ConversationRow | "kind" | keyof Content> {
  kind: "conversation" | MemoryKind;
  memory_external_id: string | null;
  authored: number;
  changed_by: string | null;
  changed_at_ms: number | null;
}
type Content = Pick<MemoryRow, "content" | "content_encoding" | "parts" | "sources">;

const HEAD_COLUMNS = [
  ...new Set([...CONVERSATION_COLUMNS, ...ROW_COLUMNS, "authored", "changed_by", "changed_at_ms"]),
] as (keyof HeadRow)[];

const HEAD = joined(
  HEAD_COLUMNS.map((name) => sql`${columns([name], "c")} AS ${columns([`head_${name}`])}`),
  sql`, `,
);

const HEAD_BYTES = sql`${literal(ITEM_BYTES)} + ${GIVEN_BYTES} + coalesce(octet_length(c.summary), 0)
  + c.source_bytes + coalesce(octet_length(c.source), 0) + coalesce(octet_length(c.memory_external_id), 0)`;

/**
 * The columns of a message, null for a conversation without messages, and the `head_` columns of its
 * conversation or memory, set only on the first row of each.
 */
type PageRow = (MessageRow | { [Column in keyof MessageRow]: null }) & { external_digest: string | null } & {
  [Column in keyof HeadRow as `head_${Column}`]: HeadRow[Column] | null;
} & { found: number; sources: string; head_edited_since?: 0 | 1 };

export interface Exported {
  organizationId: string;
  /** Null for the data of all users, and data without a user. */
  userId: string | null;
  /** Null for the data of today. */
  moment: Moment | null;
  /** The first id of a receipt that is not expired. */
  firstRecallId: string;
}

export const exportPage = (
  exported: Exported,
  after: ExportPosition,
  limits: ExportLimits,
): Statement<ExportPage> => {
  if ("recall" in after) return recallsPage(exported, after, limits);
  return "version" in after ? versionsPage(exported, after, limits) : itemsPage(exported, after, limits);
};

/**
 * A page of the export, in the order of ids. Memories come last, because their ids begin with `mem_`, which
 * sorts after `conv_`. Reads two indexes in order, from the position on, so a late page takes no longer than
 * the first.
 */
const itemsPage = (
  { organizationId, userId, moment }: Exported,
  after: ItemPosition,
  limits: ExportLimits,
): Statement<ExportPage> => ({
  sql: sql`
    WITH found AS (${rowsAfter({ organizationId, userId, moment }, after, limits.pageRows + 1)}),
    page AS (
      SELECT conversation_row_key, message_row_key, row_number() OVER line AS place, sum(bytes) OVER line AS bytes,
             lag(conversation_id, 1, ${after.id}) OVER line <> conversation_id AS begins
        FROM found WINDOW line AS (ORDER BY conversation_id, sequence))
    SELECT ${HEAD}${moment ? sql`, c.edited_since AS head_edited_since` : sql``}, ${messageColumnsAt(moment)}, m.external_digest, ${SOURCES} AS sources, (SELECT count(*) FROM found) AS found
      FROM page
      LEFT JOIN ${conversationsAt(moment)} AS c ON page.begins AND c.row_key = page.conversation_row_key
                AND c.organization_id = ${organizationId}
      LEFT JOIN messages AS m ON m.row_key = page.message_row_key AND m.organization_id = ${organizationId}
     WHERE page.place <= ${limits.pageRows} AND (page.bytes <= ${limits.pageBytes} OR page.place = 1)
     ORDER BY page.place`,
  read: ({ results }) => readExportPage(results as PageRow[], limits),
});

/** The rows after a position. Includes conversations without messages. */
const rowsAfter = (
  { organizationId, userId, moment }: Omit<Exported, "firstRecallId">,
  { id, sequence }: ItemPosition,
  limit: number,
): Sql => sql`
  SELECT c.row_key AS conversation_row_key, c.id AS conversation_id, m.row_key AS message_row_key,
         m.sequence AS sequence, coalesce(${MESSAGE_BYTES}, 0) + ${HEAD_BYTES} AS bytes
    FROM ${conversationsAt(moment)} AS c
    LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.conversation_id = c.id
              AND ${and(given(moment, existedAt))} AND m.sequence > CASE WHEN c.id = ${id} THEN ${sequence} ELSE 0 END
   WHERE c.organization_id = ${organizationId} AND c.id >= ${id} AND c.deleted_at_ms IS NULL
     AND (c.id <> ${id} OR m.row_key IS NOT NULL)
     ${userId === null ? sql`` : sql`AND c.id IN (${idsOfUser({ organizationId, userId, moment }, id, limit + 1)})`}
   ORDER BY c.id, m.sequence LIMIT ${limit}`;

/** Ids that fill a page: each has at least one row, except that of the position, whose rows may all be exported. */
const idsOfUser = (
  { organizationId, userId, moment }: Omit<Exported, "firstRecallId"> & { userId: string },
  afterId: string,
  limit: number,
): Sql => sql`
  SELECT u.id FROM conversations AS u INDEXED BY conversations_of_users
   WHERE u.organization_id = ${organizationId} AND u.user_id = ${userId} AND u.id >= ${afterId}
     AND u.deleted_at_ms IS NULL AND ${and(given(moment, (then) => itemExistedAt(then, sql`u.`)))}
   ORDER BY u.id LIMIT ${limit}`;

async function readExportPage(rows: PageRow[], limits: PageLimits): Promise<ExportPage> {
  const textsOf = ({ head_metadata, metadata, parts }: PageRow) => [head_metadata, metadata, parts];
  const read = await readPage(rows, limits, textsOf, async (row) => toText(await toLines(row)), sizeOfText);
  return toPage(read, rows[0]?.found ?? 0);
}

type RowText = ReturnType<typeof toText>;
const sizeOfText = ({ text }: RowText): number => text.byteLength;

function toPage(read: RowText[], found: number): ExportPage {
  const counts = { conversation: 0, message: 0, memory: 0, memory_version: 0, recall: 0 };
  for (const type of read.flatMap(({ types }) => types)) counts[type] += 1;
  const last = read.at(-1);
  return {
    text: concat(read.map(({ text }) => text)),
    counts,
    next: read.length === found || last === undefined ? null : last.position,
  };
}

/** Converts a row to text immediately, so that the memory of its values can be freed. */
function toText(lines: Line[]) {
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

function positionOf(line: Line): ExportPosition {
  if (line.type === "message") return { id: line.conversation_id, sequence: line.sequence };
  if (line.type === "memory_version") return { id: line.memory_id, version: line.version };
  if (line.type === "recall") return { recall: line.id };
  return { id: line.id, sequence: line.type === "memory" ? 1 : 0 };
}

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
    const { content, content_encoding, parts, sources } = row;
    const memory = await toMemory({ ...head, kind, external_id, content, content_encoding, parts, sources });
    lines.push({ type: "memory", ...memory, version, key_id, stored_at, given: toGiven(authored) });
  }
  return lines;
}

function toHead(row: PageRow): HeadRow | null {
  if (row.head_id === null) return null;
  const head = HEAD_COLUMNS.map((name) => [name, row[`head_${name}`]]);
  return Object.fromEntries([...head, ["edited_since", row.head_edited_since ?? 0]]) as unknown as HeadRow;
}

interface VersionPageRow extends Omit<VersionRow, "content"> {
  content: string | null;
  memory_id: string;
  version: number;
  authored: number;
  changed_by: string | null;
  stored_at_ms: number;
  replaced_at_ms: number;
  found: number;
}

/** Whether any memory of the organization has an earlier version. */
export const hasVersions = (organizationId: string): Statement<boolean> =>
  onlyRow(
    sql`SELECT EXISTS (SELECT 1 FROM memory_versions WHERE organization_id = ${organizationId}) AS found`,
    ({ found }: { found: 0 | 1 }) => found === 1,
  );

/** A page of earlier versions, by memory and newest first. Reads their index in order, from the position on. */
const versionsPage = (
  { organizationId, userId, moment }: Exported,
  { id, version }: VersionPosition,
  limits: ExportLimits,
): Statement<ExportPage> => {
  const next = (isNext: Sql) => sql`
    SELECT * FROM (
      SELECT v.rowid AS id, v.memory_id, v.version,
             ${literal(ITEM_BYTES)} + v.content_bytes + ${VERSION_BYTES} + coalesce(octet_length(v.parts), 0) AS bytes
        FROM ${userId === null ? versionsOfAll(organizationId) : versionsOfUser(organizationId, userId)} AND ${isNext}
         AND ${and(given(moment, ({ atMs }) => sql`v.replaced_at_ms <= ${atMs}`))}
       ORDER BY ${userId === null ? sql`v.memory_id` : sql`c.id`}, v.version DESC LIMIT ${limits.pageRows + 1})`;
  return {
    sql: sql`
      WITH found AS MATERIALIZED (
        ${next(sql`v.memory_id = ${id} AND v.version < ${version}`)}
         UNION ALL ${next(userId === null ? sql`v.memory_id > ${id}` : sql`c.id > ${id}`)}),
      page AS (
        SELECT id, row_number() OVER line AS place, sum(bytes) OVER line AS bytes
          FROM found WINDOW line AS (ORDER BY memory_id, version DESC))
      SELECT v.memory_id, v.version, v.authored, ${columns(VERSION_COLUMNS, "v")}, v.content, v.content_encoding, v.parts,
             v.changed_by, v.stored_at_ms, v.replaced_at_ms, (SELECT count(*) FROM found) AS found
        FROM page CROSS JOIN memory_versions AS v ON v.rowid = page.id AND v.organization_id = ${organizationId}
       WHERE page.place <= ${limits.pageRows} AND (page.bytes <= ${limits.pageBytes} OR page.place = 1)
       ORDER BY page.place`,
    read: async ({ results }) => {
      const rows = results as unknown as VersionPageRow[];
      const textsOf = ({ metadata, parts }: VersionPageRow) => [metadata, parts];
      const read = await readPage(
        rows,
        limits,
        textsOf,
        async (row) => toText([await toVersionLine(row)]),
        sizeOfText,
      );
      return toPage(read, rows[0]?.found ?? 0);
    },
  };
};

// The index is named, because by that of the times, SQLite would read and sort all versions as of a moment.
const versionsOfAll = (organizationId: string): Sql => sql`
  memory_versions AS v INDEXED BY memory_versions_newest_first
  CROSS JOIN conversations AS c ON c.organization_id = v.organization_id AND c.id = v.memory_id
  WHERE v.organization_id = ${organizationId} AND c.deleted_at_ms IS NULL`;

/** Reads the memories of the user, which are fewer than the versions of all users. */
const versionsOfUser = (organizationId: string, userId: string): Sql => sql`
  conversations AS c INDEXED BY conversations_of_users
  CROSS JOIN memory_versions AS v INDEXED BY memory_versions_newest_first
             ON v.organization_id = c.organization_id AND v.memory_id = c.id
  WHERE c.organization_id = ${organizationId} AND c.user_id = ${userId} AND c.deleted_at_ms IS NULL`;

async function toVersionLine(row: VersionPageRow): Promise<MemoryVersionLine> {
  const { content, memory_id, version, authored, changed_by: key_id } = row;
  const fields = await toVersion({ ...row, content: content ?? "" });
  return {
    type: "memory_version",
    memory_id,
    version,
    ...fields,
    content: content === null ? null : fields.content,
    key_id,
    stored_at: toTimestamp(row.stored_at_ms),
    replaced_at: toTimestamp(row.replaced_at_ms),
    given: toGiven(authored),
  };
}

/** A page of receipts of recall, in the order of their ids. */
const recallsPage = (
  { organizationId, userId, moment, firstRecallId }: Exported,
  { recall }: RecallPosition,
  limits: ExportLimits,
): Statement<ExportPage> => ({
  sql: exportedRecalls({
    organizationId,
    userId,
    afterId: recall > firstRecallId ? recall : firstRecallId,
    untilId: moment === null ? "rcl_~" : firstIdAt("rcl", moment.atMs + 1),
    limit: limits.pageRows,
    bytesMax: limits.pageBytes,
  }),
  read: async ({ results }) => {
    const rows = results as unknown as (RecallRow & { found: number })[];
    const textsOf = ({ answer, request, metadata }: RecallRow) => [answer, request, metadata];
    const toLine = (row: RecallRow) => toText([{ type: "recall", ...toRecall(row) }]);
    return toPage(await readPage(rows, limits, textsOf, toLine, sizeOfText), rows[0]?.found ?? 0);
  },
});

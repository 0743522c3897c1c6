import type { Message, MessageLine, MessageRole } from "@engram/spec";
import { contentAt, type Moment, messageEditedSince } from "../filters/moments-queries.ts";
import {
  areSame,
  type BoundOf,
  binder,
  boundColumns,
  boundTo,
  columnsOf,
  type Field,
  jsonOrNull,
  marked,
  type RowOf,
  short,
  sizeOf,
  text,
  time,
  timeOrNull,
  wireReader,
} from "../platform/fields.ts";
import { columns, joined, type Sql, sql } from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import type { PreparedText } from "../text/prepared-text.ts";

/** Given by the caller. A fork copies the field, and messages with another value are not the same. */
const given = <One>(field: One) => ({ ...field, set: "given" as const });
/** Set by each statement that stores a message. Messages with another value are not the same. */
const placed = <One>(field: One) => ({ ...field, set: "placed" as const });
/** Stored in the columns of `DERIVED`. */
const derived = <One>(field: One) => ({ ...field, set: "derived" as const });

type Table<Wire> = { [Name in keyof Wire]: Field<Wire[Name], never, unknown> & { set: string } };

/** The fields of a message, in the order of the contract. */
const MESSAGE_FIELDS = {
  id: placed(text<string>()),
  conversation_id: placed(text<string>()),
  sequence: placed(short<number>()),
  role: given(short<MessageRole>()),
  content: derived(text<string>()),
  name: given(text<string | null>()),
  tool_call_id: given(text<string | null>()),
  tool_name: given(text<string | null>()),
  metadata: given(jsonOrNull<Message["metadata"]>("{}")),
  parts: given(jsonOrNull<Message["parts"]>("null")),
  external_id: given(text<string | null>()),
  created_at: given(time),
  stored_at: placed(time),
  updated_at: placed(timeOrNull),
} satisfies Table<Omit<Message, "edited_since">>;

/** The fields of a message in an export. */
const LINE_FIELDS = {
  ...MESSAGE_FIELDS,
  external_digest: given(text<string | null>()),
} satisfies Table<Omit<MessageLine, "type" | "edited_since">>;

/** Columns that are computed from the content or the name, and the property of a record that each has. */
const DERIVED = {
  content: "content",
  content_encoding: "encoding",
  content_bytes: "bytes",
  term_count: "term_count",
  model_tokens: "model_tokens",
  features: "features",
  name_terms: "name_terms",
} as const;
const { name_terms: _, ...OF_CONTENT } = DERIVED;

const GIVEN = marked(LINE_FIELDS, { set: "given" });
const PLACED = marked(LINE_FIELDS, { set: "placed" });

/** A message as an insert takes it, without its place. */
export interface MessageRecord extends BoundOf<typeof GIVEN>, PreparedText {
  id: string;
  /** The words of `name`, in the same form as `terms`; null if there are none. */
  name_terms: string | null;
}

export interface MessageRow extends RowOf<typeof MESSAGE_FIELDS> {
  row_key: number;
  content_encoding: ContentEncoding | null;
  /** Only as of a moment. */
  edited_since?: 0 | 1;
}

export const ROW_COLUMNS = ["row_key", ...columnsOf(MESSAGE_FIELDS), "content_encoding"];
export const MESSAGE_COLUMNS = columns(ROW_COLUMNS, "m");
/** The columns of a message `m` as of a moment. If it is that of a memory `c`, with the content of that time. */
export function messageColumnsAt(moment: Moment | null): Sql {
  if (moment === null) return MESSAGE_COLUMNS;
  const { content, content_encoding, parts } = contentAt(moment);
  const then: Record<string, Sql> = { content, content_encoding, parts };
  return sql`${joined(
    ROW_COLUMNS.map((name) => sql`${then[name] ?? columns([name], "m")} AS ${columns([name])}`),
    sql`, `,
  )}${messageEditedSince(moment)}`;
}

const toFields = wireReader(MESSAGE_FIELDS);
export const toMessage = async (row: MessageRow): Promise<Message> => ({
  ...toFields(row),
  content: await decodeText(row.content, row.content_encoding),
  ...(row.edited_since === 1 && { edited_since: true }),
});

/** Size of the content and of all that the caller gives with it. */
export const GIVEN_BYTES = sql`m.content_bytes + ${sizeOf(marked(MESSAGE_FIELDS, { set: "given" }), "m")}`;

const boundProperties = (of: Record<string, string>): Sql => joined(Object.values(of).map(boundTo), sql`, `);

export const CONTENT_COLUMNS = columns(Object.keys(OF_CONTENT));
export const CONTENT_VALUES = boundProperties(OF_CONTENT);
export const changedContent = (
  content: Pick<MessageRecord, (typeof OF_CONTENT)[keyof typeof OF_CONTENT]>,
): Sql =>
  joined(
    Object.entries(OF_CONTENT).map(([column, property]) => sql`${columns([column])} = ${content[property]}`),
    sql`, `,
  );

const OF_RECORD = [...columnsOf(GIVEN), ...Object.keys(DERIVED)];
export const RECORD_COLUMNS = columns(OF_RECORD);
export const RECORD_VALUES = sql`${boundColumns(GIVEN)}, ${boundProperties(DERIVED)}`;
/** The columns of a record in a copy of the message `m`, whose terms are counted again. */
export const COPIED_VALUES = joined(
  OF_RECORD.map((column) => (column === "term_count" ? boundTo(column) : columns([column], "m"))),
  sql`, `,
);
export const toGiven = binder(GIVEN);

export const PLACE_COLUMNS = columns(columnsOf(PLACED));
export const PLACE_VALUES = boundColumns(PLACED);
export const toPlace = binder(PLACED);

/** Whether the message `m` is the same as `new.value`. Of the content, only the length is compared. */
export const IS_SAME = sql`${areSame({ ...PLACED, ...GIVEN }, "m")} AND m.content_bytes = ${boundTo("bytes")}`;

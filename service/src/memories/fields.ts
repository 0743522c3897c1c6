import type { Memory, MemoryKind } from "@engram/spec";
import { contentAt, type Moment } from "../filters/moments-queries.ts";
import {
  type BoundOf,
  binder,
  boundColumns,
  columnsOf,
  type Field,
  flag,
  json,
  jsonOrNull,
  type RowOf,
  selectedColumns,
  short,
  sizeOf,
  text,
  time,
  timeOrNull,
  wireReader,
} from "../platform/fields.ts";
import { columns, type Sql, sql } from "../platform/sql.ts";
import { SOURCES } from "../sources/queries.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import type { VERSION_COLUMNS } from "../versions/queries.ts";

/** The fields of a memory, in the order of the contract. */
const MEMORY_FIELDS = {
  id: short<string>(),
  kind: short<MemoryKind>(),
  content: text<string>(),
  parts: jsonOrNull<Memory["parts"]>("null"),
  sources: json<Memory["sources"]>("[]"),
  source: text<string | null>(),
  agent_id: text<string | null>(),
  user_id: text<string | null>(),
  shared: flag,
  external_id: { ...text<string | null>(), column: "memory_external_id" },
  tags: json<string[]>("[]"),
  summary: text<string | null>(),
  metadata: json<Memory["metadata"]>("{}"),
  valid_from: timeOrNull,
  valid_until: timeOrNull,
  occurred_at: timeOrNull,
  supersedes: short<string | null>(),
  superseded_by: short<string | null>(),
  enriched_by: short<string | null>(),
  content_hash: short<string>(),
  created_at: time,
  updated_at: time,
  expires_at: timeOrNull,
} satisfies { [Name in keyof Memory]: Field<Memory[Name], never, unknown> };

/**
 * The message of a memory has its content and parts, and `memory_sources` its sources. The row of `conversations` has the
 * other fields.
 */
const { content: _, parts: __, sources: ___, ...OF_ROW } = MEMORY_FIELDS;

export interface MemoryRow extends RowOf<typeof MEMORY_FIELDS> {
  content_encoding: ContentEncoding | null;
  version: number;
}
export const memoryColumnsAt = (moment: Moment | null): Sql =>
  moment === null ? MEMORY_COLUMNS : columnsAt(moment);
const columnsAt = (moment: Moment | null): Sql => {
  const { content, content_encoding, parts } = contentAt(moment);
  return sql`${selectedColumns(OF_ROW, "c")}, ${content} AS content, ${content_encoding} AS content_encoding,
             ${parts} AS parts, ${SOURCES} AS sources, c.version`;
};
export const MEMORY_COLUMNS = columnsAt(null);

const toFields = wireReader(OF_ROW);
const toParts = MEMORY_FIELDS.parts.toWire;
export const toSources = MEMORY_FIELDS.sources.toWire;

export const toMemory = async (row: Omit<MemoryRow, "version">): Promise<Memory> =>
  toMemoryOf(row, {
    content: await decodeText(row.content, row.content_encoding),
    parts: toParts(row.parts),
    sources: toSources(row.sources),
  });

/** The memory of a row whose other fields were read already. */
export const toMemoryOf = (
  row: RowOf<typeof OF_ROW>,
  { content, parts, sources }: Pick<Memory, "content" | "parts" | "sources">,
): Memory => {
  const { id, kind, ...fields } = toFields(row);
  return { id, kind, content, parts, sources, ...fields };
};

type Validity = Pick<Memory, "valid_from" | "valid_until">;
export const hasEnded = ({ valid_until }: Validity, atMs: number): boolean =>
  valid_until !== null && Date.parse(valid_until) <= atMs;
export const hasBegun = ({ valid_from }: Validity, atMs: number): boolean =>
  valid_from === null || Date.parse(valid_from) <= atMs;
export const isHeld = (memory: Validity, atMs: number): boolean =>
  hasBegun(memory, atMs) && !hasEnded(memory, atMs);

/** The fields of a memory in the row of `conversations`, as an insert takes them. */
export type MemoryFields = BoundOf<typeof OF_ROW>;
export const toMemoryFields = binder(OF_ROW);
export const ROW_COLUMNS = columnsOf(OF_ROW);
export const INSERTED_COLUMNS = columns(ROW_COLUMNS);
export const INSERTED_VALUES = boundColumns(OF_ROW);

/** Size of all that a row of `conversations` holds, and of the sources. */
export const ROW_BYTES = sql`${sizeOf(OF_ROW, "c")} + c.source_bytes`;

/**
 * The fields of the row that a version has. The others stay the same, say when the memory was last captured, or, as
 * `shared` and `expires_at`, hold for all versions.
 */
const {
  id: _id,
  agent_id: _agent,
  shared: _shared,
  external_id: _external,
  updated_at: _updated,
  expires_at: _expires,
  ...OF_VERSION
} = OF_ROW;
export type VersionRow = Pick<RowOf<typeof OF_VERSION>, (typeof VERSION_COLUMNS)[number]> &
  Pick<MemoryRow, "content" | "content_encoding" | "parts">;
/** Size of all that a row `v` of `memory_versions` holds, without the content. */
export const VERSION_BYTES = sizeOf(OF_VERSION, "v");

/** The columns of a version that has these fields, and its values from a record. */
export const VERSION_FIELD_COLUMNS = columns(columnsOf(OF_VERSION));
export const VERSION_FIELD_VALUES = boundColumns(OF_VERSION);
export type VersionFields = BoundOf<typeof OF_VERSION>;
export const toVersionRecord = binder(OF_VERSION);

const toVersionFields = wireReader(OF_VERSION);
export const toVersion = async (row: VersionRow) => ({
  ...toVersionFields(row),
  content: await decodeText(row.content, row.content_encoding),
  parts: toParts(row.parts),
});

import { toJsonLists } from "../platform/batch.ts";
import { readVectorId } from "../platform/chunk-ids.ts";
import {
  and,
  columns,
  joined,
  literal,
  nothing,
  onlyRow,
  rows,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import type { MovedTable } from "./tables.ts";

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** Names of the columns of a table that hold text, and of all. */
export interface Columns {
  all: string[];
  texts: string[];
}

export const table = (name: string): Sql => columns([name]);

/** Characters of text in a page. A page of D1 that is written keeps D1 busy for some 50 ms. */
const PAGE_BYTES = 250_000;
const PAGE_ROWS = 500;

export const columnsOf = (name: string): Statement<Columns> => ({
  sql: sql`SELECT name, type FROM pragma_table_info(${name})`,
  read: ({ results }) => {
    const found = results as { name: string; type: string }[];
    return {
      all: found.map((column) => column.name),
      texts: found.filter(({ type }) => type === "TEXT").map((column) => column.name),
    };
  },
});

interface Page {
  organizationId: string;
  /** The last row of the page before; null for the first page. */
  after: Row | null;
  /** The last row that is wanted; by default that of the table. */
  upTo?: Row | undefined;
  columns: Columns;
  /** Leaves out rows that the sweep works on. */
  withoutWaiting: boolean;
}

const orderOf = ({ order, key }: MovedTable): readonly string[] => order ?? key;

/** Rows in the order of an index, as many as fit into a page, and at least one. */
export function pageOf(moved: MovedTable, page: Page): Statement<Row[]> {
  const { leading } = moved;
  const order = orderOf(moved).filter((column) => column !== leading);
  const conditions = [
    sql`t.organization_id = ${page.organizationId}`,
    ...(leading === undefined ? [] : [sql`t.${table(leading)} = ${page.after?.[leading] ?? null}`]),
    ...(page.withoutWaiting ? notWaiting(moved) : []),
  ];
  const isFirst = page.after === null || order.some((column) => page.after?.[column] === undefined);
  const valuesOf = (one: Row | null) =>
    joined(
      order.map((column) => sql`${one?.[column] ?? null}`),
      sql`, `,
    );
  if (!isFirst) conditions.push(sql`(${columns(order, "t")}) > (${valuesOf(page.after)})`);
  if (page.upTo !== undefined) conditions.push(sql`(${columns(order, "t")}) <= (${valuesOf(page.upTo)})`);
  const from = sql`FROM ${table(moved.name)} AS t WHERE ${and(conditions)}`;
  const by = sql`ORDER BY ${columns(order, "t")}`;
  return rows(
    sql`SELECT t.*${extra(moved)} ${from} ${by}
         LIMIT (SELECT max(1, count(*)) FROM (
           SELECT sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS bytes FROM (
             SELECT ${bytesOf(page.columns.texts)} AS bytes ${from} ${by} LIMIT ${literal(PAGE_ROWS)}))
          WHERE bytes <= ${literal(PAGE_BYTES)})`,
    (found: Row) => found,
  );
}

/** The next value of the first column of an index, for a table whose index does not begin with the organization. */
export const nextLeading = (moved: MovedTable, leading: string, after: Value): Statement<Value> =>
  onlyRow(
    sql`SELECT min(${table(leading)}) AS next FROM ${table(moved.name)} WHERE ${table(leading)} > ${after ?? -1}`,
    ({ next }: { next: Value }) => next,
  );

/** Those of the keys, which are JSON arrays, that have a row, in groups that fit into a page. */
export function groupsByKey(
  moved: MovedTable,
  of: { organizationId: string; keys: string[]; texts: string[]; withoutWaiting: boolean },
): Statement<string[][]> {
  return {
    sql: sql`SELECT k.key AS place, ${bytesOf(of.texts)} AS bytes ${fromKeys(moved, of)}`,
    read: ({ results }) => {
      const groups: string[][] = [];
      let room = 0;
      for (const { place, bytes } of results as { place: number; bytes: number }[]) {
        const key = of.keys[place];
        if (key === undefined) continue;
        room -= bytes;
        const last = groups.at(-1);
        if (last !== undefined && room >= 0 && last.length < PAGE_ROWS) last.push(key);
        else {
          groups.push([key]);
          room = PAGE_BYTES - bytes;
        }
      }
      return groups;
    },
  };
}

const fromKeys = (
  moved: MovedTable,
  {
    organizationId,
    keys,
    withoutWaiting,
  }: { organizationId: string; keys: string[]; withoutWaiting: boolean },
): Sql => {
  const isKey = moved.key.map((column, i) => sql`t.${table(column)} = k.value ->> ${literal(i)}`);
  const conditions = [
    sql`t.organization_id = ${organizationId}`,
    ...isKey,
    ...(withoutWaiting ? notWaiting(moved) : []),
  ];
  return sql`FROM json_each(${`[${keys.join(",")}]`}) AS k CROSS JOIN ${table(moved.name)} AS t ON ${and(conditions)}`;
};

/** The rows with these keys, which are JSON arrays. */
export const rowsByKey = (
  moved: MovedTable,
  of: { organizationId: string; keys: string[]; withoutWaiting: boolean },
): Statement<Row[]> => rows(sql`SELECT t.*${extra(moved)} ${fromKeys(moved, of)}`, (found: Row) => found);

/** The rows that belong to rows of another table with the same number. */
export const rowsByNumber = (moved: MovedTable, organizationId: string, numbers: Value[]): Statement<Row[]> =>
  rows(
    sql`SELECT t.* FROM json_each(${JSON.stringify(numbers)}) AS k
         CROSS JOIN ${table(moved.name)} AS t ON t.row_key = k.value AND t.organization_id = ${organizationId}`,
    (found: Row) => found,
  );

export const allRows = (moved: MovedTable, organizationId: string, onlyWaiting = false): Statement<Row[]> =>
  rows(
    sql`SELECT t.* FROM ${table(moved.name)} AS t
         WHERE t.organization_id = ${organizationId} AND ${onlyWaiting && moved.waits ? moved.waits : sql`TRUE`}`,
    (found: Row) => found,
  );

const notWaiting = ({ waits }: MovedTable): Sql[] => (waits === undefined ? [] : [sql`NOT (${waits})`]);

/** The kind of the conversation of a message, by which its words are indexed. */
export const KIND = "kind_of_conversation";
const extra = ({ name }: MovedTable): Sql =>
  name === "messages"
    ? sql`, (SELECT kind FROM conversations AS c WHERE c.organization_id = t.organization_id AND c.id = t.conversation_id)
            AS ${table(KIND)}`
    : sql``;

const bytesOf = (texts: string[]): Sql =>
  texts.length === 0
    ? sql`0`
    : joined(
        texts.map((column) => sql`coalesce(octet_length(t.${table(column)}), 0)`),
        sql` + `,
      );

/** Writes rows as they are. In place of rows that they conflict with, which have changed meanwhile. */
export function writtenRows(
  moved: MovedTable,
  names: readonly string[],
  found: readonly Row[],
): Statement<void>[] {
  const values = joined(
    names.map((_, i) => sql`value ->> ${literal(i)}`),
    sql`, `,
  );
  return toJsonLists(found.map((one) => names.map((name) => one[name] ?? null))).map((list) =>
    nothing(sql`
      INSERT OR REPLACE INTO ${table(moved.name)} (${columns(names)}) SELECT ${values} FROM json_each(${list})`),
  );
}

export const deletedByKey = (moved: MovedTable, organizationId: string, keys: string[]): Statement<void> => {
  const values = joined(
    moved.key.map((_, i) => sql`value ->> ${literal(i)}`),
    sql`, `,
  );
  return nothing(sql`
    DELETE FROM ${table(moved.name)}
     WHERE organization_id = ${organizationId}
       AND (${columns(moved.key)}) IN (SELECT ${values} FROM json_each(${`[${keys.join(",")}]`}))`);
};

export const keyOf = ({ key }: MovedTable, one: Row): string =>
  JSON.stringify(key.map((column) => one[column] ?? null));

/** How numbers of conversations change in a move. */
export interface Renumbering {
  /** Added to the number of each conversation. */
  offset: number;
}

const SEQUENCES = 2 ** 24;

/** The row with the numbers that it has in the other database. */
export function renumbered(moved: MovedTable, one: Row, { offset }: Renumbering): Row {
  if (offset === 0 || moved.numbers === undefined) return one;
  const other = { ...one };
  for (const [column, of] of Object.entries(moved.numbers)) {
    const value = one[column];
    if (value === null || value === undefined) continue;
    other[column] =
      of === "vector"
        ? renumberedVector(String(value), offset)
        : Number(value) + offset * (of === "message" ? SEQUENCES : 1);
  }
  return other;
}

export function renumberedVector(id: string, offset: number): string {
  const read = readVectorId(id);
  if (offset === 0 || read === null) return id;
  const [chunkId, number, ...rest] = id.split(".");
  return [chunkId, (Number.parseInt(number ?? "", 36) + offset).toString(36), ...rest].join(".");
}

export interface Size {
  rows: number;
  bytes: number;
}

/** What is compared of a table before an organization moves: the number of its rows, and the bytes of their texts. */
export function sizeOf(
  moved: MovedTable,
  {
    organizationId,
    columns: { texts },
    withoutWaiting,
  }: Pick<Page, "organizationId" | "columns" | "withoutWaiting">,
): Statement<Size> {
  const compared = texts.filter((column) => moved.numbers?.[column] === undefined && column !== "name_terms");
  const from =
    moved.joins === undefined
      ? sql`FROM ${table(moved.name)} AS t WHERE t.organization_id = ${organizationId}`
      : sql`FROM ${table(moved.joins)} AS m CROSS JOIN ${table(moved.name)} AS t ON t.row_key = m.row_key
             WHERE m.organization_id = ${organizationId}`;
  return onlyRow(
    sql`SELECT count(*) AS n, coalesce(sum(${bytesOf(compared)}), 0) AS bytes ${from}
           AND ${and(withoutWaiting ? notWaiting(moved) : [])}`,
    ({ n, bytes }: { n: number; bytes: number }) => ({ rows: n, bytes }),
  );
}

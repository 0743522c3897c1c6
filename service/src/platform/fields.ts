import { toTimestamp, toTimestampOrNull } from "./batch.ts";
import { columns, joined, Sql, type SqlValue, sql } from "./sql.ts";

/**
 * How a field of the contract is stored in a column. A noun has one table of its fields, from which its row type, its lists
 * of columns and the conversions in both directions follow.
 *
 * `Wire` is the type in the contract, `Stored` that of the column. `Bound` is the type in a record, the JSON object from
 * which an insert takes the columns.
 */
export interface Field<Wire, Stored, Bound = Stored> {
  /** The column has the name of the field, with this at its end. */
  suffix: "" | "_ms";
  /** The column if its name is another. Rows and records have the name of the field all the same. */
  column?: string;
  /** Whether the value counts in the size of an item. That of short values is a constant. */
  isSized: boolean;
  /** Null if the field is absent. */
  toBound(value: Wire | null): Bound;
  toWire(stored: Stored): Wire;
  /** The value for the column, from a record. */
  bound(record: Sql, column: Sql): Sql;
  /** Equal for two values of the column that mean the same. */
  compared(value: Sql): Sql;
}
export type Fields = Record<string, Field<unknown, never, unknown>>;

type ColumnOf<Name extends string, One> = One extends { suffix: "_ms" } ? `${Name}_ms` : Name;
export type RowOf<Of extends Fields> = {
  [Name in keyof Of & string as ColumnOf<Name, Of[Name]>]: Parameters<Of[Name]["toWire"]>[0];
};
export type BoundOf<Of extends Fields> = {
  [Name in keyof Of & string as ColumnOf<Name, Of[Name]>]: ReturnType<Of[Name]["toBound"]>;
};
export type WireOf<Of extends Fields> = { [Name in keyof Of]: ReturnType<Of[Name]["toWire"]> };
export type Given<Of extends Fields> = { [Name in keyof Of]?: WireOf<Of>[Name] | null | undefined };

const same = <Value>(value: Value): Value => value;

const NEW = sql`new.value`;
/** The value of a property of the record `new.value`. */
export const boundTo = (property: string): Sql => sql`${NEW} ->> '${columns([property])}'`;

const scalar = { bound: (record: Sql, column: Sql) => sql`${record} ->> '${column}'`, compared: same<Sql> };
const plain = <Value extends SqlValue>() => ({
  ...scalar,
  suffix: "" as const,
  toBound: (value: Value | null) => value as Value,
  toWire: same<Value>,
});
export const text = <Value extends string | null>() => ({ ...plain<Value>(), isSized: true });
/** A number, an id, or a word of a closed list. */
export const short = <Value extends SqlValue>() => ({ ...plain<Value>(), isSized: false });

/** Stored as 0 or 1. */
export const flag = {
  ...scalar,
  suffix: "" as const,
  isSized: false,
  toBound: (value: boolean | null): 0 | 1 => (value === true ? 1 : 0),
  toWire: (stored: 0 | 1) => stored === 1,
};

const timed = { ...scalar, suffix: "_ms" as const, isSized: false };
export const time = {
  ...timed,
  toBound: (value: string | null) => Date.parse(value ?? ""),
  toWire: toTimestamp,
};
export const timeOrNull = {
  ...timed,
  toBound: (value: string | null) => (value === null ? null : Date.parse(value)),
  toWire: toTimestampOrNull,
};

/**
 * JSON text. In a record it is the value itself: inside the JSON of the record, escaped quotes could double the size of a
 * text.
 *
 * @param empty the value of an absent field, as JSON.
 */
export const json = <Value>(empty: string) => ({
  suffix: "" as const,
  isSized: true,
  toBound: (value: Value | null) => value ?? (JSON.parse(empty) as Value),
  toWire: (stored: string) => JSON.parse(stored) as Value,
  bound: (record: Sql, column: Sql) => sql`${record} -> '${column}'`,
  compared: same<Sql>,
});

/** JSON text that is NULL for the value `empty`. */
export const jsonOrNull = <Value>(empty: "null" | "{}") => {
  const literal = new Sql([`'${empty}'`], []);
  return {
    ...json<Value>(empty),
    toWire: (stored: string | null) => JSON.parse(stored ?? empty) as Value,
    bound: (record: Sql, column: Sql) => sql`nullif(${record} -> '${column}', ${literal})`,
    compared: (value: Sql) => sql`coalesce(${value}, ${literal})`,
  };
};

type Marked<Of, Mark> = { [Name in keyof Of as Of[Name] extends Mark ? Name : never]: Of[Name] };

/** The fields of a table that have a property. */
export const marked = <Of extends Fields, const Mark extends object>(
  fields: Of,
  mark: Mark,
): Marked<Of, Mark> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, field]) =>
      Object.entries(mark).every(
        ([name, value]) => (field as unknown as Record<string, unknown>)[name] === value,
      ),
    ),
  ) as Marked<Of, Mark>;

const entriesOf = (fields: Fields) =>
  Object.entries(fields).map(([name, field]) => {
    const property = `${name}${field.suffix}`;
    return { name, field, property, column: field.column ?? property };
  });

export const columnsOf = (fields: Fields): string[] => entriesOf(fields).map(({ column }) => column);

/** The columns of a table as a row has them. */
export const selectedColumns = (fields: Fields, table: string): Sql =>
  joined(
    entriesOf(fields).map(
      ({ property, column }) => sql`${columns([column], table)} AS ${columns([property])}`,
    ),
    sql`, `,
  );

/** The values for the columns of an insert. */
export const boundColumns = (fields: Fields, record = NEW): Sql =>
  joined(
    entriesOf(fields).map(({ field, property }) => field.bound(record, columns([property]))),
    sql`, `,
  );

/** `column = value` for each field that has a value. */
export const assignedColumns = <Of extends Fields>(fields: Of, values: Given<Of>): Sql[] =>
  entriesOf(fields)
    .filter(({ name }) => values[name] !== undefined)
    .map(({ name, field, property, column }) => {
      const record = JSON.stringify({ [property]: field.toBound(values[name] as null) });
      return sql`${columns([column])} = ${field.bound(sql`${record}`, columns([property]))}`;
    });

/** Size of the values of a row in bytes. `octet_length` does not read the values themselves. */
export const sizeOf = (fields: Fields, table: string): Sql =>
  joined(
    entriesOf(fields)
      .filter(({ field }) => field.isSized)
      .map(({ column }) => sql`coalesce(octet_length(${columns([column], table)}), 0)`),
    sql` + `,
  );

/** Whether the fields of a row are the same as those of the record `new.value`. */
export const areSame = (fields: Fields, table: string): Sql =>
  joined(
    entriesOf(fields).map(
      ({ field, property, column }) =>
        sql`${field.compared(columns([column], table))} IS ${field.compared(field.bound(NEW, columns([property])))}`,
    ),
    sql` AND `,
  );

/** A function that makes fields of the contract from a row. */
export function wireReader<const Of extends Fields>(fields: Of): (row: RowOf<Of>) => WireOf<Of> {
  const entries = entriesOf(fields);
  return (row) => {
    const item: Record<string, unknown> = {};
    for (const { name, field, property } of entries) item[name] = field.toWire(row[property as never]);
    return item as WireOf<Of>;
  };
}

/** A function that makes a record of fields of the contract. */
export function binder<const Of extends Fields>(fields: Of): (values: Given<Of>) => BoundOf<Of> {
  const entries = entriesOf(fields);
  return (values) => {
    const record: Record<string, unknown> = {};
    for (const { name, field, property } of entries) record[property] = field.toBound(values[name] ?? null);
    return record as BoundOf<Of>;
  };
}

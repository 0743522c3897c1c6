import { type PreconditionCode, toPreconditionFailed } from "./preconditions.ts";

/** D1 passes numbers and booleans as REAL: `json_array(${5})` is `[5.0]`. */
export type SqlValue = string | number | boolean | null;

/** A piece of SQL with parameters. Each value is between two texts, so there is one more text than there are values. */
export class Sql {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];

  constructor(texts: readonly string[], values: readonly SqlValue[]) {
    this.texts = texts;
    this.values = values;
  }
}

/** Template tag for SQL. A `${value}` becomes a parameter; a `${piece}` of SQL becomes part of the text. */
export function sql(texts: readonly string[], ...parts: (Sql | SqlValue)[]): Sql {
  let last = texts[0] ?? "";
  const before: string[] = [];
  const values: SqlValue[] = [];
  for (const [i, part] of parts.entries()) {
    const piece = part instanceof Sql ? part : new Sql(["", ""], [part]);
    const [first = "", ...more] = piece.texts;
    for (const text of [last + first, ...more]) before.push(text);
    last = (before.pop() ?? "") + (texts[i + 1] ?? "");
    values.push(...piece.values);
  }
  return new Sql([...before, last], values);
}

/**
 * A number as part of the text instead of a parameter: SQLite uses a partial index only if its condition has no
 * parameters.
 */
export function literal(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`);
  return new Sql([String(value)], []);
}

export function columns(names: readonly string[], table?: string): Sql {
  for (const name of names) if (!/^\w+$/.test(name)) throw new Error(`${name} is not a column`);
  return new Sql([names.map((name) => (table === undefined ? name : `${table}.${name}`)).join(", ")], []);
}

/** The pieces with the separator between them. Requires at least one piece. */
export const joined = (pieces: readonly Sql[], separator: Sql): Sql =>
  pieces.reduce((before, piece) => sql`${before}${separator}${piece}`);

/** The conditions joined by `AND`; `TRUE` if there are none. */
export const and = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`TRUE` : joined(conditions, sql` AND `);

/** The condition for a value; none if there is no value. */
export const given = <Value>(value: Value | null | undefined, condition: (value: Value) => Sql): Sql[] =>
  value === undefined || value === null ? [] : [condition(value)];

/** Values by which rows are filtered, with the names of the contract. */
export type Filter<Of> = { [Name in keyof Of]?: Of[Name] | undefined };
/** The condition for each value of a filter. `Context` is what some of them depend on. */
export type Conditions<Of, Context> = {
  [Name in keyof Of]-?: (value: NonNullable<Of[Name]>, context: Context) => Sql;
};

/** @throws {Error} for a name without a condition, which would otherwise widen the filter: a deletion would delete more. */
export function conditionsOf<Of, Context>(
  conditions: Conditions<Of, Context>,
  filter: Filter<Of>,
  context: Context,
): Sql[] {
  for (const name of Object.keys(filter))
    if (!(name in conditions)) throw new Error(`no rows can be filtered by ${name}`);
  const names = Object.keys(conditions) as (keyof Of)[];
  return names.flatMap((name) =>
    given(filter[name], (value) => conditions[name](value as NonNullable<Of[keyof Of]>, context)),
  );
}

export interface Statement<T> {
  readonly sql: Sql;
  read(result: D1Result): T | Promise<T>;
}

/** A statement that gives all its rows. For `RETURNING`, the order of the rows is not defined. */
export const rows = <Row, T>(sql: Sql, toItem: (row: Row) => T | Promise<T>): Statement<T[]> => ({
  sql,
  read: ({ results }) => Promise.all((results as Row[]).map(toItem)),
});

export const row = <Row, T>(sql: Sql, toItem: (row: Row) => T | Promise<T>): Statement<T | null> => ({
  sql,
  read: ({ results: [first] }) => (first === undefined ? null : toItem(first as Row)),
});

/** A statement that always gives one row. Throws an error if there is none. */
export const onlyRow = <Row, T>(sql: Sql, toItem: (row: Row) => T | Promise<T>): Statement<T> => ({
  sql,
  read: ({ results: [only] }) => {
    if (only === undefined) throw new Error("a statement returned no row");
    return toItem(only as Row);
  },
});

export const nothing = (sql: Sql): Statement<void> => ({ sql, read: () => undefined });

export const changes = (sql: Sql): Statement<number> => ({ sql, read: ({ meta }) => meta.changes });

/**
 * The text of a statement and the values of its parameters. Equal strings share a parameter, because a string can be a
 * list of a megabyte, and D1 allows 100 parameters. Numbers and nulls do not: the text of the statement would depend on
 * which of them happen to be equal.
 */
export function toParameterized({ texts, values }: Sql): { sql: string; values: SqlValue[] } {
  const binds: SqlValue[] = [];
  const places = new Map<SqlValue, number>();
  const placeOf = (value: SqlValue): number => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const place = binds.push(value);
    if (typeof value === "string") places.set(value, place);
    return place;
  };
  // SQLite plans `LIMIT ?` again for each value, because its plan depends on a bare parameter there.
  const text = texts.reduce((before, after, i) => {
    const place = `?${placeOf(values[i - 1] ?? null)}`;
    return `${before}${before.endsWith("LIMIT ") ? `(${place} + 0)` : place}${after}`;
  });
  return { sql: text, values: binds };
}

export function prepare(db: D1Database, statement: Sql): D1PreparedStatement {
  const { sql, values } = toParameterized(statement);
  return db.prepare(sql).bind(...values);
}

/** A statement whose batch fails with {@link PreconditionFailed} unless the condition is true. */
export const assertThat = (code: PreconditionCode, condition: Sql): Statement<void> =>
  nothing(sql`INSERT INTO assertions (${columns([code])}) SELECT TRUE WHERE (${condition}) IS NOT TRUE`);

export async function run<T>(db: D1Database, statement: Statement<T>): Promise<T> {
  return statement.read(await prepare(db, statement.sql).all());
}

/**
 * A statement, or several as a list or by name, in the order in which they run. An entry can itself be such a group.
 * Null stands for no statement.
 */
export type Statements =
  | Statement<unknown>
  | null
  | readonly Statements[]
  | { readonly [name: string]: Statements };

export type Results<S> =
  S extends Statement<infer T> ? T : S extends null ? null : { [K in keyof S]: Results<S[K]> };

/**
 * Runs statements in one transaction.
 *
 * @throws {PreconditionFailed} if the condition of an {@link assertThat} is not true. Nothing is written then.
 */
export async function batch<const S>(db: D1Database, statements: S & Statements): Promise<Results<S>> {
  const results = await db.batch(toPrepared(db, statements)).catch((error: unknown) => {
    throw toPreconditionFailed(error);
  });
  return (await readAll(statements, results.values())) as Results<S>;
}

function toPrepared(db: D1Database, statements: Statements): D1PreparedStatement[] {
  if (statements === null) return [];
  if (isStatement(statements)) return [prepare(db, statements.sql)];
  return Object.values(statements).flatMap((nested: Statements) => toPrepared(db, nested));
}

async function readAll(statements: Statements, results: Iterator<D1Result, undefined>): Promise<unknown> {
  if (statements === null) return null;
  if (isStatement(statements)) {
    const result = results.next().value;
    if (result === undefined) throw new Error("a statement has no result");
    return statements.read(result);
  }
  if (isList(statements)) {
    const list: unknown[] = [];
    for (const nested of statements) list.push(await readAll(nested, results));
    return list;
  }
  const named: Record<string, unknown> = {};
  for (const [name, nested] of Object.entries(statements)) named[name] = await readAll(nested, results);
  return named;
}

const isStatement = (statements: object): statements is Statement<unknown> =>
  "sql" in statements && statements.sql instanceof Sql;
const isList = (statements: object): statements is readonly Statements[] => Array.isArray(statements);

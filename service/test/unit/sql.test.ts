import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { describe, expect, expectTypeOf, test } from "vitest";
import { PRECONDITION_CODES, PreconditionFailed } from "../../src/platform/preconditions.ts";
import {
  and,
  assertThat,
  batch,
  changes,
  columns,
  joined,
  literal,
  nothing,
  onlyRow,
  prepare,
  row,
  rows,
  run,
  type Sql,
  sql,
} from "../../src/platform/sql.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");

/** SQLite with the methods of D1 that the module calls. */
function openDatabase(): D1Database {
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(MIGRATIONS).sort()) {
    database.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
  }
  database.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const run = (text: string, binds: SQLInputValue[]) => {
    const results = database.prepare(text).all(...binds);
    const [counted] = database.prepare("SELECT changes() AS changes").all();
    return { results, meta: { changes: counted?.changes } };
  };
  const prepared = (text: string, binds: SQLInputValue[]) => ({
    text,
    binds,
    bind: (...values: SQLInputValue[]) => prepared(text, values),
    all: async () => run(text, binds),
  });
  return {
    prepare: (text: string) => prepared(text, []),
    batch: async (statements: ReturnType<typeof prepared>[]) => {
      database.exec("BEGIN");
      try {
        const results = statements.map(({ text, binds }) => run(text, binds));
        database.exec("COMMIT");
        return results;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  } as unknown as D1Database;
}

const preparedOf = (piece: Sql) => {
  const { text, binds } = prepare(openDatabase(), piece) as unknown as { text: string; binds: unknown[] };
  return { text, binds };
};

const insertedNote = (body: string) => nothing(sql`INSERT INTO notes (body) VALUES (${body})`);
const notes = rows(sql`SELECT body FROM notes ORDER BY id`, ({ body }: { body: string }) => body);

describe("sql", () => {
  test("numbers the values of nested fragments in the order of the text", () => {
    const mine = sql`organization_id = ${"org"} AND sequence > ${5}`;
    expect(preparedOf(sql`SELECT ${"a"} FROM messages WHERE ${mine} LIMIT ${9}`)).toEqual({
      text: "SELECT ?1 FROM messages WHERE organization_id = ?2 AND sequence > ?3 LIMIT (?4 + 0)",
      binds: ["a", "org", 5, 9],
    });
  });

  test("joins adjacent fragments", () => {
    const piece = sql`${1}${sql`${sql``}+`}${2}`;
    expect(preparedOf(sql`SELECT ${piece}${sql` AS sum`}`)).toEqual({
      text: "SELECT ?1+?2 AS sum",
      binds: [1, 2],
    });
  });

  test("binds equal strings once, and each number and null separately", () => {
    expect(preparedOf(sql`${"a"} ${1} ${null} ${"a"} ${1} ${null} ${"b"}`)).toEqual({
      text: "?1 ?2 ?3 ?1 ?4 ?5 ?6",
      binds: ["a", 1, null, 1, null, "b"],
    });
  });

  test("never writes a value into the text of the statement", async () => {
    const text = "'); DROP TABLE notes; --";
    await expect(
      run(
        openDatabase(),
        onlyRow(sql`SELECT ${text} AS text`, (only) => only),
      ),
    ).resolves.toEqual({
      text,
    });
  });

  test("joins conditions and column names", () => {
    expect(preparedOf(and([sql`a = ${1}`, sql`b = ${2}`])).text).toBe("a = ?1 AND b = ?2");
    expect(preparedOf(and([])).text).toBe("TRUE");
    expect(preparedOf(joined([sql`${1}`, sql`${2}`], sql`, `)).text).toBe("?1, ?2");
    expect(preparedOf(columns(["id", "name"], "m")).text).toBe("m.id, m.name");
    expect(() => columns(["id; DROP TABLE notes"])).toThrow("not a column");
  });

  test("writes a number into the text only through literal(), which accepts integers only", () => {
    expect(preparedOf(sql`attempts < ${literal(10)}`)).toEqual({ text: "attempts < 10", binds: [] });
    expect(() => literal("10; DROP TABLE notes" as unknown as number)).toThrow("not a whole number");
  });
});

describe("a batch of statements", () => {
  test("returns each result under its name, converted by its statement", async () => {
    const answer = await batch(openDatabase(), {
      first: insertedNote("a"),
      note: { more: [insertedNote("b"), insertedNote("c")], none: null },
      notes,
      removed: changes(sql`DELETE FROM notes WHERE body > ${"a"}`),
      left: row(sql`SELECT body FROM notes`, async ({ body }: { body: string }) => body),
      absent: row(sql`SELECT body FROM notes WHERE FALSE`, ({ body }: { body: string }) => body),
      count: onlyRow(sql`SELECT count(*) AS total FROM notes`, ({ total }: { total: number }) => total),
    });
    expect(answer).toEqual({
      first: undefined,
      note: { more: [undefined, undefined], none: null },
      notes: ["a", "b", "c"],
      removed: 2,
      left: "a",
      absent: null,
      count: 1,
    });
    expectTypeOf(answer.notes).toEqualTypeOf<string[]>();
    expectTypeOf(answer.removed).toEqualTypeOf<number>();
    expectTypeOf(answer.left).toEqualTypeOf<string | null>();
    expectTypeOf(answer.count).toEqualTypeOf<number>();
    expectTypeOf(answer.note.none).toEqualTypeOf<null>();
    expectTypeOf(answer.first).toEqualTypeOf<void>();
  });

  test("may contain null in place of a statement", async () => {
    const answerOf = async (withNotes: boolean) =>
      (await batch(openDatabase(), { first: insertedNote("a"), notes: withNotes ? notes : null })).notes;
    expectTypeOf(answerOf).returns.resolves.toEqualTypeOf<string[] | null>();
    expect(await answerOf(true)).toEqual(["a"]);
    expect(await answerOf(false)).toBeNull();
  });

  test.for(PRECONDITION_CODES)("is rolled back if its assertion %s fails", async (code) => {
    const db = openDatabase();
    const failed = await batch(db, {
      note: insertedNote("a"),
      assertion: assertThat(code, sql`1 = ${2}`),
    }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(PreconditionFailed);
    expect(failed).toMatchObject({ code });
    expect(await run(db, notes)).toEqual([]);
  });

  test("treats an assertion of NULL as failed", async () => {
    await expect(batch(openDatabase(), assertThat("replay", sql`NULL`))).rejects.toMatchObject({
      code: "replay",
    });
    await expect(batch(openDatabase(), assertThat("replay", sql`TRUE`))).resolves.toBeUndefined();
  });

  test("cannot store a row in the table of assertions", async () => {
    const inserted = nothing(sql`INSERT INTO assertions DEFAULT VALUES`);
    await expect(batch(openDatabase(), inserted)).rejects.toThrow("refused:unknown");
  });

  test("throws any other error unchanged", async () => {
    await expect(batch(openDatabase(), nothing(sql`SELECT absent`))).rejects.toThrow("no such column");
  });
});

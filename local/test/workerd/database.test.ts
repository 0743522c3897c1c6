import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { entrypointOnDatabase, objectOnDatabase, openDatabase } from "../../src/database/service.ts";

const { DB, DATABASE } = env;
const local = openDatabase(DATABASE);

interface Statement {
  sql: string;
  values?: unknown[];
}

interface Answer {
  results: unknown[];
  meta: {
    changes: number;
    last_row_id: number;
    changed_db: boolean;
    rows_read: number;
    rows_written: number;
  };
}

/** Either database, by the methods that the service uses. */
interface AnyDatabase {
  prepare(sql: string): { bind(...values: unknown[]): unknown };
  batch(statements: never[]): Promise<Answer[]>;
}

async function batchOn(db: AnyDatabase, statements: Statement[]): Promise<unknown> {
  try {
    const bound = statements.map(({ sql, values = [] }) => db.prepare(sql).bind(...values));
    const answers = await db.batch(bound as never[]);
    return answers.map(({ results, meta }, i) => {
      const { changes, last_row_id, changed_db, rows_read, rows_written } = meta;
      // Other statements report it too, but workerd's own tables change it.
      const id = /^INSERT/.test(statements[i]?.sql ?? "") ? { last_row_id } : {};
      return { results, changes, ...id, changed_db, rows_read, rows_written };
    });
  } catch (error) {
    return String(error);
  }
}

/** What D1 answers. Fails if the object answers anything else. */
async function batch(...statements: Statement[]): Promise<unknown> {
  const [d1, object] = [
    await batchOn(DB as unknown as AnyDatabase, statements),
    await batchOn(local as unknown as AnyDatabase, statements),
  ];
  expect(object).toEqual(d1);
  return d1;
}

// What a change of the schema costs depends on the tables that each has of its own.
beforeEach(async () => {
  const statements = [
    { sql: "DROP TABLE IF EXISTS notes" },
    { sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT UNIQUE, size REAL) STRICT" },
    { sql: "INSERT INTO notes (text, size) VALUES ('a', 1), ('b', 2.5), ('c', NULL)" },
  ];
  for (const db of [DB, local]) await batchOn(db as unknown as AnyDatabase, statements);
});

describe("the local database answers as D1 does:", () => {
  test.for<[string, Statement[], unknown]>([
    ["rows in order", [{ sql: "SELECT id, text, size FROM notes ORDER BY id DESC" }], [{ rows_read: 3 }]],
    ["no rows", [{ sql: "SELECT * FROM notes WHERE id > 5" }], [{ results: [] }]],
    ["the last of two columns with one name", [{ sql: "SELECT 1 AS n, 2 AS n" }], [{ results: [{ n: 2 }] }]],
    [
      "values of every type",
      [{ sql: "SELECT ?1 AS a, ?2 AS b, ?3 AS c, ?4 AS d", values: ["x", 1.5, true, null] }],
      [{ results: [{ a: "x", b: 1.5, c: 1, d: null }] }],
    ],
    [
      "text with a NUL, an emoji and half of one",
      [{ sql: "SELECT ?1 AS a, length(?1) AS n, hex(?2) AS h", values: ["a\0b 🦭", "\ud83e"] }],
      [{ results: [{ n: 1 }] }],
    ],
    ["numbers as REAL", [{ sql: "SELECT json_array(?1, typeof(?1)) AS n", values: [5] }], [{}]],
    [
      "the largest integers",
      [{ sql: "SELECT 9007199254740991 AS n, 9223372036854775807 AS m" }],
      [{ results: [{ n: 9007199254740991 }] }],
    ],
    [
      "the counts of a write, and of statements after it",
      [
        { sql: "INSERT INTO notes (text) VALUES ('d'), ('e') RETURNING id" },
        { sql: "SELECT count(*) AS n FROM notes" },
        { sql: "UPDATE notes SET size = 3 WHERE id < 3" },
        { sql: "WITH old AS (SELECT id FROM notes LIMIT 1) DELETE FROM notes WHERE id IN old" },
      ],
      [{ changes: 2, last_row_id: 5 }, { changes: 0 }, { changes: 2 }, { changes: 1 }],
    ],
    [
      "the counts of a write that begins with its tables",
      [{ sql: "WITH old AS (SELECT id FROM notes LIMIT 1) DELETE FROM notes WHERE id IN old" }],
      [{ changes: 1 }],
    ],
    [
      "a read that begins with its tables",
      [{ sql: "WITH old AS (SELECT id FROM notes LIMIT 1) SELECT id FROM old" }],
      [{ results: [{ id: 1 }], changes: 0 }],
    ],
    [
      "a later statement that sees what an earlier one wrote",
      [
        { sql: "INSERT INTO notes (text) VALUES (?1)", values: ["d"] },
        { sql: "SELECT changes() AS n, (SELECT max(id) FROM notes) AS id" },
      ],
      [{}, { results: [{ n: 1, id: 4 }] }],
    ],
    ["bytes as a list", [{ sql: "SELECT x'0aff' AS b" }], [{ results: [{ b: [10, 255] }] }]],
    [
      "100 bound values",
      [{ sql: `SELECT max(${"?, ".repeat(99)}?) AS n`, values: Array(100).fill(1) }],
      [{ results: [{ n: 1 }] }],
    ],
  ])("%s", async ([, statements, expected]) => {
    expect(await batch(...statements)).toMatchObject(expected as object);
  });

  test.for<[string, Statement, RegExp]>([
    [
      "a broken constraint",
      { sql: "INSERT INTO notes (text) VALUES ('a')" },
      /^Error: D1_ERROR: UNIQUE constraint failed: notes\.text: SQLITE_CONSTRAINT/,
    ],
    ["wrong SQL", { sql: "SELEC 1" }, /^Error: D1_ERROR: near "SELEC": syntax error/],
    ["an unknown table", { sql: "SELECT 1 FROM absent" }, /^Error: D1_ERROR: no such table: absent/],
    ["too few values", { sql: "SELECT ?1", values: [] }, /^Error: D1_ERROR: Wrong number of parameter/],
    ["a transaction", { sql: "BEGIN" }, /^Error: D1_ERROR: .*state\.storage\.transaction/],
    [
      "101 values",
      { sql: `SELECT max(${"?, ".repeat(100)}?)`, values: Array(101).fill(1) },
      /too many SQL var/,
    ],
    ["a statement over 100 kB", { sql: `SELECT 1 -- ${"x".repeat(100_000)}` }, /^Error: D1_ERROR: /],
    [
      "undefined",
      { sql: "SELECT ?1", values: [undefined] },
      /^Error: D1_TYPE_ERROR: Type 'undefined' not sup/,
    ],
    [
      "an object",
      { sql: "SELECT ?1", values: [{ a: 1 }] },
      /^Error: D1_TYPE_ERROR: Type 'object' not supported/,
    ],
  ])("the error of %s", async ([, statement, message]) => {
    expect(await batch(statement)).toMatch(message);
  });

  test("nothing of a batch is written if a statement fails, and the counts stay right", async () => {
    const failing = [
      { sql: "INSERT INTO notes (text) VALUES ('d')" },
      { sql: "INSERT INTO notes (text) VALUES ('a')" },
    ];
    expect(await batch(...failing)).toMatch(/UNIQUE/);
    expect(await batch({ sql: "SELECT count(*) AS n FROM notes" })).toMatchObject([{ results: [{ n: 3 }] }]);
    expect(await batch({ sql: "DELETE FROM notes" })).toMatchObject([{ changes: 3 }]);
  });
});

describe("the local database", () => {
  test("refuses values over 2 MB, as D1 does on Cloudflare", async () => {
    const sql = "SELECT length(?1) AS n";
    const { results } = await local.prepare(sql).bind("é".repeat(1_000_000)).all();
    expect(results).toEqual([{ n: 1_000_000 }]);
    expect(() => local.prepare(sql).bind("é".repeat(1_000_001))).toThrow(
      "string or blob too big: SQLITE_TOOBIG",
    );
  });

  test("runs as many statements for an invocation as it may", async () => {
    const client = openDatabase(DATABASE, 3);
    const one = client.prepare("SELECT 1 AS n");
    await client.batch([one, one]);
    await one.all();
    await expect(one.all()).rejects.toThrow("D1_ERROR: too many queries in one invocation");
    expect((await local.prepare("SELECT 1 AS n").all()).results).toEqual([{ n: 1 }]);
  });

  test("limits an entrypoint, which has an instance for each call, and not an object, which has one for many", async () => {
    class Base {
      readonly db: D1Database;
      constructor(_: unknown, { DB }: { DB: D1Database }) {
        this.db = DB;
      }
    }
    const bindings = { DATABASE, STATEMENTS_MAX: "1" };
    const [entrypoint, object] = [entrypointOnDatabase, objectOnDatabase].map(
      (on) => new (on(Base))(undefined as never, bindings as never) as Base,
    );
    const two = (base: Base | undefined) => {
      const one = base?.db.prepare("SELECT 1 AS n");
      return one?.all().then(() => one.all());
    };
    await expect(two(entrypoint)).rejects.toThrow("too many queries in one invocation");
    expect((await two(object))?.results).toEqual([{ n: 1 }]);
  });

  test("runs concurrent batches one after the other", async () => {
    const next = "INSERT INTO notes (text) SELECT ?1 || (max(id) + 1) FROM notes RETURNING id, text";
    const batches = Array.from({ length: 20 }, (_, i) =>
      local.batch<{ id: number }>([local.prepare(next).bind(`${i} `), local.prepare(next).bind(`${i} `)]),
    );
    const rows = (await Promise.all(batches)).map((answers) => answers.map(({ results }) => results[0]));
    for (const [first, second] of rows) expect(Number(second?.id)).toBe(Number(first?.id) + 1);
    expect(new Set(rows.flat().map((row) => row?.id)).size).toBe(40);
  });

  test("answers again after it was reset", async () => {
    await batch({ sql: "INSERT INTO notes (text) VALUES ('kept')" });
    await DATABASE.getByName("DB")
      .abort()
      .catch(() => {});
    expect((await local.prepare("SELECT text FROM notes WHERE id = 4").all()).results).toEqual([
      { text: "kept" },
    ]);
  });
});

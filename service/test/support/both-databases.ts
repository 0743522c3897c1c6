import { applyD1Migrations } from "cloudflare:test";
import { isDeepStrictEqual } from "node:util";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import { type Database as LocalDatabase, openDatabase } from "@engram/local/database";
import type { CallInterceptor, Database, DatabaseCall } from "../../src/platform/database-calls.ts";

interface Difference {
  sql: string;
  values: unknown[];
  d1: unknown;
  local: unknown;
}

/** Statements whose rows are random, or tell of the tables that each database has of its own. */
const OF_ITS_OWN = /\brandom\(|\bsqlite_(master|schema)\b|\bd1_migrations\b/;

const recorded: DatabaseCall[] = [];

/** Records the calls of a database for {@link replay}. */
export const recordCalls: CallInterceptor = (call, send) => {
  recorded.push(call);
  return send();
};

/**
 * Runs the recorded calls, one after the other, on D1 and on the database of `npm start`. Returns the statements for
 * which rows, errors, counts of changes, or numbers of rows read and written differ.
 */
export async function replay(
  d1: D1Database,
  namespace: DurableObjectNamespace<LocalDatabase>,
  migrations: D1Migration[],
): Promise<Difference[]> {
  const local = openDatabase(namespace);
  await migrate(d1, local, migrations);
  const differences: Difference[] = [];
  for (const call of recorded.splice(0)) {
    const [ofD1, ofLocal] = [await answerOf(d1, call), await answerOf(local, call)];
    const i = ofD1.findIndex(
      (answer, at) =>
        !OF_ITS_OWN.test(call.statements[at]?.sql ?? "") && !isDeepStrictEqual(answer, ofLocal[at]),
    );
    const { sql = "", values = [] } = call.statements[i] ?? {};
    if (i >= 0) differences.push({ sql, values, d1: ofD1[i], local: ofLocal[i] });
  }
  return differences;
}

/** What a call answers, without what depends on time and on how much space a database has allocated. */
async function answerOf(db: Database, { statements }: DatabaseCall): Promise<unknown[]> {
  try {
    const results = await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
    return results.map(({ results: rows, meta }) => {
      const { changes, rows_read, rows_written } = meta;
      return { rows, changes, rows_read, rows_written };
    });
  } catch (error) {
    return [String(error)];
  }
}

/** Both get the same table of migrations, because the service reads it. */
async function migrate(d1: D1Database, local: D1Database, migrations: D1Migration[]): Promise<void> {
  const run = (...sqls: string[]) => local.batch(sqls.map((sql) => local.prepare(sql)));
  const [tables] = await run("SELECT name FROM sqlite_schema WHERE name = 'd1_migrations'");
  if (tables?.results.length !== 0) return;
  await applyD1Migrations(d1, migrations);
  await run("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
  for (const { name, queries } of migrations)
    await run(...queries, `INSERT INTO d1_migrations (name) VALUES ('${name}')`);
}

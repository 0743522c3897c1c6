import { z } from "zod";
import type { DeployConfig } from "./config.ts";
import { DeployError } from "./deploy-error.ts";
import type { Step, StepContext } from "./steps.ts";
import { failed, parseJson, readJson, runWrangler, type Wrangler } from "./wrangler.ts";

const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Names = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })]);
const Count = z.tuple([z.object({ results: z.tuple([z.object({ count: z.number() })]) })]);
/** The tables of a database but those of SQLite, of D1 and of the record of migrations. */
const SELECT_TABLES = String.raw`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\' AND name <> 'd1_migrations' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', name`;
/** Part of D1's error message if no migration was ever applied: applying the first one creates this table. */
const NO_MIGRATIONS_TABLE = "no such table: d1_migrations";

export interface Database {
  appliedMigrations: string[];
  /** Tables of a deployment that stopped within the first migration, virtual tables first. Usually empty. */
  leftTables: string[];
}

/**
 * Undefined if wrangler.toml has no database id and the account has no database of the configured name.
 *
 * @throws {DeployError} If wrangler fails, wrangler.toml has an id that no database of the account has, or a database
 * without applied migrations holds data.
 */
export async function readDatabase({ wrangler, config }: StepContext): Promise<Database | undefined> {
  const { id, name } = config.database;
  const all = await readJson(wrangler, ["d1", "list", "--json"], Databases);
  if (id !== undefined && !all.some(({ uuid }) => uuid === id)) {
    throw new DeployError(
      `wrangler.toml names the D1 database ${id}, which this account does not have.\n` +
        `Remove the line database_id: then "${name}" is looked up by its name, and made if there is none.`,
    );
  }
  if (id === undefined && !all.some((database) => database.name === name)) return undefined;
  const appliedMigrations = await readAppliedMigrations(wrangler, config);
  const leftTables = appliedMigrations.length === 0 ? await readLeftTables(wrangler, config) : [];
  return { appliedMigrations, leftTables };
}

export function databaseStep({ wrangler, config }: StepContext, database: Database | undefined): Step {
  const { name } = config.database;
  if (database !== undefined) return { title: "D1 database", text: `${name} is there` };
  return {
    title: "D1 database",
    text: `create ${name}`,
    async change() {
      await runWrangler(wrangler, ["d1", "create", name]);
      return `${name} created`;
    },
  };
}

/** @throws {DeployError} If the tables are not of a first migration that stopped, so that nothing may remove them. */
async function readLeftTables(wrangler: Wrangler, { database, migrations }: DeployConfig): Promise<string[]> {
  const query = (sql: string) => ["d1", "execute", database.binding, "--remote", "--json", "--command", sql];
  const [{ results }] = await readJson(wrangler, query(SELECT_TABLES), Names);
  const tables = results.map(({ name }) => name);
  const created = new Set(migrations.flatMap(({ sql }) => createdTables(sql)));
  const foreign = tables.filter((name) => !created.has(name) && !isShadow(name, created));
  if (foreign.length > 0)
    throw new DeployError(
      `The database "${database.name}" has tables of something else: ${foreign.join(", ")}.\n` +
        "Give another database_name in wrangler.toml.",
    );
  if (!tables.includes("organizations")) return tables;
  const counted = query("SELECT count(*) AS count FROM organizations");
  const [
    {
      results: [{ count }],
    },
  ] = await readJson(wrangler, counted, Count);
  if (count > 0)
    throw new DeployError(
      `The database "${database.name}" holds ${count} organizations, but no record of its migrations.\n` +
        "Nothing was changed. Restore the table d1_migrations, or the database (wrangler d1 time-travel).",
    );
  return tables;
}

function createdTables(sql: string): string[] {
  return [...sql.matchAll(/^CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(
    ([, name = ""]) => name,
  );
}

/** Whether FTS5 keeps a part of a virtual table in this one. */
function isShadow(name: string, created: ReadonlySet<string>): boolean {
  return created.has(name.replace(/_(config|content|data|docsize|idx)$/, ""));
}

/** Names of the applied migrations, in the order in which they were applied. */
export async function readAppliedMigrations(
  wrangler: Wrangler,
  { database }: DeployConfig,
): Promise<string[]> {
  // Not `d1 migrations list`: it creates the table, but reading the state must not change anything.
  const sql = "SELECT name FROM d1_migrations ORDER BY id";
  const args = ["d1", "execute", database.binding, "--remote", "--json", "--command", sql];
  const result = await wrangler(args);
  if (result.code !== 0 && result.stdout.includes(NO_MIGRATIONS_TABLE)) return [];
  const rows = result.code === 0 ? parseJson(result.stdout, Names) : undefined;
  if (rows === undefined) throw failed(args, result);
  return rows[0].results.map(({ name }) => name);
}

import { z } from "zod";
import type { DeployConfig } from "./config.ts";
import { DeployError } from "./deploy-error.ts";
import { askLocation } from "./location.ts";
import { isLocation, LOCATIONS, type Location, REGIONS } from "./regions.ts";
import type { Step, StepContext } from "./steps.ts";
import type { Ask } from "./terminal.ts";
import { failed, parseJson, readJson, runWrangler, type Wrangler } from "./wrangler.ts";

const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Names = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })]);
const Info = z.object({ running_in_region: z.string() });
const Count = z.tuple([z.object({ results: z.tuple([z.object({ count: z.number() })]) })]);
/** The tables of a database but those of SQLite, of D1 and of the record of migrations. */
const SELECT_TABLES = String.raw`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\' AND name <> 'd1_migrations' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', name`;
/** Part of D1's error message if no migration was ever applied: applying the first one creates this table. */
const NO_MIGRATIONS_TABLE = "no such table: d1_migrations";

const HOW_TO_CHOOSE = `D1 creates the database near this machine, and it stays there. To choose: --location=${LOCATIONS.join("|")}`;

export interface Database {
  appliedMigrations: string[];
  /** Tables of a deployment that stopped within the first migration, virtual tables first. Usually empty. */
  leftTables: string[];
  /** Undefined if D1 does not name it. */
  location: Location | undefined;
}

export interface LocationChoice {
  /** Given as an argument of the command. */
  location?: Location | undefined;
  /** Absent if there is no terminal. */
  ask?: Ask | undefined;
}

/**
 * Undefined if wrangler.toml has no database id and the account has no database of the configured name.
 *
 * @throws {DeployError} If wrangler fails, wrangler.toml has an id that no database of the account has, or a database
 * without applied migrations holds data.
 */
export async function readDatabase(ctx: StepContext): Promise<Database | undefined> {
  const { wrangler, config } = ctx;
  const { id, name } = config.database;
  const all = await readJson(wrangler, ["d1", "list", "--json"], Databases);
  if (id !== undefined && !all.some(({ uuid }) => uuid === id)) {
    throw new DeployError(
      `wrangler.toml names the D1 database ${id}, which this account does not have.\n` +
        `Remove the line database_id: then "${name}" is looked up by its name, and made if there is none.`,
    );
  }
  if (id === undefined && !all.some((database) => database.name === name)) return undefined;
  const [appliedMigrations, location] = await Promise.all([
    readAppliedMigrations(wrangler, config),
    readLocation(ctx),
  ]);
  const leftTables = appliedMigrations.length === 0 ? await readLeftTables(wrangler, config) : [];
  return { appliedMigrations, leftTables, location };
}

/** The location of the existing database. Undefined if D1 does not name it, or names one that is not in `REGIONS`. */
export async function readLocation({ wrangler, config }: StepContext): Promise<Location | undefined> {
  const result = await wrangler(["d1", "info", config.database.binding, "--json"]);
  const region = parseJson(result.stdout, Info)?.running_in_region.toLowerCase();
  return region !== undefined && isLocation(region) ? region : undefined;
}

export function databaseStep(ctx: StepContext, database: Database | undefined, choice: LocationChoice): Step {
  const title = "D1 database";
  const { name } = ctx.config.database;
  if (database !== undefined) return existingStep(name, database, choice);
  const { location: given, ask } = choice;
  const isAsked = given === undefined && ask !== undefined;
  return {
    title,
    text: isAsked ? `create ${name}, ask where` : `create ${name} ${describe(given)}`,
    note: given === undefined && !isAsked ? HOW_TO_CHOOSE : undefined,
    async change() {
      const location = isAsked ? await askLocation(ask) : given;
      const hint = location === undefined ? [] : [`--location=${location}`];
      await runWrangler(ctx.wrangler, ["d1", "create", name, ...hint]);
      return `${name} created ${describe(location)}`;
    },
  };
}

function existingStep(name: string, { location }: Database, { location: given }: LocationChoice): Step {
  const isElsewhere = given !== undefined && location !== undefined && given !== location;
  return {
    title: "D1 database",
    text: `${name} is there${location === undefined ? "" : `, ${describe(location)}`}`,
    note: isElsewhere
      ? `--location=${given} has no effect: a database stays where it was created.`
      : undefined,
  };
}

function describe(location: Location | undefined): string {
  return location === undefined ? "where D1 chooses" : `in ${location} (${REGIONS[location].name})`;
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

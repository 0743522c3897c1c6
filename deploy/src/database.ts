import { z } from "zod";
import type { DeployConfig } from "./config.ts";
import type { Context } from "./context.ts";
import { DeployError } from "./deploy-error.ts";
import { isLocation, LOCATION_NAMES, LOCATIONS, type Location } from "./locations.ts";
import type { Ask } from "./terminal.ts";
import { failed, parseJson, readJson, runWrangler, type Wrangler } from "./wrangler.ts";

const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Names = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })]);
/** The tables of a database but those of SQLite and of D1. */
const SELECT_TABLES = String.raw`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_cf\_%' ESCAPE '\' AND name <> 'd1_migrations'`;
/** Part of D1's error message if no migration was ever applied: applying the first one creates this table. */
const NO_MIGRATIONS_TABLE = "no such table: d1_migrations";
const TITLE = "D1 database";

export interface Database {
  appliedMigrations: string[];
}

/**
 * Undefined if wrangler.toml has no database id and the account has no database of the configured name.
 *
 * @throws {DeployError} If wrangler fails, wrangler.toml has an id that no database of the account has, or the
 * database has tables but no applied migration.
 */
export async function readDatabase({ wrangler, config }: Context): Promise<Database | undefined> {
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
  if (appliedMigrations.length === 0) {
    const [{ results }] = await readJson(wrangler, queryArgs(config, SELECT_TABLES), Names);
    if (results.length > 0)
      throw new DeployError(
        `The database "${name}" has tables, but no record of Engram's migrations: ${results.map((table) => table.name).join(", ")}.\n` +
          "Nothing was changed. Give another database_name in wrangler.toml, or restore this database: npx wrangler d1 time-travel",
      );
  }
  return { appliedMigrations };
}

/** @param given Location given to the command. @param ask Asks the user a question. Absent if there is no terminal. */
export async function createDatabase(
  { wrangler, config, progress }: Context,
  database: Database | undefined,
  { location: given, ask }: { location?: Location | undefined; ask?: Ask | undefined },
): Promise<void> {
  const { name } = config.database;
  if (database !== undefined) {
    if (given !== undefined)
      progress.note(`--location=${given} has no effect: a database stays where it was created.`);
    return progress.step(TITLE, `${name} is there`);
  }
  if (given === undefined && ask === undefined)
    progress.note(
      `D1 creates the database near this machine, and it stays there. To choose: --location=${LOCATIONS.join("|")}`,
    );
  await progress.step(TITLE, `create ${name}`, async () => {
    const location = given ?? (ask === undefined ? undefined : await askLocation(ask));
    const hint = location === undefined ? [] : [`--location=${location}`];
    await runWrangler(wrangler, ["d1", "create", name, ...hint]);
    return `${name} created ${location === undefined ? "where D1 chooses" : `in ${location} (${LOCATION_NAMES[location]})`}`;
  });
}

/** Undefined, after an empty answer, leaves the choice to D1. */
async function askLocation(ask: Ask): Promise<Location | undefined> {
  const choices = LOCATIONS.map((location) => `${location} (${LOCATION_NAMES[location]})`).join(", ");
  const answer = await ask(`Location of the database, for good: ${choices}.\nEnter for where D1 chooses: `);
  if (answer === "") return undefined;
  if (isLocation(answer.toLowerCase())) return answer.toLowerCase() as Location;
  throw new DeployError(`The location must be one of: ${LOCATIONS.join(", ")}.`);
}

/** Names of the applied migrations, in the order in which they were applied. */
export async function readAppliedMigrations(wrangler: Wrangler, config: DeployConfig): Promise<string[]> {
  // Not `d1 migrations list`: it creates the table, but reading the state must not change anything.
  const args = queryArgs(config, "SELECT name FROM d1_migrations ORDER BY id");
  const result = await wrangler(args);
  if (result.code !== 0 && result.stdout.includes(NO_MIGRATIONS_TABLE)) return [];
  const rows = result.code === 0 ? parseJson(result.stdout, Names) : undefined;
  if (rows === undefined) throw failed(args, result);
  return rows[0].results.map(({ name }) => name);
}

const queryArgs = ({ database }: DeployConfig, sql: string): string[] => [
  ...["d1", "execute", database.binding, "--remote", "--json", "--command"],
  sql,
];

import { z } from "zod";
import type { DeployConfig } from "./config.ts";
import { DeployError } from "./deploy-error.ts";
import type { Step, StepContext } from "./steps.ts";
import { failed, parseJson, readJson, runWrangler, type Wrangler } from "./wrangler.ts";

const Databases = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Rows = z.tuple([z.object({ results: z.array(z.object({ name: z.string() })) })]);
/** Part of D1's error message if no migration was ever applied: applying the first one creates this table. */
const NO_MIGRATIONS_TABLE = "no such table: d1_migrations";

export interface Database {
  appliedMigrations: string[];
}

/**
 * Undefined if wrangler.toml has no database id and the account has no database of the configured name.
 *
 * @throws {DeployError} If wrangler fails, or wrangler.toml has an id that no database of the account has.
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
  return { appliedMigrations: await readAppliedMigrations(wrangler, config) };
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

export function migrationsStep({ wrangler, config }: StepContext, database: Database | undefined): Step {
  const title = "Migrations";
  const applied = database?.appliedMigrations ?? [];
  const missing = config.migrations.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !config.migrations.includes(name));
  const note =
    unknown.length === 0
      ? undefined
      : `The database has ${unknown.join(", ")}, too: a newer version was deployed before this one.`;
  if (missing.length === 0) return { title, text: `${applied.length} applied, none missing`, note };
  return {
    title,
    text: `apply ${missing.join(", ")}`,
    note,
    async change() {
      const args = ["d1", "migrations", "apply", config.database.binding, "--remote"];
      const result = await runWrangler(wrangler, args);
      // wrangler can exit with 0 although a migration failed, so the applied migrations are read again.
      const now = await readAppliedMigrations(wrangler, config);
      if (missing.some((name) => !now.includes(name))) throw failed(args, result);
      return `${missing.join(", ")} applied`;
    },
  };
}

async function readAppliedMigrations(wrangler: Wrangler, { database }: DeployConfig): Promise<string[]> {
  // Not `d1 migrations list`: it creates the table, but reading the state must not change anything.
  const sql = "SELECT name FROM d1_migrations ORDER BY id";
  const args = ["d1", "execute", database.binding, "--remote", "--json", "--command", sql];
  const result = await wrangler(args);
  if (result.code !== 0 && result.stdout.includes(NO_MIGRATIONS_TABLE)) return [];
  const rows = result.code === 0 ? parseJson(result.stdout, Rows) : undefined;
  if (rows === undefined) throw failed(args, result);
  return rows[0].results.map(({ name }) => name);
}

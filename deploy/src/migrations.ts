import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CREATE_MIGRATIONS_TABLE, withRecord } from "@engram/local/migrations";
import { type Database, readAppliedMigrations } from "./database.ts";
import type { Step, StepContext } from "./steps.ts";
import { failed } from "./wrangler.ts";

/**
 * Applies the missing migrations by D1's import, all of them or none. `wrangler d1 migrations apply` sends a migration
 * to the query API instead, where one that failed has left its first statements applied, and a repeat then failed,
 * too (cloudflare/workers-sdk issues 15178 and 15690).
 */
export function migrationsStep({ wrangler, config }: StepContext, database: Database | undefined): Step {
  const title = "Migrations";
  const applied = database?.appliedMigrations ?? [];
  const leftTables = database?.leftTables ?? [];
  const all = config.migrations.map(({ name }) => name);
  const missing = config.migrations.filter(({ name }) => !applied.includes(name));
  const unknown = applied.filter((name) => !all.includes(name));
  const notes = [
    ...(unknown.length === 0
      ? []
      : [`The database has ${unknown.join(", ")}, too: a newer version was deployed before this one.`]),
    ...(leftTables.length === 0
      ? []
      : ["An earlier deployment stopped within the first migration. Its empty tables are made again."]),
  ];
  const note = notes.length === 0 ? undefined : notes.join("\n");
  if (missing.length === 0) return { title, text: `${applied.length} applied, none missing`, note };
  const names = missing.map(({ name }) => name).join(", ");
  return {
    title,
    text: `apply ${names}`,
    note,
    async change() {
      const folder = mkdtempSync(join(tmpdir(), "engram-migrations-"));
      try {
        const file = join(folder, "migrations.sql");
        const statements = [
          // D1 knows an import by the MD5 of its file, and does not run one again that it knows.
          `-- Attempt ${randomUUID()}`,
          ...leftTables.map((table) => `DROP TABLE IF EXISTS ${table};`),
          CREATE_MIGRATIONS_TABLE,
          ...missing.map(({ name, sql }) => withRecord(sql, name)),
        ];
        writeFileSync(file, `${statements.join("\n")}\n`);
        const args = [
          "d1",
          "execute",
          config.database.binding,
          "--remote",
          "--yes",
          "--json",
          "--file",
          file,
        ];
        const result = await wrangler(args);
        // wrangler can fail after the import was done, and end with 0 although it was not.
        const now = await readAppliedMigrations(wrangler, config);
        if (missing.some(({ name }) => !now.includes(name))) throw failed(args, result);
        return `${names} applied`;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

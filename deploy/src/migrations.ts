import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CREATE_MIGRATIONS_TABLE, withRecord } from "@engram/local/migrations";
import type { Context } from "./context.ts";
import { readAppliedMigrations } from "./database.ts";
import { failed } from "./wrangler.ts";

/**
 * Applies the missing migrations by D1's import, all of them or none. `wrangler d1 migrations apply` sends a migration
 * to the query API instead, where one that failed has left its first statements applied, and a repeat then failed,
 * too (cloudflare/workers-sdk issues 15178 and 15690).
 */
export async function applyMigrations(
  { wrangler, config, progress }: Context,
  applied: readonly string[],
): Promise<void> {
  const missing = config.migrations.filter(({ name }) => !applied.includes(name));
  const unknown = applied.filter((applied) => !config.migrations.some(({ name }) => name === applied));
  if (unknown.length > 0)
    progress.note(
      `The database has ${unknown.join(", ")}, too: a newer version was deployed before this one.`,
    );
  const names = missing.map(({ name }) => name).join(", ");
  if (missing.length === 0) return progress.step("Migrations", `${applied.length} applied, none missing`);
  await progress.step("Migrations", `apply ${names}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "engram-migrations-"));
    try {
      const file = join(folder, "migrations.sql");
      const statements = [
        // D1 knows an import by the MD5 of its file, and does not run one again that it knows.
        `-- Attempt ${randomUUID()}`,
        CREATE_MIGRATIONS_TABLE,
        ...missing.map(({ name, sql }) => withRecord(sql, name)),
      ];
      writeFileSync(file, `${statements.join("\n")}\n`);
      const args = ["d1", "execute", config.database.binding, "--remote", "--yes", "--json", "--file", file];
      const result = await wrangler(args);
      // wrangler can fail after the import was done, and end with 0 although it was not.
      const now = await readAppliedMigrations(wrangler, config);
      if (missing.some(({ name }) => !now.includes(name))) throw failed(args, result);
      return `${names} applied`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

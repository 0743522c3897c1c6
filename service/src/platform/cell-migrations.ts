import { MIGRATIONS } from "./generated/migrations.ts";

/**
 * Applies the missing migrations to the database of a cell.
 *
 * @returns Whether it had none before.
 */
export function migrate(storage: DurableObjectStorage): boolean {
  const { sql } = storage;
  // The table of D1, so that the service finds the migrations of either database.
  sql.exec(`CREATE TABLE IF NOT EXISTS d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`);
  const applied = new Set(
    Array.from(sql.exec<{ name: string }>("SELECT name FROM d1_migrations"), ({ name }) => name),
  );
  for (const migration of MIGRATIONS) {
    if (applied.has(migration.name)) continue;
    storage.transactionSync(() => {
      sql.exec(migration.sql);
      sql.exec("INSERT INTO d1_migrations (name) VALUES (?)", migration.name);
    });
  }
  return applied.size === 0;
}

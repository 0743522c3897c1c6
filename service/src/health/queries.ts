import { onlyRow, run, sql } from "../platform/sql.ts";

/** Both `wrangler` and `npm start` record migrations in the table `d1_migrations`. */
export const hasMigration = (db: D1Database, name: string): Promise<boolean> =>
  run(
    db,
    onlyRow(
      sql`SELECT EXISTS (SELECT 1 FROM d1_migrations WHERE name = ${name}) AS is_applied`,
      ({ is_applied }: { is_applied: 0 | 1 }) => is_applied === 1,
    ),
  );

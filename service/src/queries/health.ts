/** Whether a migration was applied, according to the table that wrangler and the local start maintain. */
export async function hasMigration(db: D1Database, name: string): Promise<boolean> {
  const row = await db.prepare("SELECT 1 AS found FROM d1_migrations WHERE name = ?1").bind(name).first();
  return row !== null;
}

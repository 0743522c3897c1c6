import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Disk } from "../../src/start/disk.ts";
import { applyMigrations, peekAppliedMigrations } from "../../src/start/migrations.ts";
import { StartError } from "../../src/start/start-error.ts";
import { preparingWorker, readProductionConfig, startRuntime } from "../../src/start/workers.ts";
import { ROOT } from "./running.ts";

const directory = mkdtempSync(join(tmpdir(), "engram-migrations-"));
const migrations = join(directory, "migrations");
const statePath = join(directory, "v3");
mkdirSync(migrations);
mkdirSync(statePath);

const preparing = preparingWorker({
  config: readProductionConfig(ROOT),
  manifest: {
    mainModule: "index.mjs",
    modules: { "index.mjs": { type: "esm", contents: "export default {};" } },
  },
  adminToken: "",
});
const disk = new Disk({ path: directory, note: () => {} });
const runtime = await startRuntime({ statePath, temporaryPath: directory }, [preparing], disk);
const db = await runtime.getD1Database("DB");

afterAll(async () => {
  await runtime.dispose();
  rmSync(directory, { recursive: true, force: true });
});

it("migrations are applied once each, in order, whatever semicolons they contain, and recorded as wrangler does", async () => {
  writeFileSync(
    join(migrations, "0001_tables.sql"),
    `CREATE TABLE notes (text TEXT); -- one; two
     CREATE TABLE log (text TEXT);
     CREATE TRIGGER notes_logged AFTER INSERT ON notes BEGIN
       INSERT INTO log VALUES ('a;
b');
       INSERT INTO log VALUES (new.text);
     END;
     /* and; */`,
  );
  writeFileSync(
    join(migrations, "0010_row.sql"),
    "INSERT INTO notes SELECT name FROM early;\n-- no line end",
  );
  writeFileSync(join(migrations, "0002_early.sql"), "CREATE TABLE early AS SELECT 'early' AS name;");

  expect(await applyMigrations(db, migrations)).toEqual([
    "0001_tables.sql",
    "0002_early.sql",
    "0010_row.sql",
  ]);
  expect(await applyMigrations(db, migrations)).toEqual([]);
  const { results } = await db.prepare("SELECT text FROM log").all();
  expect(results).toEqual([{ text: "a;\nb" }, { text: "early" }]);
  expect([...peekAppliedMigrations(statePath)]).toEqual([
    "0001_tables.sql",
    "0002_early.sql",
    "0010_row.sql",
  ]);
});

it("a migration that fails is named and not applied, and those before it stay", async () => {
  writeFileSync(join(migrations, "0011_good.sql"), "CREATE TABLE good (a);");
  writeFileSync(join(migrations, "0012_bad.sql"), "CREATE TABLE half (a);\nINSERT INTO missing VALUES (1);");

  await expect(applyMigrations(db, migrations)).rejects.toThrow(/0012_bad\.sql[\s\S]*missing/);
  const { results } = await db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('good', 'half')").all();
  expect(results).toEqual([{ name: "good" }]);
  expect([...peekAppliedMigrations(statePath)].at(-1)).toBe("0011_good.sql");
});

it("a database with migrations of no release is refused in one line, and left unchanged", async () => {
  await db
    .prepare("UPDATE d1_migrations SET name = '0002_unreleased.sql' WHERE name = '0002_early.sql'")
    .run();
  writeFileSync(join(migrations, "0012_bad.sql"), "CREATE TABLE mended (a);");

  const refused = await applyMigrations(db, migrations).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartError);
  expect((refused as StartError).message).toMatch(
    /^The data directory is from before the first release: .*`engram export`.*\.$/,
  );
  const { results } = await db.prepare("SELECT name FROM sqlite_schema WHERE name = 'mended'").all();
  expect(results).toEqual([]);
});

it("a database of a later release with additional migrations is accepted", async () => {
  rmSync(join(migrations, "0002_early.sql"));
  rmSync(join(migrations, "0012_bad.sql"));
  expect(await applyMigrations(db, migrations)).toEqual([]);
});

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test } from "vitest";
import { backUp, restore } from "../../src/backup/backup.ts";
import { headerOf, readHeader } from "../../src/backup/tar.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A data directory with a database in WAL mode, an object of an archive, and the secrets. */
function makeData() {
  const folder = mkdtempSync(join(tmpdir(), "engram-backup-"));
  folders.push(folder);
  const data = join(folder, "data");
  mkdirSync(join(data, "v3/do/engram"), { recursive: true });
  mkdirSync(join(data, "v3/r2/archives/blobs"), { recursive: true });
  const database = new DatabaseSync(join(data, "v3/do/engram/d1.sqlite"));
  database.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('one')",
  );
  // A number that `VACUUM` would change.
  database.exec("INSERT INTO words (rowid, word) VALUES (99, 'ninety-nine')");
  writeFileSync(join(data, "v3/r2/archives/blobs/1"), "x".repeat(1_500_000));
  writeFileSync(join(data, "key"), "engram_sk_live_1\n");
  writeFileSync(join(data, "admin-token"), "engram_admin_1\n");
  return { folder, data, database, file: join(folder, "backup.tar"), other: join(folder, "other") };
}

const wordsIn = (data: string) => {
  const database = new DatabaseSync(join(data, "v3/do/engram/d1.sqlite"), { readOnly: true });
  try {
    return database
      .prepare("SELECT rowid, word FROM words ORDER BY rowid")
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
};

const digestOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

test("a backup has what is in the log of a database that is open, and a restore gives all of it back", async () => {
  const { data, database, file, other } = makeData();
  expect((await backUp(data, file)).files).toBe(4);
  database.exec("DELETE FROM words");
  await restore(file, other);
  expect(wordsIn(other)).toEqual([
    { rowid: 1, word: "one" },
    { rowid: 99, word: "ninety-nine" },
  ]);
  for (const name of ["v3/r2/archives/blobs/1", "key", "admin-token"])
    expect(digestOf(join(other, name))).toBe(digestOf(join(data, name)));
  database.close();
});

test("a restore changes nothing where there is data, or from a backup that is damaged or cut off", async () => {
  const { folder, data, database, file, other } = makeData();
  await backUp(data, file);
  await expect(restore(file, data)).rejects.toThrow("has data of a service already");
  const bytes = readFileSync(file);
  bytes.writeUInt8(1, bytes.indexOf("xxxx") + 9);
  writeFileSync(join(folder, "damaged"), bytes);
  await expect(restore(join(folder, "damaged"), other)).rejects.toThrow("is damaged");
  truncateSync(file, 1_000_000);
  await expect(restore(file, other)).rejects.toThrow("is no whole backup");
  expect([existsSync(other), readdirSync(folder).sort()]).toEqual([false, ["backup.tar", "damaged", "data"]]);
  database.close();
});

test("a restore writes nothing outside of its directory", async () => {
  const { folder, other } = makeData();
  for (const name of ["../evil", "v3/../../evil", "/etc/evil", "lock"]) {
    const file = join(folder, "evil.tar");
    writeFileSync(file, Buffer.concat([headerOf({ name, bytes: 0 }), Buffer.alloc(1_024)]));
    await expect(restore(file, other)).rejects.toThrow("none of a service");
  }
});

test("a header keeps the size of a file of any size, and a long name", () => {
  for (const bytes of [0, 1, 8 ** 11 - 1, 8 ** 11, 2 ** 45])
    for (const name of ["v3/a", `v3/do/engram-local-VectorStore/${"a".repeat(64)}.sqlite`])
      expect(readHeader(headerOf({ name, bytes }))).toEqual({ name, bytes });
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, test } from "vitest";
import { toCodes, toUnit } from "../../src/platform/cell-vectors/codes.ts";
import {
  createTables,
  deleteVectors,
  type NewVector,
  upsertVector,
} from "../../src/platform/cell-vectors/tables.ts";

/** SQLite with the methods of an object's storage that the statements use. */
const toStorage = (database: DatabaseSync): SqlStorage =>
  ({
    exec(text: string, ...binds: SQLInputValue[]) {
      if (binds.length === 0) return database.exec(text);
      const rows = database.prepare(text).all(...binds);
      return { one: () => rows[0] };
    },
  }) as unknown as SqlStorage;

test("deleted and replaced vectors are overwritten in the file of the database", () => {
  const directory = mkdtempSync(join(tmpdir(), "engram-vectors-"));
  try {
    const file = join(directory, "cell.sqlite");
    const database = new DatabaseSync(file);
    const sql = toStorage(database);
    createTables(sql);
    const metadata = {
      ...{ conversation_id: "c", agent: "a", user: "u", kind: "memory" as const, model: "m" },
      ...{ day: 1, last_day: 1 },
    };
    const vectors = Array.from({ length: 300 }, (_, i): NewVector => {
      // Any numbers that differ from vector to vector.
      const unit = toUnit(Array.from({ length: 64 }, (_, at) => Math.sin((i + 1) * (at + 1) ** 2)));
      return { id: `v${i}`, metadata, textHash: "hash", unit, codes: toCodes(unit) };
    });
    for (const vector of vectors) upsertVector(sql, vector);
    const remaining = () => {
      const bytes = readFileSync(file);
      const has = (part: Uint8Array) => bytes.includes(part);
      return [
        vectors.filter(({ unit }) => has(new Uint8Array(unit.buffer))).length,
        vectors.filter(({ codes }) => has(codes)).length,
      ];
    };
    expect(remaining()).toEqual([300, 300]);
    const other = toUnit(Array.from({ length: 64 }, (_, at) => at + 1));
    for (const vector of vectors.slice(0, 100))
      upsertVector(sql, { ...vector, unit: other, codes: toCodes(other) });
    deleteVectors(
      sql,
      vectors.slice(100).map(({ id }) => id),
    );
    database.close();
    // SQLite keeps a copy of the first page, which it made when that page was full.
    for (const count of remaining()) expect(count).toBeLessThan(25);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

import type { SQLInputValue } from "node:sqlite";
import { checkBinds, type Database, type Table } from "./database.ts";

/** What an object may do with its storage while it lives. */
export interface StorageOwner {
  database(): Database;
  /** @throws {Error} If the object has been reset, which ends its work. */
  checkAlive(): void;
  /** Called before and after each transaction that is committed. May reset the object, and then throws. */
  onCommit(when: "before" | "after"): void;
  getAlarm(): number | null;
  setAlarm(atMs: number): void;
  deleteAll(): void;
}

/** The methods of a Durable Object's storage that the service uses. */
export function objectStorage(owner: StorageOwner): DurableObjectStorage {
  const exec = (sql: string, ...values: SQLInputValue[]) => {
    owner.checkAlive();
    checkBinds(values);
    if (values.length > 0 || !isScript(sql)) return cursorOf(owner.database().execute(sql, values));
    owner.database().runScript(sql);
    return cursorOf({ columns: [], rows: [] });
  };
  const storage = {
    sql: { exec, databaseSize: 0 },
    transactionSync: <T>(work: () => T): T => {
      owner.checkAlive();
      owner.onCommit("before");
      const result = owner.database().transaction(work);
      owner.onCommit("after");
      return result;
    },
    getAlarm: async () => {
      owner.checkAlive();
      return owner.getAlarm();
    },
    setAlarm: async (atMs: number) => {
      owner.checkAlive();
      owner.setAlarm(atMs);
    },
    deleteAll: async () => {
      owner.checkAlive();
      owner.deleteAll();
    },
  };
  return storage as unknown as DurableObjectStorage;
}

/** Only migrations have several statements. */
const isScript = (sql: string): boolean => /;\s*\S/.test(sql);

/** Bytes as an object's storage gives them. */
const toBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array ? Uint8Array.from(value).buffer : value;

function cursorOf({ columns, rows: stored }: Table) {
  const rows = stored.map((row) => row.map(toBuffer));
  const objects = () => rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  return {
    columnNames: columns,
    rowsRead: 0,
    rowsWritten: 0,
    raw: () => rows.values(),
    one: () => objects()[0],
    toArray: objects,
    [Symbol.iterator]: () => objects().values(),
  };
}

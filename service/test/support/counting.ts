import type { Env } from "../../src/invocation.ts";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { type DatabaseCall, interceptCalls, type Result } from "../../src/platform/database-calls.ts";
import { env } from "./env.ts";
import { someTurns } from "./runtime.ts";

/** D1's limits. The local runtime enforces few of them. */
const STRING_BYTES_MAX = 2_000_000;
const BINDS_MAX = 100;
const SQL_BYTES_MAX = 100_000;
const STATEMENTS_MAX = 1_000;

interface Call {
  name: string;
  start: number;
  end: number;
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number =>
  typeof value === "string" ? encoder.encode(value).byteLength : 0;

/** Bindings that record every call of one invocation, and what would break a limit of Cloudflare's. */
export class Ledger {
  readonly calls: Call[] = [];
  readonly violations: string[] = [];
  statements = 0;
  longestStringBytes = 0;
  /** Bytes of text that D1 returned. */
  readBytes = 0;
  /** Whether a call waits until no other runs or begins, so that calls that do not need each other overlap. */
  isHolding = false;
  #held: Promise<void> | null = null;
  #running = 0;
  #moment = 0;

  reset(): void {
    this.calls.length = 0;
    this.statements = 0;
    this.readBytes = 0;
  }

  /** The number of calls by name. Calls of other services, also of earlier tests, do not count. */
  counts(): Record<string, number> {
    return Object.fromEntries(
      [...Map.groupBy(this.calls, ({ name }) => name)].map(([name, { length }]) => [name, length]),
    );
  }

  /** A logical time. A call with an earlier end was finished by then. */
  now(): number {
    return this.#moment++;
  }

  /** The longest chain of calls, up to a time, in which each begins after the previous one ended. */
  longestChain(until = Number.POSITIVE_INFINITY): string[] {
    const chains = new Map<Call, string[]>();
    for (const call of this.calls.filter(({ end }) => end < until).sort((a, b) => a.start - b.start)) {
      const before = [...chains].filter(([other]) => other.end < call.start).map(([, chain]) => chain);
      const longest = before.sort((a, b) => b.length - a.length)[0] ?? [];
      chains.set(call, [...longest, call.name]);
    }
    return [...chains.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  }

  /** A model without cost: every text has the same vector. */
  readonly sameVectors: AiBinding = {
    run: async (_, { text }: EmbeddingInput) => {
      const vector = Array.from({ length: Number(env.EMBEDDING_DIMENSIONS) }, () => 0.1);
      return { data: text.map(() => vector) };
    },
  };

  readonly bindings: Pick<Env, "DB" | "AI" | "VECTORIZE"> = {
    AI: { run: (...input) => this.#note("ai.run", () => env.AI.run(...input)) },
    VECTORIZE: {
      upsert: (vectors) => this.#note("vectorize.upsert", () => env.VECTORIZE.upsert(vectors)),
      query: (vector, options) => this.#note("vectorize.query", () => env.VECTORIZE.query(vector, options)),
      deleteByIds: (ids) => this.#note("vectorize.deleteByIds", () => env.VECTORIZE.deleteByIds(ids)),
      getByIds: (ids) => this.#note("vectorize.getByIds", () => env.VECTORIZE.getByIds(ids)),
    },
    DB: interceptCalls(env.DB, async ({ kind, statements }, send) => {
      for (const statement of statements) this.#checkStatement(statement);
      this.#run(statements.length);
      const results = await this.#note(`d1.${kind}`, send);
      for (const [i, { results: rows }] of results.entries()) this.#read(rows, statements[i]?.sql ?? "");
      return results;
    }),
  };

  #checkStatement({ sql, values }: DatabaseCall["statements"][number]): void {
    if (bytesOf(sql) > SQL_BYTES_MAX) this.#refuse(`${bytesOf(sql)} bytes of SQL`, sql);
    if (values.length > BINDS_MAX) this.#refuse(`${values.length} bound values`, sql);
    this.#check([values], sql);
  }

  #read(rows: unknown[], sql: string): void {
    this.#check(rows, sql);
    for (const row of rows) for (const value of Object.values(row ?? {})) this.readBytes += bytesOf(value);
  }

  /** D1's limit applies to every string that it receives or computes. */
  #check(rows: unknown[], sql: string): void {
    for (const row of rows) {
      if (typeof row !== "object" || row === null) continue;
      for (const value of Object.values(row)) {
        const bytes = bytesOf(value);
        this.longestStringBytes = Math.max(this.longestStringBytes, bytes);
        if (bytes > STRING_BYTES_MAX) this.#refuse(`a string of ${bytes} bytes`, sql);
      }
    }
  }

  #run(statements: number): void {
    this.statements += statements;
    if (this.statements > STATEMENTS_MAX) this.#refuse(`${this.statements} statements`, "");
  }

  #refuse(what: string, sql: string): never {
    const violation = `${what}: ${sql.replace(/\s+/g, " ").slice(0, 120)}`;
    this.violations.push(violation);
    throw new Error(violation);
  }

  async #note<T>(name: string, call: () => Promise<T>): Promise<T> {
    const noted: Call = { name, start: this.now(), end: Number.POSITIVE_INFINITY };
    this.calls.push(noted);
    await (this.isHolding ? this.#hold() : new Promise((resolve) => setTimeout(resolve)));
    this.#running += 1;
    try {
      return await call();
    } finally {
      this.#running -= 1;
      noted.end = this.now();
    }
  }

  /** All calls that are held end their waiting together. */
  #hold(): Promise<void> {
    this.#held ??= this.#untilQuiet().finally(() => {
      this.#held = null;
    });
    return this.#held;
  }

  async #untilQuiet(): Promise<void> {
    let begun: number;
    do {
      begun = this.calls.length;
      await someTurns();
    } while (this.#running > 0 || begun !== this.calls.length);
  }
}

/**
 * The largest row of the tables that hold callers' data: the sum of its columns in bytes, as D1 counts them.
 */
export async function largestRowBytes(): Promise<number> {
  const sizes: number[] = [];
  for (const table of [
    "messages",
    "conversations",
    "idempotency_keys",
    "operations",
    "index_jobs",
    "conversation_chunks",
  ]) {
    const { results } = await env.DB.prepare("SELECT name FROM pragma_table_info(?1)")
      .bind(table)
      .all<{ name: string }>();
    const sum = results.map(({ name }) => `coalesce(length(CAST(${name} AS BLOB)), 0)`).join(" + ");
    sizes.push(
      (await env.DB.prepare(`SELECT max(${sum}) AS bytes FROM ${table}`).first<number>("bytes")) ?? 0,
    );
  }
  return Math.max(...sizes);
}

/** A database that counts the rows that its statements read, as D1 bills them. */
export class RowsRead {
  total = 0;
  /** The statement that read the most rows. */
  most = { rows: 0, sql: "" };
  /** Every statement, with the rows that it read and wrote. */
  readonly statements: { sql: string; binds: unknown[]; read: number; written: number }[] = [];

  readonly db = interceptCalls(env.DB, async ({ statements }, send) => {
    const results = await send();
    for (const [i, { sql, values }] of statements.entries()) {
      const result = results[i];
      if (result !== undefined) this.#count(result.meta, sql, values);
    }
    return results;
  });

  reset(): void {
    this.total = 0;
    this.most = { rows: 0, sql: "" };
    this.statements.length = 0;
  }

  #count({ rows_read, rows_written }: Result["meta"], sql: string, binds: unknown[]): void {
    this.statements.push({ sql, binds, read: rows_read, written: rows_written });
    this.total += rows_read;
    if (rows_read > this.most.rows) this.most = { rows: rows_read, sql };
  }
}

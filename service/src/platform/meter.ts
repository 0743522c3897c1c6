import type { AiBinding } from "./ai.ts";
import type { VectorizeBinding } from "./vectors.ts";

/** Number and total duration of calls. Concurrent calls each add their own duration. */
export interface Calls {
  count: number;
  durationMs: number;
}

export class Meter {
  /** A batch of statements counts as one call. */
  readonly d1: Calls = { count: 0, durationMs: 0 };
  readonly ai: Calls = { count: 0, durationMs: 0 };
  readonly vectorize: Calls = { count: 0, durationMs: 0 };
  /** Rows that statements have read, as D1 bills them. */
  rowsRead = 0;
  /** Rows that statements have written, as D1 bills them. */
  rowsWritten = 0;
  /** Time in which D1 executed statements, as it states it: without the transfer of their results. */
  sqlMs = 0;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Wraps a database so that its calls and rows are counted. Supports only the methods that this service uses. */
  database(db: D1Database): D1Database {
    const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
    const count = (statement: D1PreparedStatement): D1PreparedStatement => {
      const all = async () => {
        const result = await this.#time(this.d1, () => statement.all());
        this.#addRows(result);
        return result;
      };
      const counted = {
        bind: (...values: unknown[]) => count(statement.bind(...values)),
        all,
        run: all,
        // D1's `first` does not say how many rows were read.
        first: async (column?: string) => {
          const row = (await all()).results[0] as Record<string, unknown> | undefined;
          return (column === undefined ? row : row?.[column]) ?? null;
        },
      } as unknown as D1PreparedStatement;
      originals.set(counted, statement);
      return counted;
    };
    return {
      prepare: (sql: string) => count(db.prepare(sql)),
      batch: async (statements: D1PreparedStatement[]) => {
        const own = statements.map((statement) => originals.get(statement) ?? statement);
        const results = await this.#time(this.d1, () => db.batch(own));
        for (const result of results) this.#addRows(result);
        return results;
      },
    } as unknown as D1Database;
  }

  model(ai: AiBinding): AiBinding {
    return { run: (model, input) => this.#time(this.ai, () => ai.run(model, input)) };
  }

  index(index: VectorizeBinding): VectorizeBinding {
    const time = <T>(call: () => Promise<T>) => this.#time(this.vectorize, call);
    return {
      upsert: (vectors) => time(() => index.upsert(vectors)),
      query: (vector, options) => time(() => index.query(vector, options)),
      deleteByIds: (ids) => time(() => index.deleteByIds(ids)),
      getByIds: (ids) => time(() => index.getByIds(ids)),
    };
  }

  #addRows({ meta }: D1Result): void {
    this.rowsRead += meta.rows_read;
    this.rowsWritten += meta.rows_written;
    this.sqlMs += meta.duration;
  }

  async #time<T>(calls: Calls, call: () => Promise<T>): Promise<T> {
    calls.count += 1;
    const startMs = this.#nowMs();
    try {
      return await call();
    } finally {
      calls.durationMs += this.#nowMs() - startMs;
    }
  }
}

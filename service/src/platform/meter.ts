import type { AiBinding } from "./ai.ts";
import type { CallInterceptor } from "./database-calls.ts";
import type { VectorizeBinding } from "./vectors.ts";

/** Number and total duration of calls. Concurrent calls each add their own duration. */
export interface Calls {
  count: number;
  durationMs: number;
}

/** What a meter has counted. */
export type Costs = Pick<Meter, "d1" | "ai" | "vectorize" | "rowsRead" | "rowsWritten" | "sqlMs">;

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

  get costs(): Costs {
    const { d1, ai, vectorize, rowsRead, rowsWritten, sqlMs } = this;
    return { d1, ai, vectorize, rowsRead, rowsWritten, sqlMs };
  }

  /** Adds the costs of a part of the request that another meter has counted. */
  add(costs: Costs): void {
    for (const name of ["d1", "ai", "vectorize"] as const) {
      this[name].count += costs[name].count;
      this[name].durationMs += costs[name].durationMs;
    }
    this.rowsRead += costs.rowsRead;
    this.rowsWritten += costs.rowsWritten;
    this.sqlMs += costs.sqlMs;
  }

  readonly countCall: CallInterceptor = async (_, send) => {
    const results = await this.#time(this.d1, () => send());
    for (const { meta } of results) {
      this.rowsRead += meta.rows_read;
      this.rowsWritten += meta.rows_written;
      this.sqlMs += meta.duration;
    }
    return results;
  };

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

import type { ServiceProcess } from "../../../support/service-process.ts";
import { quantile } from "../../../support/statistics.ts";
import { median, time } from "../speed/statistics.ts";

export const TYPES = ["int8", "float32"] as const;
type Type = (typeof TYPES)[number];

/** Filters: none, and one that a thousandth of the vectors match. */
const FILTERS = {
  none: {},
  narrow: { kind: "conversation", agent: "agent 3".padStart(32, "0"), day: { $gte: 20_000, $lte: 20_001 } },
};
type Filter = keyof typeof FILTERS;

const UPSERT_VECTORS = 1_000;
const REPEATS = 5;
/** Of these numbers of dimensions, which need no padding. */
const ROW_BYTES: Record<Type, (dimensions: number) => number> = {
  int8: (dimensions) => 16 + dimensions,
  float32: (dimensions) => 4 * dimensions,
};
const MEGABYTE = 1e6;

/** Times in milliseconds, less that of a call that does nothing. */
export interface Figures {
  dimensions: number;
  vectors: number;
  upsertOneMs: number;
  upsertManyMs: number;
  byType: Record<Type, TypeFigures>;
  /** Share of the nearest vectors of the float32 search that the int8 search finds, 0 to 1. */
  recall10: number;
  recall100: number;
}

export interface TypeFigures {
  loadMs: number;
  /** Size of the rows in memory. */
  megabytes: number;
  queries: Record<Filter, { p50: number; p95: number }>;
}

/** Measures a cell of each size, which grows from one to the next. */
export async function* measureCell(
  service: ServiceProcess,
  { dimensions, sizes, queries }: { dimensions: number; sizes: readonly number[]; queries: number },
): AsyncGenerator<Figures, void, undefined> {
  const call = async (step: string, more: Record<string, string | number> = {}) => {
    const parameters = new URLSearchParams({ step, dimensions: `${dimensions}` });
    for (const [name, value] of Object.entries(more)) parameters.set(name, `${value}`);
    const response = await fetch(`${service.url}/cell-vectors?${parameters}`);
    const text = await response.text();
    if (!response.ok) throw new Error(`${step} answered ${response.status}: ${text}`);
    return text === "" ? [] : (JSON.parse(text) as string[]);
  };
  const timed = async (step: string, more?: Record<string, string | number>) => {
    const idle = await time(() => call("nothing"));
    const { ms, result } = await time(() => call(step, more));
    return { ms: Math.max(0, ms - idle.ms), result };
  };
  const upsert = async (from: number, to: number) => {
    await call("create", { from, to });
    return (await timed("upsert")).ms;
  };
  await call("open");
  let stored = 0;
  for (const vectors of sizes) {
    const upsertsMs: number[] = [];
    for (; stored < vectors; stored += UPSERT_VECTORS)
      upsertsMs.push(await upsert(stored, Math.min(vectors, stored + UPSERT_VECTORS)));
    const found = new Map<Type, string[][]>();
    const measure = async (type: Type): Promise<TypeFigures> => {
      await call("open");
      const { ms: loadMs } = await timed("query", { type, from: 0 });
      const megabytes = (vectors * ROW_BYTES[type](dimensions)) / MEGABYTE;
      const answers: string[][] = [];
      const ask = async (filter: Filter) => {
        const times: number[] = [];
        for (let from = 1; from <= queries; from++) {
          const { ms, result } = await timed("query", {
            type,
            from,
            filter: JSON.stringify(FILTERS[filter]),
          });
          times.push(ms);
          if (filter === "none") answers.push(result);
        }
        return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
      };
      const byFilter = { none: await ask("none"), narrow: await ask("narrow") };
      found.set(type, answers);
      return { loadMs, megabytes, queries: byFilter };
    };
    const byType = { int8: await measure("int8"), float32: await measure("float32") };
    await call("open");
    const onesMs: number[] = [];
    for (let i = 0; i < REPEATS * REPEATS; i++) onesMs.push(await upsert(i, i + 1));
    const [right, actual] = [found.get("float32") ?? [], found.get("int8") ?? []];
    yield {
      ...{ dimensions, vectors, byType },
      ...{ upsertOneMs: median(onesMs), upsertManyMs: median(upsertsMs) },
      ...{ recall10: meanRecall(actual, right, 10), recall100: meanRecall(actual, right, 100) },
    };
  }
}

/** Mean share of the first `count` of each right answer that is in the first `count` of the actual one. */
function meanRecall(actual: readonly string[][], right: readonly string[][], count: number): number {
  const shares = right.map((ids, i) => {
    const found = new Set(actual[i]?.slice(0, count));
    const wanted = ids.slice(0, count);
    return wanted.filter((id) => found.has(id)).length / wanted.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

import { reasonOf } from "../calls.ts";
import type { Measured } from "./client.ts";
import { quantile, rounded } from "./statistics.ts";

export interface Failures {
  failed: number;
  /** Reason of the first failure. */
  failure: string | null;
}

export interface Latency extends Failures {
  calls: number;
  /** Seen from this machine. */
  p50_ms: number;
  p99_ms: number;
  /** Within the Worker. */
  worker_p50_ms: number;
  worker_p99_ms: number;
  /** One call of D1, seen from the Worker. */
  d1_call_p50_ms: number;
  ai_p50_ms: number;
  vectorize_p50_ms: number;
}

export interface Rate extends Failures {
  connections: number;
  calls: number;
  seconds: number;
  per_second: number;
}

interface Bounds {
  calls: number;
  forMs: number;
  failuresMax: number;
  signal: AbortSignal;
}

/** Times calls one after the other. Ends at the first of the bounds. */
export async function measureLatency(call: () => Promise<Measured>, bounds: Bounds): Promise<Latency> {
  const measured: Measured[] = [];
  const mayCall = mayCallWithin(bounds);
  const failures = await repeat(async () => void measured.push(await call()), { ...bounds, mayCall });
  const of = (share: number, figure: (each: Measured) => number) =>
    rounded(quantile(measured.map(figure), share));
  return {
    calls: measured.length,
    p50_ms: of(0.5, ({ durationMs }) => durationMs),
    p99_ms: of(0.99, ({ durationMs }) => durationMs),
    worker_p50_ms: of(0.5, ({ timing }) => timing.workerMs),
    worker_p99_ms: of(0.99, ({ timing }) => timing.workerMs),
    d1_call_p50_ms: of(0.5, ({ timing }) => timing.d1Ms / Math.max(1, timing.d1Calls)),
    ai_p50_ms: of(0.5, ({ timing }) => timing.aiMs),
    vectorize_p50_ms: of(0.5, ({ timing }) => timing.vectorizeMs),
    ...failures,
  };
}

/** Makes calls on several connections at once, until one of the bounds is reached. */
export async function measureRate(
  call: (connection: number) => Promise<unknown>,
  bounds: Bounds & { connections: number },
): Promise<Rate> {
  const { connections } = bounds;
  const startMs = performance.now();
  const mayCall = mayCallWithin(bounds);
  let done = 0;
  // A call in progress at the end of the time still counts.
  const lanes = Array.from({ length: connections }, (_, connection) =>
    repeat(
      async () => {
        await call(connection);
        done += 1;
      },
      { ...bounds, mayCall },
    ),
  );
  const failures = await Promise.all(lanes);
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    connections,
    calls: done,
    seconds: rounded(seconds),
    per_second: rounded(done / seconds),
    failed: failures.reduce((sum, { failed }) => sum + failed, 0),
    failure: failures.find(({ failure }) => failure !== null)?.failure ?? null,
  };
}

function mayCallWithin({ calls, forMs }: Bounds): () => boolean {
  const startMs = performance.now();
  let left = calls;
  return () => performance.now() - startMs < forMs && left-- > 0;
}

async function repeat(
  call: () => Promise<void>,
  { mayCall, failuresMax, signal }: { mayCall(): boolean; failuresMax: number; signal: AbortSignal },
): Promise<Failures> {
  const failures: Failures = { failed: 0, failure: null };
  while (!signal.aborted && failures.failed < failuresMax && mayCall()) {
    try {
      await call();
    } catch (error) {
      // A call that was interrupted did not fail.
      if (signal.aborted) break;
      failures.failed += 1;
      failures.failure ??= reasonOf(error);
    }
  }
  return failures;
}

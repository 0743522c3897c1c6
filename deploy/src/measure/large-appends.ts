import { reasonOf } from "../calls.ts";
import type { Client } from "./client.ts";
import type { Failures } from "./latency.ts";
import { LARGE_MESSAGE_BYTES, type Plan } from "./plan.ts";
import { rounded } from "./statistics.ts";
import { rareSentence } from "./texts.ts";

export interface LargeAppends extends Failures {
  bytes: number;
  stored: number;
  /** Null if it was not stored. */
  alone_ms: number | null;
  at_once: number;
  slowest_at_once_ms: number | null;
}

/**
 * The largest append, alone and then several at once. A quarter of its text are words that occur once. What an
 * isolate uses cannot be seen, only whether it is enough: a Worker or database that exceeds its memory fails the request.
 */
export async function measureLargeAppends(
  client: Client,
  { largeAppends, largeMessages }: Plan,
  signal: AbortSignal,
): Promise<LargeAppends> {
  const result: LargeAppends = {
    bytes: largeMessages * LARGE_MESSAGE_BYTES,
    stored: 0,
    alone_ms: null,
    at_once: largeAppends,
    slowest_at_once_ms: null,
    failed: 0,
    failure: null,
  };
  const store = async (): Promise<number | null> => {
    const contents = Array.from({ length: largeMessages }, () => rareSentence(LARGE_MESSAGE_BYTES));
    try {
      const { durationMs } = await client.append(await client.createConversation(), contents);
      result.stored += 1;
      return rounded(durationMs);
    } catch (error) {
      signal.throwIfAborted();
      result.failed += 1;
      result.failure ??= reasonOf(error);
      return null;
    }
  };
  result.alone_ms = await store();
  const together = await Promise.all(Array.from({ length: largeAppends }, store));
  const stored = together.filter((ms) => ms !== null);
  result.slowest_at_once_ms = stored.length === 0 ? null : Math.max(...stored);
  return result;
}

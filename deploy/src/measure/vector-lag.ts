import { setTimeout as delay } from "node:timers/promises";
import { reasonOf } from "../calls.ts";
import type { Client } from "./client.ts";
import type { Failures } from "./latency.ts";
import type { Plan } from "./plan.ts";
import { quantile, rounded } from "./statistics.ts";
import { distinctSentence } from "./texts.ts";

export interface VectorLag extends Failures {
  messages: number;
  found: number;
  /** From the response of the append until a semantic search finds the message, to within the interval of searches. */
  p50_ms: number;
  slowest_ms: number;
  searched_every_ms: number;
}

/** Appends messages and searches for each until it is found by meaning, for at most `lagMs`. */
export async function measureVectorLag(
  client: Client,
  { laggingMessages, lagMs, lagPollMs, failuresMax }: Plan,
  signal: AbortSignal,
): Promise<VectorLag> {
  const waiting: { text: string; conversationId: string; sinceMs: number }[] = [];
  for (let i = 0; i < laggingMessages; i++) {
    const conversationId = await client.createConversation();
    const text = distinctSentence();
    await client.append(conversationId, [text]);
    waiting.push({ text, conversationId, sinceMs: performance.now() });
  }
  const startMs = performance.now();
  const lags: number[] = [];
  const failures: Failures = { failed: 0, failure: null };
  const isOver = () => performance.now() - startMs >= lagMs || failures.failed >= failuresMax;
  while (waiting.length > 0 && !isOver()) {
    for (const message of [...waiting]) {
      if (isOver()) break;
      try {
        const { found } = await client.search(message.text, "semantic");
        if (!found.includes(message.conversationId)) continue;
        lags.push(performance.now() - message.sinceMs);
        waiting.splice(waiting.indexOf(message), 1);
      } catch (error) {
        signal.throwIfAborted();
        failures.failed += 1;
        failures.failure ??= reasonOf(error);
      }
    }
    if (waiting.length > 0) await delay(lagPollMs, undefined, { signal });
  }
  return {
    messages: laggingMessages,
    found: lags.length,
    p50_ms: rounded(quantile(lags, 0.5)),
    slowest_ms: rounded(quantile(lags, 1)),
    searched_every_ms: lagPollMs,
    ...failures,
  };
}

import type { Client } from "./client.ts";
import { type Failures, measureLatency } from "./latency.ts";
import { type BATCH_MESSAGES, MESSAGE_BYTES, type Plan } from "./plan.ts";
import { quantile, rounded } from "./statistics.ts";
import { sentence } from "./texts.ts";

/** Rows as D1 reports them in `meta`, for each message. */
export interface Rows extends Failures {
  appends: number;
  /** By the append itself. */
  written: number;
  /** By the append and by the indexing of its messages. */
  written_until_indexed: number;
  read_until_indexed: number;
  /** Until Vectorize has accepted the vectors. */
  indexed_p50_ms: number;
}

/** Appends of one message or of `BATCH_MESSAGES`, each without and with the wait until it is indexed. */
export async function measureRows(
  client: Client,
  messages: 1 | typeof BATCH_MESSAGES,
  { indexedAppends, callsMs, failuresMax }: Plan,
  signal: AbortSignal,
): Promise<Rows> {
  const plain: number[] = [];
  const indexed: { written: number; read: number; durationMs: number }[] = [];
  const contents = () => Array.from({ length: messages }, () => sentence(MESSAGE_BYTES));
  const conversations = [await client.createConversation(), await client.createConversation()] as const;
  const { failed, failure } = await measureLatency(
    async () => {
      const first = await client.append(conversations[0], contents());
      plain.push(first.timing.rowsWritten / messages);
      const second = await client.append(conversations[1], contents(), "indexed");
      const { rowsWritten: written, rowsRead: read } = second.timing;
      if (second.indexed) indexed.push({ written, read, durationMs: second.durationMs });
      return second;
    },
    { calls: indexedAppends, forMs: callsMs, failuresMax, signal },
  );
  const mean = (values: number[]) => rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
  return {
    appends: indexed.length,
    written: mean(plain),
    written_until_indexed: mean(indexed.map(({ written }) => written / messages)),
    read_until_indexed: mean(indexed.map(({ read }) => read / messages)),
    indexed_p50_ms: rounded(
      quantile(
        indexed.map(({ durationMs }) => durationMs),
        0.5,
      ),
    ),
    failed,
    failure,
  };
}

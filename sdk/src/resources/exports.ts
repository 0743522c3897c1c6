import { ConnectionError, EngramError } from "../errors.ts";
import type {
  ConversationLine,
  ExportLine,
  MemoryLine,
  MemoryVersionLine,
  MessageLine,
  operations,
  RecallLine,
} from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import { retryMs, sleep } from "../transport.ts";

/** Whose data to export, and where to start: after the last line of an earlier export. Default: all, from the beginning. */
export type ExportQuery = NonNullable<operations["exportData"]["parameters"]["query"]>;

/**
 * A line of an export: a conversation, a message of the preceding conversation, a memory, an earlier version of one, or a
 * receipt of recall.
 */
export type ExportedLine = ConversationLine | MessageLine | MemoryLine | MemoryVersionLine | RecallLine;

/** Options of an export. It has no deadline; `timeoutMs` limits each wait for more data. */
export interface ExportOptions extends Omit<CallOptions, "deadlineMs"> {
  /** Maximum number of retries in a row without a new line; 2 by default, 0 for never. */
  maxRetries?: number | undefined;
}

const MAX_RETRIES = 2;
const NDJSON_TYPE = "application/x-ndjson";

/** Yields all lines after the one that `query` names, or all lines of the export, in one or more requests. */
export async function* exportLines(
  http: Http,
  query: ExportQuery,
  options: ExportOptions,
): AsyncGenerator<ExportedLine, void, undefined> {
  const { signal = new AbortController().signal, maxRetries = MAX_RETRIES } = options;
  const { after: _, after_sequence: __, after_version: ___, ...wanted } = query;
  let place = query;
  for (let retries = 0; ; ) {
    try {
      const lines = http.lines(options, NDJSON_TYPE, (client, init) =>
        client.GET("/v1/export", { ...init, params: { query: place } }),
      );
      let hasEnded = false;
      for await (const text of lines) {
        const line = JSON.parse(text) as ExportLine;
        if (line.type === "end") {
          if (line.complete) return;
          hasEnded = true;
          break;
        }
        place = { ...wanted, ...positionAfter(line) };
        retries = 0;
        yield line;
      }
      if (!hasEnded) throw brokenOff();
    } catch (error) {
      const waitMs = error instanceof EngramError && retries < maxRetries ? retryMs(error, retries) : null;
      if (waitMs === null) throw error;
      retries += 1;
      await sleep(waitMs, signal);
    }
  }
}

function positionAfter(line: ExportedLine): ExportQuery {
  if (line.type === "message") return { after: line.conversation_id, after_sequence: line.sequence };
  if (line.type === "memory_version") return { after: line.memory_id, after_version: line.version };
  return { after: line.id };
}

const brokenOff = (): ConnectionError =>
  new ConnectionError("The export was cut off", { code: "no_answer", idempotencyKey: null });

import type { Event, EventPage, Problem } from "@engram/spec";
import type { KeyCaller } from "../invocation.ts";
import { openKeyCaller } from "../platform/key-callers.ts";
import type { Waker } from "../platform/waker.ts";
import type { EventFilter, Position } from "./queries.ts";
import { type LogPart, partOf, readPage } from "./service.ts";

/** Time after which a stream ends, so that connections spread over new versions of the Worker. */
const STREAM_MS = 300_000;
/**
 * Longest time without data while the client reads. Proxies close connections that are silent for longer. Workers
 * notice at the next data that a client has disconnected, so this also bounds the reads of the log after that.
 */
const HEARTBEAT_MS = 15_000;
/** Time after which a client reconnects, unless it has a backoff of its own. */
const RETRY_MS = 500;
/** Events in one chunk. At most one chunk is in memory. */
const CHUNK_EVENTS = 200;

interface StreamInput {
  after: Position;
  filter: EventFilter;
  /** The last block of a stream that fails. */
  toProblem(error: unknown): Problem;
}

const encoder = new TextEncoder();

/**
 * Events after a position, and further ones as they happen, as server-sent events.
 *
 * The log is read once before this resolves, so that a failure becomes an error response. After that it is read only
 * when the client asks for more, so a client that does not read costs one chunk of memory.
 *
 * @throws {ApiError} `cursor_expired`, `unauthenticated`.
 */
export async function openStream(caller: KeyCaller, input: StreamInput): Promise<ReadableStream<Uint8Array>> {
  const canceled = new AbortController();
  const counted = { caller };
  const parts = readParts(counted, input, canceled.signal);
  const first = await parts.next();
  const ended = Promise.withResolvers<void>();
  // The request is logged when its response begins, so what the stream costs after that is logged separately.
  caller.defer("event stream", (later) => {
    counted.caller = openKeyCaller(later, caller.principal);
    return ended.promise;
  });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (!first.done) controller.enqueue(toChunk(first.value));
      },
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          if (!done) return controller.enqueue(toChunk(value));
        } catch (error) {
          controller.enqueue(encoder.encode(toBlock({ event: "error", data: input.toProblem(error) })));
        }
        controller.close();
        ended.resolve();
      },
      cancel() {
        canceled.abort();
        ended.resolve();
      },
    },
    // With the default of 1, the stream would read the log before its reader asks for more.
    { highWaterMark: 0 },
  );
}

/** A part of the log, and the broadcasts since the last part, as JSON texts. */
interface Part {
  page: EventPage;
  broadcasts: string[];
}

/** Yields the parts that have events or broadcasts, an empty one as a heartbeat, and the last one. */
async function* readParts(
  counted: { caller: KeyCaller },
  { filter, ...input }: StreamInput,
  signal: AbortSignal,
): AsyncGenerator<Part, void, undefined> {
  const { limits, runtime, principal } = counted.caller;
  let waker: Waker | null = null;
  signal.addEventListener("abort", () => waker?.close());
  const getsBroadcasts = filter.conversationId !== null;
  const reader = { principal, filter, limit: CHUNK_EVENTS, getsBroadcasts };
  const endMs = runtime.nowMs() + STREAM_MS;
  let { after } = input;
  let rowsLeft = limits.eventStreamRows;
  let sentMs = 0;
  let part: LogPart | null = null;
  for (let look = 1; ; look++) {
    const rowsMax = Math.min(limits.eventPageRows, rowsLeft);
    const { answer, rows } =
      part ?? (await readPage(counted.caller, { after, limit: CHUNK_EVENTS, rowsMax, filter }));
    part = null;
    after = answer.after;
    rowsLeft -= rows;
    const nowMs = runtime.nowMs();
    const isOver = look >= limits.eventStreamLooks || rowsLeft <= 0 || nowMs >= endMs;
    const broadcasts = waker?.takeBroadcasts() ?? [];
    if (isOver || answer.items.length + broadcasts.length > 0 || nowMs - sentMs >= HEARTBEAT_MS) {
      yield { page: answer, broadcasts };
      sentMs = runtime.nowMs();
    }
    if (isOver) return waker?.close();
    if (signal.aborted) return;
    if (!answer.caught_up) continue;
    waker ??= await counted.caller.openWaker(principal.organizationId, reader);
    const text = await waker.pause(sentMs + HEARTBEAT_MS - runtime.nowMs(), after);
    part = partOf(counted.caller, text, after);
    if (signal.aborted) return waker.close();
  }
}

/**
 * The events and broadcasts, and a block without data that moves the reader's position past events that the filters left
 * out.
 */
function toChunk({ page: { items, after }, broadcasts }: Part): Uint8Array {
  const events = items.map((event: Event) => toBlock({ id: event.sequence, event: event.type, data: event }));
  // A broadcast has no `id`, because it is no position of the log.
  const sent = broadcasts.map((json) => `event: broadcast\ndata: ${json}\n\n`);
  const text = [...events, ...sent].join("");
  return encoder.encode(`${text}: heartbeat\nid: ${after}\nretry: ${RETRY_MS}\n\n`);
}

const toBlock = ({ id, event, data }: { id?: number; event: string; data: object }) =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

import { Tickets } from "../generated/resources.ts";
import type { Event } from "../generated/schema.ts";
import { inTime } from "../transport.ts";
import { type ReadSteps, toFailure } from "./event-steps.ts";

/** What the service sends for a subscription. Frames of other types are ignored. */
type Frame =
  | { type: "events"; from: number; to: number; events: Event[] }
  | { type: "error"; problem: object }
  | { type: "other" };

/** The service closes a socket with this code when the key or the organization ends. */
const KEY_ENDED = 4010;
const OPENING_MS = 10_000;
const PING_MS = 25_000;
/** Bounds the acknowledgements in a second, because the service bounds the frames that it receives. */
const ACKNOWLEDGE_MS = 20;

/** Yields the steps of one WebSocket. Frames that follow a missing one are dropped. */
export const readSocket: ReadSteps = async function* (http, after, { type: types, ...filter }, options) {
  // Browsers send no headers with a WebSocket, so a subprotocol carries a ticket.
  const created = await new Tickets(http).create({ include_key_events: true }, options).catch(() => null);
  if (created === null) return;
  const url = `${http.baseUrl}/v1/events/socket`;
  const opening = new Request(url, { signal: options.signal });
  const socket = new (http.WebSocket as typeof WebSocket)(url.replace("http", "ws"), [
    "engram.v1",
    `engram.ticket.${created.ticket}`,
  ]);
  const send = (frame: object) => socket.send(JSON.stringify({ ...frame, id: "a" }));
  const pinging = setInterval(() => socket.send("ping"), PING_MS);
  let acknowledging: ReturnType<typeof setTimeout> | undefined;
  const messages = new ReadableStream<string>({
    start(controller) {
      socket.onopen = () => send({ type: "subscribe", after, filter: { ...filter, types } });
      socket.onmessage = ({ data }) => controller.enqueue(data);
      // The event `close` follows.
      socket.onerror = () => {};
      socket.onclose = ({ code, reason }) => {
        const problem = { status: 401, code: "unauthenticated", detail: reason };
        if (code === KEY_ENDED) controller.enqueue(JSON.stringify({ type: "error", problem }));
        controller.close();
      };
    },
  }).getReader();
  try {
    let position = after;
    for (let timeoutMs = OPENING_MS; ; timeoutMs = 2 * PING_MS) {
      const { value } = await inTime(opening, { timeoutMs }, () => messages.read());
      if (value === undefined) return;
      if (value === "pong") continue;
      const frame: Frame = JSON.parse(value);
      if (frame.type === "error") throw await toFailure(JSON.stringify(frame.problem));
      if (frame.type !== "events") continue;
      if (frame.from > Number(position)) return;
      for (const event of frame.events) yield { after: event.sequence, event };
      position = frame.to;
      yield { after: position, event: null };
      acknowledging ??= setTimeout(() => {
        acknowledging = undefined;
        send({ type: "ack", to: position });
      }, ACKNOWLEDGE_MS);
    }
  } finally {
    clearInterval(pinging);
    clearTimeout(acknowledging);
    socket.onmessage = socket.onclose = null;
    socket.close();
  }
};

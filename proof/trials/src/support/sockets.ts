import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";

const MASKED = 0x80;
const TEXT_FRAME = 0x81;
const LENGTH_SHORT_MAX = 125;
/** A length of two bytes follows. */
const LENGTH_LONG = 126;
/** The mask of a frame of a client. Zeros leave the text as it is. */
const MASK = Buffer.alloc(4);

/**
 * Opens the event socket over a connection that this trial can leave unread, which a `WebSocket` reads by itself.
 *
 * @param subscribe The first frame.
 * @throws {Error} with the status if the service does not open it.
 */
export async function openUnread(url: string, key: string, subscribe: object): Promise<Duplex> {
  const upgrade = request(`${url}/v1/events/socket`, {
    headers: {
      authorization: `Bearer ${key}`,
      connection: "upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": "engram.v1",
    },
  }).end();
  upgrade.once("response", ({ statusCode }: IncomingMessage) =>
    upgrade.destroy(new Error(`The socket was answered ${statusCode}`)),
  );
  const [, socket] = (await once(upgrade, "upgrade")) as [IncomingMessage, Duplex];
  // The service may close it at any time.
  socket.on("error", () => {});
  socket.write(toFrame(JSON.stringify({ type: "subscribe", ...subscribe })));
  return socket;
}

/** Waits for the next frame. @throws {Error} if it is not text, or if the socket is closed instead. */
export async function readText(socket: Duplex): Promise<void> {
  const frame = Promise.withResolvers<Buffer>();
  socket.once("data", frame.resolve);
  socket.once("close", () => frame.reject(new Error("The socket was closed")));
  const [kind] = await frame.promise;
  if (kind !== TEXT_FRAME) throw new Error("The socket is being closed");
}

/** Opens the stream of events, and reads nothing of it. */
export async function openUnreadStream(url: string, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const [response] = (await once(
    request(`${url}/v1/events/stream?after=now`, { headers }).end(),
    "response",
  )) as [IncomingMessage];
  response.on("error", () => {});
  if (response.statusCode !== 200) throw new Error(`The stream was answered ${response.statusCode}`);
  return response;
}

function toFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const length =
    payload.length <= LENGTH_SHORT_MAX
      ? [MASKED | payload.length]
      : [MASKED | LENGTH_LONG, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([TEXT_FRAME, ...length]), MASK, payload]);
}

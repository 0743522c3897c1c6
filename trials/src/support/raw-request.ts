import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Without an answer for so long, there is none. */
const ANSWER_TIMEOUT_MS = 20_000;

/** What a raw request came to. */
export interface RawAnswer {
  /** Null when the connection was closed without an answer. */
  status: number | null;
  /** From the last byte sent, or 0 for an answer that did not wait for it. */
  ms: number;
  bytesSent: number;
}

/**
 * Send bytes as they are, a piece after the other, until an answer comes or the connection closes, and then
 * close our side too, if asked.
 *
 * @param pieces read only as fast as the other side takes them.
 */
export async function sendRaw(
  url: string,
  pieces: Iterable<string | Buffer>,
  { endsEarly = false } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const answered = readStatus(socket);
  let bytesSent = 0;
  let sentAtMs = performance.now();
  for (const piece of pieces) {
    if (answered.isDone() || socket.destroyed) break;
    bytesSent += Buffer.byteLength(piece);
    if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => {}), answered.status]);
    sentAtMs = performance.now();
  }
  if (endsEarly) socket.end();
  const status = await answered.status;
  const ms = Math.max(0, answered.atMs() - sentAtMs);
  socket.destroy();
  return { status, ms, bytesSent };
}

function readStatus(socket: Socket) {
  let head = "";
  let atMs = Number.NaN;
  const { promise: status, resolve } = Promise.withResolvers<number | null>();
  const finish = (answer: number | null) => {
    if (Number.isNaN(atMs)) atMs = performance.now();
    resolve(answer);
  };
  socket.on("data", (chunk) => {
    head += chunk.toString("latin1");
    const found = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    if (found !== undefined) finish(Number(found));
  });
  // A server that refuses early may close while we still send.
  socket.on("error", () => finish(null));
  socket.on("close", () => finish(null));
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(null));
  return { status, isDone: () => !Number.isNaN(atMs), atMs: () => atMs };
}

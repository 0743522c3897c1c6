import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A later response counts as none. */
const ANSWER_TIMEOUT_MS = 20_000;

export interface RawAnswer {
  /** Null when the connection was closed without a response. */
  status: number | null;
  /** Time since the last byte was sent; 0 for an earlier response. */
  ms: number;
  bytesSent: number;
}

/**
 * Send raw bytes piece by piece until a response arrives or the connection closes. With `endsEarly`, close
 * our side after the last piece.
 *
 * @param pieces Read only as fast as the other side accepts them.
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
  // A server that rejects early may close while we are still sending.
  socket.on("error", () => finish(null));
  socket.on("close", () => finish(null));
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(null));
  return { status, isDone: () => !Number.isNaN(atMs), atMs: () => atMs };
}

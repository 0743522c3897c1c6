import type { Context } from "hono";

/**
 * A response whose body is a stream. Proxies must neither buffer it, as nginx does by default, nor compress it, because a
 * compressor also holds data back.
 *
 * For HEAD, cancels the stream: otherwise its first part would stay in memory for a reader that never comes.
 */
export async function streamed(c: Context, type: string, stream: ReadableStream<Uint8Array>) {
  c.header("content-type", type);
  c.header("cache-control", "no-cache, no-transform");
  c.header("x-accel-buffering", "no");
  if (c.req.method !== "HEAD") return c.body(stream, 200);
  await stream.cancel();
  return c.body(null, 200);
}

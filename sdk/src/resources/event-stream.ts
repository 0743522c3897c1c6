import { ApiError, ConnectionError } from "../errors.ts";
import type { Event } from "../generated/schema.ts";
import { type ReadSteps, toFailure } from "./event-steps.ts";

const STREAM_TYPE = "text/event-stream";

/** Yields the steps of one stream of server-sent events. A block that is cut off is dropped. */
export const readStream: ReadSteps = async function* (http, after, filters, options) {
  const lines = http.lines(options, STREAM_TYPE, (client, init) =>
    client.GET("/v1/events/stream", { ...init, params: { query: { ...filters, after: String(after) } } }),
  );
  let block: Record<string, string> = {};
  for await (const line of lines) {
    if (line !== "") {
      const colon = line.indexOf(": ");
      block[line.slice(0, colon)] = line.slice(colon + 2);
      continue;
    }
    const { id, event, data } = block;
    block = {};
    if (event === "error" && data !== undefined) throw await toFailure(data);
    if (id === undefined) continue;
    yield { after: Number(id), event: data === undefined ? null : (JSON.parse(data) as Event) };
  }
};

/**
 * Whether an error says that responses are not streamed here. A timeout before the first block means that the runtime
 * or a proxy keeps a response until it is complete; a status or content type, that the service is older.
 */
export const isNoStream = (error: unknown, hasBegun: boolean): boolean =>
  error instanceof ApiError
    ? [404, 405, 406].includes(error.status) || error.status < 300
    : error instanceof ConnectionError && error.code === "timeout" && !hasBegun;

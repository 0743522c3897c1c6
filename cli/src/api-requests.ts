import type { Engram } from "@engram/sdk";
import type { FieldValues } from "./api-fields.ts";
import type { ApiOperation } from "./api-operations.ts";
import { CommandError, ProblemError } from "./command-error.ts";

export interface ApiRequest {
  operation: ApiOperation;
  values: FieldValues;
  /** Sent as it is. */
  body: string | undefined;
}

/** The JSON object of a response. */
export type Answer = Record<string, unknown>;

/** `raw.request` of the SDK, for an operation that only the program's user knows. */
type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/**
 * Sends a request with the SDK's key, time limits and retries.
 *
 * @throws {ProblemError} For an error response. {ConnectionError} The SDK's, if there is no response.
 */
export async function ask(client: Engram, request: ApiRequest): Promise<Answer> {
  const { data, response } = await send(client, request, { parseAs: "text" });
  try {
    return JSON.parse(String(data)) as Answer;
  } catch {
    throw new ProblemError(response, data);
  }
}

/** Yields the text of a response as it arrives. It has no time limit, and is not retried. */
export async function* openStream(
  client: Engram,
  request: ApiRequest,
): AsyncGenerator<string, void, undefined> {
  try {
    const { data } = await send(client, request, {
      parseAs: "stream",
      fetch: (built: Request) => fetch(built),
    });
    const decoder = new TextDecoder();
    for await (const bytes of data as ReadableStream<Uint8Array>)
      yield decoder.decode(bytes, { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { message, cause } = error;
    throw new CommandError(`The connection failed: ${cause instanceof Error ? cause.message : message}`);
  }
}

async function send(client: Engram, { operation, values, body }: ApiRequest, how: object) {
  const { path, query, header } = values;
  const headers = body === undefined ? {} : { "content-type": operation.body };
  const { data, error, response } = await (client.raw.request as unknown as Send)(
    operation.method.toLowerCase(),
    operation.path,
    { ...how, headers, params: { path, query, header }, body, bodySerializer: (text: string) => text },
  );
  if (!response.ok) throw new ProblemError(response, error);
  return { data, response };
}

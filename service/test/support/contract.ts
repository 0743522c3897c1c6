import { EVENT_STREAM_TYPE, type MessagesResult, NDJSON_TYPE, type SearchAnswer } from "@engram/spec";
import type { RouteConfig, z } from "@hono/zod-openapi";
import { expect } from "vitest";

type Schema = z.ZodType;
type Json<Response> = Response extends { content: { "application/json": { schema: infer S extends Schema } } }
  ? z.infer<S>
  : Response extends { content: { "application/x-ndjson": { schema: infer S extends Schema } } }
    ? z.infer<S>[]
    : Response extends { content: { "text/event-stream": { schema: infer S extends Schema } } }
      ? z.infer<S>[]
      : never;
/** Body type of the successes that an operation declares; all lines for NDJSON, the events of the first chunk of a stream. */
export type Body<C extends RouteConfig> = C["path"] extends "/v1/search"
  ? ConversationsSearchAnswer
  : { [Status in keyof C["responses"]]: Json<C["responses"][Status]> }[keyof C["responses"]];
/** The response of a search that does not set `in`. Only tests of memories set it. */
type ConversationsSearchAnswer = Omit<SearchAnswer, "results"> & { results: MessagesResult[] };

/**
 * Reads a success as the operation declares it.
 *
 * Fails on an undeclared status or content type, on a body with missing, wrong or extra fields, and without a
 * request id.
 */
export async function readAs<C extends RouteConfig>(contract: C, response: Response): Promise<Body<C>> {
  const body: unknown = await readDeclared(contract, response);
  if (!response.ok)
    throw new Error(`${contract.operationId} answered ${response.status} ${JSON.stringify(body)}`);
  return body as Body<C>;
}

/** Reads a failure as the operation declares it. Fails on a success. */
export async function readProblem(
  contract: RouteConfig,
  response: Response,
): Promise<{
  status: number;
  code: string;
  detail: string;
  request_id: string;
  errors?: { path: string }[];
}> {
  const body: unknown = await readDeclared(contract, response);
  expect(response.ok, JSON.stringify(body)).toBe(false);
  const problem = body as { status: number; code: string; detail: string; request_id: string };
  expect(problem.status).toBe(response.status);
  expect(problem.request_id).toBe(response.headers.get("x-request-id"));
  return problem;
}

/** Reads a success or failure as declared. Every caller's response is checked with this. */
export async function readDeclared(contract: RouteConfig, response: Response): Promise<unknown> {
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const declared = contract.responses[response.status];
  const content = declared && "content" in declared ? declared.content : undefined;
  const schema = (content as Record<string, { schema?: unknown }> | undefined)?.[type]?.schema;
  const read = READERS[type];
  const body: unknown = read === undefined ? await response.json() : read(await response.text());
  if (!schema) {
    throw new Error(
      `${contract.operationId} declares no ${response.status} ${type}: ${JSON.stringify(body)}`,
    );
  }
  const values = read === undefined ? [body] : (body as unknown[]);
  for (const value of values) expect((schema as Schema).parse(value)).toEqual(value);
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{20}$/);
  return body;
}

/** Parses NDJSON. The last line must end with a line break, too. */
function readLines(text: string): unknown[] {
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line): unknown => JSON.parse(line));
}

/** Parses the data of server-sent events. The last block must be complete, too. */
export function readEvents(text: string): unknown[] {
  const blocks = text.split("\n\n");
  expect(blocks.pop()).toBe("");
  return (
    blocks
      // Other line breaks of JavaScript, such as U+2028, are part of the data.
      .flatMap((block) => /^data: ([^\n]*)/m.exec(block)?.slice(1) ?? [])
      .map((data): unknown => JSON.parse(data))
  );
}

/** Content types whose bodies have several values. */
const READERS: Record<string, (text: string) => unknown[]> = {
  [NDJSON_TYPE]: readLines,
  [EVENT_STREAM_TYPE]: readEvents,
};

/** The same response; of a stream of events, which lasts for minutes, the part up to the first heartbeat. */
export async function beginningOf(response: Response): Promise<Response> {
  if (response.body === null || response.headers.get("content-type") !== EVENT_STREAM_TYPE) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!(text.includes(": heartbeat\n") && text.endsWith("\n\n"))) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return new Response(text, response);
}

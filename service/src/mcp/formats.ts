import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { type Accept, parseAccept } from "hono/utils/accept";

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";

/** What the MCP library requires each client to accept, in exactly this form. */
export const BOTH_TYPES = `${JSON_TYPE}, ${EVENTS_TYPE}`;

/**
 * The format of an answer for the header `Accept`. `either` for clients that name both types, as MCP requires. `json` if
 * the client accepts any type, as curl does: JSON is easier to read. Null if it accepts neither.
 */
export function formatFor(accept: string | undefined): "either" | "json" | "events" | null {
  const types = accept?.trim() ? parseAccept(accept) : [{ type: "*/*", params: {}, q: 1 }];
  const takesJson = accepts(types, JSON_TYPE);
  if (!accepts(types, EVENTS_TYPE)) return takesJson ? "json" : null;
  if (!takesJson) return "events";
  return types.some(({ type }) => type.toLowerCase() === EVENTS_TYPE) ? "either" : "json";
}

/** The most specific range that matches the type counts. */
function accepts(types: Accept[], type: string): boolean {
  const ranges = [type, type.replace(/\/.*/, "/*"), "*/*"];
  const found = ranges.flatMap((range) => types.filter((each) => each.type.toLowerCase() === range))[0];
  return found !== undefined && found.q > 0;
}

/** Answers a message of the revisions of 2025 as JSON. The handler of the MCP library answers these only with events. */
export async function answerAsJson(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { createApp } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import type { McpTool } from "../../src/mcp/tools.ts";
import { BASE_URL, send } from "./client.ts";
import { env } from "./env.ts";
import { placedEnv } from "./places.ts";
import type { RequestParts } from "./requests.ts";

/** The two eras of the protocol, as options of the client. */
export const ERAS = [
  ["2025, with initialize", "legacy"],
  ["2026-07-28, stateless", { pin: "2026-07-28" }],
] as const;
export type Era = (typeof ERAS)[number][1];

export type Send = (path: string, init: RequestInit) => Promise<Response>;

export interface ToolAnswer<Body = Record<string, unknown>> {
  isError: boolean;
  body: Body;
  /** Texts of the content, in order. */
  texts: string[];
}

/** The official client, connected with a key to the tools that the URL selects. */
export async function connect(
  secret: string,
  era: Era = { pin: "2026-07-28" },
  through: Send = send,
  path = "/mcp",
) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
  const fetch = (url: string | URL, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url);
    return through(`${pathname}${search}`, init);
  };
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${BASE_URL}${path}`), { fetch: fetch as never, requestInit }),
  );
  return {
    client,
    /** Calls a tool. The client validates the result against the tool's output schema. */
    async call<Body = Record<string, unknown>>(
      name: string,
      args: Record<string, unknown> = {},
    ): Promise<ToolAnswer<Body>> {
      const result = await client.callTool({ name, arguments: args });
      const texts = result.content.map((block) => (block.type === "text" ? block.text : block.type));
      return { isError: result.isError === true, body: result.structuredContent as Body, texts };
    },
  };
}

/** Sends a JSON-RPC message of the 2025 era without a client, which would correct it. */
export const post = (
  secret: string,
  body: unknown,
  headers: Record<string, string> = {},
  through: Send = send,
) =>
  through("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(secret === "" ? {} : { authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** Sends to the given app, with some of the Worker's bindings replaced. */
export const sendTo =
  (app: ReturnType<typeof createApp>, bindings: Partial<Env> = {}): Send =>
  async (path, init) => {
    const ctx = createExecutionContext();
    const placed = placedEnv(env as unknown as Env, bindings, {
      fetch: app.fetch,
      waitUntil: (work) => ctx.waitUntil(work),
    });
    const response = await app.fetch(new Request(`${BASE_URL}${path}`, init), placed, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };

/** The arguments of a tool that send these parts of a request. */
export const toArguments = (tool: McpTool, { params, query, body }: RequestParts): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tool.places).map(([argument, { in: at, name }]) => [
      argument,
      ({ path: params, query, body }[at] as Record<string, unknown> | undefined)?.[name],
    ]),
  );

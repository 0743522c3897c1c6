// An agent in a Worker that calls a tool of a context block stored in Engram. Bundled for workerd.
import { Engram } from "@engram/sdk";
import { EngramSearchProvider } from "@engram/sdk/cloudflare-agents";
import { ContextBlocks } from "agents/context";
import type { ToolSet } from "ai";

export interface Turn {
  baseUrl: string;
  apiKey: string;
  user_id: string;
  tool: "search_context" | "set_context";
  input: object;
}

/** The block as the agent sees it, and the result of the tool. */
export interface Seen {
  system: string;
  tools: string[];
  answer: unknown;
}

async function take({ baseUrl, apiKey, user_id, tool, input }: Turn): Promise<Seen> {
  const provider = new EngramSearchProvider(new Engram({ baseUrl, apiKey }), { user_id });
  const context = new ContextBlocks([{ label: "memory", description: "What was said before", provider }]);
  const system = await context.freezeSystemPrompt();
  const tools: ToolSet = await context.tools();
  const answer = await tools[tool]?.execute?.(input, { toolCallId: "1", messages: [], context: {} });
  return { system, tools: Object.keys(tools).sort(), answer };
}

export default {
  async fetch(request: Request): Promise<Response> {
    try {
      return Response.json(await take((await request.json()) as Turn));
    } catch (error) {
      return new Response(String(error instanceof Error ? error.stack : error), { status: 500 });
    }
  },
};

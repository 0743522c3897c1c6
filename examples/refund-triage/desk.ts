import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Decision, decide, type Note, type RefundRequest } from "./model.ts";

/** Upper bound on the notes per search. */
const TOP_K = 5;
/** Notes with a lower relevance are not about the question, and are not shown to the model. */
const RELEVANCE_MIN = 0.25;

type Recalled = { results: (Note & { relevance: number })[] };

/** A desk that decides refunds: an agent with its own memories, API key and MCP tools. */
export interface Desk {
  /** The client of the shop's staff. The agent has a key of its own. */
  operator: Engram;
  /** Store notes for the agent, in one request; resolves to their ids by content. */
  tell(notes: string[]): Promise<Map<string, string>>;
  /** Decide a refund from recalled notes, and remember it if it was granted. */
  triage(request: RefundRequest): Promise<Decision & { recalled: Note[] }>;
  /** Revoke the key and delete the memories. */
  close(): Promise<void>;
}

/**
 * Open a new desk, so that memories of earlier runs do not interfere.
 *
 * Its key is bound to the agent, so the model can only reach this agent's memories.
 *
 * @param apiKey A key with every scope.
 */
export async function openDesk({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<Desk> {
  const operator = new Engram({ baseUrl, apiKey });
  const agentId = `refunds-${randomUUID()}`;
  const key = await operator.keys.create({
    name: agentId,
    agent_id: agentId,
    scopes: ["read", "write", "search"],
  });
  const mcp = new Client(
    { name: "engram-example", version: "0.1.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL("/mcp?tools=memories", baseUrl), {
      requestInit: { headers: { authorization: `Bearer ${key.secret}` } },
    }),
  );

  async function call<Body>(name: string, args: Record<string, unknown>): Promise<Body> {
    const { isError, content, structuredContent } = await mcp.callTool({ name, arguments: args });
    if (isError)
      throw new Error(content.map((block) => (block.type === "text" ? block.text : "")).join("\n"));
    return structuredContent as Body;
  }

  /** Search for several queries and return each note once. */
  async function recall(queries: string[]): Promise<Note[]> {
    const notes = new Map<string, Note>();
    for (const query of queries) {
      const { results } = await call<Recalled>("recall_memory", { query, top_k: TOP_K });
      for (const { id, content, relevance } of results)
        if (relevance >= RELEVANCE_MIN) notes.set(id, { id, content });
    }
    return [...notes.values()];
  }

  return {
    operator,
    async tell(notes) {
      const memories = notes.map((content) => ({ content, agent_id: agentId, source: "shop" }));
      const { items } = await operator.memories.createMany({ memories, wait: "indexed" });
      return new Map(notes.map((content, i) => [content, items[i]?.id ?? ""]));
    },
    async triage(request) {
      const first = decide(request, null);
      const recalled = "recall" in first ? await recall(first.recall) : [];
      const decision = decide(request, recalled);
      if ("recall" in decision) throw new Error("The model asks without end.");
      const { customer, order, euros } = request;
      if (decision.verdict === "approve") {
        const content = `${customer} was refunded ${euros} euros for order ${order}.`;
        await call("store_memory", { content, metadata: { customer } });
      }
      return { ...decision, recalled };
    },
    async close() {
      await mcp.close();
      await operator.memories.deleteMany({ agent_id: agentId });
      await operator.keys.revoke(key.id);
    },
  };
}

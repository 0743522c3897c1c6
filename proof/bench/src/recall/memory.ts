import { type ContextAnswer, type ContextBody, Engram, type MessageRole } from "@engram/sdk";
import type { Mode } from "./args.ts";

export interface NewConversation {
  external_id: string;
  title: string | undefined;
  agent_id: string | undefined;
  user_id: string | undefined;
}

export interface NewMessage {
  role: MessageRole;
  content: string;
  name: string | undefined;
  tool_name: string | undefined;
  tool_call_id: string | undefined;
  external_id: string;
  /** ISO 8601, UTC. */
  created_at: string;
}

export interface SearchBody {
  query: string;
  mode: Mode;
  limit: number;
  neighbors: { before: number; after: number };
  created_before?: string;
}

/** The measured part of a search response: results best first, their messages oldest first. */
export interface SearchAnswer {
  results: {
    conversation_id: string;
    relevance: number;
    messages: { external_id: string | null; content: string }[];
  }[];
  degraded: string[];
}

/** What the MCP tool `search` returns to a model, by default in 4,000 tokens: each message as a line. */
export interface ModelAnswer {
  results: { conversation_id: string; messages: string[] }[];
}

export interface IndexStatus {
  model: string;
  dimensions: number;
  /** Counts of stored messages, of those without vectors yet, and of those whose indexing failed for good. */
  messages: number;
  pending: number;
  failed: number;
  last_error: { message: string } | null;
}

/** The part of an `Engram` client that a run uses, for one organization. */
export interface Memory {
  conversations: { create(body: NewConversation): Promise<{ id: string }> };
  messages: { append(conversationId: string, body: { messages: NewMessage[] }): Promise<unknown> };
  index: { status(): Promise<IndexStatus> };
  search(body: SearchBody): Promise<SearchAnswer>;
  /** Call the MCP tool `search`. */
  askAsModel(
    query: Pick<SearchBody, "query" | "mode" | "created_before"> & { max_tokens?: number },
  ): Promise<ModelAnswer>;
  context(body: ContextBody): PromiseLike<ContextAnswer>;
}

export interface Access {
  /** The memory of an empty organization. */
  open(name: string): Promise<Memory>;
  /** Delete the organizations that `open` created. */
  close(): Promise<void>;
}

/**
 * Memories of a running service: in new organizations with an admin token, otherwise in the key's own
 * organization.
 *
 * `open` throws when the key's organization is not empty, because searches would also find its data.
 */
export function accessService(service: {
  url: string;
  adminToken: string | undefined;
  key: string | undefined;
}): Access {
  const { url, adminToken, key } = service;
  if (adminToken === undefined) return accessOrganization(toMemory(url, key ?? ""));
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const organizationIds: string[] = [];
  return {
    async open(name) {
      const { organization, key: made } = await operator.organizations.create({ name });
      organizationIds.push(organization.id);
      return toMemory(url, made.secret);
    },
    async close() {
      for (const id of organizationIds.splice(0)) await operator.organizations.delete(id);
    },
  };
}

/** The memory of the organization that the key belongs to. */
function toMemory(url: string, apiKey: string): Memory {
  const engram = new Engram({ baseUrl: url, apiKey });
  return {
    conversations: engram.conversations,
    messages: engram.messages,
    index: engram.index,
    search: (body) => engram.search(body),
    context: (body) => engram.context(body),
    askAsModel: (query) => callTool<ModelAnswer>({ url, apiKey }, "search", query),
  };
}

/**
 * Call an MCP tool of any set.
 *
 * @throws {Error} with the response if the call fails.
 */
export async function callTool<Answer>(
  { url, apiKey }: { url: string; apiKey: string },
  name: string,
  args: object,
): Promise<Answer> {
  const response = await fetch(new URL("/mcp?tools=conversations,memories", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const text = await response.text();
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as McpAnswer<Answer>;
  if (result?.structuredContent === undefined) throw new Error(`The tool \`${name}\` failed: ${text}`);
  return result.structuredContent;
}

interface McpAnswer<Answer> {
  result?: { structuredContent?: Answer };
}

function accessOrganization(memory: Memory): Access {
  return {
    async open() {
      const { messages } = await memory.index.status();
      if (messages > 0)
        throw new Error(`The organization of --key holds ${messages} messages; it must be empty`);
      return memory;
    },
    async close() {},
  };
}

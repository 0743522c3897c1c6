import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import type { Mode } from "./args.ts";

/** What the MCP tool `search` returns to a model, by default in 4,000 tokens: each message as a line. */
export interface ModelAnswer {
  results: { conversation_id: string; messages: string[] }[];
}

/** The client of one organization, which can also call the MCP tool `search`. */
export type Memory = Engram & {
  askAsModel(query: {
    query: string;
    mode: Mode;
    created_before?: string;
    max_tokens?: number;
  }): Promise<ModelAnswer>;
};

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

/** The client of a new organization. */
export async function openOrganization(
  { url, adminToken }: { url: string; adminToken: string },
  name: string,
): Promise<Engram> {
  const { key } = await new Engram({ baseUrl: url, apiKey: adminToken }).organizations.create({ name });
  return new Engram({ baseUrl: url, apiKey: key.secret });
}

/** The memory of the organization that the key belongs to. */
function toMemory(url: string, apiKey: string): Memory {
  return Object.assign(new Engram({ baseUrl: url, apiKey }), {
    askAsModel: (query: object) => callTool<ModelAnswer>({ url, apiKey }, "search", query),
  });
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

const POLL_MS = 20;
/** Without progress for this long, indexing counts as stuck. */
const STALLED_MS = 300_000;

/**
 * Resolves when everything that an organization stores has its vectors.
 *
 * @throws {Error} when something cannot be indexed, or indexing is stuck.
 */
export async function whenIndexed(
  engram: Engram,
  onPending: (pending: number, stored: number) => void = () => {},
): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let movedAtMs = Date.now();
  for (;;) {
    const { pending, failed, messages, last_error } = await engram.index.status();
    if (failed > 0) throw new Error(`${failed} messages could not be indexed: ${last_error?.message}`);
    if (pending === 0) return;
    onPending(pending, messages);
    if (pending < fewest) movedAtMs = Date.now();
    fewest = Math.min(fewest, pending);
    if (Date.now() - movedAtMs > STALLED_MS)
      throw new Error(`Indexing stands still: ${pending} messages wait. ${last_error?.message ?? ""}`);
    await sleep(POLL_MS);
  }
}

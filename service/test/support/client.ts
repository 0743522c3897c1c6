import { exports } from "cloudflare:workers";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { type Body, beginningOf, readAs, readDeclared, readProblem } from "./contract.ts";
import { env } from "./env.ts";
import { type RequestParts, toRequest } from "./requests.ts";

export const BASE_URL = "http://engram.test";

const shared = globalThis as { answeredRequests?: Set<string | null> };
/** Ids of the requests that got a response, also in earlier files: their work after the response may still run. */
export const answeredRequests = shared.answeredRequests ?? new Set();
shared.answeredRequests = answeredRequests;

/** Sends a request to the Worker like one from the network. Of a stream of events, reads the first chunk. */
export const send = async (path: string, init?: RequestInit): Promise<Response> =>
  beginningOf(await open(path, init));

/** Sends a request to the Worker, and resolves when the response begins. */
export async function open(path: string, init?: RequestInit): Promise<Response> {
  const worker = (exports as unknown as { default: Fetcher }).default;
  const response = (await worker.fetch(`${BASE_URL}${path}`, init as never)) as unknown as Response;
  answeredRequests.add(response.headers.get("x-request-id"));
  return response;
}

export interface Caller {
  secret: string;
  /** The raw response. */
  fetch(contract: RouteConfig, parts?: RequestParts): Promise<Response>;
  /** The body of a success; fails on an error response. */
  call<C extends RouteConfig>(contract: C, parts?: RequestParts): Promise<Body<C>>;
  /** The problem of an error response; fails on a success. */
  fail(contract: RouteConfig, parts?: RequestParts): ReturnType<typeof readProblem>;
}

/** A caller with this secret. An empty secret sends no `Authorization` header. */
export function callerOf(secret: string): Caller {
  const fetch: Caller["fetch"] = async (contract, parts = {}) => {
    const headers = { ...(secret === "" ? {} : { authorization: `Bearer ${secret}` }), ...parts.headers };
    const response = await send(...toRequest(contract, { ...parts, headers }));
    await readDeclared(contract, response.clone());
    return response;
  };
  return {
    secret,
    fetch,
    call: async (contract, parts) => readAs(contract, await fetch(contract, parts)),
    fail: async (contract, parts) => readProblem(contract, await fetch(contract, parts)),
  };
}

/** Reads a list to its end, and returns its pages. */
export async function readPages<C extends RouteConfig>(
  caller: Caller,
  contract: C,
  parts: RequestParts = {},
): Promise<Body<C>[]> {
  const pages: Body<C>[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: RequestParts["query"] = { ...parts.query, ...(cursor === "" ? {} : { cursor }) };
    const page: Body<C> = await caller.call(contract, { ...parts, query });
    pages.push(page);
    cursor = (page as { next_cursor: string | null }).next_cursor;
  }
  return pages;
}

export const operator = callerOf(env.ADMIN_TOKEN);

/** Creates an organization for one test. Returns a caller with all scopes. */
export async function createOrganization(
  name = "test",
  place?: contracts.Place,
): Promise<Caller & { organizationId: string }> {
  const body = { name, place };
  const { organization, key } = await operator.call(contracts.createOrganization, { body });
  return { ...callerOf(key.secret), organizationId: organization.id };
}

/** Appends a message of a user to a conversation. */
export const appendText = (caller: Caller, conversation_id: string, content = "hello") =>
  caller.call(contracts.appendMessages, {
    params: { conversation_id },
    body: { messages: [{ role: "user", content }] },
  });

export async function createKey(
  caller: Caller,
  body: { scopes: contracts.Scope[]; agent_id?: string; user_id?: string; expires_at?: string },
): Promise<Caller & { keyId: string }> {
  const key = await caller.call(contracts.createKey, { body: { name: "test", ...body } });
  return { ...callerOf(key.secret), keyId: key.id };
}

/**
 * Creates a conversation with messages: user texts, or whole messages. They are indexed when this resolves.
 */
export async function seedConversation(
  caller: Caller,
  messages: (string | Record<string, unknown>)[] = [],
  conversation: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await caller.call(contracts.createConversation, { body: conversation });
  if (messages.length > 0) {
    const body = {
      messages: messages.map((message) =>
        typeof message === "string" ? { role: "user", content: message } : message,
      ),
      wait: "indexed",
    };
    await caller.call(contracts.appendMessages, { params: { conversation_id: id }, body });
  }
  return id;
}

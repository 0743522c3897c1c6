import type { Operation, Tool } from "./operations.ts";
import type { Slot } from "./slots.ts";
import { TenantSocket } from "./socket.ts";

export type Tree = { [name: string]: unknown };

/** A request in the parts that the contract defines. */
export interface Parts {
  path: Tree;
  query: Tree;
  headers: Tree;
  body: Tree | undefined;
}

export interface Answer {
  status: number;
  /** One name and value per line. */
  headers: string;
  text: string;
  ms: number;
}

/** How a request reaches an operation: over HTTP, or as an MCP tool call. */
export type Way = "rest" | Tool;

export const nameOf = (way: Way): string => (way === "rest" ? way : way.name);

const JSON_TYPE = "application/json";
const MCP_HEADERS = { accept: "application/json, text/event-stream" };

export class Requester {
  readonly #url: string;
  readonly #secret: string;
  readonly #onMade: (made: string) => void;

  /** @param onMade Called with the response text of every `make`. */
  constructor(url: string, secret: string, onMade: (made: string) => void = () => {}) {
    this.#url = url;
    this.#secret = secret;
    this.#onMade = onMade;
  }

  /** Send a request unchanged and without retries. */
  async send(way: Way, operation: Operation, parts: Parts): Promise<Answer> {
    return this.#send(toRequest(way, operation, parts));
  }

  /** Send a request about the caller's own data, which must succeed. @throws {Error} When it fails. */
  async make<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { status, text } = await this.#send({ method, path, ...withBody(body) });
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    this.#onMade(text);
    return JSON.parse(text) as Body;
  }

  openSocket(): TenantSocket {
    return TenantSocket.byKey(this.#url, this.#secret);
  }

  async #send({ method, path, headers, body }: Request): Promise<Answer> {
    const startMs = performance.now();
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#secret}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await readText(response);
    const ms = performance.now() - startMs;
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    return { status: response.status, headers: lines.join("\n"), text, ms };
  }
}

/** The whole body, or the first block of a stream of events, which would last for minutes. */
async function readText(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "text/event-stream") return response.text();
  let text = "";
  // Leaving the loop closes the connection.
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes("\n\n")) break;
  }
  return text.slice(0, text.indexOf("\n\n"));
}

/** A complete request, except for the key. */
export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request for an operation's parts, over HTTP or as a tool call. */
export function toRequest(way: Way, operation: Operation, parts: Parts): Request {
  return way === "rest" ? toRestRequest(operation, parts) : toMcpRequest(way, parts);
}

function toRestRequest({ method, path, bodyType }: Operation, parts: Parts): Request {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts.path[name] ?? "")),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query))
    for (const one of [value].flat()) query.append(name, String(one));
  const headers = Object.entries(parts.headers).map(([name, value]) => [name, String(value)]);
  return {
    method,
    path: query.size === 0 ? filled : `${filled}?${query}`,
    ...withBody(parts.body, bodyType, Object.fromEntries(headers)),
  };
}

function toMcpRequest({ set, name, argumentFor }: Tool, { path, query, body }: Parts): Request {
  // Query values are text; a tool takes numbers, booleans and objects.
  const values = Object.entries(query).map(([key, value]) => [key, unquoted(value)]);
  const taken = Object.entries({ ...path, ...Object.fromEntries(values), ...body }).flatMap(
    ([source, value]) => {
      const argument = argumentFor(source);
      return argument === null ? [] : [[argument, value]];
    },
  );
  const params = { name, arguments: Object.fromEntries(taken) };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return { method: "POST", path: `/mcp?tools=${set}`, ...withBody(message, JSON_TYPE, MCP_HEADERS) };
}

function withBody(
  body: unknown,
  type = JSON_TYPE,
  headers: Record<string, string> = {},
): Pick<Request, "headers" | "body"> {
  if (body === undefined) return { headers };
  return { headers: { "content-type": type, ...headers }, body: JSON.stringify(body) };
}

const unquoted = (value: unknown): unknown =>
  typeof value === "string" && /^(\d+|true|false|\{.*\})$/s.test(value) ? JSON.parse(value) : value;

/** The same request with another value in one slot. */
export function withValue(parts: Parts, { at, names, asText }: Slot, value: unknown): Parts {
  const changed = structuredClone(parts);
  changed[at] ??= {};
  let inner: Tree = changed[at];
  for (const [i, name] of names.slice(0, -1).entries()) {
    inner[name] ??= names[i + 1] === "0" ? [] : {};
    inner = inner[name] as Tree;
  }
  inner[names.at(-1) ?? ""] = asText ? JSON.stringify(value) : value;
  return changed;
}

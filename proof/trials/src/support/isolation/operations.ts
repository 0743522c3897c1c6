import { type Schema, type Slot, slotsOf } from "./slots.ts";

/** An operation in the running service's OpenAPI document. */
export interface Operation {
  id: string;
  method: string;
  /** With `{names}` in it. */
  path: string;
  /** Required scopes; empty for a public operation, null for an operator's. */
  scopes: string[] | null;
  slots: Slot[];
  /** Media type of the body: JSON, or one line of NDJSON. */
  bodyType: string;
  /** Its MCP tools, from every tool set. */
  tools: Tool[];
}

export interface Tool {
  set: string;
  name: string;
  /** The argument for a parameter or field of the operation; null when the tool does not take it. */
  argumentFor(name: string): string | null;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: { in: "path" | "query" | "header"; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  "x-mcp"?: Marker[];
}

/** A tool in the OpenAPI document. */
export interface Marker {
  set: string;
  name?: string;
  /** Arguments and the operation's names for them. Default: all of the operation's. */
  takes?: Record<string, string>;
  omits?: string[];
}

/**
 * Every operation of the service's OpenAPI document. @throws {Error} When a slot of one cannot be classified.
 */
export async function readOperations(url: string): Promise<Operation[]> {
  const { paths, components } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => described.operationId !== undefined)
      .map(([method, described]) => toOperation(path, method, described, components.schemas)),
  );
}

function toOperation(
  path: string,
  method: string,
  { operationId, security = [], parameters = [], requestBody, "x-mcp": markers = [] }: Described,
  schemas: Record<string, Schema>,
): Operation {
  const bodies = Object.entries(requestBody?.content ?? {});
  try {
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      scopes: scopesOf(security),
      slots: [
        ...parameters.flatMap(({ in: at, name, schema }) =>
          slotsOf(at === "header" ? "headers" : at, name, schema, schemas),
        ),
        ...bodies.flatMap(([, { schema = {} }]) => slotsOf("body", "body", schema, schemas)),
      ],
      bodyType: bodies[0]?.[0] ?? "application/json",
      tools: markers.map((marker) => toTool(operationId, marker)),
    };
  } catch (error) {
    throw new Error(`${operationId}: ${error instanceof Error ? error.message : error}`);
  }
}

export function toTool(operationId: string, { set, name, takes, omits = [] }: Marker): Tool {
  const arguments_ = takes && new Map(Object.entries(takes).map(([argument, source]) => [source, argument]));
  return {
    set,
    name: name ?? operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    argumentFor(source) {
      if (omits.includes(source)) return null;
      return arguments_ === undefined ? source : (arguments_.get(source) ?? null);
    },
  };
}

function scopesOf(security: Record<string, string[]>[]): string[] | null {
  const withKey = security.find(({ apiKey }) => apiKey !== undefined);
  const isOpen = security.some((alternative) => Object.keys(alternative).length === 0);
  return withKey?.apiKey ?? (isOpen ? [] : null);
}

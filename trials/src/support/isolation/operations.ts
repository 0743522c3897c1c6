import { type Schema, type Slot, slotsOf } from "./slots.ts";

/** An operation as the running service describes it. */
export interface Operation {
  id: string;
  method: string;
  /** With `{names}` in it. */
  path: string;
  /** What a key must hold, nothing where anybody may call; null for the operator's own. */
  scopes: string[] | null;
  slots: Slot[];
  /** What its body is sent as: JSON, or a line of it. */
  bodyType: string;
  /** What it is over MCP, in every set of tools. */
  tools: Tool[];
}

/** An operation as a tool of the MCP server. */
export interface Tool {
  set: string;
  name: string;
  /** The name that it has for a parameter or field of the operation; null for what it does not take. */
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

/** What the document says of one tool. */
export interface Marker {
  set: string;
  name?: string;
  /** Arguments, each with the operation's name for it; all of the operation's when left out. */
  takes?: Record<string, string>;
  omits?: string[];
}

/** Every operation of a service's own OpenAPI document. @throws {Error} when one takes what nobody can classify. */
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

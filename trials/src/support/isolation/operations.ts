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
  /** Its name as an MCP tool; null when it is none. */
  tool: string | null;
  /** Of its parameters those that are no arguments of the tool. */
  omits: readonly string[];
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
  "x-mcp"?: { omits?: string[] };
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
  { operationId, security = [], parameters = [], requestBody, "x-mcp": marker }: Described,
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
      tool:
        marker === undefined ? null : operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      omits: marker?.omits ?? [],
    };
  } catch (error) {
    throw new Error(`${operationId}: ${error instanceof Error ? error.message : error}`);
  }
}

function scopesOf(security: Record<string, string[]>[]): string[] | null {
  const withKey = security.find(({ apiKey }) => apiKey !== undefined);
  const isOpen = security.some((alternative) => Object.keys(alternative).length === 0);
  return withKey?.apiKey ?? (isOpen ? [] : null);
}

import type { McpMarker, Scope } from "@engram/spec";
import { type ObjectSchema, type Schema, SchemaReader } from "./schemas.ts";

/** An operation as a tool: what a model is told of it, and how a call becomes a request. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  /** What a key needs to call it. */
  scopes: Scope[];
  /** Arguments that bound the answer, for when the model does not name them. */
  defaults: Record<string, number>;
  /** In capitals. */
  method: string;
  /** With `{name}` where an argument goes. */
  path: string;
  pathArguments: string[];
  queryArguments: string[];
  /** Whether arguments that are neither of these make a JSON body. */
  hasBody: boolean;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security: { apiKey?: Scope[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  "x-mcp"?: McpMarker;
}

/** What is read of an OpenAPI document. */
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = "application/json";

/**
 * Every operation of an OpenAPI document that carries the MCP marker, as a tool, in the document's order.
 *
 * @throws {Error} when two arguments of an operation have one name, or it answers no JSON object.
 */
export function toTools(openApi: unknown): McpTool[] {
  const { paths, components } = openApi as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation["x-mcp"] !== undefined)
      .map(([method, operation]) => toTool(path, method.toUpperCase(), operation, components.schemas)),
  );
}

function toTool(
  path: string,
  method: string,
  operation: Operation,
  components: Record<string, Schema>,
): McpTool {
  const { read_only: readOnly = method === "GET", defaults = {}, omits = [] } = operation["x-mcp"] ?? {};
  const named = (place: string) =>
    (operation.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  return {
    name: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: operation.summary,
    description: operation.description,
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: method === "DELETE",
      idempotentHint: readOnly || method !== "POST",
      openWorldHint: false,
    },
    inputSchema: toInputSchema(operation, { defaults, omits }, new SchemaReader(components, "input", omits)),
    outputSchema: new SchemaReader(components, "output", omits).readObject(
      answer?.content?.[JSON_TYPE]?.schema ?? {},
    ),
    scopes: operation.security.flatMap(({ apiKey = [] }) => apiKey),
    defaults,
    method,
    path,
    pathArguments: named("path"),
    queryArguments: named("query"),
    hasBody: operation.requestBody !== undefined,
  };
}

/** Path, query and body side by side; headers are not a model's business. */
function toInputSchema(
  { operationId, parameters = [], requestBody }: Operation,
  { defaults, omits }: { defaults: Record<string, number>; omits: readonly string[] },
  reader: SchemaReader,
): ObjectSchema {
  const schemas = parameters.filter(
    ({ name, in: place }) => (place === "path" || place === "query") && !omits.includes(name),
  );
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const { properties, required = [] }: Schema & { properties: Record<string, Schema> } =
    body === undefined ? { properties: {} } : reader.readObject(body);
  const demanded = [
    ...schemas.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(required as string[]),
  ];
  const input: ObjectSchema = {
    type: "object",
    properties: {},
    ...(demanded.length > 0 && { required: demanded }),
    additionalProperties: false,
  };
  const add = (name: string, schema: Schema) => {
    if (name in input.properties) throw new Error(`${operationId} has two arguments named ${name}`);
    const bound = defaults[name];
    input.properties[name] = bound === undefined ? schema : { ...schema, default: bound };
  };
  for (const { name, schema } of schemas) add(name, reader.read(schema));
  for (const [name, schema] of Object.entries(properties)) add(name, schema);
  return input;
}

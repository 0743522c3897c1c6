import type { McpMarker, Scope, ToolFields, ToolSet } from "@engram/spec";
import { BLOCK_SCHEMA } from "./blocks.ts";
import { pickSchema } from "./fields.ts";
import { LINES_SCHEMA } from "./lines.ts";
import { type ObjectSchema, type Schema, SchemaReader } from "./schemas.ts";

export interface McpTool {
  set: ToolSet;
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
  scopes: Scope[];
  /** Values of arguments that the model leaves out. They limit the size of the result. */
  defaults: Record<string, number>;
  /** HTTP method of the API operation, in upper case. */
  method: string;
  /** Path of the API operation, with `{name}` for each path parameter. */
  path: string;
  /** Where each argument is sent in the API request, by the argument's name in the tool. */
  places: Record<string, ArgumentPlace>;
  /** Fields that every request has in its body. */
  sends: Record<string, unknown>;
  /** Whether the API request has a body, even if it is an empty object. */
  hasBody: boolean;
  /** Fields of the API response that the tool returns. If absent, it returns all. */
  gives?: ToolFields;
  /** Whether the tool returns search results with lines of text instead of messages. */
  lines: boolean;
  /** Whether the tool returns the text of a context. */
  block: boolean;
}

export interface ArgumentPlace {
  in: "path" | "query" | "body";
  name: string;
  /** Whether the argument is an object, which the query string has as JSON. */
  isJson?: true;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
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
  "x-mcp"?: McpMarker[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const JSON_TYPE = "application/json";

/**
 * Makes the tools that the operations of an OpenAPI document declare in `x-mcp`.
 *
 * @throws {Error} if two arguments of an operation have the same name, the operation does not return a JSON object, or
 *   a tool refers to an argument or field that the operation does not have.
 */
export function toTools(openApi: unknown): McpTool[] {
  const { paths, components } = openApi as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      (operation["x-mcp"] ?? []).map((marker) =>
        toTool({ path, method: method.toUpperCase() }, operation, marker, components.schemas),
      ),
    ),
  );
}

/** The tool without the arguments for which the URL or the key sets the value. */
export const withoutArguments = (tool: McpTool, names: readonly string[]): McpTool => {
  const without = <Value>(fields: Record<string, Value>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties: without(tool.inputSchema.properties) },
    places: without(tool.places),
  };
};

function toTool(
  { path, method }: { path: string; method: string },
  operation: Operation,
  marker: McpMarker,
  components: Record<string, Schema>,
): McpTool {
  const {
    read_only: readOnly = method === "GET",
    idempotent = false,
    defaults = {},
    gives,
    lines = false,
    block = false,
    sends = {},
  } = marker;
  const declared = declaredArguments(operation, new SchemaReader(components, "input", marker.omits));
  const taken = takenArguments(operation, marker, declared);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  const answer = new SchemaReader(components, "output", marker.omits).readObject(
    success?.content?.[JSON_TYPE]?.schema ?? {},
  );
  return {
    set: marker.set,
    name: marker.name ?? operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: marker.title ?? operation.summary,
    description: marker.description ?? operation.description,
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: method === "DELETE",
      idempotentHint: readOnly || idempotent || method !== "POST",
      openWorldHint: false,
    },
    inputSchema: toInputSchema(taken, defaults),
    outputSchema: outputSchemaOf(marker, answer),
    scopes: operation.security.flatMap(({ apiKey = [] }) => apiKey),
    defaults,
    method,
    path,
    sends,
    places: Object.fromEntries(taken.map(([name, { place }]) => [name, place])),
    hasBody: operation.requestBody !== undefined,
    ...(gives && { gives }),
    lines,
    block,
  };
}

/**
 * Adds what a tool itself says about its answer: the relevance below which results were left out, a remark on results of
 * low relevance, or which of the defaults it lowered until the answer fit.
 */
function withNotes(schema: ObjectSchema, defaults: Record<string, number>): ObjectSchema {
  const properties = { ...schema.properties };
  if (Object.hasOwn(defaults, "min_relevance")) {
    properties.min_relevance = { type: "number" };
    properties.note = { type: "string" };
  } else if (Object.keys(defaults).length > 0) properties.shortened = { type: "string" };
  return { ...schema, properties };
}

function outputSchemaOf(
  { lines, block, gives, defaults = {} }: McpMarker,
  answer: ObjectSchema,
): ObjectSchema {
  if (lines) return LINES_SCHEMA;
  if (block) return BLOCK_SCHEMA;
  return withNotes(gives === undefined ? answer : pickSchema(answer, gives), defaults);
}

interface Argument {
  place: ArgumentPlace;
  schema: Schema;
  required: boolean;
}

function declaredArguments(operation: Operation, reader: SchemaReader): Map<string, Argument> {
  const declared = new Map<string, Argument>();
  for (const argument of argumentsOf(operation, reader)) {
    const { name } = argument.place;
    if (declared.has(name)) throw new Error(`${operation.operationId} has two arguments named ${name}`);
    declared.set(name, argument);
  }
  return declared;
}

function takenArguments(
  operation: Operation,
  { takes, omits = [] }: McpMarker,
  declared: ReadonlyMap<string, Argument>,
): [name: string, argument: Argument][] {
  if (takes === undefined) return [...declared].filter(([name]) => !omits.includes(name));
  return Object.entries(takes).map(([name, source]) => {
    const argument = declared.get(source);
    if (argument === undefined) throw new Error(`${operation.operationId} has no argument ${source}`);
    return [name, argument];
  });
}

/** Arguments of an operation. Leaves out headers, because models do not set them. */
function argumentsOf({ parameters = [], requestBody }: Operation, reader: SchemaReader): Argument[] {
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const { properties, required = [] }: ObjectSchema =
    body === undefined ? { type: "object", properties: {} } : reader.readObject(body);
  return [
    ...parameters.flatMap(({ in: place, name, schema, required: isRequired = false }) => {
      if (place === "header") return [];
      const { contentSchema, description = "" } = schema as Schema & { contentSchema?: Schema };
      return contentSchema === undefined
        ? [{ place: { in: place, name }, schema: reader.read(schema), required: isRequired }]
        : [
            {
              place: { in: place, name, isJson: true as const },
              schema: reader.read({ ...contentSchema, description }),
              required: isRequired,
            },
          ];
    }),
    ...Object.entries(properties).map(([name, schema]) => ({
      place: { in: "body" as const, name },
      schema,
      required: (required as string[]).includes(name),
    })),
  ];
}

function toInputSchema(
  taken: [name: string, argument: Argument][],
  defaults: Record<string, number>,
): ObjectSchema {
  const properties = taken.map(([name, { schema }]): [string, Schema] => {
    const bound = defaults[name];
    return [name, bound === undefined ? schema : { ...schema, default: bound }];
  });
  const required = taken.flatMap(([name, argument]) => (argument.required ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

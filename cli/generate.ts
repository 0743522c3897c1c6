// Writes what `engram api` needs to know of each operation, from the OpenAPI document, and the entry for the registry of
// MCP servers and the plugin for coding agents, from `package.json`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { pluginFiles } from "./plugin.ts";
import type { ApiField, ApiOperation } from "./src/api-operations.ts";

/** The parts of an OpenAPI document that this file reads. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
  example?: Record<string, unknown>;
  examples?: unknown[];
}
interface Content {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: ApiField["in"];
  required?: boolean;
  schema: Schema;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const JSON_TYPE = "application/json";

const document: Document = JSON.parse(readFileSync(new URL("../spec/openapi.json", import.meta.url), "utf8"));

function toOperation(path: string, method: string, operation: Operation): ApiOperation {
  const { operationId, summary, description, tags, security, parameters = [], requestBody } = operation;
  const needs = security.flatMap(needsOf).join(", or ");
  const body = requestBody && (resolve(requestBody).content ?? {});
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, response]) => resolve(response).content?.[JSON_TYPE]?.schema ?? []);
  const answerFields = new Set(
    answers.flatMap((schema) => partsOf(schema)).flatMap((part) => Object.keys(part.properties ?? {})),
  );
  const fields = parameters
    .map((parameter) => resolve(parameter))
    .map(({ name, in: where, required = false, schema }) => toField(schema, { name, in: where, required }));
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? "",
    summary,
    ...(description !== undefined && { description }),
    ...(needs !== "" && { needs }),
    fields: [...fields, ...bodyFields(body?.[JSON_TYPE]?.schema)],
    ...(body !== undefined && { body: Object.keys(body)[0] ?? JSON_TYPE }),
    ...(answers.length === 0 && { isStream: true }),
    ...(answerFields.has("next_cursor") && { isPage: true }),
    ...(answerFields.has("target_id") && { isOperation: true }),
  };
}

function bodyFields(schema: Schema | undefined): ApiField[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [], example = {} } = resolve(schema);
  return Object.entries(properties).map(([name, field]) =>
    toField(field, { name, in: "body", required: required.includes(name), example: example[name] }),
  );
}

function toField(
  schema: Schema,
  field: Pick<ApiField, "name" | "in"> & { required: boolean; example?: unknown },
): ApiField {
  const parts = partsOf(schema);
  const items = parts.flatMap((part) => (part.items === undefined ? [] : partsOf(part.items)));
  const types = typesOf(parts);
  const values = [...parts, ...items].flatMap((part) => part.enum ?? []).filter((value) => value !== null);
  const example = field.example ?? parts.flatMap(({ examples = [] }) => examples)[0];
  const described =
    parts[0]?.description === undefined ? parts.findLast((part) => part.description) : parts[0];
  return {
    name: field.name,
    in: field.in,
    description: described?.description ?? "",
    ...(String(types) !== "string" && { types }),
    ...(typesOf(items).length > 0 && { itemTypes: typesOf(items) }),
    ...(values.length > 0 && !types.includes("integer") && { values: values.map(String) }),
    ...(field.required && { isRequired: true, ...(example !== undefined && { example }) }),
  };
}

function resolve<T extends { $ref?: string }>(node: T): T {
  if (node.$ref === undefined) return node;
  const names = node.$ref.split("/").slice(1);
  return resolve(names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T);
}

/** A schema and those that it consists of. */
function partsOf(node: Schema): Schema[] {
  const schema = resolve(node);
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap((part) => partsOf(part))];
}

const typesOf = (parts: Schema[]): string[] => [...new Set(parts.flatMap(({ type = [] }) => type))];

/** A security requirement in words. */
const needsOf = (requirement: Record<string, string[]>): string[] =>
  Object.entries(requirement).map(([scheme, scopes]) => {
    if (scheme === "adminToken") return "the admin token";
    if (scheme === "signInCode") return "the code";
    return `a key with the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(" and ")}`;
  });

const tags = document.tags.map(({ name }) => name);
const operations = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
  )
  .sort((a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag));
// One in a line, so that a change is easy to read.
writeFileSync(
  new URL("src/generated/operations.json", import.meta.url),
  `[\n${operations.map((operation) => JSON.stringify(operation)).join(",\n")}\n]\n`,
);

const { name, version, mcpName, homepage, license } = JSON.parse(
  readFileSync(new URL("package.json", import.meta.url), "utf8"),
) as Record<"name" | "version" | "mcpName" | "homepage" | "license", string>;
/** The registry compares `mcpName` of the published package with the name. */
const entry = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  title: "Engram",
  description:
    "Memory for AI agents: stores whole conversations verbatim, and finds them by meaning and words.",
  websiteUrl: homepage,
  version,
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", value: "mcp" },
        {
          type: "named",
          name: "--tools",
          description: "Sets of tools, separated by commas",
          default: "conversations",
        },
      ],
      environmentVariables: [
        {
          name: "ENGRAM_API_KEY",
          description: "A key of the service; without one, that of the profile of `engram login`",
          isSecret: true,
        },
        {
          name: "ENGRAM_URL",
          description: "URL of the service",
          default: "http://127.0.0.1:26366",
        },
      ],
    },
  ],
};
writeFileSync(new URL("../server.json", import.meta.url), `${JSON.stringify(entry, null, 2)}\n`);

for (const [path, text] of pluginFiles({ version, homepage, license })) {
  const file = new URL(`../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
}

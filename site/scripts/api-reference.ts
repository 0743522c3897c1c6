import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cell, fieldsOf, nameOf, type Schema, typeText } from "./schema-text.ts";

export const DOCUMENT = resolve(import.meta.dirname, "../../spec/openapi.json");
/** Where the examples' service listens. */
const BASE_URL = "http://127.0.0.1:26366";
/** The parts of an operation are the same everywhere, so that a page's outline names its operations alone. */
const OUTLINE = "---\noutline: 2\n---";

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  "x-mcp"?: unknown;
  "x-codeSamples"?: { source: string }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response | { $ref: string }>;
}

interface Response {
  description: string;
  content?: Record<string, Content>;
}

interface Problem {
  code: string;
  status: number;
  title: string;
}

/** The example of a code. The description's paragraphs say what it means, and what to do. */
interface ProblemExample {
  description: string;
  value: Problem;
}

/** What the reference reads of the contract's document. */
export interface ApiDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    /** Error responses, by the names under which operations refer to them. */
    responses: Record<string, Response>;
    examples: Record<string, ProblemExample>;
  };
}

interface Page {
  /** Path under the site's root, without `.md`. */
  path: string;
  markdown: string;
}

/** Write the API's reference into a folder: a page of each tag, one of all types, one of each problem. */
export function writeApiReference(folder: string): void {
  const document: ApiDocument = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  for (const path of ["api", "problems"]) mkdirSync(join(folder, path), { recursive: true });
  for (const { path, markdown } of apiPages(document)) writeFileSync(join(folder, `${path}.md`), markdown);
}

/** The tags of the contract with the pages that tell of them, in its order. */
export function apiTags(): { text: string; link: string }[] {
  const { tags }: ApiDocument = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  return tags.map(({ name }) => ({ text: name, link: `/${tagPath(name)}` }));
}

/** The operations of the contract, in its order. */
export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function apiPages(document: ApiDocument): Page[] {
  const operations = operationsOf(document);
  const examples = Object.values(document.components.examples);
  const problems = examples.map(({ value }) => value);
  const tags = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const sections = own.map(({ method, path, operation }) =>
      operationText(document, method, path, operation),
    );
    return { path: tagPath(name), markdown: paragraphs(OUTLINE, `# ${name}`, description, ...sections) };
  });
  const overview = operations.map(
    ({ method, path, operation }) =>
      `| [${operation.summary}](/${operationPath(operation)}) | \`${method} ${path}\` | ${scopeText(operation)} |`,
  );
  const types = Object.entries(document.components.schemas).map(([name, schema]) =>
    paragraphs(`## ${name}`, schema.description, fieldsText(schema) || `${typeText(schema)}.`),
  );
  return [
    {
      path: "api/index",
      markdown: paragraphs(
        "---\naside: false\n---",
        "# API reference",
        "Made from the contract, which every service serves at `/openapi.json` and, to try out, at `/docs`. Postman, Bruno, Insomnia and Hoppscotch import `/openapi.json`.",
        document.info.description,
        "In the TypeScript examples, `engram` is a client of [the SDK](/sdk/), and `operator` one with the admin token. Items such as `conversation` come from earlier calls.",
        table("| operation | request | scope |", overview),
      ),
    },
    ...tags,
    {
      path: "api/types",
      markdown: paragraphs(
        "# Types",
        "What bodies and answers are made of. JSON, UTF-8, names in snake_case.",
        ...types,
      ),
    },
    {
      path: "problems/index",
      markdown: paragraphs(
        "# Problems",
        "Every error response is an [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem, `application/problem+json`. Programs read `code`: codes are added, but never renamed or removed. `detail` is for people; for an invalid field it names the field and the limit. `request_id` finds the request in the log of the service. `type` is the address of the code's page below. Each service has the same pages at `/problems`.",
        table(
          "| code | status | title |",
          problems.map(
            ({ code, status, title }) => `| [\`${code}\`](/problems/${code}.md) | ${status} | ${title} |`,
          ),
        ),
      ),
    },
    ...examples.map((example) =>
      problemPage(
        document,
        example,
        operations.map(({ operation }) => operation),
      ),
    ),
  ];
}

function problemPage(
  document: ApiDocument,
  { description, value }: ProblemExample,
  operations: Operation[],
): Page {
  const { code, status, title, ...rest } = value;
  const [meaning, action] = description.split("\n\n");
  const answering = operations.filter((operation) =>
    problemCodes(document, operation).some(([, each]) => each === code),
  );
  const links = answering.map((operation) => `- [${operation.summary}](/${operationPath(operation)})`);
  return {
    path: `problems/${code}`,
    markdown: paragraphs(
      `# ${title}`,
      `Code \`${code}\`, status ${status}.`,
      meaning,
      "## What to do",
      action,
      "## Example",
      fence("json", JSON.stringify({ ...rest, title, status, code }, undefined, 2)),
      links.length === 0 ? undefined : paragraphs("## Operations that can fail with it", links.join("\n")),
    ),
  };
}

function operationText(document: ApiDocument, method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: place, required, description, schema }) =>
      `| \`${name}\`${required ? "" : "?"} | ${place} | ${typeText(schema)} | ${cell(description)} |`,
  );
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const answers = responsesOf(document, operation)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content }]) => {
      const [answer] = Object.values(content ?? {});
      return `| ${status} | ${answer === undefined ? "" : typeText(answer.schema)} | ${cell(description)} |`;
    });
  const problems = problemCodes(document, operation).map(
    ([status, code]) => `${status} [\`${code}\`](/problems/${code}.md)`,
  );
  return paragraphs(
    `## ${operation.summary}`,
    fence("http", `${method} ${path}`),
    operation.description,
    `Scope: ${scopeText(operation)}. Operation \`${operation.operationId}\`.${operation["x-mcp"] === undefined ? "" : " Also [a tool of the MCP route](/mcp.md)."}`,
    parameters.length === 0 ? undefined : "### Parameters",
    table("| name | in | type | |", parameters),
    body === undefined ? undefined : paragraphs("### Body", `\`${mediaType}\`, ${typeText(body.schema)}`),
    body === undefined ? undefined : fieldsText(resolveSchema(document, body.schema)),
    "### Answers",
    table("| status | body | |", answers),
    `Problems: ${problems.join(", ")}.`,
    "### Example",
    fence("sh", curlText(document, method, path, operation)),
    ...(operation["x-codeSamples"] ?? []).map(({ source }) => fence("ts", source)),
  );
}

function fieldsText(schema: Schema): string {
  const rows = fieldsOf(schema).map(
    ({ name, isRequired, schema: field }) =>
      `| \`${name}\`${isRequired ? "" : "?"} | ${typeText(field)} | ${cell(field.description ?? "")} |`,
  );
  return table("| field | type | |", rows) ?? "";
}

/** A request with the examples of the contract, against the service that `npm start` runs. */
export function curlText(document: ApiDocument, method: string, path: string, operation: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters?.find((each) => each.in === "path" && each.name === name);
    return String(parameter?.schema.examples?.[0] ?? name);
  });
  const takes = (scheme: string) => operation.security.some((each) => scheme in each);
  const token = takes("signInCode") ? "$CODE" : `$(cat .engram/${takes("apiKey") ? "key" : "admin-token"})`;
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const example = body === undefined ? undefined : exampleOf(document, body.schema);
  return [
    `curl -s${method === "GET" || (method === "POST" && body !== undefined) ? "" : ` -X ${method}`} ${BASE_URL}${filled}`,
    ...(isOpen(operation) ? [] : [`-H "authorization: Bearer ${token}"`]),
    ...(mediaType === undefined ? [] : [`-H "content-type: ${mediaType}"`]),
    ...(mediaType === undefined
      ? []
      : [
          mediaType === "application/json"
            ? `-d '${JSON.stringify(example)}'`
            : "--data-binary @backup.ndjson",
        ]),
  ].join(" \\\n  ");
}

/** Whether anybody may call it, without a key. */
const isOpen = ({ security }: Operation): boolean => security.some((each) => Object.keys(each).length === 0);

/** A value that fits: the contract's own example, or one made of those of the required fields; of several kinds the first. */
function exampleOf(document: ApiDocument, reference: Schema): unknown {
  const schema = resolveSchema(document, reference);
  const own = schema.example ?? schema.examples?.[0] ?? schema.enum?.[0];
  if (own !== undefined) return own;
  const [kind] = schema.oneOf ?? [];
  if (kind !== undefined) return exampleOf(document, kind);
  if (schema.items !== undefined) return [exampleOf(document, schema.items)];
  const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
    schema.required?.includes(name),
  );
  return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(document, field)]));
}

/** The responses of an operation, by status. */
const responsesOf = (document: ApiDocument, { responses }: Operation): [status: string, Response][] =>
  Object.entries(responses).flatMap(([status, response]) => {
    const whole = "$ref" in response ? document.components.responses[nameOf(response.$ref)] : response;
    return whole === undefined ? [] : [[status, whole]];
  });

/** Status and code of each problem that an operation may answer. */
export function problemCodes(document: ApiDocument, operation: Operation): [status: string, code: string][] {
  return responsesOf(document, operation).flatMap(([status, { content }]) =>
    Object.keys(content?.["application/problem+json"]?.examples ?? {}).map((code): [string, string] => [
      status,
      code,
    ]),
  );
}

function scopeText({ security }: Operation): string {
  const scopes = security.flatMap((each) => [
    ...("adminToken" in each ? ["the admin token"] : []),
    ...("signInCode" in each ? ["a sign-in code"] : []),
    ...(each.apiKey ?? []).map((scope) => `\`${scope}\``),
  ]);
  return scopes.length === 0 ? "none" : scopes.join(", ");
}

function resolveSchema(document: ApiDocument, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema.$ref)] ?? {});
}

/** The address `api/index` is the overview's, so that the tag of this name stands under what it is of. */
const tagPath = (tag: string) =>
  `api/${tag === "Index" ? "search-index" : tag.toLowerCase().replaceAll(" ", "-")}`;

function operationPath({ tags, summary }: Operation): string {
  return `${tagPath(tags[0] ?? "")}.md#${summary.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

function table(head: string, rows: string[]): string | undefined {
  if (rows.length === 0) return undefined;
  return [head, head.replace(/[^|]+/g, " --- "), ...rows].join("\n");
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

const paragraphs = (...blocks: (string | undefined)[]) =>
  `${blocks.filter((block) => block !== undefined && block !== "").join("\n\n")}\n`;

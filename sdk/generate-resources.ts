// The SDK's resources: a class of each, with a method of each operation of the contract.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

interface Schema {
  $ref?: string;
  type?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  contentMediaType?: string;
  contentSchema?: { additionalProperties: { type: string[] } };
}

interface Parameter {
  in: string;
  name: string;
  description: string;
  required: boolean;
  schema: Schema;
}

interface Response {
  $ref?: string;
  description: string;
  headers?: object;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  "x-sdk"?: { method?: string; takes?: string; repeatable?: true };
  "x-codeSamples": { source: string }[];
}

/** What the SDK reads of the OpenAPI document. */
export interface Contract {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    examples: Record<string, { description: string }>;
  };
}

/** A method of the SDK, and its operation. */
export interface Method {
  /** The property of the client that has the method; null for a method of the client itself. */
  resource: string | null;
  name: string;
  verb: string;
  path: string;
  operation: Operation;
}

/** Headers that a method sends by itself, with the type of the options that it then takes. */
const HEADERS: Record<string, { options: string; value: string }> = {
  "idempotency-key": { options: "WriteOptions", value: "idempotencyHeader(options)" },
  "if-match": { options: "ConditionalOptions", value: "ifMatchHeader(options)" },
};
/** Failures that depend on what is stored. Every operation can have the others. */
const STATE_STATUSES = ["404", "409", "410", "412"];
const HEADER = "// Generated from spec/openapi.json by `npm run generate`. Do not edit.\n";
const JSON_TYPE = "application/json";
const COMMENT_WIDTH = 110;

/** The methods of all operations, in the order of the document. @throws {Error} when two have the same name. */
export function methodsOf({ paths }: Contract): Method[] {
  const methods = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => {
      return { ...nameOf(operation), verb: verb.toUpperCase(), path, operation };
    }),
  );
  const names = methods.map(fullName);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new Error(`Two operations have the method ${twice}: name one in its contract`);
  return methods;
}

/** The name that the contract gives, or such as `conversations.create` for `createConversation`. */
function nameOf({ operationId, tags: [tag], "x-sdk": { method } = {} }: Operation) {
  const resource = toCamelCase(tag);
  const plural = toPascalCase(resource);
  const noun = new RegExp(`(?:${plural}|${plural.replace(/ies$/, "y").replace(/s$/, "")})$`);
  const [name = "", owner = null] = (method ?? `${resource}.${operationId.replace(noun, "")}`)
    .split(".")
    .reverse();
  return { name, resource: owner };
}

export const fullName = ({ resource, name }: Method): string =>
  resource === null ? name : `${resource}.${name}`;

/** The members of the classes that are written by hand, by the name of the class. The generated classes lack them. */
function membersByHand(): Map<string, { file: string; members: string[] }> {
  const source = join(import.meta.dirname, "src");
  const files = ["engram.ts", ...globSync("resources/*.ts", { cwd: source }).sort()];
  return new Map(
    files.flatMap((file) =>
      ts
        .createSourceFile(file, readFileSync(join(source, file), "utf8"), ts.ScriptTarget.Latest)
        .statements.filter(ts.isClassDeclaration)
        .map(({ name, members }): [string, { file: string; members: string[] }] => {
          const names = members.flatMap((member) =>
            member.name && ts.isIdentifier(member.name) ? member.name.text : [],
          );
          return [name?.text ?? "", { file, members: names }];
        }),
    ),
  );
}

/** The generated files, by name, before they are formatted. */
export function renderResources(contract: Contract): Record<string, string> {
  const all = methodsOf(contract);
  const byHand = membersByHand();
  const resources = [...new Set(all.flatMap(({ resource }) => resource ?? []))];
  const classes = resources.map(toPascalCase);
  const render = renderMethods(contract, all, classes);
  const methodsIn = (resource: string | null) => {
    const { members = [] } = byHand.get(resource === null ? "Engram" : toPascalCase(resource)) ?? {};
    return all.filter((method) => method.resource === resource && !members.includes(method.name));
  };
  const generated = resources.filter((resource) => methodsIn(resource).length > 0);
  const queries = [...generated, null].flatMap(methodsIn).flatMap(render.query);
  const queryNames = queries.flatMap((query) => /^export interface (\w+)/m.exec(query)?.[1] ?? []);
  const importsByHand = classes.flatMap((name) => {
    const { file } = byHand.get(name) ?? {};
    return file === undefined ? [] : `import { ${name} } from "../${file}";`;
  });
  const importedClasses = generated.map(toPascalCase).filter((name) => !byHand.has(name));
  return {
    "resources.ts": withImports(contract, classes, [
      'type Query<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;',
      ...queries,
      ...generated.map((resource) =>
        renderClass(
          toPascalCase(resource),
          describe(contract, all, resource),
          methodsIn(resource).map(render.method),
        ),
      ),
    ]),
    "client.ts": withImports(contract, classes, [
      [...importsByHand, `import { ${importedClasses} } from "./resources.ts";`].join("\n"),
      renderClass(
        "Resources",
        "The resources of the API, and the methods that belong to none of them.",
        methodsIn(null).map(render.method),
        resources.map((name) => ({ name, description: describe(contract, all, name) })),
      ),
    ]),
    "types.ts": `${HEADER}
export type { ${queryNames.join(", ")} } from "./resources.ts";
export type { ${Object.keys(contract.components.schemas).join(", ")}, paths } from "./schema.ts";
`,
  };
}

/** The text of the tag with the name of the resource, or else the summaries of the resource's operations. */
function describe({ tags }: Contract, all: Method[], resource: string): string {
  const tag = tags.find(({ name }) => toCamelCase(name) === resource);
  const own = all.filter((method) => method.resource === resource);
  return tag?.description ?? own.map(({ operation }) => `${operation.summary}.`).join(" ");
}

const renderClass = (
  name: string,
  description: string,
  methods: string[],
  resources: { name: string; description: string }[] = [],
): string => `${comment([description])}
export class ${name} {
  ${resources.map((each) => `${comment([each.description])}\nreadonly ${each.name}: ${toPascalCase(each.name)};`).join("\n")}
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
    ${resources.map((each) => `this.${each.name} = new ${toPascalCase(each.name)}(http);`).join("\n")}
  }

  ${methods.join("\n\n")}
}`;

function renderMethods(contract: Contract, all: Method[], classes: string[]) {
  const { schemas } = contract.components;
  const resolve = (schema: Schema): Schema => schemas[refName(schema)] ?? schema;

  /** The TypeScript type of a schema that has a name, or of one of several. */
  const typeOf = (schema: Schema): string =>
    (schema.anyOf ?? schema.oneOf)?.map(typeOf).join(" | ") ?? typeName(refName(schema), classes);

  const query = ({ name, resource, operation }: Method): string[] => {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (parameters.length === 0) return [];
    const text = comment([`Query of \`${resource === null ? "" : `${resource}.`}${name}\`.`]);
    const json = parameters.filter(isJson);
    const wire = `Query<"${operation.operationId}">`;
    const fields = json.map(({ name, description, schema }) => {
      const values = schema.contentSchema?.additionalProperties.type.join(" | ");
      return `${comment([description])}\n${name}?: Record<string, ${values}>;`;
    });
    const base =
      json.length === 0 ? wire : `Omit<${wire}, ${json.map((each) => `"${each.name}"`).join(" | ")}>`;
    return [`${text}\nexport interface ${queryName(operation)} extends ${base} {${fields.join("\n")}}`];
  };

  const method = ({ name, verb, path, operation }: Method): string => {
    const {
      parameters = [],
      requestBody,
      responses,
      "x-sdk": { takes, repeatable = false } = {},
    } = operation;
    const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const signature = at("path").map((parameter) => `${toCamelCase(parameter.name)}: string`);
    const statements: string[] = [];
    const params: string[] = [];
    const request = ["...init"];
    if (signature.length > 0)
      params.push(`path: { ${at("path").map((id) => `${id.name}: ${toCamelCase(id.name)}`)} }`);
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
    const schema = success?.content?.[JSON_TYPE]?.schema;
    if (schema === undefined)
      throw new Error(`${operation.operationId} returns no JSON: write its method by hand`);
    const isPaged = at("query").some(({ name }) => name === "cursor");
    if (at("query").length > 0) {
      signature.push(`query: ${queryName(operation)} = {}`);
      const json = at("query")
        .filter(isJson)
        .map(({ name }) => name);
      if (json.length > 0) {
        const encoded = json.map((name) => `...(${name} && { ${name}: JSON.stringify(${name}) })`);
        statements.push(`const { ${json}, ...rest } = query;`, `const filters = { ...rest, ${encoded} };`);
      }
      const filters = json.length > 0 ? "filters" : "query";
      params.push(`query: ${isPaged ? `{ ...${filters}, cursor }` : filters}`);
    }
    const body = requestBody?.content[JSON_TYPE]?.schema;
    if (body !== undefined) {
      const fields = resolve(body);
      const isOptional = verb === "POST" && !fields.required?.length && !fields.minProperties;
      const type = takes === undefined ? typeOf(body) : `NonNullable<${typeOf(body)}["${takes}"]>`;
      signature.push(`${takes ?? "body"}: ${type}${isOptional ? " = {}" : ""}`);
      // A query may have been cut in the middle of an emoji.
      const value = fields.properties?.query?.type === "string" ? "body: withValidQuery(body)" : "body";
      request.push(takes === undefined ? value : `body: { ${takes} }`);
    }
    const headers = at("header").map(({ name }) => {
      const header = HEADERS[name];
      if (header === undefined)
        throw new Error(`${operation.operationId} has the header ${name}: write its method by hand`);
      return header;
    });
    if (headers.length > 0) {
      const values = headers.map(({ value }) => value);
      params.push(`header: ${values.length === 1 ? values : `{ ${values.map((value) => `...${value}`)} }`}`);
    }
    const options = headers.map(({ options }) => options).join(" & ") || "CallOptions";
    signature.push(`options: ${options} = {}`);
    if (params.length > 0) request.splice(1, 0, `params: { ${params} }`);
    if (repeatable) statements.push("const repeatable = true;");
    const call = `this.#http.call(options, (client, init) => client.${verb}("${path}", { ${request} })${repeatable ? ", repeatable" : ""})`;
    const { items = {} } = resolve(schema).properties?.items ?? {};
    statements.push(
      ...(isPaged
        ? [
            `const fetchPage = (cursor: string | undefined) => ${call};`,
            "return new List(fetchPage, query.cursor);",
          ]
        : [`return ${call};`]),
    );
    const returned = isPaged ? `List<${typeOf(items)}>` : `Call<${typeOf(schema)}>`;
    return `${comment(docsOf(contract, all, operation))}
${name}(${signature.join(", ")}): ${returned} { ${statements.join("\n")} }`;
  };

  return { query, method };
}

/** The documentation of a method, by paragraph and tag. */
function docsOf({ components }: Contract, all: Method[], operation: Operation): string[] {
  const names = new Map(all.map((method) => [method.operation.operationId, fullName(method)]));
  /** With the names that operations and headers have in the SDK. */
  const inSdk = (text: string) =>
    text
      .replaceAll(/`(\w+)`/g, (whole, id) => (names.has(id) ? `\`${names.get(id)}\`` : whole))
      .replaceAll(
        /`(If-Match|Idempotency-Key)`/gi,
        (_, header) => `\`${toCamelCase(header.toLowerCase())}\``,
      );
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  const [[, success] = []] = successes;
  const isVersioned = success?.headers !== undefined && "ETag" in success.headers;
  const isRead = operation.description.startsWith("Returns");
  const returned =
    successes.length > 1
      ? successes.map(([status, { description }]) => `${status}: ${description}`).join(" ")
      : (success?.description ?? "");
  const failures = Object.entries(operation.responses).flatMap(([status, response]) =>
    STATE_STATUSES.includes(status) ? problemsOf(components, response) : [],
  );
  return [
    inSdk(operation.description).replace(/^Returns a page of /, "Lists "),
    access(operation),
    isVersioned && isRead ? "`.withResponse()` also returns the ETag, to pass as `ifMatch`." : "",
    ...(/\. /.test(returned) ? [`@returns ${inSdk(returned)}`] : []),
    ...failures.map(([code, meaning]) => `@throws {ApiError} \`${code}\`: ${inSdk(meaning)}`),
    ...operation["x-codeSamples"].map(({ source }) => `@example\n\`\`\`ts\n${source}\n\`\`\``),
  ].filter((paragraph) => paragraph !== "");
}

/** Code and meaning of each problem of an error response. */
function problemsOf({ responses, examples }: Contract["components"], response: Response): [string, string][] {
  const { content } = responses[refName(response)] ?? response;
  return Object.keys(content?.["application/problem+json"]?.examples ?? {}).map((code) => [
    code,
    /^.*?\.(?=\s|$)/.exec(examples[code]?.description ?? "")?.[0] ?? "",
  ]);
}

function access({ security }: Operation): string {
  const scopes = security.flatMap(({ apiKey = [] }) => apiKey.map((scope) => `\`${scope}\``));
  const isOfOperator = security.some((scheme) => "adminToken" in scheme);
  const needed = [
    ...(scopes.length > 0 ? [`the scope${scopes.length > 1 ? "s" : ""} ${scopes.join(" and ")}`] : []),
    ...(isOfOperator ? ["the admin token as `apiKey`"] : []),
  ];
  return needed.length === 0 ? "" : `Needs ${needed.join(", or ")}.`;
}

/** A comment of paragraphs, the tags last. */
function comment(paragraphs: string[]): string {
  const lines = paragraphs.flatMap((paragraph, i) => {
    const isTag = paragraph.startsWith("@");
    const text = paragraph.startsWith("@example")
      ? paragraph.split("\n")
      : wrap(paragraph, isTag ? "  " : "");
    return i === 0 || (isTag && paragraphs[i - 1]?.startsWith("@")) ? text : ["", ...text];
  });
  if (lines.some((line) => line.includes("*/")))
    throw new Error(`A text ends its comment: ${lines.join("\n")}`);
  const [only] = lines;
  if (lines.length === 1) return `/** ${only} */`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`;
}

function wrap(text: string, indent: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && `${line} ${word}`.length > COMMENT_WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

/** A module of these parts, with imports of all names that they use. */
function withImports({ components }: Contract, classes: string[], parts: string[]): string {
  const code = parts.join("\n\n");
  const withoutComments = code.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const used = (...names: string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments));
  const schemas = Object.keys(components.schemas).flatMap((name) => {
    const imported = typeName(name, classes);
    return used(imported).map(() => (imported === name ? name : `${name} as ${imported}`));
  });
  const from = (file: string, types: string[], values: string[] = []) => {
    const names = values.length === 0 ? types : [...types.map((type) => `type ${type}`), ...values];
    if (names.length === 0) return "";
    return `import ${values.length === 0 ? "type " : ""}{ ${names.join(", ")} } from "${file}";`;
  };
  return [
    HEADER,
    from("../call.ts", used("Call")),
    from("../http.ts", used("Http"), used("idempotencyHeader", "ifMatchHeader")),
    from("../list.ts", [], used("List")),
    from("../options.ts", used("CallOptions", "ConditionalOptions", "WriteOptions")),
    from("../well-formed.ts", [], used("withValidQuery")),
    from("./schema.ts", [...schemas, ...(code.includes("keyof operations") ? ["operations"] : [])]),
    code,
    "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const isJson = ({ schema }: Parameter): boolean => schema.contentMediaType === JSON_TYPE;

const refName = ({ $ref = "" }: { $ref?: string }): string => $ref.replace(/^.*\//, "");

/** The name under which a type of the contract is imported: another one if a class has its name. */
const typeName = (name: string, classes: string[]): string =>
  classes.includes(name) ? `${name}Schema` : name;

const queryName = ({ operationId }: Operation): string => `${toPascalCase(operationId)}Query`;

const toCamelCase = (text: string): string =>
  text
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[ _-](\w)/g, (_, letter) => letter.toUpperCase());

const toPascalCase = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

// The SDK's methods, each with the type of its query.
import {
  type Contract,
  fullName,
  type Method,
  type Operation,
  type Parameter,
  refName,
  type Schema,
  toCamelCase,
  toPascalCase,
} from "./contract.ts";
import { comment, docsOf } from "./documentation.ts";

/** Headers that a method sends by itself, with the type of the options that it then takes. */
const HEADERS: Record<string, { options: string; value: string }> = {
  "idempotency-key": { options: "WriteOptions", value: "idempotencyHeader(options)" },
  "if-match": { options: "ConditionalOptions", value: "ifMatchHeader(options)" },
};
const JSON_TYPE = "application/json";

/** What one kind of argument adds to a method. */
interface Part {
  arguments?: string[];
  /** Statements before the request. */
  statements?: string[];
  /** Fields of openapi-fetch's `params`. */
  params?: string[];
  /** Other fields of the request. */
  request?: string[];
}

/** @param classes Names that the classes of resources have, so that types of the contract need another one. */
export function createRenderer(contract: Contract, all: Method[], classes: string[]) {
  const { schemas } = contract.components;
  const resolve = (schema: Schema): Schema => schemas[refName(schema)] ?? schema;

  /** The TypeScript type of a schema that has a name, or of one of several. */
  const typeOf = (schema: Schema): string =>
    (schema.anyOf ?? schema.oneOf)?.map(typeOf).join(" | ") ?? typeName(refName(schema), classes);

  function bodyOf({ verb, operation }: Method): Part {
    const { requestBody, "x-sdk": { takes } = {} } = operation;
    if (requestBody === undefined) return {};
    const schema = requestBody.content[JSON_TYPE]?.schema ?? unlike(operation, "takes no JSON");
    const { properties, required = [], minProperties = 0 } = resolve(schema);
    const isOptional = verb === "POST" && required.length === 0 && minProperties === 0;
    const type = takes === undefined ? typeOf(schema) : `NonNullable<${typeOf(schema)}["${takes}"]>`;
    // A query may have been cut in the middle of an emoji.
    const whole = properties?.query?.type === "string" ? "body: withValidQuery(body)" : "body";
    return {
      arguments: [`${takes ?? "body"}: ${type}${isOptional ? " = {}" : ""}`],
      request: [takes === undefined ? whole : `body: { ${takes} }`],
    };
  }

  function renderMethod(method: Method): string {
    const { name, verb, path, operation } = method;
    const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
    const schema = success?.content?.[JSON_TYPE]?.schema ?? unlike(operation, "returns no JSON");
    const { items, next_cursor, total: _, ...others } = resolve(schema).properties ?? {};
    const isPaged = next_cursor !== undefined;
    // The parameters of a deletion are among its options, where the others of a call are.
    const query = verb === "DELETE" ? {} : queryOf(operation, isPaged);
    const parts = [idsOf(operation), query, bodyOf(method), optionsOf(method)];
    const params = parts.flatMap(({ params = [] }) => params);
    const request = [
      "...init",
      ...(params.length > 0 ? [`params: { ${params} }`] : []),
      ...parts.flatMap(({ request = [] }) => request),
    ];
    const isRepeatable = operation["x-sdk"]?.repeatable ?? false;
    const call = `this.#http.call(options, (client, init) => client.${verb}("${path}", { ${request} })${isRepeatable ? ", repeatable" : ""})`;
    const statements = [
      ...parts.flatMap(({ statements = [] }) => statements),
      ...(isRepeatable ? ["const repeatable = true;"] : []),
      ...(isPaged
        ? [
            `const fetchPage = (cursor: string | undefined) => ${call};`,
            "return new List(fetchPage, query.cursor);",
          ]
        : [`return ${call};`]),
    ];
    const ofPage = Object.keys(others).length > 0 ? `, ${typeOf(schema)}` : "";
    const returned = isPaged ? `List<${typeOf(items?.items ?? {})}${ofPage}>` : `Call<${typeOf(schema)}>`;
    return `${comment(docsOf(contract, all, operation))}
${name}(${parts.flatMap((part) => part.arguments ?? []).join(", ")}): ${returned} { ${statements.join("\n")} }`;
  }

  return { renderMethod, renderQuery };
}

const at = (place: string, { parameters = [] }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === place);

function idsOf(operation: Operation): Part {
  const ids = at("path", operation).map(({ name }) => ({ name, argument: toCamelCase(name) }));
  if (ids.length === 0) return {};
  return {
    arguments: ids.map(({ argument }) => `${argument}: string`),
    params: [`path: { ${ids.map(({ name, argument }) => `${name}: ${argument}`)} }`],
  };
}

function queryOf(operation: Operation, isPaged: boolean): Part {
  const parameters = at("query", operation);
  if (parameters.length === 0) return {};
  const json = parameters.filter(isJson).map(({ name }) => name);
  const encoded = json.map((name) => `...(${name} && { ${name}: JSON.stringify(${name}) })`);
  const filters = json.length > 0 ? "filters" : "query";
  const isOptional = parameters.every(({ required }) => !required);
  return {
    arguments: [`query: ${queryName(operation)}${isOptional ? " = {}" : ""}`],
    statements:
      json.length === 0
        ? []
        : [`const { ${json}, ...rest } = query;`, `const filters = { ...rest, ${encoded} };`],
    params: [`query: ${isPaged ? `{ ...${filters}, cursor }` : filters}`],
  };
}

function optionsOf({ verb, operation }: Method): Part {
  const parameters = verb === "DELETE" ? at("query", operation) : [];
  const headers = at("header", operation).map(
    ({ name }) => HEADERS[name] ?? unlike(operation, `has the header ${name}`),
  );
  const values = headers.map(({ value }) => value);
  const types = headers.map(({ options }) => options);
  const ofQuery = parameters.length === 0 ? [] : [queryName(operation)];
  return {
    arguments: [`options: ${[types.join(" & ") || "CallOptions", ...ofQuery].join(" & ")} = {}`],
    params: [
      ...(parameters.length === 0
        ? []
        : [`query: { ${parameters.map(({ name }) => `${name}: options.${name}`)} }`]),
      ...(values.length > 1
        ? [`header: { ${values.map((value) => `...${value}`)} }`]
        : values.map((value) => `header: ${value}`)),
    ],
  };
}

/** The type of a method's query, in which a parameter that has JSON is an object; none if it has no query. */
function renderQuery(method: Method): string[] {
  const { operation } = method;
  const parameters = at("query", operation);
  if (parameters.length === 0) return [];
  const json = parameters.filter(isJson);
  const fields = json.map(({ name, description, schema }) => {
    const values = schema.contentSchema?.additionalProperties.type.join(" | ");
    return `${comment([description])}\n${name}?: Record<string, ${values}>;`;
  });
  const wire = `Query<"${operation.operationId}">`;
  const names = json.map(({ name }) => `"${name}"`).join(" | ");
  return [
    `${comment([`Query of \`${fullName(method)}\`.`])}
export interface ${queryName(operation)} extends ${names === "" ? wire : `Omit<${wire}, ${names}>`} {${fields.join("\n")}}`,
  ];
}

/** The name under which a type of the contract is imported: another one if a class has its name. */
export const typeName = (name: string, classes: string[]): string =>
  classes.includes(name) ? `${name}Schema` : name;

const isJson = ({ schema }: Parameter): boolean => schema.contentMediaType === JSON_TYPE;

const queryName = ({ operationId }: Operation): string => `${toPascalCase(operationId)}Query`;

function unlike({ operationId }: Operation, how: string): never {
  throw new Error(`${operationId} ${how}: write its method by hand`);
}

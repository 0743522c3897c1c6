import { dereference, type Schema as JsonSchema, validate } from "@cfworker/json-schema";
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import fc from "fast-check";
import openapi from "../../../spec/openapi.json" with { type: "json" };
import { anyJson, anyText } from "./arbitrary.ts";
import { readEvents } from "./contract.ts";
import type { RequestParts } from "./requests.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  parameters?: { in: string; name: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Described | { $ref: string }>;
}

interface Described {
  content?: Record<string, { schema: Schema }>;
}

/** Values by name: of a parameter or a field, or undefined to leave it out. */
export type Given = Readonly<Record<string, unknown>>;

/** The committed OpenAPI document, whose schemas are those of JSON Schema 2020-12. */
const {
  paths,
  components: { schemas, responses },
} = JSON.parse(
  JSON.stringify(openapi).replaceAll("#/components/schemas/", "#/$defs/"),
  // An example may look like a schema with an id.
  (name, value) => (name === "example" || name === "examples" ? undefined : value),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Described> };
};

/** Upper bound on items of a list and keys of an object. */
const FEW = 3;

const operationOf = ({ path, method }: RouteConfig): Operation => {
  const operation = paths[path]?.[method];
  if (operation === undefined) throw new Error(`The document has no ${method} ${path}`);
  return operation;
};

/** The schemas by their URI, each prepared once, because many operations use the same ones. */
const lookup = dereference({ $defs: schemas } as JsonSchema);
const prepared = new Set<Schema>();

/** Differences between a value and a schema of the document; empty if there are none. */
function faultsOf(schema: Schema, value: unknown): string[] {
  if (!prepared.has(schema)) {
    dereference(schema as JsonSchema, lookup, undefined, `/prepared/${prepared.size}`);
    prepared.add(schema);
  }
  const { errors } = validate(value, schema as JsonSchema, "2020-12", lookup, false);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** Differences between a response and the document's description of its status. */
export async function responseFaults(contract: RouteConfig, response: Response): Promise<string[]> {
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  const declared = operationOf(contract).responses[response.status];
  const described =
    declared && "$ref" in declared
      ? responses[declared.$ref.replace("#/components/responses/", "")]
      : declared;
  const schema = described?.content?.[type]?.schema;
  if (schema === undefined) return [`The document has no ${response.status} ${type}`];
  const text = await response.text();
  const values =
    type === EVENT_STREAM_TYPE
      ? readEvents(text)
      : (type === NDJSON_TYPE ? text.trimEnd().split("\n") : [text]).map((line): unknown => JSON.parse(line));
  return values.flatMap((value) => faultsOf(schema, value));
}

/** Whether the document forbids a JSON body, or a query parameter. */
export function isForbidden(
  contract: RouteConfig,
  { rawBody, query = {} }: { rawBody?: string; query?: RequestParts["query"] },
): boolean {
  const { parameters = [], requestBody } = operationOf(contract);
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema !== undefined && rawBody !== undefined) {
    try {
      return faultsOf(schema, JSON.parse(rawBody)).length > 0;
    } catch {
      return true;
    }
  }
  return Object.entries(query).some(([name, text]) => {
    const parameter = parameters.find((one) => one.in === "query" && one.name === name);
    return (
      parameter !== undefined &&
      faultsOf(parameter.schema, fromText(parameter.schema, String(text))).length > 0
    );
  });
}

/** A field of a request that takes a text. */
export interface TextField {
  at: "params" | "query" | "headers" | "body";
  /** Names from the outside in; "0" is the first item of a list. */
  names: string[];
  /** Whether it takes an object, whose keys and values are texts. */
  isObject: boolean;
  /** Whether it takes more than some fixed values or times. */
  isOpen: boolean;
  /** Whether the document allows this text there. */
  allows(text: string): boolean;
}

const AT: Record<string, TextField["at"]> = { path: "params", query: "query", header: "headers" };

/** The fields of an operation's requests that take a text. */
export function textFieldsOf(contract: RouteConfig): TextField[] {
  const { parameters = [], requestBody } = operationOf(contract);
  const [content] = Object.values(requestBody?.content ?? {});
  return [
    ...parameters.flatMap((one) => textFieldsIn(AT[one.in] ?? "headers", [one.name], one.schema)),
    ...textFieldsIn("body", [], content?.schema ?? {}),
  ];
}

/** The fields of a parameter or a body that take a text. */
export function textFieldsIn(at: TextField["at"], names: string[], from: Schema): TextField[] {
  const schema = whole(from);
  const within = (inner: Schema, ...more: string[]) => textFieldsIn(at, [...names, ...more], inner);
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (options.length > 0) return options.flatMap((option) => within(option));
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, inner]) => within(inner, name));
  const types = [schema.type ?? []].flat();
  // In a query, metadata is an object encoded as JSON.
  const isObject = types.includes("object") || (at === "query" && names.at(-1) === "metadata");
  if (!isObject && !types.includes("string"))
    return schema.items === undefined ? [] : within(schema.items, "0");
  const { enum: values, format, pattern = "" } = schema;
  const isOpen = values === undefined && format === undefined;
  return [{ at, names, isObject, isOpen, allows: (text) => isOpen && new RegExp(pattern, "u").test(text) }];
}

type Tree = Record<string, unknown>;

/** The last name of a field, which tells what it is. */
export const nameOf = ({ names }: TextField): string => names.findLast((name) => name !== "0") ?? "";

/** A request with one field set to a value. */
export function withValue(parts: RequestParts, { at, names, isObject }: TextField, value: unknown) {
  const changed = structuredClone(parts);
  const path = [at, ...names];
  let inner = changed as Tree;
  for (const [i, name] of path.slice(0, -1).entries()) {
    inner[name] ??= path[i + 1] === "0" ? [] : {};
    inner = inner[name] as Tree;
  }
  inner[path.at(-1) ?? ""] = at === "query" && isObject ? JSON.stringify(value) : value;
  return changed;
}

/** A request with some fields set to a text. */
export function withText(parts: RequestParts, fields: readonly TextField[], text: string): RequestParts {
  return fields.reduce((changed, field) => {
    // Every body rejects the key `__proto__`, and an item to exclude must have a word.
    if (field.isObject) return withValue(changed, field, { [text === "__proto__" ? "proto" : text]: text });
    return withValue(changed, field, field.names[0] === "exclude" ? `${text} walrus` : text);
  }, parts);
}

/** The value of a query parameter in the type of its schema. */
function fromText({ type }: Schema, text: string): unknown {
  if (type === "array") return [text];
  const isWord =
    type === "boolean" ? /^(true|false)$/.test(text) : type === "integer" && /^-?\d+$/.test(text);
  return isWord ? JSON.parse(text.replace(/^(-?)0+(?=\d)/, "$1")) : text;
}

/** Requests that the document allows for an operation, with any of its optional parameters and fields. */
export function allowedRequests(contract: RouteConfig, given: Given): fc.Arbitrary<RequestParts> {
  const { parameters = [], requestBody } = operationOf(contract);
  const inPlace = (place: string) => {
    const some = parameters.filter((one) => one.in === place);
    return objectsOf(
      {
        properties: Object.fromEntries(some.map(({ name, schema }) => [name, schema])),
        required: some.filter(({ required }) => required).map(({ name }) => name),
      },
      given,
    );
  };
  // Of lines of JSON, one line.
  const [body] = Object.values(requestBody?.content ?? {});
  return fc
    .record({
      params: inPlace("path"),
      query: inPlace("query"),
      headers: inPlace("header"),
      body: body === undefined ? fc.constant(undefined) : valuesOf(body.schema, "", given),
    })
    .map((parts) => parts as RequestParts);
}

/** Any value of a field of an operation's requests: of the query, the body, or the filter in the body. */
export function anyValue(contract: RouteConfig, name: string): fc.Arbitrary<unknown> {
  const { parameters = [], requestBody } = operationOf(contract);
  const [content] = Object.values(requestBody?.content ?? {});
  const fields = whole(content?.schema ?? {}).properties ?? {};
  const inFilter = whole(fields.filter ?? {}).properties ?? {};
  const schema = parameters.find((one) => one.name === name)?.schema ?? fields[name] ?? inFilter[name];
  if (schema === undefined) throw new Error(`${contract.path} has no ${name}`);
  return valuesOf(schema, name, {});
}

/** Any item of a schema of the document, with any of its optional fields. */
export const anyItem = (schema: string, given: Given = {}): fc.Arbitrary<Record<string, unknown>> =>
  objectsOf(schemas[schema] ?? {}, given);

/** Two values of each field of a schema of the document that has more than one, none of them null. Always the same ones. */
export function sampleFields(schema: string): Record<string, [unknown, unknown]> {
  const toPair = ([name, each]: [string, Schema]) => {
    const values = fc.sample(valuesOf(each, name, {}), { numRuns: 50, seed: 7 });
    const [one, ...others] = values.filter((value) => value !== null);
    const other = others.find((value) => JSON.stringify(value) !== JSON.stringify(one));
    return other === undefined ? [] : [[name, [one, other]]];
  };
  return Object.fromEntries(Object.entries(schemas[schema]?.properties ?? {}).flatMap(toPair));
}

/** An item of a schema of the document with all its fields. */
export const fullItem = (schema: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sampleFields(schema)).map(([name, [value]]) => [name, value]));

function valuesOf(schema: Schema, name: string, given: Given): fc.Arbitrary<unknown> {
  if (name in given) return fc.constant(given[name]);
  const one = whole(schema);
  if (one.enum !== undefined) return fc.constantFrom(...one.enum);
  const options = [...(one.anyOf ?? []), ...(one.oneOf ?? [])];
  if (options.length > 0) return fc.oneof(...options.map((option) => valuesOf(option, name, given)));
  if (one.type === undefined) return one.properties ? objectsOf(one, given) : anyJson;
  return fc.oneof(...[one.type].flat().map((type) => typed(type, one, name, given)));
}

function typed(type: string, schema: Schema, name: string, given: Given): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 1_000_000, items = {}, minItems = 0, maxItems = FEW } = schema;
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min: minimum, max: maximum });
  if (type === "number") return fc.double({ min: minimum, max: maximum, noNaN: true });
  if (type === "string") return textsOf(schema);
  if (type === "array") {
    return fc.uniqueArray(valuesOf(items, name, given), {
      minLength: minItems,
      maxLength: Math.max(minItems, Math.min(maxItems, FEW)),
      selector: (item) => JSON.stringify(item),
    });
  }
  return objectsOf(schema, given);
}

function textsOf({ format, pattern = "", minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const times = {
    min: new Date("2020-01-01T00:00:00Z"),
    max: new Date("2026-12-31T00:00:00Z"),
    noInvalidDate: true,
  };
  if (format === "date-time") return fc.date(times).map((time) => time.toISOString());
  if (format === "date") return fc.date(times).map((time) => time.toISOString().slice(0, 10));
  // An origin has no path.
  if (pattern.startsWith("^https?:")) return fc.domain().map((name) => `https://${name}`);
  if (pattern.includes("https")) return fc.webPath().map((path) => `https://hooks.example.com${path}`);
  const matches = new RegExp(pattern, "u");
  // An id or a hash, which no random text is.
  if (/\{\d+\}/.test(pattern)) return fc.stringMatching(new RegExp(pattern));
  const texts = fc.oneof(anyText, fc.string({ minLength: 1, maxLength: 20 }), fc.stringMatching(/^\d{1,9}$/));
  return texts.filter((text) => {
    const { length } = [...text];
    return matches.test(text) && length >= minLength && length <= maxLength;
  });
}

function objectsOf(schema: Schema, given: Given): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required = [], additionalProperties = {}, minProperties = 0 } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? additionalProperties : {};
    const keys = anyText.filter((key) => key !== "__proto__");
    return fc
      .dictionary(keys, valuesOf(values, "", given), { minKeys: minProperties, maxKeys: FEW })
      .map((value) => JSON.parse(JSON.stringify(value)));
  }
  // Fewer than half of the optional fields, because some exclude others.
  const optional = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  const model = Object.entries(properties).map(([name, each]) => {
    const value = valuesOf(each, name, given);
    return [name, required.includes(name) ? value : optional(value)];
  });
  return fc
    .record(Object.fromEntries(model) as Record<string, fc.Arbitrary<unknown>>)
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
    .filter((value) => Object.keys(value).length >= minProperties);
}

/** A schema with what it refers to in its place. */
function whole({ $ref, allOf = [], ...own }: Schema): Schema {
  const parts = [...($ref === undefined ? [] : [schemas[$ref.replace("#/$defs/", "")] ?? {}]), ...allOf];
  return Object.assign({}, ...parts.map(whole), own);
}

import { openApiDocument } from "@engram/spec";
import type { RequestParts } from "./client.ts";

/** The part of JSON Schema that is read here. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  operationId: string;
  parameters?: { in: "path" | "query" | "header"; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** A field of a request that accepts a text. */
export interface TextPlace {
  at: "params" | "query" | "headers" | "body";
  /** Path of names from the outside in; "0" for the first item of a list. */
  names: string[];
  /** Whether it accepts an object, whose keys and values are texts. */
  isObject: boolean;
  schema: Schema;
}

/** A request of an operation, with all its fields that accept a text. */
export interface Form {
  operationId: string;
  /** The content type of the body, if there are several. */
  type: string | null;
  places: TextPlace[];
}

/** Every form of every operation that accepts a text. */
export function listForms(): Form[] {
  const { paths, components } = openApiDocument() as unknown as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => formsOf(operation, components.schemas))
    .filter(({ places }) => places.length > 0);
}

const AT = { path: "params", query: "query", header: "headers" } as const;

function formsOf(
  { operationId, parameters = [], requestBody }: Operation,
  components: Record<string, Schema>,
): Form[] {
  const beside = parameters.flatMap(({ in: where, name, schema }) =>
    placesOf(AT[where], [name], schema, components),
  );
  const [content] = Object.values(requestBody?.content ?? {});
  const body = resolve(content?.schema ?? {}, components);
  return (body.oneOf ?? [body]).map((option) => {
    const type = resolve(option, components).properties?.type?.enum?.[0];
    return {
      operationId,
      type: typeof type === "string" ? type : null,
      places: [...beside, ...placesOf("body", [], option, components)],
    };
  });
}

/** The fields of a parameter or body that accept a text. */
export function placesOf(
  at: TextPlace["at"],
  names: string[],
  from: Schema,
  components: Record<string, Schema>,
): TextPlace[] {
  const schema = resolve(from, components);
  const within = (inner: Schema, ...more: string[]) => placesOf(at, [...names, ...more], inner, components);
  const options = [schema.anyOf, schema.oneOf].flatMap((some) => some ?? []);
  if (options.length > 0) return options.flatMap((option) => within(option));
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, inner]) => within(inner, name));
  const types = [schema.type ?? []].flat();
  // In a query, metadata is an object encoded as JSON.
  const isObject = types.includes("object") || (at === "query" && names.at(-1) === "metadata");
  if (isObject || types.includes("string")) return [{ at, names, isObject, schema }];
  return schema.items === undefined ? [] : within(schema.items, "0");
}

/**
 * Whether a field accepts all of the texts: it has no enum and no format, and its pattern matches each text.
 */
export const takesAll = ({ schema }: TextPlace, texts: readonly string[]): boolean =>
  schema.enum === undefined &&
  schema.format === undefined &&
  texts.every((text) => new RegExp(schema.pattern ?? "").test(text));

export function valueFor({ isObject }: Pick<TextPlace, "isObject">, text: string): unknown {
  // Every body rejects this key.
  return isObject ? { [text === "__proto__" ? "proto" : text]: text } : text;
}

type Tree = Record<string, unknown>;

/** The same request with some fields set to a text. */
export function withText(parts: RequestParts, places: readonly TextPlace[], text: string): RequestParts {
  const changed = structuredClone(parts) as Tree;
  for (const { at, names, isObject } of places) {
    const path = [at, ...names];
    let inner = changed;
    for (const [i, name] of path.slice(0, -1).entries()) {
      inner[name] ??= path[i + 1] === "0" ? [] : {};
      inner = inner[name] as Tree;
    }
    // A text to exclude must have a word.
    const value = valueFor({ isObject }, names[0] === "exclude" ? `${text} walrus` : text);
    inner[path.at(-1) ?? ""] = at === "query" && isObject ? JSON.stringify(value) : value;
  }
  return changed;
}

/** The value at a path of a response. */
export const valueAt = (answer: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((inside, name) => (inside as Tree | null)?.[name], answer);

function resolve(schema: Schema, components: Record<string, Schema>): Schema {
  const { $ref, allOf = [], ...own } = schema;
  const parts = allOf.map((part) => resolve(part, components));
  const found = $ref === undefined ? {} : components[$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`No schema ${$ref}`);
  const referred = $ref === undefined ? {} : resolve(found, components);
  const properties = Object.assign(
    {},
    ...[referred, ...parts, own].map((part: Schema) => part.properties ?? {}),
  );
  return {
    ...Object.assign({}, referred, ...parts, own),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

import { readExactJson } from "../text/exact-json.ts";
import type { Schema } from "./schemas.ts";
import type { McpTool } from "./tools.ts";

export type Arguments = Record<string, unknown>;

type JsonType = "array" | "boolean" | "integer" | "number" | "object" | "string";

/**
 * Reads arguments as models write them, by the input schema of the tool. Models often send lists, objects and numbers as
 * JSON text, and some clients send `null` for every argument that the model left out.
 *
 * - `null` counts as absent. Inside free objects such as `metadata`, it is a value.
 * - Text becomes a list, object, number or boolean if the schema allows only that. Text for a string stays as it is, even
 *   if it is JSON.
 * - A single item becomes a list of one, unless it is a text with a comma, which may be meant as several items.
 * - A number becomes text.
 *
 * A value that fits none of this is returned as it is, and so is an id in the path. `findMisfit` checks them.
 *
 * @throws {ApiError} `invalid_json` for JSON text that could not be stored exactly, `payload_too_large` for too many
 *   values.
 */
export function readArguments({ inputSchema, places }: McpTool, args: Arguments): Arguments {
  const properties = Object.entries(inputSchema.properties).filter(([name]) => places[name]?.in !== "path");
  return readFields(Object.fromEntries(properties), args);
}

/**
 * Says in which form the argument has to be sent. Undefined if its value has the type that the schema requires.
 */
export function misfitOf(name: string, schema: Schema, value: unknown): string | undefined {
  const type = typeOf(schema);
  if (type === undefined || (fits(type, value) && (type !== "array" || itemsFit(schema, value))))
    return undefined;
  return `\`${name}\` must be ${FORMS[type]}, such as \`${exampleOf(schema, type)}\`. Leave it out if there is none.`;
}

function readFields(properties: Record<string, Schema>, fields: Arguments): Arguments {
  const read = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (value === null) return [];
    return [[name, Object.hasOwn(properties, name) ? readValue(properties[name] ?? {}, value) : value]];
  });
  return Object.fromEntries(read);
}

function readValue(schema: Schema, value: unknown): unknown {
  const type = typeOf(schema);
  if (type === undefined) return value;
  const whole = typeof value === "string" && type !== "string" ? readText(type, value) : value;
  if (type === "array") return readItems(schema, whole);
  if (type === "string" && typeof whole === "number") return String(whole);
  if (type === "object" && isObject(whole) && isObject(schema.properties))
    return readFields(schema.properties as Record<string, Schema>, whole);
  return whole;
}

function readItems({ items }: Schema, value: unknown): unknown {
  const item = isObject(items) ? (items as Schema) : {};
  if (Array.isArray(value)) return value.map((one) => readValue(item, one));
  const only = readValue(item, value);
  const type = typeOf(item);
  // A text such as `billing, refund` or `['billing']` is not clear.
  const isClear =
    type !== undefined && fits(type, only) && !(typeof only === "string" && /^$|[,;[\]{}\n]/.test(only));
  return isClear ? [only] : value;
}

/** The value that a text stands for; the text itself if it does not stand for a value of the type. */
function readText(type: Exclude<JsonType, "string">, text: string): unknown {
  const trimmed = text.trim();
  if (type === "boolean") return { true: true, false: false }[trimmed.toLowerCase()] ?? text;
  if (type === "integer" || type === "number")
    return /^[+-]?\d+(?:\.\d+)?$/.test(trimmed) && fits(type, Number(trimmed)) ? Number(trimmed) : text;
  if (!/^[[{]/.test(trimmed)) return text;
  const { value, refusal } = readExactJson(trimmed);
  // A value that would change when it is stored is refused, as in the request itself.
  if (refusal !== undefined && value !== undefined) throw refusal;
  return value ?? text;
}

/** The only type that a value may have. Undefined if there are several, or none is named. */
function typeOf({ type, anyOf }: Schema): JsonType | undefined {
  const options = Array.isArray(anyOf) ? (anyOf as Schema[]).map((option) => option.type) : [type].flat();
  const [only, ...others] = options.filter((option) => option !== "null");
  return others.length === 0 && typeof only === "string" && only in FORMS ? (only as JsonType) : undefined;
}

const isObject = (value: unknown): value is Arguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fits(type: JsonType, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type;
}

function itemsFit({ items }: Schema, value: unknown): boolean {
  const type = isObject(items) ? typeOf(items as Schema) : undefined;
  return type === undefined || (value as unknown[]).every((item) => fits(type, item));
}

const FORMS: Record<JsonType, string> = {
  array: "an array",
  boolean: "a boolean",
  integer: "a whole number",
  number: "a number",
  object: "an object",
  string: "a string",
};

/** A value of the schema, as JSON. */
function exampleOf(schema: Schema, type: JsonType | undefined): string {
  if (type === "array") {
    const item = isObject(schema.items) ? (schema.items as Schema) : {};
    return `[${exampleOf(item, typeOf(item))}]`;
  }
  if (type === "object") {
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    const names = (schema.required as string[] | undefined) ?? Object.keys(properties);
    if (names.length === 0) return '{"key": "value"}';
    const fields = names.map(
      (name) => `"${name}": ${exampleOf(properties[name] ?? {}, typeOf(properties[name] ?? {}))}`,
    );
    return `{${fields.join(", ")}}`;
  }
  if (type === "boolean") return "true";
  if (type === "integer") return "10";
  if (type === "number") return "0.5";
  return JSON.stringify(Array.isArray(schema.enum) ? schema.enum[0] : "text");
}

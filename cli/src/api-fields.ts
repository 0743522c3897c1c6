import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { ApiField, ApiOperation } from "./api-operations.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { parseJson } from "./importers/values.ts";
import { STANDARD_STREAM } from "./spooled-input.ts";

/** What the command line has for each field, by its place and name: `true` for an option without a value. */
export type FieldTexts = Partial<Record<`${ApiField["in"]}:${string}`, string[] | true>>;

export type FieldValues = Record<ApiField["in"], Record<string, unknown>>;

export const kebab = (name: string): string => name.replaceAll("_", "-");

/** @throws {UsageError} If a text is not a value of its field. */
export function valuesOf({ fields }: ApiOperation, texts: FieldTexts): FieldValues {
  const values: FieldValues = { path: {}, query: {}, header: {}, body: {} };
  for (const field of fields) {
    const given = texts[`${field.in}:${field.name}`];
    if (given !== undefined) values[field.in][field.name] = toValue(field, [given].flat().map(String));
  }
  return values;
}

function toValue(field: ApiField, texts: string[]): unknown {
  const { types = ["string"], itemTypes = [] } = field;
  const [text = ""] = texts.slice(-1);
  // The last option counts, as in other programs.
  if (!types.includes("array")) return scalarOf(field, text, types);
  const whole = texts.length === 1 ? parseJson(text) : undefined;
  if (whole !== undefined && types.includes(typeOf(whole))) return whole;
  return texts.map((one) => scalarOf(field, one, itemTypes));
}

/** A text is itself where the field takes texts, except for `null`. Everything else is JSON. */
function scalarOf({ name }: ApiField, text: string, types: string[]): unknown {
  const value = parseJson(text);
  const type = typeOf(value);
  if (value !== undefined && type !== "string" && types.includes(type)) return value;
  if (Number.isInteger(value) && types.includes("integer")) return value;
  if (types.includes("string")) return text;
  if (types.length === 0) return value ?? text;
  throw new UsageError(
    `--${kebab(name)} must be ${types.map(shownType).join(" or ")}, not ${JSON.stringify(text)}.`,
  );
}

const shownType = (type: string): string =>
  type === "object"
    ? "a JSON object"
    : type === "boolean"
      ? "true or false"
      : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/**
 * The body as text: that of `--body`, byte for byte, with the fields of other options in it if there are any. Undefined
 * if the operation has no body.
 *
 * @throws {UsageError} If the body is missing, or if fields cannot be added to it.
 */
export async function bodyOf(
  { body: type, id }: ApiOperation,
  { body: fields }: FieldValues,
  source: string | undefined,
): Promise<string | undefined> {
  if (type === undefined) return undefined;
  if (source === undefined && type !== "application/json")
    throw new UsageError(`${id} needs --body with a file, or - for standard input.`);
  const whole = source === undefined ? "{}" : await read(source);
  if (Object.keys(fields).length === 0) return whole;
  const value = parseJson(whole);
  if (typeOf(value) !== "object")
    throw new UsageError("--body must be a JSON object to have other fields in it.");
  return JSON.stringify({ ...(value as object), ...fields });
}

async function read(source: string): Promise<string> {
  if (source === STANDARD_STREAM) return text(process.stdin);
  if (existsSync(source)) return readFile(source, "utf8");
  if (/^\s*[{[]/.test(source)) return source;
  throw new CommandError(`${source} does not exist, and is not a JSON object.`);
}

import type { NewMessage } from "../generated/schema.ts";
import { wellFormed } from "../well-formed.ts";
import { firstUnits } from "./json.ts";

/** A value that was converted, because JSON has no such value: where it is in the message, and what it was. */
export interface Converted {
  path: string;
  type: string;
}

export type Parts = NonNullable<NewMessage["parts"]>;
type Json = null | string | number | boolean | Json[] | { [name: string]: Json };

/** Field of `parts` that holds a message, or a piece of one, as JSON text. */
export const JSON_TEXT = "engram_json";
/** Objects and arrays at this depth are stored as JSON text: the service accepts 64 levels in a request. */
const DEPTH_MAX = 50;
/** The service accepts 16,384 bytes of metadata. */
const CONVERTED_MAX = 50;
const PATH_CHARACTERS_MAX = 100;

/** Matches JSON that the service refuses: half of a surrogate pair, or a key that would set a prototype. */
const REFUSED = /\\ud[89a-f][0-9a-f]{2}|"__proto__":/;
/** Matches JSON that may contain an integer above 2^53, which the service refuses. */
const LONG_NUMBER = /\d{16}/;
/** The service accepts 50,000 object fields and array items in a request. */
const VALUES_MAX = 20_000;

/**
 * The fields `parts` and `metadata` of a message, for any value. Never throws, because saving a chat must not break it.
 *
 * - A date becomes ISO text. An undefined field is left out.
 * - Any other value that JSON does not have becomes text: NaN, bigint, an integer above 2^53, Map, bytes as base64. An
 *   instance of another class becomes an object of its fields. `metadata.converted` lists the path and type of each.
 * - A message that the service would refuse, with half of a surrogate pair or too many values, is kept as JSON text.
 *   `fromParts` returns it equal.
 */
export function toParts(message: object): { parts: Parts; metadata?: { converted: Converted[] } } {
  const converted: Converted[] = [];
  const value = toJson(message, { path: "", ancestors: [], converted });
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    parts: isObject ? keptParts(value) : { [JSON_TEXT]: JSON.stringify(value) },
    ...(converted.length > 0 && { metadata: { converted: converted.slice(0, CONVERTED_MAX) } }),
  };
}

/** The field `parts` for an object of JSON, which is not converted. `fromParts` returns it equal. */
export function toExactParts(value: object): Parts {
  const isLong = LONG_NUMBER.test(JSON.stringify(value));
  return isLong ? { [JSON_TEXT]: JSON.stringify(value) } : keptParts(value as Exclude<Parts, unknown[]>);
}

/** The value that `toParts` or `toExactParts` was given. */
export function fromParts<Value>(parts: Parts): Value {
  return (isText(parts) ? JSON.parse(parts[JSON_TEXT]) : parts) as Value;
}

/** The JSON of the value that these are the parts of. */
export const jsonOf = (parts: Parts): string => (isText(parts) ? parts[JSON_TEXT] : JSON.stringify(parts));

function keptParts(value: Exclude<Parts, unknown[]>): Parts {
  const json = JSON.stringify(value);
  // Each field and item ends with one of these characters, so there are at most as many.
  const hasFew = json.length < VALUES_MAX || json.split(/[,\]}]/).length <= VALUES_MAX;
  // A message that happens to have the field of the JSON text is kept as text too, so that it is not mistaken for one.
  const isKept = hasFew && !REFUSED.test(json) && !Object.hasOwn(value, JSON_TEXT);
  return isKept ? value : { [JSON_TEXT]: json };
}

const isText = (parts: object): parts is { [JSON_TEXT]: string } =>
  typeof (parts as { [JSON_TEXT]?: unknown })[JSON_TEXT] === "string";

interface Place {
  path: string;
  ancestors: object[];
  converted: Converted[];
}

function toJson(value: unknown, place: Place): Json {
  const text = (type: string, shown: string): string => {
    place.converted.push({ path: shownPath(place.path), type });
    return shown;
  };
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
        ? value
        : text("number", String(value));
    case "undefined":
      text("undefined", "");
      return null;
    case "bigint":
    case "symbol":
      return text(typeof value, String(value));
    case "function":
      return text("function", `[function ${value.name}]`);
  }
  if (value === null) return null;
  return fromObject(value as object, place, text);
}

function fromObject(value: object, place: Place, text: (type: string, shown: string) => string): Json {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? text("Date", "Invalid Date") : value.toISOString();
  if (place.ancestors.includes(value)) return text("circular", "[circular]");
  const inside = { ...place, ancestors: [...place.ancestors, value] };
  const type = typeNameOf(value);
  try {
    if (place.ancestors.length === DEPTH_MAX) {
      // The text lists no conversions of its own, and is flat however deep the value is.
      return text(type, JSON.stringify(value, replacer()) ?? "");
    }
    if (Array.isArray(value))
      return Array.from(value, (item, i) => toJson(item, { ...inside, path: `${place.path}[${i}]` }));
    if (isPlain(value)) return fieldsOf(value, inside);
    if (value instanceof Map || value instanceof Set)
      return text(type, JSON.stringify(toJson([...value], { ...inside, converted: [] })));
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return text(type, toBase64(value));
    if (value instanceof Error || value instanceof RegExp) return text(type, String(value));
    const { toJSON } = value as { toJSON?: unknown };
    text(type, "");
    return typeof toJSON === "function" ? toJson(toJSON.call(value), inside) : fieldsOf(value, inside);
  } catch {
    // A getter or a proxy may throw anything.
    return text(type, `[${type}]`);
  }
}

function fieldsOf(value: object, place: Place): { [name: string]: Json } {
  const fields = Object.entries(value).flatMap(([name, field]): [string, Json][] =>
    field === undefined
      ? []
      : [[name, toJson(field, { ...place, path: place.path === "" ? name : `${place.path}.${name}` })]],
  );
  // Defines the key `__proto__` instead of setting the prototype.
  return Object.fromEntries(fields);
}

/** For `JSON.stringify`: a value that it would refuse or loop over becomes text. */
function replacer() {
  const seen = new Set<unknown>();
  return (_: string, value: unknown): unknown => {
    if (typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value)))
      return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (seen.has(value)) return "[circular]";
    seen.add(value);
    return value;
  };
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  // Also an object of another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function typeNameOf(value: object): string {
  try {
    return shownPath(String(value.constructor?.name || "object"));
  } catch {
    return "object";
  }
}

function toBase64(value: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const shownPath = (path: string): string => wellFormed(firstUnits(path, PATH_CHARACTERS_MAX));

import { TEXT_CHARACTERS_MAX } from "../generated/limits.ts";
import { wellFormed } from "../well-formed.ts";

/**
 * Returns the value if JSON can represent it exactly. Undefined fields count as absent.
 *
 * @throws {TypeError} for anything that JSON would change: bytes, dates, class instances, NaN.
 */
export function exactJson<T>(value: T, path = "The value"): T {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) exactJson(item, `${path}[${i}]`);
  else if (isPlain(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (field !== undefined) exactJson(field, `${path}.${name}`);
    }
  } else if (!isScalar(value)) throw new TypeError(`${path} cannot be stored exactly: it is not JSON`);
  return value;
}

const isScalar = (value: unknown) =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** JSON with sorted fields, so that equal values have equal JSON. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field) =>
    isPlain(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}

/**
 * The text of a message's content: the content itself if it is a string, or the texts of its parts, one per line. The
 * service refuses half of a surrogate pair, so each is replaced by U+FFFD.
 */
export function readableText(content: unknown): string {
  if (typeof content === "string") return wellFormed(content);
  const parts = Array.isArray(content) ? content : [content];
  return wellFormed(parts.flatMap((part) => (typeof part?.text === "string" ? part.text : [])).join("\n"));
}

/** JSON in which each half of a surrogate pair, in texts and in names of fields, is replaced by U+FFFD. */
export function wellFormedJson<T>(value: T): T {
  if (typeof value === "string") return wellFormed(value) as T;
  if (Array.isArray(value)) return value.map(wellFormedJson) as T;
  if (!isPlain(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [wellFormed(name), wellFormedJson(field)]);
  return Object.fromEntries(fields) as T;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

/** A name as the service accepts it, without control characters and not too long. Undefined if empty. */
export function shortName(text: string | null | undefined): string | undefined {
  const name = wellFormed(firstUnits(text ?? "", TEXT_CHARACTERS_MAX)).replace(CONTROL_CHARACTERS, " ");
  return name === "" ? undefined : name;
}

/** At most `count` UTF-16 code units from the start of the text. A pair is not split. */
export const firstUnits = (text: string, count: number): string =>
  text.length <= count ? text : text.slice(0, count).replace(/[\ud800-\udbff]$/, "");

/** At most `count` UTF-16 code units from the end of the text. A pair is not split. */
export const lastUnits = (text: string, count: number): string =>
  text.length <= count ? text : text.slice(-count).replace(/^[\udc00-\udfff]/, "");

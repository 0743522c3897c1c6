/**
 * What JSON keeps of a framework's value, when it keeps all of it: fields that are undefined count as absent.
 *
 * @throws {TypeError} for what would come back as something else: bytes, dates, instances of classes, NaN.
 */
export function exactJson<T>(value: T, path = "The value"): T {
  if (Array.isArray(value)) for (const [i, item] of value.entries()) exactJson(item, `${path}[${i}]`);
  else if (isPlain(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (field !== undefined) exactJson(field, `${path}.${name}`);
    }
  } else if (!isScalar(value)) throw new TypeError(`${path} cannot be kept exactly: it is not JSON`);
  return value;
}

const isScalar = (value: unknown) =>
  value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** Whether a value is an object made of fields alone. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** JSON that is the same for equal values, whatever the order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, field) =>
    isPlain(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1))) : field,
  );
}

/** What stands to read in a message's content: a text, or the texts among its parts, a line each. */
export function readableText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => (typeof part?.text === "string" ? part.text : [])).join("\n");
}

/** What a metadata index holds of one vector. */
export type IndexedValue = string | number | boolean;

/** The indexed part of one vector's metadata, by the index's dotted path. */
export type IndexedValues = Readonly<Record<string, IndexedValue>>;

/**
 * The metadata indexes of Engram's Vectorize index. Only these fields can be filtered on.
 *
 * The deployment creates the same ones.
 */
export const METADATA_INDEXES: Readonly<Record<string, "string" | "number" | "boolean">> = {
  conversation_id: "string",
  agent: "string",
  user: "string",
  kind: "string",
  model: "string",
  day: "number",
  last_day: "number",
};

/** Bytes of a string that an index keeps and compares. */
export const INDEXED_STRING_BYTES_MAX = 64;

const encoder = new TextEncoder();
const prefix = new Uint8Array(INDEXED_STRING_BYTES_MAX);

/** The first 64 bytes of a string, cut where a character ends. */
export function indexedString(value: string): string {
  // Three bytes is the most that one UTF-16 unit takes.
  if (value.length * 3 <= INDEXED_STRING_BYTES_MAX) return value;
  return value.slice(0, encoder.encodeInto(value, prefix).read);
}

/** What the metadata indexes take of a vector's metadata; a value of another type than its index is left out. */
export function indexedValues(metadata: Readonly<Record<string, unknown>> | undefined): IndexedValues {
  const values: Record<string, IndexedValue> = {};
  for (const [path, type] of Object.entries(METADATA_INDEXES)) {
    const value = valueAt(metadata, path);
    if (typeof value !== type) continue;
    if (typeof value === "string") values[path] = indexedString(value);
    else if (typeof value === "number" || typeof value === "boolean") values[path] = value;
  }
  return values;
}

/** Follows a dotted path into nested metadata. */
function valueAt(metadata: unknown, path: string): unknown {
  let value = metadata;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

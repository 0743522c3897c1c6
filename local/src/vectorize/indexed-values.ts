import type { IndexedValue, IndexedValues } from "../../../service/src/platform/vector-scan/filters.ts";

/**
 * The metadata indexes that `npm run deploy` creates, and the type of their values. Queries can filter only
 * by these fields.
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

export const INDEXED_STRING_BYTES_MAX = 64;

const encoder = new TextEncoder();
const prefix = new Uint8Array(INDEXED_STRING_BYTES_MAX);

/** The part of a string that is indexed: its first 64 bytes in UTF-8, cut between characters. */
export function indexedString(value: string): string {
  // A UTF-16 code unit has at most three bytes as UTF-8.
  if (value.length * 3 <= INDEXED_STRING_BYTES_MAX) return value;
  return value.slice(0, encoder.encodeInto(value, prefix).read);
}

/** The values of `metadata` that are indexed. A value of another type than its index is left out. */
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

function valueAt(metadata: unknown, path: string): unknown {
  let value = metadata;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

import { FilterError } from "../../../service/src/platform/vector-scan/filters.ts";
import { type Operation, vectorizeError } from "./errors.ts";
import { compileFilter } from "./filters.ts";
import { indexedValues } from "./indexed-values.ts";
import type { VectorRow } from "./tables.ts";

/** Limits of Vectorize for calls through the Workers binding, and the default of `topK`. */
const VECTORS_MAX = 1_000;
const GET_IDS_MAX = 20;
const DELETE_IDS_MAX = 100;
const ID_BYTES_MAX = 64;
const NAMESPACE_BYTES_MAX = 64;
export const METADATA_BYTES_MAX = 10_240;
const TOP_K_DEFAULT = 5;
const TOP_K_MAX = 100;
const TOP_K_WITH_VALUES_MAX = 50;

export interface CheckedOptions {
  topK: number;
  namespace: string | undefined;
  returnValues: boolean;
  returnMetadata: VectorizeMetadataRetrievalLevel;
  filter: VectorizeVectorMetadataFilter | undefined;
}

const RETRIEVAL_LEVELS: readonly unknown[] = ["none", "indexed", "all"];
const encoder = new TextEncoder();

/**
 * Checks the options of a query and sets the defaults. As in Vectorize, `returnMetadata: true` means "all",
 * but `false` is rejected.
 *
 * @throws {Error} With Cloudflare's messages.
 */
export function checkOptions(options: VectorizeQueryOptions = {}): CheckedOptions {
  const returnMetadata = retrievalLevel(options.returnMetadata);
  const returnValues = options.returnValues ?? false;
  const topK = options.topK ?? TOP_K_DEFAULT;
  if (!Number.isInteger(topK) || topK < 1) throw unreadable("topK: expected a positive integer");
  if (topK > TOP_K_WITH_VALUES_MAX && topK <= TOP_K_MAX && (returnValues || returnMetadata === "all")) {
    throw vectorizeError(
      "VECTOR_QUERY",
      40025,
      `with returnValues=true or returnMetadata=all, max top K is ${TOP_K_WITH_VALUES_MAX}, but got ${topK}; ` +
        `for a top K up to ${TOP_K_MAX}, retry with returnValues=false and returnMetadata=indexed`,
    );
  }
  // Cloudflare's wording of this error is unknown.
  if (topK > TOP_K_MAX) {
    throw vectorizeError("VECTOR_QUERY", 40025, `max top K is ${TOP_K_MAX}, but got ${topK}`);
  }
  checkNamespace("VECTOR_QUERY", options.namespace);
  checkFilter(options.filter);
  return { topK, namespace: options.namespace, returnValues, returnMetadata, filter: options.filter };
}

/**
 * @throws {Error} 40006 for another number of dimensions, 40026 for a number that is not finite as float32.
 */
export function checkQueryVector(vector: VectorFloatArray | number[], dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw vectorizeError(
      "VECTOR_QUERY",
      40006,
      `invalid query vector, expected ${dimensions} dimensions, and got ${vector.length} dimensions`,
    );
  }
  const values = Float32Array.from(vector);
  if (!values.every(Number.isFinite)) throw unreadable("vector: expected a number");
  return values;
}

/**
 * Checks vectors to store. If one is invalid, all are rejected, as in Vectorize.
 *
 * @throws {Error} With Cloudflare's messages.
 */
export function checkVectors(vectors: VectorizeVector[], dimensions: number): VectorRow[] {
  // Cloudflare's code and wording of this error are unknown.
  if (vectors.length > VECTORS_MAX) {
    const text = `too many vectors in payload; max vector count is ${VECTORS_MAX}, got ${vectors.length}`;
    throw vectorizeError("VECTOR_UPSERT", 40007, text);
  }
  if (!vectors.every(isParseable)) {
    throw vectorizeError("VECTOR_UPSERT", 40023, "failed to parse upsert vectors request in json format");
  }
  return vectors.map((vector) => checkVector(vector, dimensions));
}

/** @throws {Error} 40007 for too many ids, 40008 for an id over 64 bytes. */
export function checkIds(operation: "VECTOR_GET" | "VECTOR_DELETE", ids: string[]): void {
  const idsMax = operation === "VECTOR_GET" ? GET_IDS_MAX : DELETE_IDS_MAX;
  if (ids.length > idsMax) {
    const text = `too many ids in payload; max id count is ${idsMax}, got ${ids.length}`;
    throw vectorizeError(operation, 40007, text);
  }
  for (const id of ids) checkId(operation, id);
}

function checkId(operation: Operation, id: string): void {
  const bytes = encoder.encode(id).length;
  if (bytes > ID_BYTES_MAX) {
    throw vectorizeError(operation, 40008, `id too long; max is ${ID_BYTES_MAX} bytes, got ${bytes} bytes`);
  }
}

function checkVector(vector: VectorizeVector, dimensions: number): VectorRow {
  const operation = "VECTOR_UPSERT";
  checkId(operation, vector.id);
  checkNamespace(operation, vector.namespace);
  if (vector.values.length !== dimensions) {
    throw vectorizeError(
      operation,
      40012,
      `invalid vector for id="${vector.id}", expected ${dimensions} dimensions, and got ${vector.values.length} dimensions`,
    );
  }
  const metadata = vector.metadata === undefined ? null : JSON.stringify(vector.metadata);
  const bytes = metadata === null ? 0 : encoder.encode(metadata).length;
  if (bytes > METADATA_BYTES_MAX) {
    throw vectorizeError(
      operation,
      40016,
      `oversized metadata for vector id="${vector.id}"; the compact JSON representation of the metadata must not ` +
        `exceed ${METADATA_BYTES_MAX} bytes, got ${bytes} bytes`,
    );
  }
  return {
    id: vector.id,
    namespace: vector.namespace ?? "",
    values: Float32Array.from(vector.values),
    metadata,
    indexed: JSON.stringify(indexedValues(vector.metadata)),
  };
}

/**
 * False for an infinite number or a lone surrogate, which JSON cannot represent, and for an invalid id or
 * key.
 */
function isParseable(vector: VectorizeVector): boolean {
  const { id, values, namespace = "", metadata = {} } = vector;
  return (
    typeof id === "string" &&
    id !== "" &&
    isWellFormed([id, namespace]) &&
    values.every(isFloat32) &&
    isWellFormed(metadata)
  );
}

function isFloat32(value: number): boolean {
  return Number.isFinite(Math.fround(value));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([key, inner]) => /^[^$".][^".]*$/.test(key) && isWellFormed(key) && isWellFormed(inner),
  );
}

function checkNamespace(operation: Operation, namespace: string | undefined): void {
  const bytes = encoder.encode(namespace ?? "").length;
  if (bytes > NAMESPACE_BYTES_MAX) {
    throw vectorizeError(
      operation,
      40009,
      `namespace too long; max is ${NAMESPACE_BYTES_MAX} bytes, got ${bytes} bytes`,
    );
  }
}

function checkFilter(filter: VectorizeVectorMetadataFilter | undefined): void {
  if (filter === undefined) return;
  try {
    compileFilter(filter);
  } catch (error) {
    if (error instanceof FilterError) throw unreadable(error.message);
    throw error;
  }
}

function retrievalLevel(option: VectorizeQueryOptions["returnMetadata"]): VectorizeMetadataRetrievalLevel {
  if (option === undefined) return "none";
  if (option === false) throw unreadable("returnMetadata: expected value");
  if (option === true) return "all";
  if (RETRIEVAL_LEVELS.includes(option)) return option;
  throw new Error(
    `Invalid returnMetadata option. Expected: true, false, "none", "indexed" or "all"; got: ${option}`,
  );
}

function unreadable(what: string): Error {
  return vectorizeError("VECTOR_QUERY", 40026, `Failed to parse the request body as JSON: ${what}`);
}

/** Operation names of the errors of Cloudflare's binding. */
export type Operation =
  | "INDEX_GET"
  | "VECTOR_QUERY"
  | "VECTOR_INSERT"
  | "VECTOR_UPSERT"
  | "VECTOR_GET"
  | "VECTOR_DELETE";

/** An error in the form of Cloudflare's binding: `VECTOR_QUERY_ERROR (code = 40006): …`. */
export function vectorizeError(operation: Operation, code: number, text: string): Error {
  return new Error(`${operation}_ERROR (code = ${code}): ${text}`, { cause: new Error(text) });
}

/** A failure whose response was not JSON: `VECTOR_QUERY_ERROR: Status + 500`. */
export function vectorizeStatusError(operation: Operation, status: number): Error {
  return new Error(`${operation}_ERROR: Status + ${status}`, { cause: new Error(`Status ${status}`) });
}

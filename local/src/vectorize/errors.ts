export type Operation = "VECTOR_QUERY" | "VECTOR_UPSERT" | "VECTOR_GET" | "VECTOR_DELETE";

export function vectorizeError(operation: Operation, code: number, text: string): Error {
  return new Error(`${operation}_ERROR (code = ${code}): ${text}`, { cause: new Error(text) });
}

/** Error of Vectorize for a response that was not JSON, such as `VECTOR_QUERY_ERROR: Status + 500`. */
export function vectorizeStatusError(operation: Operation, status: number): Error {
  return new Error(`${operation}_ERROR: Status + ${status}`, { cause: new Error(`Status ${status}`) });
}

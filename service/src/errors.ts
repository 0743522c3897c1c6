import type { Problem, ProblemCode } from "@engram/spec";

/** Thrown by middleware and services; `app.onError` makes the error response. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly errors: Problem["errors"];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { cause?: unknown; errors?: Problem["errors"]; retryAfterSeconds?: number } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/**
 * The same error for an item that does not exist and for an item of another organization, so that callers cannot
 * distinguish the two cases.
 */
export const notFound = (noun: string): ApiError => new ApiError("not_found", `There is no such ${noun}.`);

import type { Problem, ProblemCode } from "@engram/spec";

/** A failure that the caller is told about. Thrown by middleware and services, answered by `app.onError`. */
export class ApiError extends Error {
  readonly code: ProblemCode;
  readonly errors: Problem["errors"];
  /** Seconds after which trying again makes sense. */
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

/** For anything absent or another organization's: the same words either way. */
export const notFound = (noun: string): ApiError => new ApiError("not_found", `There is no such ${noun}.`);

import type { Problem, ProblemCode } from "@engram/spec";

/** An error that becomes a problem response. Thrown by middleware and services, handled by `app.onError`. */
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

/** For anything that is absent or belongs to another organization: the same text in both cases. */
export const notFound = (noun: string): ApiError => new ApiError("not_found", `There is no such ${noun}.`);

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

/** Detail of `forbidden` where a key that is bound to a user would change what is shared. */
export const SHARED_READ_ONLY =
  "It is shared with all users, and this key is bound to a user, so it can only read it. Nothing was changed. Use a key that is bound to no user.";

/** The key may read the conversation or memory, and not change it. */
export const readOnly = (): ApiError => new ApiError("forbidden", SHARED_READ_ONLY);

/**
 * The same error for an item that does not exist and for an item of another organization, so that callers cannot
 * distinguish the two cases.
 */
export const notFound = (noun: string): ApiError => new ApiError("not_found", `There is no such ${noun}.`);

import type { Problem } from "./generated/schema.ts";

/** Property by which `isEngramError` recognizes errors of another copy of this package. */
const BRAND = Symbol.for("@engram/sdk/error");

/** Error codes of the service. Later versions can have more, so handle unknown codes. */
export type ProblemCode = Problem["code"];

/**
 * A `ProblemCode` if the response is an error of Engram. `unexpected_response` for any other response: the page of a
 * proxy, a redirect, or a successful response whose body is not JSON. The error's `status` is that of the response.
 */
export type ApiErrorCode = ProblemCode | "unexpected_response" | (string & {});

/** A field of the request that is invalid, and why. */
export type FieldError = NonNullable<Problem["errors"]>[number];

/** Properties of an `ApiError`. */
export interface ApiErrorInit {
  status: number;
  code: ApiErrorCode;
  type: string | null;
  message: string;
  title: string;
  detail: string | null;
  requestId: string | null;
  errors: FieldError[];
  retryAfterMs: number | null;
  idempotencyKey: string | null;
  headers: Headers;
  mayHaveApplied: boolean;
}

abstract class BaseError extends Error {
  /** The kind of error. */
  abstract override readonly name: "ApiError" | "ConnectionError";
  /**
   * Idempotency key of the write. Call again with this key to repeat the write: it is applied only once. Null for
   * calls without an idempotency key.
   */
  readonly idempotencyKey: string | null;

  constructor(message: string, init: { idempotencyKey: string | null; cause?: unknown }) {
    super(message, init);
    this.idempotencyKey = init.idempotencyKey;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** The service responded with an error. `message` describes it and is safe to show. */
export class ApiError extends BaseError {
  /** Distinguishes an `ApiError` from a `ConnectionError`. */
  override readonly name = "ApiError";
  /** HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number;
  /** Error code, for programs to compare; `message` is for people. */
  readonly code: ApiErrorCode;
  /** URL that identifies the code; null if the response has none, such as one of a proxy. */
  readonly type: string | null;
  /** Short name of the error, the same for every occurrence of the code. */
  readonly title: string;
  /** Details of this occurrence, safe to show; null when the response has none. */
  readonly detail: string | null;
  /** Identifies the request in the service's logs; null if the response has no id. */
  readonly requestId: string | null;
  /** The invalid fields, for `validation_failed`; otherwise empty. */
  readonly errors: FieldError[];
  /**
   * How long to wait before a retry, in milliseconds, as requested by the service; null when not specified.
   */
  readonly retryAfterMs: number | null;
  /** Headers of the response. */
  readonly headers: Headers;
  /**
   * Whether an earlier attempt of the same call may have taken effect, although it failed or its response was lost.
   *
   * If so, this error may be a consequence of that attempt. A delete may report `not_found` because the attempt has
   * deleted the item, an update `precondition_failed` because the attempt has changed the item, and the creation of a
   * key `secret_already_shown` because the attempt has created the key.
   */
  readonly mayHaveApplied: boolean;

  /** @internal */
  constructor(init: ApiErrorInit) {
    super(init.message, init);
    this.status = init.status;
    this.code = init.code;
    this.type = init.type;
    this.title = init.title;
    this.detail = init.detail;
    this.requestId = init.requestId;
    this.errors = init.errors;
    this.retryAfterMs = init.retryAfterMs;
    this.headers = init.headers;
    this.mayHaveApplied = init.mayHaveApplied;
  }
}

/**
 * No response arrived, or only part of one. A write may have taken effect. If the error has an `idempotencyKey`, call
 * again with that key to be sure: the write is applied only once.
 */
export class ConnectionError extends BaseError {
  /** Distinguishes a `ConnectionError` from an `ApiError`. */
  override readonly name = "ConnectionError";
  /** `timeout` when a time limit expired, `no_answer` when the connection failed or broke. */
  readonly code: "timeout" | "no_answer";

  /** @internal */
  constructor(
    message: string,
    init: { code: "timeout" | "no_answer"; idempotencyKey: string | null; cause?: unknown },
  ) {
    super(message, init);
    this.code = init.code;
  }
}

/**
 * Every error that a call rejects with, except two: the signal's reason if you abort the call, and a `TypeError` if
 * an argument is invalid.
 */
export type EngramError = ApiError | ConnectionError;

/**
 * The base class of `ApiError` and `ConnectionError`, for `instanceof`; `name` distinguishes the two. You cannot
 * extend it.
 *
 * Use `isEngramError` where two copies of this package may be loaded: it recognizes the errors of both.
 */
// The type is the union of the two classes, so that `name` narrows it. The type of the base class would not be
// narrowed.
export const EngramError: abstract new (...args: never) => EngramError = BaseError as never;

/**
 * Whether an error comes from this SDK, including from another copy of this package. `name` says which kind
 * it is.
 *
 * @example
 * ```ts
 * try {
 *   await engram.messages.get(conversation.id, "msg_unknown");
 * } catch (error) {
 *   if (!isEngramError(error)) throw error;
 *   if (error.name === "ConnectionError") console.log(error.code, error.idempotencyKey);
 *   else console.log(error.status, error.code, error.message, error.requestId);
 * }
 * ```
 */
export function isEngramError(error: unknown): error is EngramError {
  return error instanceof Error && BRAND in error;
}

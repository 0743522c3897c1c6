import type { Problem } from "./generated/schema.ts";

/** Marks an error of any copy of this package. */
const BRAND = Symbol.for("@engram/sdk/error");

/** What went wrong, as the contract lists it. The list grows, so a program must bear a code it does not know. */
export type ProblemCode = Problem["code"];

/**
 * `ProblemCode` when Engram answered. `unexpected_response` when something else did: a proxy's page, a
 * redirect, an answer that is not JSON; `status` tells more.
 */
export type ApiErrorCode = ProblemCode | "unexpected_response" | (string & {});

/** Where a request does not fit the contract. */
export type FieldError = NonNullable<Problem["errors"]>[number];

/** What an `ApiError` is made of. */
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

/** What both kinds of error have. */
abstract class BaseError extends Error {
  /** Tells which kind it is. */
  abstract override readonly name: "ApiError" | "ConnectionError";
  /** What the write was sent under; pass it again to go on with the same write. Null for what needs none. */
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

/** The service answered that it did not do what was asked. `message` says what happened and is safe to show. */
export class ApiError extends BaseError {
  /** Tells it from a `ConnectionError`. */
  override readonly name = "ApiError";
  /** HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number;
  /** What programs read. */
  readonly code: ApiErrorCode;
  /** Address of a page about the code; null when the answer was not Engram's. */
  readonly type: string | null;
  /** The code in words; the same for every occurrence. */
  readonly title: string;
  /** What happened this time, safe to show; null when the answer does not say. `message` falls back to `title`. */
  readonly detail: string | null;
  /** Names the request in the service's logs; null when the answer was not Engram's. */
  readonly requestId: string | null;
  /** Every place that does not fit, for `validation_failed`; otherwise empty. */
  readonly errors: FieldError[];
  /** How long the service asks to wait, in milliseconds; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** Headers of the answer. */
  readonly headers: Headers;
  /**
   * Whether an earlier attempt of the same call may have taken effect although no clear answer came of it.
   * Then `not_found` from a delete, `precondition_failed` from an update and `secret_already_shown` from a new
   * key may be the call's own doing.
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

/** No answer came, or only part of one. A write may have taken effect; repeat it under its key to be sure. */
export class ConnectionError extends BaseError {
  /** Tells it from an `ApiError`. */
  override readonly name = "ConnectionError";
  /** `timeout` when the time allowed ran out, `no_answer` when the connection failed or broke off. */
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

/** Every error that a call rejects with, but for the reason of an aborted signal and misuse (`TypeError`). */
export type EngramError = ApiError | ConnectionError;

/**
 * The class that both errors extend, for `instanceof`; `name` tells which one it is. It cannot be extended further.
 *
 * Where two copies of this package may be loaded, `isEngramError` knows the errors of both.
 */
// As a class of its own it would be wider than the two, and `name` would no longer tell them apart.
export const EngramError: abstract new (...args: never) => EngramError = BaseError as never;

/**
 * Whether an error is the SDK's, also when another copy of this package threw it. `name` tells which.
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

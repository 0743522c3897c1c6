import {
  PROBLEM_ERRORS_MAX,
  PROBLEM_TYPE_PREFIX,
  PROBLEMS,
  type Problem,
  type ProblemCode,
} from "@engram/spec";
import type { Context } from "hono";
import type { ZodError } from "zod";
import type { AppEnv } from "./context.ts";
import { ApiError } from "./errors.ts";
import { Refused } from "./queries/batch.ts";

/** Problems for writes that the database rejected, by the code of the failed precondition. */
const REFUSALS: Partial<Record<string, { code: ProblemCode; detail: string }>> = {
  unauthenticated: { code: "unauthenticated", detail: "The key was revoked or has expired." },
  not_found: {
    code: "not_found",
    detail: "There is no such conversation, message, memory, key or operation.",
  },
  external_id_conflict: {
    code: "external_id_conflict",
    detail: "This external id is taken by other content; nothing was stored.",
  },
  content_conflict: {
    code: "content_conflict",
    detail: "Another memory has this content already; nothing was changed.",
  },
  conversation_full: {
    code: "conversation_full",
    detail: "No sequence numbers are left; go on in a new conversation.",
  },
  sequence_conflict: {
    code: "sequence_conflict",
    detail: "The newest message is not the one expected; read the end of the conversation and try again.",
  },
  too_many_messages: {
    code: "too_many_messages",
    detail: "More than 10,000 messages stand from there on; replace the end in several steps.",
  },
  operation_ended: {
    code: "operation_ended",
    detail: "The import was called off, or is complete without these lines; nothing more was stored.",
  },
  lines_missing: {
    code: "lines_missing",
    detail:
      "The import has had fewer lines than come before these; get the operation, and go on behind its `progress.done`.",
  },
  not_cancelable: {
    code: "not_cancelable",
    detail: "The operation is over, or of a kind that is done in one step.",
  },
  precondition_failed: {
    code: "precondition_failed",
    detail: "It changed since; get it and try again.",
  },
  idempotency_mismatch: {
    code: "idempotency_mismatch",
    detail: "This idempotency key came with another request before; use a new one.",
  },
};

/** Texts of transient D1 errors, after which a retry makes sense. */
const D1_PASSES =
  /overloaded|Network connection lost|object to be reset|reset because its code|storage operation/i;
const RETRY_AFTER_SECONDS = 2;

/** Converts any error to a problem response. No other code does this. */
export function toProblemResponse(error: unknown, c: Context<AppEnv>): Response {
  const known = toApiError(error);
  if (known.code === "internal" || known.code === "unavailable") {
    c.var.service.log.error("request failed", known.cause ?? known, { code: known.code });
  }
  c.set("problem", known.code);
  const { status, title } = PROBLEMS[known.code];
  const problem: Problem = {
    type: `${PROBLEM_TYPE_PREFIX}${known.code}`,
    title,
    status,
    code: known.code,
    detail: known.message,
    request_id: c.var.requestId,
    ...(known.errors === undefined ? {} : { errors: known.errors }),
  };
  if (known.retryAfterSeconds !== undefined) c.header("retry-after", String(known.retryAfterSeconds));
  if (status === 401) c.header("www-authenticate", "Bearer");
  return c.body(JSON.stringify(problem), status, { "content-type": "application/problem+json" });
}

export function toValidationError(error: ZodError): ApiError {
  // Each issue names at least one path, so no more issues are needed.
  const errors = error.issues.slice(0, PROBLEM_ERRORS_MAX).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          path: [...issue.path, key].join("."),
          message: "This field is not known.",
        }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );
  const [first] = errors;
  const detail = first
    ? `${first.path === "" ? "The request" : `\`${first.path}\``}: ${first.message}`
    : "It does not fit.";
  return new ApiError("validation_failed", detail, { errors: errors.slice(0, PROBLEM_ERRORS_MAX) });
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const refusal = error instanceof Refused ? REFUSALS[error.code] : undefined;
  if (refusal !== undefined) return new ApiError(refusal.code, refusal.detail, { cause: error });
  if (D1_PASSES.test(String(error))) {
    return new ApiError(
      "unavailable",
      "The database did not answer, so it is not known whether a change was made. Repeat it under the same idempotency key.",
      {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  return new ApiError("internal", "Something went wrong on our side; the request id names it in our logs.", {
    cause: error,
  });
}

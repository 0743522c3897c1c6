import {
  ARCHIVES_MAX,
  EVALUATIONS_MAX,
  HOLDS_MAX,
  PROBLEM_ERRORS_MAX,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  problemType,
  RETENTION_RULES_MAX,
  WEBHOOKS_MAX,
} from "@engram/spec";
import type { Context } from "hono";
import type { ZodError } from "zod";
import { ApiError, notFound, SHARED_READ_ONLY } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { DatabaseTimeout } from "../platform/deadlines.ts";
import type { Log } from "../platform/log.ts";
import { isOfOlderCell } from "../platform/older-cells.ts";
import { isMovingError } from "../platform/places.ts";
import { type PreconditionCode, PreconditionFailed } from "../platform/preconditions.ts";
import { StorageFull } from "../platform/storage.ts";

const PRECONDITIONS: Partial<Record<PreconditionCode, { code: ProblemCode; detail: string }>> = {
  unauthenticated: {
    code: "unauthenticated",
    detail: "The key was revoked or has expired. Use another key.",
  },
  not_found: {
    code: "not_found",
    detail: "There is no such conversation, message, memory, key or operation.",
  },
  external_id_conflict: {
    code: "external_id_conflict",
    detail: "This external id belongs to different content. Nothing was stored; use another external id.",
  },
  content_conflict: {
    code: "content_conflict",
    detail: "Another memory of the agent and user has this content. Nothing was changed.",
  },
  email_conflict: {
    code: "email_conflict",
    detail: "Another member has this email address. Nothing was changed.",
  },
  forgotten: {
    code: "forgotten",
    detail: "It was deleted with `forget` and is not stored again. Nothing was stored.",
  },
  held: {
    code: "held",
    detail: "It is under legal hold. Nothing was changed.",
  },
  too_many_holds: {
    code: "too_many_holds",
    detail: `The organization has ${HOLDS_MAX} active legal holds. Lift one first.`,
  },
  user_conflict: {
    code: "user_conflict",
    detail: "It belongs to another user, or would be shared and belong to a user. Nothing was changed.",
  },
  shared_read_only: {
    code: "forbidden",
    detail: SHARED_READ_ONLY,
  },
  conversation_full: {
    code: "conversation_full",
    detail: "The conversation has no sequence numbers left. Continue in a new conversation.",
  },
  sequence_conflict: {
    code: "sequence_conflict",
    detail: "The newest message is not the expected one. Read the end of the conversation and try again.",
  },
  too_many_messages: {
    code: "too_many_messages",
    detail: "The request would delete more than 10,000 messages. Replace the end in several steps.",
  },
  too_many_archives: {
    code: "too_many_archives",
    detail: `The organization has ${ARCHIVES_MAX.toLocaleString("en-US")} archives. Delete one first.`,
  },
  too_many_evaluations: {
    code: "too_many_evaluations",
    detail: `The organization has ${EVALUATIONS_MAX.toLocaleString("en-US")} evaluations. Delete one first.`,
  },
  too_many_retention_rules: {
    code: "too_many_retention_rules",
    detail: `The organization has ${RETENTION_RULES_MAX} rules of retention. Delete one first.`,
  },
  too_many_webhooks: {
    code: "too_many_webhooks",
    detail: `The organization has ${WEBHOOKS_MAX} webhooks. Delete one first.`,
  },
  operation_ended: {
    code: "operation_ended",
    detail:
      "The import was canceled, or completed without these lines. Nothing more was stored. Begin a new import to continue.",
  },
  lines_missing: {
    code: "lines_missing",
    detail:
      "The import has received fewer lines than come before these. Get the operation, and continue after `progress.done`.",
  },
  not_cancelable: {
    code: "not_cancelable",
    detail: "The operation has ended, or is of a type that completes in one step.",
  },
  precondition_failed: {
    code: "precondition_failed",
    detail: "The item has changed since you read it. Get it again and repeat the change with the new `ETag`.",
  },
  idempotency_mismatch: {
    code: "idempotency_mismatch",
    detail: "This idempotency key was used with a different request. Use a new one.",
  },
};

/** What the id at the end of a path, or before the action there, identifies. The first match counts. */
const NOUNS: [RegExp, string][] = [
  [/^\/v1\/conversations\/[^/]+\/messages\/(?!replace$)/, "message"],
  [/^\/v1\/openai\/conversations\/[^/]+\/items\/./, "item"],
  [/^\/v1\/(openai\/)?conversations\/[^/]+/, "conversation"],
  [/^\/v1\/memories\/[^/]+/, "memory"],
  [/^\/v1\/operations\/[^/]+/, "operation"],
  [/^\/v1\/tombstones\/[^/]+/, "tombstone"],
  [/^\/v1\/holds\/[^/]+/, "hold"],
  [/^\/v1\/holds$/, "conversation or memory"],
  [/^\/v1\/archives\/[^/]+/, "archive"],
  [/^\/v1\/recalls\/[^/]+/, "receipt"],
  [/^\/v1\/evaluations\/[^/]+/, "evaluation"],
  [/^\/v1\/keys\/[^/]+/, "key"],
  [/^\/v1\/grants\/[^/]+/, "grant"],
];

const nounOf = (path: string) => NOUNS.find(([pattern]) => pattern.test(path))?.[1];

/** Messages of temporary errors of D1 and of cells, after which a retry can succeed. */
const D1_PASSES =
  /overloaded|Network connection lost|object to be reset|reset because its|storage operation|transient issue/i;
const RETRY_AFTER_SECONDS = 2;
/** After this time, D1 has ended a write that exceeded its time limit. */
const TIMEOUT_RETRY_SECONDS = 5;

/** Failures of the service, not of the request. */
const LOGGED: readonly ProblemCode[] = ["internal", "unavailable", "insufficient_storage"];

export function toProblemResponse(error: unknown, c: Context<AppEnv>): Response {
  const { path } = c.req;
  const { requestId, caller } = c.var;
  const known = toApiError(error, path);
  const problem = toProblem(known, { path, requestId, log: caller.log });
  c.set("problem", known.code);
  if (known.retryAfterSeconds !== undefined) c.header("retry-after", String(known.retryAfterSeconds));
  const { status } = PROBLEMS[known.code];
  if (status === 401) c.header("www-authenticate", "Bearer");
  return c.body(JSON.stringify(problem), status, { "content-type": "application/problem+json" });
}

/** The problem of a failed request. Also logs a failure of the service. */
export function toProblem(
  error: unknown,
  { path, requestId, log }: { path: string; requestId: string; log: Log },
): Problem {
  const known = toApiError(error, path);
  if (LOGGED.includes(known.code)) {
    log.error("request failed", known.cause ?? known, { code: known.code });
  }
  const { status, title } = PROBLEMS[known.code];
  return {
    type: problemType(known.code),
    title,
    status,
    code: known.code,
    detail: known.message,
    request_id: requestId,
    ...(known.errors === undefined ? {} : { errors: known.errors }),
  };
}

export function toValidationError(error: ZodError): ApiError {
  // Each issue of zod gives at least one error, so more issues than `PROBLEM_ERRORS_MAX` are not needed.
  const errors = error.issues.slice(0, PROBLEM_ERRORS_MAX).flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ path: issue.path.join("."), message: issue.message }];
    // The contract's message has a line for each field. A request can have 100,000.
    const messages = issue.message.split("\n", PROBLEM_ERRORS_MAX);
    return issue.keys.slice(0, PROBLEM_ERRORS_MAX).map((key, i) => ({
      path: [...issue.path, key].join("."),
      message: messages[i] ?? "Unknown field.",
    }));
  });
  const [first] = errors;
  const detail = first
    ? `${first.path === "" ? "The request" : `\`${first.path}\``}: ${first.message}`
    : "The request is invalid.";
  return new ApiError("validation_failed", detail, { errors: errors.slice(0, PROBLEM_ERRORS_MAX) });
}

function toApiError(error: unknown, path: string): ApiError {
  if (error instanceof ApiError) return error;
  const noun = error instanceof PreconditionFailed && error.code === "not_found" && nounOf(path);
  if (noun) return notFound(noun);
  const failed = error instanceof PreconditionFailed ? PRECONDITIONS[error.code] : undefined;
  if (failed !== undefined) return new ApiError(failed.code, failed.detail, { cause: error });
  if (error instanceof DatabaseTimeout) {
    return new ApiError(
      "unavailable",
      error.mayHaveWritten
        ? "The database did not respond in time. The change may have been made. Repeating the request with the same `Idempotency-Key` is safe; without one, first check whether the change was made."
        : "The database did not respond in time. Nothing was changed; send the request again.",
      { cause: error, retryAfterSeconds: TIMEOUT_RETRY_SECONDS },
    );
  }
  if (error instanceof StorageFull) {
    return new ApiError(
      "insufficient_storage",
      "The service has no space left for writes. Nothing was stored; what is stored can still be read and searched. Tell the people who run the service.",
      { cause: error },
    );
  }
  if (isMovingError(error)) {
    return new ApiError(
      "unavailable",
      "The organization is being moved to another database, which takes a moment. Nothing was changed; send the request again.",
      { cause: error, retryAfterSeconds: 1 },
    );
  }
  if (isOfOlderCell(error)) {
    return new ApiError(
      "unavailable",
      "A new version of the service is being deployed, and the database of the organization still runs the version before. Nothing was changed; send the request again.",
      { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
  if (D1_PASSES.test(String(error))) {
    return new ApiError(
      "unavailable",
      "The database did not respond, so it is unknown whether a change was made. Send the request again with the same idempotency key.",
      {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
  }
  return new ApiError(
    "internal",
    "An internal error occurred. The log of the service has the details under the request id.",
    {
      cause: error,
    },
  );
}

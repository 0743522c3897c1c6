import { z } from "@hono/zod-openapi";
import { PROBLEM_ERRORS_MAX } from "./limits.ts";

interface ProblemText {
  /** HTTP status, always the same for a code. */
  status: number;
  title: string;
  /** What happened, and what it changed. */
  meaning: string;
  /** What the caller can do. */
  action: string;
}

/**
 * Every error code. The document, the service's page of each code and the site's are made from this list. Programs
 * depend on codes: add, never rename.
 */
export const PROBLEMS = {
  validation_failed: {
    status: 400,
    title: "Validation failed",
    meaning:
      "A field or parameter is missing, unknown or invalid. `errors` lists each with its path and the limit that it breaks. Nothing was changed.",
    action: "Correct the fields that `errors` lists, and send the request again.",
  },
  invalid_json: {
    status: 400,
    title: "Invalid JSON",
    meaning:
      "The body is not JSON, or is JSON that cannot be stored exactly, such as a lone surrogate or an integer beyond 2^53−1. Nothing was changed.",
    action: "Correct the body; `detail` names the problem. Send UTF-8.",
  },
  invalid_cursor: {
    status: 400,
    title: "Invalid cursor",
    meaning: "`cursor` was altered, or is from a list with other parameters.",
    action:
      "Pass `next_cursor` unchanged, and keep all other parameters. To change them, start again without a cursor.",
  },
  unauthenticated: {
    status: 401,
    title: "Missing or invalid key",
    meaning: "The key or token is missing, unknown, expired or revoked.",
    action: "Send a valid one as `Authorization: Bearer`.",
  },
  forbidden: {
    status: 403,
    title: "Permission denied",
    meaning:
      "The request is not permitted: the key lacks a scope or is bound to another agent or user, or the request comes from a web page of another origin. `detail` says which.",
    action:
      "Use a key with the scope, the agent and the user that `detail` names. A key with the scope `admin` can create one.",
  },
  host_not_allowed: {
    status: 403,
    title: "Host not allowed",
    meaning: "The service does not accept this `Host`.",
    action:
      "Use a name that it accepts, or add this one to `ALLOWED_HOSTS` (deployment) or `ENGRAM_ALLOWED_HOSTS` (`npm start`). If a proxy serves the service, add its URL to `PUBLIC_URLS` or `ENGRAM_PUBLIC_URLS` instead.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning:
      "The item does not exist, was deleted, or is not accessible with this key. The response is the same in all three cases.",
    action: "Check the id and the path, and that the key belongs to the right organization, agent and user.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path exists, but does not have this method. `Allow` lists the methods that it has.",
    action: "Check the method and the path against the API reference.",
  },
  external_id_conflict: {
    status: 409,
    title: "External id already in use",
    meaning: "An `external_id` in the request belongs to a different item. Nothing was stored.",
    action: "Use another external id.",
  },
  content_conflict: {
    status: 409,
    title: "Duplicate content",
    meaning: "Another memory of the same agent and user has this content. Nothing was changed.",
    action: "Keep that memory, or send other content.",
  },
  email_conflict: {
    status: 409,
    title: "Email address already in use",
    meaning: "Another member of the organization has this email address. Nothing was changed.",
    action: "Update that member, or leave out the address.",
  },
  forgotten: {
    status: 409,
    title: "Deleted for good",
    meaning:
      "The item, or its user, was deleted with `forget`, so it is not stored again. If the request has several items, `errors` lists those that were deleted. Nothing was stored.",
    action:
      "Send the request without these items. To allow them again, delete their tombstone with a key that has the scope `admin`.",
  },
  held: {
    status: 409,
    title: "Under legal hold",
    meaning:
      "A legal hold forbids to delete or edit the item, or to delete or move an organization with an active hold. Nothing was changed.",
    action:
      "Wait until the holds that `detail` names are lifted, which needs a key with the scope `admin`. The holder of the admin token can delete an organization with `force`.",
  },
  too_many_holds: {
    status: 409,
    title: "Too many legal holds",
    meaning: "The organization has 100 active legal holds already. Nothing was changed.",
    action: "Lift a hold first, or hold more items with one of them.",
  },
  user_conflict: {
    status: 409,
    title: "Memory of another user",
    meaning:
      "The request gives a user to a memory that belongs to another user. Only a memory without a user can get one. Nothing was changed.",
    action: "Capture the content as a memory of the other user.",
  },
  sequence_conflict: {
    status: 409,
    title: "Sequence conflict",
    meaning:
      "A sequence number in the request does not match the conversation. For a replacement, messages were added or deleted since you read it; for a fork, `sequence` is beyond the last message. Nothing was changed.",
    action: "Get the newest messages and send the request again with their sequence numbers.",
  },
  too_many_messages: {
    status: 409,
    title: "Too many messages",
    meaning:
      "A fork would copy, or a replacement would delete, more than 10,000 messages. Nothing was changed.",
    action: "Choose an earlier end for the fork, or a later start for the replacement.",
  },
  too_many_webhooks: {
    status: 409,
    title: "Too many webhooks",
    meaning: "The organization has 20 webhooks already. Nothing was changed.",
    action: "Delete a webhook first, or update one.",
  },
  too_many_retention_rules: {
    status: 409,
    title: "Too many rules of retention",
    meaning: "The organization has 50 rules of retention already. Nothing was changed.",
    action: "Delete a rule first, or update one.",
  },
  too_many_evaluations: {
    status: 409,
    title: "Too many evaluations",
    meaning: "The organization has 1,000 evaluations already. Nothing was changed.",
    action: "Delete an evaluation first.",
  },
  too_many_archives: {
    status: 409,
    title: "Too many archives",
    meaning: "The organization has 1,000 archives already. Nothing was changed.",
    action: "Delete an archive first.",
  },
  conversation_full: {
    status: 409,
    title: "Conversation full",
    meaning: "The conversation has used its last sequence number, 16,777,215. Nothing was stored.",
    action: "Continue in a new conversation.",
  },
  operation_ended: {
    status: 409,
    title: "Import already ended",
    meaning: "The import was canceled, or completed without these lines. Nothing more was stored.",
    action: "Begin a new import to continue.",
  },
  lines_missing: {
    status: 409,
    title: "Import lines missing",
    meaning:
      "`after_line` is greater than the number of lines that the import has received. Nothing was stored.",
    action: "Get the operation, and continue after its `progress.done`.",
  },
  not_cancelable: {
    status: 409,
    title: "Operation cannot be canceled",
    meaning: "The operation has ended already, or is of a type that cannot be canceled. Nothing was changed.",
    action: "Get the operation to see its status. There is nothing to cancel.",
  },
  organization_moving: {
    status: 409,
    title: "Organization is moving",
    meaning: "The organization is being moved to another place, or its old rows are still being removed.",
    action: "Wait until the operation whose id `detail` names has ended, or cancel it.",
  },
  secret_already_shown: {
    status: 409,
    title: "Secret already shown",
    meaning:
      "An earlier request with this idempotency key created the API key, whose secret is shown only once.",
    action: "If you do not have the secret, revoke that API key and create another.",
  },
  cursor_expired: {
    status: 410,
    title: "Cursor expired",
    meaning:
      "`after` is not in the event log: the events after it are deleted, or it is after the newest event. Events are kept for seven days, and at most a million of each organization.",
    action: "Read the conversations and memories that you follow again, then continue from `after=now`.",
  },
  precondition_failed: {
    status: 412,
    title: "Version conflict",
    meaning: "The item has changed since you read the `ETag` that `If-Match` names. Nothing was changed.",
    action: "Get the item again, and repeat the request with its new `ETag`.",
  },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    meaning: "The request exceeds a size limit, which `detail` names. Nothing was stored.",
    action: "Send less in one request.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The body has a `Content-Type` that the operation does not accept.",
    action: "Send the type that the request body lists, such as `application/json`.",
  },
  idempotency_mismatch: {
    status: 422,
    title: "Idempotency key reused",
    meaning: "The idempotency key was used for a different request. Nothing was changed.",
    action: "Use a new idempotency key.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    meaning:
      "The key or its organization has sent too many requests, or a webhook was tested too often. Nothing was changed.",
    action: "Wait as long as `Retry-After` says, then send the request again.",
  },
  internal: {
    status: 500,
    title: "Internal server error",
    meaning: "The service failed unexpectedly. A write may have been stored.",
    action: "Report `request_id` to the people who run the service: its log has the details under this id.",
  },
  not_configured: {
    status: 501,
    title: "Not configured",
    meaning:
      "The deployment lacks what the operation needs, such as an object store for archives; `detail` names it. Nothing was changed.",
    action: "Ask the people who run the service to configure it.",
  },
  unavailable: {
    status: 503,
    title: "Service unavailable",
    meaning:
      "Something that the request needs, such as the database or a model, did not respond; `detail` names it. The database has 10 seconds for a call that reads, and 25 seconds for one that writes. A write may have been stored.",
    action: "Wait as long as `Retry-After` says, then send the request again with the same idempotency key.",
  },
  insufficient_storage: {
    status: 507,
    title: "Insufficient storage",
    meaning:
      "The database cannot grow: the disk of the service is nearly full, or the database has reached its maximum size. Nothing was stored. Requests that only read still work.",
    action:
      "Tell the people who run the service: they must free disk space or, at the maximum size, delete data.",
  },
} as const satisfies Record<string, ProblemText>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Path of the page about a code, on the site and on every service. */
export const problemPath = (code: ProblemCode): string => `/problems/${code}`;

/** The `type` of an error: the address of the site's page about its code. */
export const problemType = (code: ProblemCode): string => `https://engram.dev${problemPath(code)}`;

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const RequestId = z
  .string()
  .regex(/^req_[0-9a-z]{20}$/)
  .meta({
    description: "Id of the request, also in the `x-request-id` header and in the log of the service.",
    examples: ["req_01jd8m3q0v7y2k9x4c6e"],
  });

export const Problem = z
  .strictObject({
    type: z.url().meta({
      description: "URL that identifies the error code.",
      examples: ["https://engram.dev/problems/not_found"],
    }),
    title: z
      .string()
      .min(1)
      .meta({ description: "Short name of the error, the same for every occurrence of the code." }),
    status: z.int().min(400).max(599).meta({ description: "HTTP status of the response." }),
    code: z
      .enum(codes)
      .meta({ description: "Error code, for programs. Codes are added, but never renamed or removed." }),
    detail: z.string().min(1).meta({
      description: "What went wrong in this request and what to do next, for people. Safe to display.",
    }),
    request_id: RequestId,
    errors: z
      .array(
        z.strictObject({
          path: z.string().meta({
            description:
              "Path of the invalid field, such as `messages.0.role`; empty for the request as a whole.",
          }),
          message: z.string().meta({ description: "What is wrong with the field." }),
        }),
      )
      .min(1)
      .max(PROBLEM_ERRORS_MAX)
      .optional()
      .meta({
        description:
          "Invalid fields, at most 100. Present for `validation_failed`, and for `forgotten` if the request has several items: the path of each that was deleted, such as `messages.0`.",
      }),
  })
  .meta({ description: "An error in the format of RFC 9457. Every error response has this body." })
  .openapi("Problem");
export type Problem = z.infer<typeof Problem>;

/** An example response for each code, for `components.examples` of the OpenAPI document. */
export const problemExamples = codes.map((code) => ({
  code,
  summary: PROBLEMS[code].title,
  // Two paragraphs, of which the second says what to do.
  description: `${PROBLEMS[code].meaning}\n\n${PROBLEMS[code].action}`,
  value: {
    type: problemType(code),
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    code,
    detail: "What went wrong in this request and what to do next.",
    request_id: "req_01jd8m3q0v7y2k9x4c6e",
    ...(code === "validation_failed"
      ? { errors: [{ path: "messages.0.role", message: "What is wrong with the field." }] }
      : {}),
  } satisfies Problem,
}));

type Header = { description: string; schema: { type: "string" } | { type: "integer" } };
type Examples = Record<string, { $ref: string }>;
type ProblemResponse = {
  description: string;
  headers: Record<string, Header>;
  content: { "application/problem+json": { schema: typeof Problem; examples: Examples } };
};

const requestId: Header = {
  description: "Id of the request, which is also in the log of the service.",
  schema: { type: "string" },
};
const retryAfter: Header = {
  description: "Number of seconds to wait before you send the request again.",
  schema: { type: "integer" },
};

const rateLimitPolicy: Header = {
  description:
    'Rate limits: at most `q` requests in `w` seconds, for the key, and for all keys of its organization together. For example `"key";q=1000;w=10, "organization";q=3000;w=10`. Every response to a request with a valid key has this header, unless the service has no rate limits. The service counts requests approximately.',
  schema: { type: "string" },
};

/** The error responses of an operation that can fail with these codes, by HTTP status. */
export function problems<Code extends ProblemCode>(
  ...failures: Code[]
): Record<(typeof PROBLEMS)[Code]["status"], ProblemResponse> {
  const responses: Record<number, ProblemResponse> = {};
  for (const code of failures) {
    const { status, meaning, action } = PROBLEMS[code];
    const earlier = responses[status];
    responses[status] = {
      description: `${earlier ? `${earlier.description} ` : ""}\`${code}\`: ${meaning} ${action}`,
      headers: {
        "x-request-id": requestId,
        ...(status === 429 || status === 503 ? { "Retry-After": retryAfter } : {}),
        ...(status === 429 ? { "RateLimit-Policy": rateLimitPolicy } : {}),
      },
      content: {
        "application/problem+json": {
          schema: Problem,
          examples: {
            ...earlier?.content["application/problem+json"].examples,
            [code]: { $ref: `#/components/examples/${code}` },
          },
        },
      },
    };
  }
  return responses as Record<(typeof PROBLEMS)[Code]["status"], ProblemResponse>;
}

import { z } from "@hono/zod-openapi";
import { PROBLEM_ERRORS_MAX } from "./limits.ts";

/** Every error code with its one status. Add, never rename. */
export const PROBLEMS = {
  validation_failed: { status: 400, title: "The request does not fit the contract" },
  invalid_json: { status: 400, title: "The body is not JSON that can be kept exactly" },
  invalid_cursor: { status: 400, title: "The cursor does not belong to this list" },
  unauthenticated: { status: 401, title: "No valid key" },
  forbidden: { status: 403, title: "The key does not allow this" },
  not_found: { status: 404, title: "Nothing here" },
  external_id_conflict: { status: 409, title: "The external id holds other content" },
  content_conflict: { status: 409, title: "Another memory has this content" },
  sequence_conflict: { status: 409, title: "The conversation has moved on" },
  too_many_messages: { status: 409, title: "More messages than one request may take" },
  conversation_full: { status: 409, title: "The conversation holds as many messages as it can" },
  operation_ended: { status: 409, title: "The operation takes nothing more" },
  lines_missing: { status: 409, title: "Lines before these are missing" },
  not_cancelable: { status: 409, title: "Nothing is left to be called off" },
  secret_already_shown: { status: 409, title: "The secret was shown once and is not kept" },
  precondition_failed: { status: 412, title: "It has changed" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body is declared as another type" },
  idempotency_mismatch: { status: 422, title: "The idempotency key belongs to another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Something went wrong on our side" },
  unavailable: { status: 503, title: "A service behind this one does not answer" },
} as const;

/** Prefix of every `type`, followed by the code. */
export const PROBLEM_TYPE_PREFIX = "https://engram.dev/problems/";

export type ProblemCode = keyof typeof PROBLEMS;

const codes = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

const REQUEST_ID = /^req_[0-9a-z]{20}$/;

export const Problem = z
  .strictObject({
    type: z
      .url()
      .meta({ description: "Page about this code.", examples: ["https://engram.dev/problems/not_found"] }),
    title: z.string().min(1).meta({ description: "The code in words; the same for every occurrence." }),
    status: z.int().min(400).max(599).meta({ description: "HTTP status, as on the response." }),
    code: z.enum(codes).meta({ description: "What programs read. The list only grows." }),
    detail: z.string().min(1).meta({ description: "What happened here, for people. Safe to show." }),
    request_id: z
      .string()
      .regex(REQUEST_ID)
      .meta({
        description: "Names this request in our logs; also in `x-request-id`.",
        examples: ["req_01jd8m3q0v7y2k9x4c6e"],
      }),
    errors: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: "Where in the request, as `messages.0.role`." }),
          message: z.string().meta({ description: "What is wrong there." }),
        }),
      )
      .min(1)
      .max(PROBLEM_ERRORS_MAX)
      .optional()
      .meta({ description: "The places that do not fit, 100 at most, for `validation_failed`." }),
  })
  .meta({ description: "RFC 9457 problem: the one body of every failure." })
  .openapi("Problem");
export type Problem = z.infer<typeof Problem>;

/** An example of each code for `components.examples` of the document. */
export const problemExamples = codes.map((code) => ({
  code,
  value: {
    type: `${PROBLEM_TYPE_PREFIX}${code}`,
    ...PROBLEMS[code],
    code,
    detail: "What happened in this request.",
    request_id: "req_01jd8m3q0v7y2k9x4c6e",
    ...(code === "validation_failed"
      ? { errors: [{ path: "messages.0.role", message: "What is wrong there." }] }
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

const requestId: Header = { description: "Names this request.", schema: { type: "string" } };
const retryAfter: Header = {
  description: "Seconds after which trying again makes sense.",
  schema: { type: "integer" },
};

const rateLimitPolicy: Header = {
  description:
    'Requests that a key, and all keys of its organization together, may send in so many seconds: `"key";q=1000;w=10, "organization";q=3000;w=10`. With every answer to a key. Counted approximately.',
  schema: { type: "string" },
};

/**
 * The responses of an operation that can fail with these codes, by status. Each description lists its codes.
 */
export function problems<Code extends ProblemCode>(
  ...failures: Code[]
): Record<(typeof PROBLEMS)[Code]["status"], ProblemResponse> {
  const responses: Record<number, ProblemResponse> = {};
  for (const code of failures) {
    const { status, title } = PROBLEMS[code];
    const earlier = responses[status];
    responses[status] = {
      description: `${earlier ? `${earlier.description} ` : ""}\`${code}\`: ${title}.`,
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

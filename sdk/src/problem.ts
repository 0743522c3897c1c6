import { ApiError, type ApiErrorInit } from "./errors.ts";
import type { Problem } from "./generated/schema.ts";
import { retryAfterMs } from "./retry.ts";

type Context = Pick<ApiErrorInit, "idempotencyKey" | "mayHaveApplied">;

/** Reads the body of an error response, which may come from Engram or from a proxy, and returns the error to throw. */
export async function toApiError(response: Response, context: Context): Promise<ApiError> {
  const problem = parseProblem(await response.text());
  if (problem === undefined) return unexpectedResponse(response, context);
  return new ApiError({
    ...fromHeaders(response),
    ...context,
    code: problem.code,
    type: problem.type ?? null,
    message: problem.detail ?? problem.title ?? problem.code,
    title: problem.title ?? problem.code,
    detail: problem.detail ?? null,
    requestId: problem.request_id ?? response.headers.get("x-request-id"),
    errors: Array.isArray(problem.errors) ? problem.errors : [],
  });
}

export function unexpectedResponse(response: Response, context: Context): ApiError {
  const { status, headers } = response;
  const redirected = response.type === "opaqueredirect" || (status >= 300 && status < 400);
  const what = redirected
    ? "a redirect, which the SDK does not follow"
    : `${status} with ${headers.get("content-type") ?? "no content type"}, which is not a response of Engram`;
  return new ApiError({
    ...fromHeaders(response),
    ...context,
    code: "unexpected_response",
    type: null,
    message: `The server returned ${what}. Check baseUrl, and any proxy between.`,
    title: "Unexpected response",
    detail: null,
    requestId: headers.get("x-request-id"),
    errors: [],
  });
}

function fromHeaders({
  status,
  headers,
}: Response): Pick<ApiErrorInit, "status" | "headers" | "retryAfterMs"> {
  return { status, headers, retryAfterMs: retryAfterMs(headers, Date.now()) };
}

/**
 * The body of an Engram error (an RFC 9457 problem). Undefined for a body that is not a JSON object with a text `code`;
 * the other fields are not checked.
 */
function parseProblem(text: string): (Partial<Problem> & Pick<Problem, "code">) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem =
      typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
    return isProblem ? (value as Problem) : undefined;
  } catch {
    return undefined;
  }
}

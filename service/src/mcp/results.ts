import type { Problem, ProblemCode } from "@engram/spec";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { DATA_LABEL } from "../text/message-lines.ts";
import type { McpTool } from "./tools.ts";

const NEXT_STEPS: Record<ProblemCode, string> = {
  validation_failed: "Correct the named arguments and call the tool again.",
  invalid_json: "Nothing was stored. Correct the named value and call the tool again.",
  invalid_cursor: "Start again without a cursor. Keep all other arguments the same for every page.",
  unauthenticated: "Do not repeat this call. Tell the user that the key is missing, revoked or expired.",
  forbidden: "Do not repeat this call. Continue without it, or ask the user for a key that allows it.",
  host_not_allowed: "Do not repeat this call. Tell the user, with the request id.",
  not_found: "Do not guess ids: use those that these tools returned. Deleted items cannot be restored.",
  method_not_allowed: "Do not repeat this call. Tell the user, with the request id.",
  external_id_conflict:
    "Nothing was stored. If the content is new, leave out `external_id` or choose another.",
  content_conflict: "Nothing was changed. The content is already stored in the other memory.",
  email_conflict: "Nothing was changed. Use the member who has this email address.",
  forgotten: "Nothing was stored. Do not store this again: it was deleted for good.",
  held: "Do not repeat it: the item is under legal hold, so it cannot be changed or deleted.",
  too_many_holds: "A person must lift a legal hold first.",
  user_conflict: "Nothing was changed. Store the content as a new memory of the other user.",
  sequence_conflict: "Read the end of the conversation again, then decide whether to repeat the call.",
  too_many_messages: "Use fewer messages per call.",
  too_many_archives: "Do not repeat this call. Tell the user.",
  too_many_evaluations: "Do not repeat this call. Tell the user.",
  too_many_retention_rules: "Do not repeat this call. Tell the user.",
  too_many_webhooks: "Do not repeat this call. Tell the user.",
  conversation_full: "Create a new conversation and continue there.",
  operation_ended: "Do not repeat this call. Begin a new import if there is more to store.",
  lines_missing: "Get the operation and continue after the lines that it has received.",
  not_cancelable: "Do not repeat this call. The operation cannot be canceled any more.",
  organization_moving: "Wait until the move has ended, then repeat this call.",
  secret_already_shown: "Do not repeat this call. Tell the user that the secret cannot be shown again.",
  cursor_expired: "Read the data again, then continue from the end of the event log.",
  precondition_failed: "Get the item again, then decide whether to repeat the change.",
  payload_too_large: "Split the content into several calls.",
  unsupported_media_type: "Do not repeat this call. Tell the user, with the request id.",
  idempotency_mismatch: "Do not repeat this call. Tell the user, with the request id.",
  rate_limited: "Nothing was done. Wait, then call the tool again. Call tools less often.",
  internal:
    "It is unknown whether anything was changed: read before you repeat a write. If the call fails again, tell the user, with the request id.",
  not_configured: "Do not repeat this call. Tell the user.",
  unavailable:
    "Wait a few seconds. If a change may have been made, read before you repeat it. Otherwise call the tool again.",
  insufficient_storage:
    "Nothing was stored. Do not repeat this call. Tell the user that the memory has no space left. Reading and searching still work.",
};

export interface Failure {
  code: string;
  detail: string;
  nextStep: string;
  errors?: Problem["errors"];
  requestId: string;
}

export const toFailure = (code: ProblemCode, detail: string, requestId: string): Failure => ({
  code,
  detail,
  nextStep: NEXT_STEPS[code],
  requestId,
});

/** Returns the same data twice: as structured content for programs, and as text with a label for the model. */
export function toResult(json: string, text = json): CallToolResult {
  return {
    content: [
      { type: "text", text: DATA_LABEL },
      { type: "text", text },
    ],
    structuredContent: JSON.parse(json) as Record<string, unknown>,
  };
}

/** Reads an error response of the API. Replaces the names of API parameters with those of the tool's arguments. */
export async function readFailure(response: Response, { places }: McpTool): Promise<Failure> {
  const problem = (await response.json()) as Problem;
  const wait = response.headers.get("retry-after");
  const names = new Map(Object.entries(places).map(([argument, { name }]) => [name, argument]));
  const toArgument = (name: string) => names.get(name) ?? name;
  const detail = problem.detail.replace(/(?<=^`)\w+/, toArgument);
  const errors = problem.errors?.map(({ path, message }) => ({
    path: path.replace(/^\w+/, toArgument),
    message,
  }));
  const failure = toFailure(problem.code, detail, problem.request_id);
  return { ...(wait === null ? failure : retryAfter(failure, wait)), ...(errors && { errors }) };
}

export const retryAfter = (failure: Failure, seconds: number | string): Failure => ({
  ...failure,
  nextStep: `${failure.nextStep} Retry after ${seconds} s.`,
});

/** The result of a failed call. It is not a protocol error, because a model sees results and can correct its call. */
export function toErrorResult({ code, detail, nextStep, errors = [], requestId }: Failure): CallToolResult {
  const lines = [
    `${code}: ${detail}`,
    // `detail` contains the first error.
    ...errors.slice(1).map(({ path, message }) => `\`${path}\`: ${message}`),
    `What to do: ${nextStep}`,
    `Request id: ${requestId}`,
  ];
  return { isError: true, content: [{ type: "text", text: lines.join("\n") }] };
}

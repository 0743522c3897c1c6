import type { RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ApiError } from "./errors.ts";
import { readJsonText } from "./http/json-body.ts";
import type { AnsweringCell, AppEnv, CellAnswer, PassedRequest } from "./invocation.ts";
import { ASSERTION_HEADER } from "./keys/authorize.ts";
import { AnswerTimeout, withTimeout } from "./platform/calls.ts";
import { objectOf } from "./platform/objects.ts";
import { whileMoving } from "./platform/places.ts";

/** Operations that read, though they are no GET. Some also store what they have read, such as a receipt. */
const READING_POSTS: readonly string[] = [
  "search",
  "searchMemories",
  "getContext",
  "replayRecall",
  "runEvaluation",
];
/** These wait for events, or ask the hub. */
const ELSEWHERE: readonly string[] = ["listEvents", "listPresences"];

/** More than twice what a search takes in which each call of a model or of the vector store exceeds its own limit. */
const ANSWER_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;

/** Headers that the cell needs not see, because it does not authenticate the request again. */
const CREDENTIALS: readonly string[] = ["authorization", "cookie", ASSERTION_HEADER];

/** Whether the operation runs in the cell of an organization: one that only reads, for the owner of a key. */
export function isPassed({ operationId = "", method, security = [], responses }: RouteConfig): boolean {
  if (ELSEWHERE.includes(operationId)) return false;
  const isForKeys = security.length > 0 && security.every((alternative) => "apiKey" in alternative);
  const types = Object.keys((responses[200] as { content?: object } | undefined)?.content ?? {});
  const isJson = types.every((type) => type === "application/json");
  return isForKeys && isJson && (method === "get" || READING_POSTS.includes(operationId));
}

/**
 * Passes a request for an organization in a cell to it, so that all reads of the request together take one call.
 *
 * @throws {ApiError} `unavailable` if the cell does not answer.
 */
export function passToCell(contract: RouteConfig): MiddlewareHandler<AppEnv> {
  const hasBody = contract.request?.body !== undefined;
  return async (c, next) => {
    const { CELLS: cells, PASSED } = c.env;
    const { caller } = c.var;
    if (cells === undefined || PASSED !== undefined || caller.kind !== "key") return next();
    const { principal, place, runtime } = caller;
    if ((await caller.placeOf(principal.organizationId)) !== "cell") return next();
    const { method, url } = c.req;
    const { headers } = c.req.raw;
    // Read here: its errors cost the cell nothing, and it can be sent again.
    const body = hasBody ? await readJsonText(c) : null;
    const passed: PassedRequest = {
      ...{ method, url, principal, body },
      headers: [...headers].filter(([name]) => !CREDENTIALS.includes(name)),
      requestId: c.var.requestId,
      tool: place.tool,
    };
    const answer = await whileMoving(runtime, async () => {
      const residence = await caller.residenceOf(principal.organizationId);
      if (residence.place !== "cell") return null;
      return ask(() => objectOf(cells, principal.organizationId, residence), passed);
    });
    if (answer === null) {
      // It has moved to D1 since. The body was read.
      c.req.raw = new Request(url, { method, headers, body });
      return next();
    }
    caller.meter.add(answer.costs);
    caller.usage.putBack(answer.usage, caller.runtime.nowMs());
    if (answer.problem !== null) c.set("problem", answer.problem);
    return toResponse(c, answer);
  };
}

const toResponse = (c: Context<AppEnv>, { status, headers, body }: CellAnswer): Response =>
  c.body(body, status as ContentfulStatusCode, Object.fromEntries(headers));

/** Asks again once if the object was reset, which deployments do, too. */
async function ask(cell: () => AnsweringCell, passed: PassedRequest): Promise<CellAnswer> {
  // A new stub each time, because a stub fails forever once its object has been reset.
  const once = () => withTimeout(cell().answer(passed), ANSWER_TIMEOUT_MS);
  try {
    return await once().catch((error: unknown) => {
      if (failureOf(error) === "reset") return once();
      throw error;
    });
  } catch (error) {
    if (failureOf(error) === null) throw error;
    throw new ApiError(
      "unavailable",
      "The database of the organization did not respond. Send the request again.",
      { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
}

/** What an error of a Durable Object says of it. Null for an error of its code. */
function failureOf(error: unknown): "reset" | "overloaded" | "silent" | null {
  if (error instanceof AnswerTimeout) return "silent";
  const { durableObjectReset, overloaded, retryable } = error as Partial<Record<string, boolean>>;
  if (overloaded) return "overloaded";
  return durableObjectReset || retryable ? "reset" : null;
}

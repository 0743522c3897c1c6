import type { Problem } from "@engram/spec";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../invocation.ts";

const TYPES: Partial<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_error",
};

/** Writes problems as OpenAI's API writes errors. `code` is that of the problem. */
export const answerErrors: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (c.res.headers.get("content-type") !== "application/problem+json") return;
  const error = toError((await c.res.json()) as Problem);
  const { status, headers } = c.res;
  headers.set("content-type", "application/json");
  c.res = new Response(JSON.stringify({ error }), { status, headers });
};

function toError({ status, code, detail, errors }: Problem) {
  const path = errors?.[0]?.path;
  return {
    message: detail,
    type: TYPES[status] ?? (status < 500 ? "invalid_request_error" : "server_error"),
    // As OpenAI writes it: `items[0].role`.
    param: path?.replace(/\.(\d+)(?=\.|$)/g, "[$1]") ?? null,
    code,
  };
}

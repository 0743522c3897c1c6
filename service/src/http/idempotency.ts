import type { MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { sha256Hex } from "../platform/digest.ts";
import { canonicalJson } from "../text/canonical-json.ts";

export function readIdempotencyKey(operation: string): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    // The draft standard for this header puts the key in quotes, but most clients do not.
    const idempotencyKey = c.req.header("idempotency-key")?.replace(/^"(.*)"$/, "$1");
    if (idempotencyKey === "") {
      const message = "The key in the quotes must have at least one character.";
      throw new ApiError("validation_failed", `\`idempotency-key\`: ${message}`, {
        errors: [{ path: "idempotency-key", message }],
      });
    }
    const { principal, runtime, pace } = c.var.caller;
    c.set(
      "idempotency",
      idempotencyKey !== undefined
        ? {
            owner: principal,
            operation,
            idempotencyKey,
            // Of the value: a client that repeats a request may write the same JSON in another way.
            requestHash: await sha256Hex(`${c.req.path}\n${await pace.run(canonicalJson(c.var.body))}`),
            nowMs: runtime.nowMs(),
          }
        : null,
    );
    await next();
  };
}

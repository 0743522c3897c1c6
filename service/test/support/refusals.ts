import type { RouteConfig } from "@hono/zod-openapi";
import { expect } from "vitest";
import { type Caller, callerOf } from "./client.ts";
import type { RequestParts } from "./requests.ts";

/** Fails unless an operation rejects a request without a key, and one whose key lacks the scope. */
export async function expectKeyRefusals(
  contract: RouteConfig,
  weak: Caller,
  parts: RequestParts = {},
): Promise<void> {
  expect(await callerOf("").fail(contract, parts)).toMatchObject({ code: "unauthenticated" });
  expect(await weak.fail(contract, parts)).toMatchObject({ code: "forbidden" });
}

/** Fails unless an operation rejects unknown fields, broken JSON, another content type and a huge body. */
export async function expectBodyRefusals(
  contract: RouteConfig,
  caller: Caller,
  parts: RequestParts = {},
): Promise<void> {
  const send = (more: RequestParts) => caller.fail(contract, { ...parts, ...more });
  const unknown = await send({ body: { color: "red" } });
  expect(unknown.code).toBe("validation_failed");
  expect(unknown.errors?.map(({ path }) => path)).toContain("color");
  expect(await send({ rawBody: "{" })).toMatchObject({ code: "invalid_json" });
  expect(await send({ rawBody: "{}", headers: { "content-type": "text/plain" } })).toMatchObject({
    status: 415,
  });
  expect(await send({ rawBody: " ".repeat(8_388_609) })).toMatchObject({ code: "payload_too_large" });
}

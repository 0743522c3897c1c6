import { createExecutionContext } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { BASE_URL, createOrganization } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { promptRuntime } from "../support/runtime.ts";

test("a request body that breaks off is rejected as a bad request, not as a database failure", async () => {
  const caller = await createOrganization();
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"title":'));
      controller.error(new Error("Network connection lost"));
    },
  });
  const init = {
    method: "POST",
    headers: { authorization: `Bearer ${caller.secret}`, "content-type": "application/json" },
    body: broken,
  };
  const request = new Request(`${BASE_URL}/v1/conversations`, init);
  const response = await createApp(openIsolate(promptRuntime)).fetch(request, env, createExecutionContext());
  expect(await readProblem(contracts.createConversation, response)).toMatchObject({ code: "invalid_json" });
});

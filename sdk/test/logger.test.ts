import { describe, expect, test } from "vitest";
import type { LogFields } from "../src/index.ts";
import { json, problem, rejection, reset, serve } from "./support/fault-server.ts";

const ok = json(200, { results: [] }, { "x-request-id": "req_ok" });
const unavailable = problem(503, "unavailable", { "x-request-id": "req_503" });

/** A logger that keeps its lines. */
function createLogger() {
  const lines: { level: string; message: string; fields: LogFields }[] = [];
  const take = (level: string) => (message: string, fields: LogFields) => {
    lines.push({ level, message, fields });
  };
  return { lines, debug: take("debug"), warn: take("warn"), error: take("error") };
}

describe("the SDK's log", () => {
  test("has each attempt with its result, its duration and the delay before the next one", async () => {
    const logger = createLogger();
    const { client } = await serve(unavailable, reset, ok);
    await client({ logger, logLevel: "debug" }).search({ query: "a" });
    const common = { method: "POST", path: "/v1/search", durationMs: expect.any(Number) };
    expect(logger.lines).toEqual([
      {
        level: "warn",
        message: "engram: POST /v1/search 503",
        fields: { ...common, attempt: 1, status: 503, requestId: "req_503", retryInMs: 0 },
      },
      {
        level: "warn",
        message: "engram: POST /v1/search no_answer",
        fields: { ...common, attempt: 2, reason: "no_answer", retryInMs: 0 },
      },
      {
        level: "debug",
        message: "engram: POST /v1/search 200",
        fields: { ...common, attempt: 3, status: 200, requestId: "req_ok" },
      },
    ]);
  });

  test.for([
    [undefined, ["warn", "error"]],
    ["debug", ["debug", "warn", "error"]],
    ["error", ["error"]],
  ] as const)("at level %s has %s", async ([logLevel, levels]) => {
    const logger = createLogger();
    const { client } = await serve(ok, unavailable);
    const engram = client({ logger, logLevel, maxRetries: 1 });
    await engram.search({ query: "a" });
    await rejection(engram.search({ query: "a" }));
    expect(logger.lines.map(({ level }) => level)).toEqual(levels);
  });

  test("contains no key, header, query or body of a call, a list or an export", async () => {
    const logger = createLogger();
    const { client } = await serve(unavailable);
    const engram = client({ logger, logLevel: "debug", apiKey: "engram_sk_live_SECRETKEY" });
    const calls = [
      () => engram.search({ query: "SECRETTEXT" }),
      () => engram.conversations.list({ user_id: "SECRETUSER" }).page(),
      () => engram.messages.append("conv_1", { messages: [{ role: "user", content: "SECRETTEXT" }] }),
      () => engram.conversations.create({}, { idempotencyKey: "SECRETONCE" }),
      () => engram.export({}, { maxRetries: 0 }).next(),
    ];
    for (const call of calls) await rejection(call());
    expect(logger.lines.length).toBeGreaterThan(calls.length);
    expect(JSON.stringify(logger.lines)).not.toContain("SECRET");
  });

  test("does not fail a call if the logger throws", async () => {
    const { client } = await serve(ok);
    const broken = () => {
      throw new Error("disk full");
    };
    const logger = { debug: broken, warn: broken, error: broken };
    expect(await client({ logger, logLevel: "debug" }).search({ query: "a" })).toEqual({ results: [] });
  });

  test("rejects an unknown level", () => {
    return expect(async () =>
      (await serve(ok)).client({ logger: console, logLevel: "info" as "warn" }),
    ).rejects.toThrow(TypeError);
  });
});

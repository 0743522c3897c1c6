import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError } from "../src/index.ts";
import { answerRetryMs, backoffMs, retryAfterMs } from "../src/retry.ts";
import * as clock from "./support/clock.ts";
import {
  type Behaviour,
  cutOff,
  html,
  json,
  problem,
  rejection,
  reset,
  serve,
} from "./support/fault-server.ts";

const hello = { messages: [{ role: "user" as const, content: "hello" }] };
const ok = json(200, { id: "op_1" });

describe("retries", () => {
  test.for<[string, Behaviour]>([
    ["408", html(408)],
    ["429", problem(429, "rate_limited")],
    ["500", problem(500, "internal")],
    ["502 from a proxy", html(502)],
    ["503", problem(503, "unavailable")],
    ["504 from a proxy", html(504)],
    ["520 from Cloudflare's edge", html(520)],
    ["529 from an overloaded one", html(529)],
    ["530 from Cloudflare's edge", html(530)],
    ["a connection that is reset", reset],
    ["a response that breaks off", cutOff],
  ])("follow %s, with the same key and body", async ([, fault]) => {
    const { attempts, client } = await serve(fault, ok);
    await client().messages.append("conv_1", hello);
    const [first, second] = attempts;
    expect(attempts).toHaveLength(2);
    expect(first?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.headers).toEqual(first?.headers);
    expect(JSON.parse(second?.body ?? "")).toEqual(hello);
  });

  test.for<[string, clock.Answer]>([
    ["does not come in time", clock.silence],
    ["stalls halfway", clock.stall('{"id":')],
  ])("follow a response that %s, with the same key and body", async ([, fault]) => {
    const { attempts, client } = clock.stopClock(fault, () => Response.json({ id: "op_1" }));
    await clock.passTime(client({ timeoutMs: 500 }).messages.append("conv_1", hello));
    const [first, second] = attempts;
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 500]);
    expect(first?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
    expect([...(second?.headers ?? [])]).toEqual([...(first?.headers ?? [])]);
    expect(JSON.parse(second?.body ?? "")).toEqual(hello);
  });

  test("follow failed updates, deletions and searches too", async () => {
    const { attempts, client } = await serve(reset, ok, reset, ok, reset, ok);
    await client().conversations.update("conv_1", { title: "a" });
    await client().conversations.delete("conv_1");
    await client().search({ query: "a" });
    expect(attempts.map(({ method }) => method)).toEqual([
      "PATCH",
      "PATCH",
      "DELETE",
      "DELETE",
      "POST",
      "POST",
    ]);
  });

  test("are at most two by default, or as many as `maxRetries` says", async () => {
    const { attempts, client } = await serve(problem(500, "internal"));
    expect(await rejection(client().health.get())).toMatchObject({ code: "internal", requestId: "req_1" });
    expect(attempts).toHaveLength(3);
    await rejection(client().health.get({ maxRetries: 0 }));
    expect(attempts).toHaveLength(4);
    await rejection(client({ maxRetries: 1 }).health.get());
    expect(attempts).toHaveLength(6);
  });

  test.for([301, 400, 401, 403, 404, 409, 412, 413, 415, 422, 501, 505, 507])(
    "never follow the status %d",
    async (status) => {
      const { attempts, client } = await serve(problem(status, "some_code", { "retry-after": "0" }), ok);
      expect(await rejection(client().messages.append("conv_1", hello))).toBeInstanceOf(ApiError);
      expect(attempts).toHaveLength(1);
    },
  );

  test("follow a raw POST only if it has an idempotency key", async () => {
    const { attempts, client } = await serve(problem(500, "internal"));
    const { raw } = client();
    expect((await raw.POST("/v1/conversations", { body: {} })).error?.code).toBe("internal");
    expect(attempts).toHaveLength(1);
    await raw.POST("/v1/conversations", { body: {}, params: { header: { "idempotency-key": "mine" } } });
    expect(attempts).toHaveLength(4);
  });

  test("send the original body even if the caller has changed the object", async () => {
    const { attempts, client } = await serve(reset, ok);
    const body = { title: "before" };
    const call = client().conversations.create(body);
    body.title = "after";
    await call;
    expect(attempts.map((attempt) => attempt.body)).toEqual(['{"title":"before"}', '{"title":"before"}']);
  });
});

describe("the idempotency key", () => {
  test("is different for each call, unless the caller gives one", async () => {
    const { attempts, client } = await serve(ok);
    await client().conversations.create();
    await client().conversations.create();
    await client().conversations.create({}, { idempotencyKey: "mine" });
    const keys = attempts.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
  });

  test("is a property of the error, with which the caller can repeat the write", async () => {
    const { attempts, client } = await serve(reset, problem(409, "sequence_conflict"));
    const lost = (await rejection(client({ maxRetries: 0 }).conversations.create())) as ConnectionError;
    const refused = (await rejection(client().conversations.create({}, lost))) as ApiError;
    expect(lost.idempotencyKey).toBe(attempts[0]?.headers["idempotency-key"]);
    expect(refused.idempotencyKey).toBe(lost.idempotencyKey);
    expect(attempts[1]?.headers["idempotency-key"]).toBe(lost.idempotencyKey);
  });
});

describe("mayHaveApplied of an error", () => {
  test.for<[string, Behaviour, boolean]>([
    ["a lost response", reset, true],
    ["500", problem(500, "internal"), true],
    ["429, which has no effect", problem(429, "rate_limited"), false],
  ])("says whether a write may have taken effect after %s", async ([, fault, mayHaveApplied]) => {
    const { client } = await serve(fault, problem(404, "not_found"));
    const error = await rejection(client().conversations.delete("conv_1"));
    expect(error).toMatchObject({ code: "not_found", mayHaveApplied });
  });

  test("is false for a plain rejection", async () => {
    const { client } = await serve(problem(404, "not_found"));
    const error = await rejection(client().conversations.delete("conv_1"));
    expect(error).toMatchObject({ code: "not_found", mayHaveApplied: false });
  });
});

describe("the wait before a retry", () => {
  const date = "Wed, 04 Nov 2026 10:00:00 GMT";
  test.for<[string, Record<string, string>]>([
    ["seconds", { "retry-after": "1" }],
    ["a date, by the server's clock", { date, "retry-after": "Wed, 04 Nov 2026 10:00:01 GMT" }],
  ])("is what Retry-After says in %s", async ([, headers]) => {
    const { attempts, client } = clock.stopClock(
      () => Response.json({}, { status: 429, headers }),
      () => Response.json({ status: "ok" }),
    );
    await clock.passTime(client().health.get());
    expect(attempts.map(({ atMs }) => atMs)).toEqual([0, 1_000]);
  });

  test.for<[string, number]>([
    ["250", 250],
    ["1.5", 1.5],
    ["soon", 7_000],
  ])("is what retry-after-ms says rather than Retry-After: %j is %j ms", ([exact, expected]) => {
    const headers = new Headers({ "retry-after-ms": exact, "retry-after": "7" });
    expect(retryAfterMs(headers, 0)).toBe(expected);
  });

  test.for<[string, Record<string, string>, number]>([
    ["longer than a minute", { "retry-after": "61" }, 5_000_000],
    ["past the deadline", { "retry-after": "30" }, 10_000],
  ])(
    "does not happen if it is %s, and the error says how long the server asks to wait",
    async ([, headers, deadlineMs]) => {
      const { attempts, client } = clock.stopClock(() => Response.json({}, { status: 503, headers }));
      const error = (await clock.passTime(rejection(client({ deadlineMs }).health.get()))) as ApiError;
      expect(error.retryAfterMs).toBe(Number(headers["retry-after"]) * 1_000);
      expect(attempts).toHaveLength(1);
    },
  );

  test("doubles each time up to 8 s, less a random part", () => {
    const longest = [0, 1, 2, 3, 4, 5, 60].map((retries) => backoffMs(retries, 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(backoffMs(2, 0.25)).toBe(500);
  });

  test.for([
    ["", null],
    ["soon", null],
    ["-1", null],
    ["0", 0],
    ["1.5", 1_500],
    ["Wed, 04 Nov 2026 10:00:05 GMT", 5_000],
    ["Wed, 04 Nov 2026 09:00:00 GMT", 0],
  ] as const)(
    "is measured by the local clock if the server sends no date: %j is %j ms",
    ([header, expected]) => {
      expect(retryAfterMs(new Headers({ "retry-after": header }), Date.parse(date))).toBe(expected);
    },
  );

  test("is at most a minute", () => {
    const wait = (seconds: string) =>
      answerRetryMs({ status: 429, headers: new Headers({ "retry-after": seconds }) }, 0, {
        nowMs: 0,
        random: 1,
      });
    expect([wait("60"), wait("61")]).toEqual([60_000, null]);
  });
});

describe("time limits of the SDK", () => {
  test("end an attempt without a response, and the call fails with a timeout after its retries", async () => {
    const { attempts, client } = clock.stopClock(clock.silence);
    const error = await clock.passTime(rejection(client({ timeoutMs: 150 }).health.get()));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "timeout", message: "No response to GET /health within 150 ms" });
    expect(attempts).toHaveLength(3);
  });

  test("end the whole call at its deadline, however long an attempt may take", async () => {
    const { attempts, client, elapsedMs } = clock.stopClock(clock.silence);
    const error = await clock.passTime(rejection(client({ deadlineMs: 300 }).health.get()));
    expect(error).toMatchObject({ code: "timeout" });
    expect(elapsedMs()).toBe(300);
    expect(attempts).toHaveLength(1);
  });

  test("of a call can be longer than the client's deadline", async () => {
    const late = () =>
      new Promise<Response>((resolve) => void setTimeout(resolve, 200, Response.json({ id: "op_1" })));
    const { client } = clock.stopClock(late);
    const impatient = client({ timeoutMs: 100, deadlineMs: 100, maxRetries: 0 });
    const { operations } = impatient;
    expect(await clock.passTime(operations.get("op_1", { timeoutMs: 201 }))).toEqual({ id: "op_1" });
    const error = await clock.passTime(rejection(operations.get("op_1", { timeoutMs: 199 })));
    expect(error).toMatchObject({ code: "timeout" });
  });
});

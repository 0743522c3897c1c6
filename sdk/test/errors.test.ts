import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  ApiError,
  ConnectionError,
  Engram,
  EngramError,
  type EngramOptions,
  isEngramError,
} from "../src/index.ts";
import { html, json, problem, rejection, reset, serve } from "./support/fault-server.ts";

const SECRET = "engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ";

describe("an error response", () => {
  test("rejects with all fields of the problem", async () => {
    const errors = [{ path: "messages.0.role", message: "is not a role" }];
    const body = {
      type: "https://engram.dev/problems/validation_failed",
      title: "Validation failed",
      status: 400,
      code: "validation_failed",
      detail: "One field does not fit.",
      request_id: "req_7",
      errors,
    };
    const { client } = await serve(json(400, body, { "x-request-id": "req_7", "x-extra": "kept" }));
    const error = await rejection(client().conversations.create({}, { idempotencyKey: "mine" }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ApiError",
      status: 400,
      code: "validation_failed",
      type: "https://engram.dev/problems/validation_failed",
      message: "One field does not fit.",
      title: "Validation failed",
      detail: "One field does not fit.",
      requestId: "req_7",
      errors,
      retryAfterMs: null,
      idempotencyKey: "mine",
      mayHaveApplied: false,
    });
    expect((error as ApiError).headers.get("x-extra")).toBe("kept");
  });

  test("without a detail rejects with the title as the message", async () => {
    const { client } = await serve(json(404, { code: "not_found", title: "There is nothing here" }));
    const error = await rejection(client().conversations.get("conv_1"));
    const title = "There is nothing here";
    expect(error).toMatchObject({ code: "not_found", type: null, title, message: title, detail: null });
  });

  test.for([
    ["a proxy's page", 502, html(502)],
    ["JSON that is not a problem", 404, json(404, { message: "no such route" })],
    ["JSON that is not an object", 400, json(400, null)],
    ["an HTML page in place of JSON", 200, html(200)],
    ["a response without a body", 200, json(200, undefined)],
  ] as const)("rejects with an ApiError also for %s", async ([, status, behaviour]) => {
    const { client } = await serve(behaviour);
    const error = await rejection(client({ maxRetries: 0 }).conversations.create());
    expect(error).toBeInstanceOf(ApiError);
    const nothing = { type: null, detail: null, requestId: null, errors: [] };
    expect(error).toMatchObject({ status, code: "unexpected_response", ...nothing });
    expect((error as ApiError).idempotencyKey).not.toBeNull();
  });

  test("rejects with an ApiError also for truncated JSON on an intact connection", async () => {
    const { client } = await serve((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":"op_');
    });
    const error = await rejection(client().operations.get("op_1"));
    expect(error).toMatchObject({ status: 200, code: "unexpected_response" });
  });

  // A POST that follows a 301 becomes a GET, and the page of the list would look like a new conversation.
  test("rejects with an ApiError for a redirect, which is not followed", async () => {
    const { attempts, client } = await serve((response) => {
      response.writeHead(301, { location: "/v1/elsewhere" }).end();
    });
    const error = await rejection(client().conversations.create());
    expect(error).toMatchObject({ status: 301, code: "unexpected_response" });
    expect(attempts).toHaveLength(1);
  });
});

describe("a missing response", () => {
  test("rejects with a ConnectionError that has the cause and names the request without its query", async () => {
    const client = new Engram({ apiKey: SECRET, baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    const error = await rejection(client.conversations.list({ user_id: "maria" }).page());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: "ConnectionError", code: "no_answer", idempotencyKey: null });
    const { cause, message } = error as ConnectionError;
    expect(cause).toBeInstanceOf(TypeError);
    expect(message).toMatch(/^No response to GET \/v1\/conversations \(/);
    expect(message).not.toContain("maria");
  });
});

describe("the API key", () => {
  test("is in no error and in no printed form of the client", async () => {
    const { client, attempts } = await serve(problem(401, "unauthenticated"));
    const engram = client({ apiKey: SECRET });
    const refused = await rejection(engram.health.get());
    const absent = new Engram({ apiKey: SECRET, baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    const failed = await rejection(absent.health.get());
    expect(attempts[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    for (const value of [engram, refused, failed]) {
      expect(inspect(value, { depth: 20, showHidden: true })).not.toContain("a8XkQ2m5");
      expect(String(JSON.stringify(value))).not.toContain("a8XkQ2m5");
    }
  });

  test.for([`${SECRET}\n`, `${SECRET} `, `${SECRET}é`])(
    "is rejected without being printed if a header cannot contain it",
    (apiKey) => {
      const make = () => new Engram({ apiKey, baseUrl: "http://engram.test" });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(/^apiKey must be a key: (?!.*a8XkQ2m5)/);
    },
  );

  test("can be null if another header authenticates the caller", async () => {
    const { attempts, client } = await serve(json(200, {}));
    await client({ apiKey: null, headers: { "cf-access-client-id": "e3678.access" } }).health.get();
    expect(attempts[0]?.headers).toMatchObject({ "cf-access-client-id": "e3678.access" });
    expect(attempts[0]?.headers).not.toHaveProperty("authorization");
  });

  test("cannot be replaced by a header option", async () => {
    const { attempts, client } = await serve(json(200, {}));
    const headers = { authorization: "Bearer other", "x-extra": "1" };
    await client({ headers }).health.get();
    expect(attempts[0]?.headers).toMatchObject({
      authorization: "Bearer engram_sk_live_test",
      "x-extra": "1",
    });
    expect(headers).toEqual({ authorization: "Bearer other", "x-extra": "1" });
  });
});

describe("the client rejects before it sends anything", () => {
  const send = (): never => {
    throw new Error("it was sent");
  };
  const client = new Engram({ apiKey: "k", baseUrl: "http://engram.test/", fetch: send, maxRetries: 0 });

  // Attack: DELETE …/messages/.. becomes DELETE …/conversations/conv_1 once the URL is normalized.
  test.for(["", ".", ".."])("an id that would change the path: %j", async (id) => {
    expect(await rejection(client.messages.delete("conv_1", id))).toBeInstanceOf(TypeError);
    expect(await rejection(client.conversations.get(id))).toBeInstanceOf(TypeError);
  });

  test("an empty precondition", async () => {
    const error = await rejection(client.conversations.update("conv_1", {}, { ifMatch: null }));
    expect(error).toBeInstanceOf(TypeError);
  });

  const url = "baseUrl must be an http or https URL, such as";
  test.for<[string, object | null, string]>([
    ["null for options", null, "options must be an object, such as { apiKey, baseUrl }"],
    [
      "no apiKey",
      { apiKey: undefined },
      "missing: pass a key of the service, such as engram_sk_live_…, or set ENGRAM_API_KEY",
    ],
    ["an empty apiKey", { apiKey: "" }, "apiKey is missing: pass a key"],
    ["no baseUrl", { baseUrl: undefined }, "or set ENGRAM_URL"],
    ["an empty baseUrl", { baseUrl: "" }, "baseUrl is missing: pass the URL of the service"],
    ["a host", { baseUrl: "engram.test" }, url],
    ["a host and port", { baseUrl: "localhost:80" }, url],
    ["another protocol", { baseUrl: "ftp://engram.test" }, url],
    ["a user", { baseUrl: "http://me:pw@engram.test" }, "without user, query and fragment"],
    ["a query", { baseUrl: "http://engram.test?a=b" }, "without user, query and fragment"],
    [
      "the version",
      { baseUrl: "http://engram.test/v1" },
      "baseUrl must be the URL of the service: leave out /v1",
    ],
    ["the version and a slash", { baseUrl: "http://engram.test/v1/" }, "leave out /v1"],
  ])("a client with %s", ([, options, refusal]) => {
    const given = options && { apiKey: "k", baseUrl: "http://engram.test", ...options };
    const make = () => new Engram(given as EngramOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(refusal);
  });

  test.for([
    ["", "user_id must not be empty"],
    ["..", "user_id must be an id, not .."],
    [undefined, "user_id must be a string, not undefined"],
  ] as const)("an id that is %j, and the error names the parameter", async ([id, refusal]) => {
    expect(await rejection(client.users.delete(id as string))).toEqual(new TypeError(refusal));
  });

  test.for([undefined, {}, { max: "all" }])("toArray without a limit: %j", async (bound) => {
    const reading = client.conversations.list().toArray(bound as unknown as { max: number });
    const refusal = "max must be the largest number of items to get, such as { max: 100 }; Infinity for all";
    expect(await rejection(reading)).toEqual(new TypeError(refusal));
  });
});

test("every error of the SDK is an EngramError, and no other error is", async () => {
  const { client } = await serve(problem(404, "not_found"), reset);
  const engram = client({ maxRetries: 0 });
  expect(await rejection(engram.health.get())).toBeInstanceOf(EngramError);
  expect(await rejection(engram.health.get())).toBeInstanceOf(EngramError);
  expect(new TypeError("misuse")).not.toBeInstanceOf(EngramError);
});

test("isEngramError recognizes errors of another copy of the package, and no other errors", async () => {
  const copy = "../src/errors.ts?copy";
  const other = (await import(copy)) as typeof import("../src/errors.ts");
  const theirs = new other.ConnectionError("", { code: "timeout", idempotencyKey: null });
  expect(theirs).not.toBeInstanceOf(ConnectionError);
  expect(isEngramError(theirs)).toBe(true);
  expect([new Error("a"), { name: "ApiError" }, null, "ApiError"].some(isEngramError)).toBe(false);
});

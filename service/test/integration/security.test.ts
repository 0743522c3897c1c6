import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { createSecret } from "../../src/keys/secrets.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { type Caller, callerOf, createKey, operator, send } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { sendTo } from "../support/mcp.ts";
import { ABSENT, type Ids, requestFor, toRequest } from "../support/requests.ts";
import { promptRuntime } from "../support/runtime.ts";
import { createWorld, fetchWith, isForOperator, operations, scopesOf } from "../support/worlds.ts";

type Problem = contracts.Problem;
const OPEN = ["getHealth", "getReadiness", "redeemSignInCode"];
const closed = operations.filter(([name]) => !OPEN.includes(name));

let ours: { caller: Caller & { organizationId: string }; ids: Ids };
let theirs: { caller: Caller & { organizationId: string }; ids: Ids };
let unknown: Caller;
let revoked: Caller;
let expired: Caller;
const without = new Map<contracts.Scope, Caller>();
beforeAll(async () => {
  [ours, theirs] = await Promise.all([createWorld(), createWorld()]);
  const { caller } = ours;
  unknown = callerOf(await createSecret(systemRuntime, caller.organizationId));
  const key = await createKey(caller, { scopes: [...contracts.SCOPES] });
  await key.call(contracts.getKey, { params: { key_id: key.keyId } });
  await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
  revoked = key;
  expired = await createKey(caller, { scopes: [...contracts.SCOPES], expires_at: "2020-01-01T00:00:00Z" });
  for (const scope of contracts.SCOPES) {
    const scopes = contracts.SCOPES.filter((other) => other !== scope);
    without.set(scope, await createKey(caller, { scopes }));
  }
});

test.for(operations.filter(([, contract]) => contract.method === "get"))(
  "HEAD %s has the headers of GET, without a body",
  async ([name, contract]) => {
    const isOpen = name === "getHealth" || name === "getReadiness";
    const caller = scopesOf(contract) === null ? operator : ours.caller;
    const [path] = toRequest(contract, isOpen ? {} : requestFor(name, ours.ids));
    await expectSameHead(path, { authorization: `Bearer ${caller.secret}` });
  },
);

test.for(["/docs", "/docs/docs.js", "/openapi.json", "/asyncapi.json", "/llms.txt"])(
  "HEAD %s has the headers of GET, without a body",
  (path) => expectSameHead(path),
);

test.for([
  ["/v1/keys", 401],
  ["/nothing", 404],
] as const)("HEAD %s fails as GET does, without a body", ([path, status]) =>
  expectSameHead(path, {}, status),
);

/** Expects the status and all headers of GET for HEAD, except those that differ between any two requests. */
async function expectSameHead(path: string, headers: Record<string, string> = {}, status = 200) {
  const [got, head] = await Promise.all(["GET", "HEAD"].map((method) => send(path, { method, headers })));
  const describe = (response?: Response) => {
    const own = new Headers(response?.headers);
    expect(own.get("x-request-id")).toMatch(/^req_/);
    for (const name of ["x-request-id", "server-timing", "content-length"]) own.delete(name);
    return [response?.status, Object.fromEntries(own)];
  };
  expect(describe(head)).toEqual(describe(got));
  expect([got?.status, await head?.text()]).toEqual([status, ""]);
  expect(await got?.text()).not.toBe("");
}

describe.for(closed)("the operation %s", ([name, contract]) => {
  const request = () => requestFor(name, ours.ids);

  test("rejects a missing, unknown, revoked or expired key", async () => {
    for (const caller of [callerOf(""), unknown, revoked, expired]) {
      const response = await caller.fetch(contract, request());
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await readProblem(contract, response)).toMatchObject({ status: 401, code: "unauthenticated" });
    }
  });

  test("does not query the database for a malformed key", async () => {
    let asked = 0;
    const DB = new Proxy(env.DB, {
      get: () => {
        asked += 1;
        throw new Error("asked");
      },
    });
    const { secret } = ours.caller;
    // In the random part, in the organization and in the checksum.
    const typos = [19, 50, secret.length - 1].map(
      (at) => secret.slice(0, at) + (secret[at] === "x" ? "y" : "x") + secret.slice(at + 1),
    );
    for (const authorization of [
      ...typos.map((typo) => `Bearer ${typo}`),
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret}x`,
      `Bearer ${secret} ${secret}`,
      `Bearer ${secret.toUpperCase()}`,
      `Basic ${btoa(`:${secret}`)}`,
      secret,
      "Bearer",
      `Bearer ${"engram_sk_live_".repeat(1_000)}`,
      "Bearer ' OR 1=1 --",
    ]) {
      const response = await fetchWith({ DB }, contract, { ...request(), headers: { authorization } });
      expect(await readProblem(contract, response), authorization).toMatchObject({ code: "unauthenticated" });
    }
    expect(asked).toBe(0);
  });

  if (scopesOf(contract) !== null)
    test("rejects a key without its scope", async () => {
      for (const scope of scopesOf(contract) ?? []) {
        const problem = await without.get(scope)?.fail(contract, request());
        expect(problem).toMatchObject({ status: 403, code: "forbidden" });
        expect(problem?.detail).toContain(scope);
      }
    });

  if (!isForOperator(contract))
    test("rejects the operator's token in place of a key", async () => {
      expect(await operator.fail(contract, request())).toMatchObject({ code: "unauthenticated" });
    });

  if (scopesOf(contract) === null)
    test("rejects a key in place of the operator's token", async () => {
      expect(await ours.caller.fail(contract, request())).toMatchObject({ code: "unauthenticated" });
    });

  if (isForOperator(contract))
    test("rejects an invalid operator's token", async () => {
      for (const token of [
        `${env.ADMIN_TOKEN}x`,
        env.ADMIN_TOKEN.slice(0, -1),
        env.ADMIN_TOKEN.toUpperCase(),
        "",
      ]) {
        expect(await callerOf(token).fail(contract, request())).toMatchObject({ code: "unauthenticated" });
      }
    });
});

/** All operations that a key may call and that only read, independent of the scopes in their contracts. */
const READ_ONLY = new Set([
  ...["listConversations", "getConversation", "listMessages", "getMessage", "listMemories", "getMemory"],
  ...["listMemoryVersions", "listSummaries"],
  ...[
    "listUsers",
    "getUser",
    "listOperations",
    "getOperation",
    "getIndexStatus",
    "getOrganization",
    "listEvents",
  ],
  ...["streamEvents", "getMe"],
  ...["listEntities", "listMentions"],
  ...["createTicket", "listPresences", "setPresence"],
]);

const LIVE: Record<string, [string, number]> = { createTicket: ["post", 201], setPresence: ["put", 200] };

test.for(closed)(
  "%s rejects a key with the scope `read` only, unless it is a read",
  async ([name, contract]) => {
    const reader = await createKey(ours.caller, { scopes: ["read"] });
    const response = await reader.fetch(contract, requestFor(name, ours.ids));
    if (READ_ONLY.has(name)) {
      // A ticket and a presence change no stored data.
      expect([contract.method, response.status]).toEqual(LIVE[name] ?? ["get", 200]);
      return;
    }
    const isOperators = scopesOf(contract) === null;
    expect(await readProblem(contract, response)).toMatchObject(
      isOperators ? { status: 401, code: "unauthenticated" } : { status: 403, code: "forbidden" },
    );
  },
);

test("without an admin token in the deployment, organizations cannot be created, and the response is that of an unknown route", async () => {
  const contract = contracts.createOrganization;
  for (const authorization of [`Bearer ${env.ADMIN_TOKEN}`, "Bearer ", ""]) {
    const parts = { ...requestFor("createOrganization", ABSENT), headers: { authorization } };
    const response = await fetchWith({ ADMIN_TOKEN: "" }, contract, parts);
    expect(await readProblem(contract, response)).toMatchObject({
      status: 404,
      detail: "There is no such resource.",
    });
  }
});

test.for([
  ["a host that is not allowed (DNS rebinding)", "evil.example", 403],
  ["an allowed host with any port", "engram.test:8080", 200],
  ["a host that is allowed with another port", "port.engram.test:8080", 403],
  ["a host that is allowed with this port", "port.engram.test:9000", 200],
  ["an allowed address of IPv6 with a port", "[::1]:26366", 200],
  ["an allowed host in capitals", "ENGRAM.test", 200],
  ["a host that ends like an allowed one", "evil-engram.test", 403],
  ["an allowed host twice, as two headers arrive", "engram.test, engram.test", 400],
] as const)("the host of a request is checked: %s", async ([, host, status]) => {
  const parts = { headers: { host } };
  const response = await fetchWith(
    { ALLOWED_HOSTS: "engram.test, port.engram.test:9000,[::1]" },
    contracts.listKeys,
    { headers: { ...parts.headers, authorization: `Bearer ${ours.caller.secret}` } },
  );
  expect(response.status).toBe(status);
});

test("the host of an allowed proxy's URL is allowed", async () => {
  const statusOf = async (host: string) => {
    const bindings = { ALLOWED_HOSTS: "engram.test", PUBLIC_URLS: "https://memory.example/engram" };
    const headers = { host, authorization: `Bearer ${ours.caller.secret}` };
    return (await fetchWith(bindings, contracts.listKeys, { headers })).status;
  };
  expect([await statusOf("memory.example"), await statusOf("evil.example")]).toEqual([200, 403]);
});

// Load balancers and container runtimes check an instance by its address. The two responses contain no stored data.
test.for([
  ["/health", 200],
  ["/health/", 200],
  ["/ready", 200],
  ["/health/x", 403],
  ["/healthz", 403],
  ["/", 403],
  ["/openapi.json", 403],
  ["/docs", 403],
  ["/mcp", 403],
  ["/v1/keys", 403],
  ["/nothing", 403],
] as const)(
  "any host may be named to check the health of the service, and nothing else: %s",
  async ([path, status]) => {
    const send = sendTo(createApp(openIsolate(promptRuntime)), { ALLOWED_HOSTS: "api.example" });
    for (const host of ["10.0.0.7:8080", "evil.example"]) {
      expect((await send(path, { headers: { host } })).status).toBe(status);
    }
  },
);

test.for(["/v1/keys/key_00000000000000000000", "/health", "/mcp", "/docs"])(
  "the methods of a path are told without a key, but not to a host that is not allowed: %s",
  async (path) => {
    const isOpen = path === "/health";
    const send = sendTo(createApp(openIsolate(promptRuntime)), { ALLOWED_HOSTS: "api.example" });
    const statusOf = async (host: string) => (await send(path, { method: "PUT", headers: { host } })).status;
    expect([await statusOf("api.example"), await statusOf("evil.example")]).toEqual([
      405,
      isOpen ? 405 : 403,
    ]);
  },
);

// Otherwise the response would tell which ids exist.
test("the methods of a path do not depend on whether its items exist", async () => {
  const paths = [...new Set(operations.map(([, { path }]) => path))].filter((path) => path.includes("{"));
  for (const path of paths) {
    const answers = [ours.ids, theirs.ids, ABSENT, { ...ABSENT, conversation_id: "x" }].map(async (ids) => {
      const target = path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name] ?? "unknown");
      const headers = { authorization: `Bearer ${ours.caller.secret}` };
      return Promise.all(
        [headers, {}].map(async (each) => {
          const response = await send(target, { method: "PURGE", headers: each });
          return [response.status, response.headers.get("allow"), (await response.json<Problem>()).detail];
        }),
      );
    });
    const [first, ...others] = (await Promise.all(answers)).map((each) => JSON.stringify(each));
    expect(first, path).toContain("405");
    for (const other of others) expect(other, path).toBe(first);
  }
});

test("/v1 can be called from pages of any origin, without the browser's credentials", async () => {
  const headers = {
    origin: "https://page.example",
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization,content-type,idempotency-key,if-match",
  };
  const [path] = toRequest(contracts.updateConversation, { params: { ...ours.ids } });
  const preflight = await send(path, { method: "OPTIONS", headers });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
  expect(preflight.headers.get("x-request-id")).toMatch(/^req_/);
  const refused = await callerOf("").fetch(contracts.listKeys, {
    headers: { origin: "https://page.example" },
  });
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(refused.headers.get("access-control-expose-headers")).toContain("x-request-id");
});

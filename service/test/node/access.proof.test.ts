import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { base64url, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Service, startService } from "../../../local/src/start/service.ts";
import { type AccessStandIn, AUDIENCE, startAccessStandIn } from "./access-issuer.ts";

const TIMEOUT_MS = 60_000;
/** Time after which an isolate requests the signing keys again. */
const HEARD_MS = 5_200;
/** The configured service tokens, and the scopes of the key of each. */
const CLIENTS = {
  "writer.access": { scopes: ["read", "write"] },
  "agent.access": { scopes: ["read", "write"], agent_id: "support" },
  "leaver.access": { scopes: ["read"] },
};
type ClientId = keyof typeof CLIENTS;

let directory: string;
let access: AccessStandIn;
let service: Service;
let adminKey: string;
const keys = {} as Record<ClientId, { organization_id: string; key_id: string; secret: string }>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "engram-access-"));
  access = await startAccessStandIn();
  await serve({});
  const made = await ask("POST", "/v1/organizations", bearer(service.adminToken), { name: "Access" });
  adminKey = made.body.key.secret;
  for (const [client, { ...key }] of Object.entries(CLIENTS)) {
    const { body } = await ask("POST", "/v1/keys", bearer(adminKey), { name: client, ...key });
    keys[client as ClientId] = {
      organization_id: made.body.organization.id,
      key_id: body.id,
      secret: body.secret,
    };
  }
  await serve(trusting(CLIENTS));
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
  await access?.stop();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

describe("a Cloudflare Access service token in the configuration", () => {
  test("has the organization and the scopes of its key", async () => {
    const headers = asserting(await access.sign("writer.access"));
    const made = await ask("POST", "/v1/conversations", headers, { title: "In" });
    expect(made.status).toBe(201);
    const path = `/v1/conversations/${made.body.id}`;
    expect((await ask("GET", path, bearer(adminKey))).body).toMatchObject({ title: "In" });
    expect(await ask("GET", path, bearer(service.key))).toMatchObject({ status: 404 });
    expect(await ask("DELETE", path, headers)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("is bound to its key's agent, whatever it requests", async () => {
    const headers = asserting(await access.sign("agent.access"));
    const made = await ask("POST", "/v1/conversations", headers, {});
    expect(made.body.agent_id).toBe("support");
    expect((await ask("GET", "/v1/conversations?agent_id=sales", headers)).body.items).toEqual([]);
  });

  test("calls tools over MCP as the same key", async () => {
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: asserting(await access.sign("agent.access")) };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("create_conversation");
    expect(tools.map(({ name }) => name)).not.toContain("search");
    const called = await client.callTool({ name: "create_conversation", arguments: { title: "By MCP" } });
    expect(called.structuredContent).toMatchObject({ title: "By MCP", agent_id: "support" });
    await client.close();
  });

  test("is ignored if the request has a key, valid or not", async () => {
    const headers = asserting(await access.sign("writer.access"));
    for (const secret of ["engram_sk_live_wrong", "something"]) {
      const wrong = { ...headers, ...bearer(secret) };
      expect(await ask("GET", "/v1/conversations", wrong)).toMatchObject({ status: 401 });
    }
    const right = { ...headers, ...bearer(adminKey) };
    expect(await ask("GET", "/v1/keys", right)).toMatchObject({ status: 200 });
    // It has no access as the operator either.
    expect(await ask("POST", "/v1/organizations", headers, { name: "Mine" })).toMatchObject({ status: 401 });
  });

  test("is rejected from the next request on after its key is revoked", async () => {
    const headers = asserting(await access.sign("leaver.access"));
    expect(await ask("GET", "/v1/conversations", headers)).toMatchObject({ status: 200 });
    const { key_id } = keys["leaver.access"];
    expect((await ask("DELETE", `/v1/keys/${key_id}`, bearer(adminKey))).status).toBe(200);
    expect(await ask("GET", "/v1/conversations", headers)).toMatchObject({ status: 401 });
  });
});

describe("a request is rejected if its Access assertion is invalid:", () => {
  const inAMinute = () => new Date(Date.now() + 60_000);
  const claims = { common_name: "writer.access" };
  const forged = (alg: string, key: CryptoKey | Uint8Array) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, kid: "key-1" })
      .setIssuer(access.url)
      .setAudience(AUDIENCE)
      .setExpirationTime(inAMinute())
      .sign(key);
  const CASES: Record<string, () => Promise<Record<string, string>> | Record<string, string>> = {
    "no assertion": () => ({}),
    "text that is not a JWT": () => asserting("writer.access"),
    "an assertion in another header": async () => ({ "x-jwt-assertion": await access.sign("writer.access") }),
    "headers that only Access accepts": () => ({
      ...{ "cf-access-client-id": "writer.access", "cf-access-client-secret": "secret" },
      ...{ "cf-access-authenticated-user-email": "maria@example.com" },
    }),
    "an unsigned assertion": () =>
      asserting(
        new UnsecuredJWT(claims)
          .setIssuer(access.url)
          .setAudience(AUDIENCE)
          .setExpirationTime(inAMinute())
          .encode(),
      ),
    "one signed by another key": async () =>
      asserting(await forged("RS256", (await generateKeyPair("RS256")).privateKey)),
    "one signed with a secret in place of a key": async () =>
      asserting(await forged("HS256", base64url.decode("A".repeat(64)))),
    "a valid one in place of a key": async () => bearer(await access.sign("writer.access")),
    "another team's": async () =>
      asserting(await access.sign("writer.access", { issuer: "https://other.cloudflareaccess.com" })),
    "one for another application": async () =>
      asserting(await access.sign("writer.access", { audience: "0".repeat(64) })),
    "an expired one": async () =>
      asserting(await access.sign("writer.access", { expiresAt: new Date(Date.now() - 1_000) })),
    "one that is not valid yet": async () =>
      asserting(await access.sign("writer.access", { notBefore: inAMinute() })),
    "a service token that is not configured": async () => asserting(await access.sign("other.access")),
    "a property that every object has": async () => asserting(await access.sign("constructor")),
    "one of a user": async () =>
      asserting(await access.sign("", { payload: { type: "app", email: "maria@example.com" } })),
    "one whose parts were changed": async () => {
      const [head, , signature] = (await access.sign("other.access")).split(".");
      const body = (await access.sign("writer.access")).split(".")[1];
      return asserting([head, body, signature].join("."));
    },
  };
  test.for(Object.keys(CASES))("%s", async (name) => {
    const headers = (await CASES[name]?.()) ?? {};
    const answer = await ask("GET", "/v1/conversations", headers);
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    const overMcp = await fetch(`${service.url}/mcp`, { method: "POST", headers, body: "{}" });
    expect(overMcp.status).toBe(401);
    const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`;
    expect(overMcp.headers.get("www-authenticate")).toContain(`Bearer resource_metadata="${metadata}"`);
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${service.url}/mcp` });
  });
});

describe("Access signing keys", () => {
  // Each with an isolate that has not fetched any keys.
  beforeEach(() => serve(trusting(CLIENTS)), TIMEOUT_MS);

  test("are fetched once, and again for an unknown key id", { timeout: TIMEOUT_MS }, async () => {
    const old = asserting(await access.sign("writer.access"));
    access.asked = 0;
    for (let i = 0; i < 5; i++) expect((await ask("GET", "/v1/conversations", old)).status).toBe(200);
    expect(access.asked).toBe(1);
    await access.rotate();
    await sleep(HEARD_MS);
    const fresh = asserting(await access.sign("writer.access"));
    expect((await ask("GET", "/v1/conversations", fresh)).status).toBe(200);
    expect((await ask("GET", "/v1/conversations", old)).status).toBe(200);
    expect(access.asked).toBe(2);
  });

  test("that cannot be fetched lead to 503 unavailable, not to 401", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const headers = asserting(await access.sign("writer.access"));
    access.answers = false;
    const down = await ask("GET", "/v1/conversations", headers);
    expect(down).toMatchObject({ status: 503, body: { code: "unavailable" }, retryAfter: "5" });
    // A key needs no assertion.
    expect((await ask("GET", "/v1/conversations", bearer(adminKey))).status).toBe(200);
    access.answers = true;
    expect((await ask("GET", "/v1/conversations", headers)).status).toBe(200);
    access.answers = false;
    expect((await ask("GET", "/v1/conversations", headers)).status).toBe(200);
    access.answers = true;
  });
});

test("a failed rotation of the Access service token can be undone", async () => {
  // The new token is in use, but the configuration knows only the old one.
  const fresh = asserting(await access.sign("fresh.access"));
  expect((await ask("GET", "/v1/conversations", fresh)).status).toBe(401);
  // The key of the old token still authenticates with its own secret.
  const { secret, ...key } = keys["writer.access"];
  expect((await ask("GET", "/v1/conversations", bearer(secret))).status).toBe(200);
  // Both tokens stand for the key while clients change over.
  await serve({
    ...trusting(CLIENTS),
    ACCESS_CLIENTS: JSON.stringify({ "writer.access": key, "fresh.access": key }),
  });
  const old = asserting(await access.sign("writer.access"));
  for (const headers of [old, fresh]) {
    expect((await ask("GET", "/v1/conversations", headers)).status).toBe(200);
  }
});

test("an invalid Access configuration rejects every assertion, and accepts keys", async () => {
  await serve({ ...trusting(CLIENTS), ACCESS_CLIENTS: '{"writer.access":"key_1"}' });
  const headers = asserting(await access.sign("writer.access"));
  expect(await ask("GET", "/v1/conversations", headers)).toMatchObject({ status: 500 });
  expect((await ask("GET", "/v1/conversations", bearer(adminKey))).status).toBe(200);
});

test("without an Access configuration, assertions are ignored", async () => {
  await serve({});
  const headers = asserting(await access.sign("writer.access"));
  expect((await ask("GET", "/v1/conversations", headers)).status).toBe(401);
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const asserting = (assertion: string) => ({ "cf-access-jwt-assertion": assertion });

/** The variables of a deployment with the stand-in, in which these service tokens stand for their keys. */
const trusting = (clients: Partial<typeof CLIENTS>) => ({
  ACCESS_ISSUER: access.url,
  ACCESS_AUDIENCE: AUDIENCE,
  ACCESS_CLIENTS: JSON.stringify(
    Object.fromEntries(
      Object.keys(clients).map((client) => {
        const { organization_id, key_id } = keys[client as ClientId];
        return [client, { organization_id, key_id }];
      }),
    ),
  ),
});

/** Serves the same data with these variables. */
async function serve(vars: Record<string, string>): Promise<void> {
  await service?.stop();
  service = await startService({ port: 0, dataDirectory: join(directory, "data"), vars });
}

async function ask(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return {
    status: response.status,
    // biome-ignore lint/suspicious/noExplicitAny: of any operation
    body: (await response.json()) as any,
    retryAfter: response.headers.get("retry-after"),
  };
}

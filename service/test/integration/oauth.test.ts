import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service, selectRows } from "../support/invocations.ts";
import { bearer, CALLBACK, openDoors, RESOURCE, ROOT, type Tokens, VERIFIER } from "../support/oauth.ts";

const doors = openDoors();
const owner = await createOrganization();

const errorOf = async (response: Response) => ({
  status: response.status,
  error: ((await response.json()) as { error?: string }).error,
});
const refused = { status: 400, error: "invalid_grant" };
const listOf = (token: string) => doors.send("/v1/conversations", { headers: bearer(token) });

describe("the metadata", () => {
  test("of the resource names the authorization server and the scopes that a client asks for first, at both paths and for pages of any origin", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
    ]) {
      const response = await doors.send(path, { headers: { origin: "https://inspector.example.com" } });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cache-control")).toBe("public, max-age=300");
      expect(await response.json()).toMatchObject({
        resource: RESOURCE,
        authorization_servers: [ROOT],
        scopes_supported: ["read", "search"],
      });
    }
  });

  test("of the authorization server names its endpoints, S256 alone, and no scope `admin`, at both paths", async () => {
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/mcp",
    ]) {
      const response = await doors.send(path, { headers: { origin: "https://inspector.example.com" } });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toMatchObject({
        issuer: ROOT,
        authorization_endpoint: `${ROOT}/authorize`,
        token_endpoint: `${ROOT}/token`,
        registration_endpoint: `${ROOT}/register`,
        revocation_endpoint: `${ROOT}/token`,
        scopes_supported: ["read", "write", "search", "delete"],
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: expect.arrayContaining(["none"]),
        authorization_response_iss_parameter_supported: true,
      });
    }
  });

  test("names a loopback address as it is asked, and no authorization server at another address without https", async () => {
    const local = openDoors({}, { root: "http://127.0.0.1:26366" });
    expect(await (await local.send("/.well-known/oauth-protected-resource")).json()).toMatchObject({
      resource: "http://127.0.0.1:26366/mcp",
      authorization_servers: ["http://127.0.0.1:26366"],
    });
    const plain = openDoors({}, { root: "http://192.168.1.5:8787" });
    const metadata = await (await plain.send("/.well-known/oauth-protected-resource")).json();
    expect(metadata).not.toHaveProperty("authorization_servers");
    for (const path of ["/.well-known/oauth-authorization-server", "/authorize"])
      expect((await plain.send(path)).status).toBe(404);
  });

  test("names the URL of the proxy that forwards the request, under its path", async () => {
    const proxied = openDoors({ PUBLIC_URLS: "https://example.com/engram" }, { root: "http://10.0.0.1" });
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "example.com",
      "x-forwarded-prefix": "/engram",
    };
    const response = await proxied.send("/.well-known/oauth-authorization-server", { headers });
    expect(await response.json()).toMatchObject({
      issuer: "https://example.com/engram",
      token_endpoint: "https://example.com/engram/token",
    });
  });

  test("is refused under a host that is not allowed", async () => {
    const strict = openDoors({ ALLOWED_HOSTS: "memory.example.com" });
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"])
      expect((await strict.send(path)).status).toBe(403);
  });
});

describe("a client", () => {
  test("gets a token from its registration to the code, with the scopes that were ticked", async () => {
    const clientId = await doors.register();
    const page = await doors.openPage(await doors.authorizePath(clientId));
    const response = await doors.decide(page, owner.secret, { scopes: ["read", "write"] });
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe("https://client.example.com/callback");
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ at: "1", state: "st-1", iss: ROOT });
    const answer = await doors.exchange(location.searchParams.get("code") ?? "", clientId);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      scope: "read write",
      resource: RESOURCE,
    });
    const headers = { ...bearer(tokens.access_token), "content-type": "application/json" };
    expect((await doors.send("/v1/conversations", { method: "POST", headers, body: "{}" })).status).toBe(201);
    expect((await listOf(tokens.access_token)).status).toBe(200);
    const search = await doors.send("/v1/search", { method: "POST", headers, body: '{"query":"walrus"}' });
    expect(search.status).toBe(403);
  });

  test("signs people in at the same paths under the URL of the MCP endpoint", async () => {
    const clientId = await doors.register();
    const path = (await doors.authorizePath(clientId)).replace("/authorize", "/mcp/authorize");
    const page = await doors.openPage(path);
    expect(page.html).toContain('href="../console/console-styles.css"');
    const response = await doors.decide(page, owner.secret);
    const code = new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const answer = await doors.post("/mcp/token", {
      grant_type: "authorization_code",
      ...{ code, client_id: clientId, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    });
    expect(answer.status).toBe(200);
  });

  test("that sends no `resource` gets a token for the only one", async () => {
    const clientId = await doors.register();
    const code = await doors.allow(clientId, owner.secret, { parameters: { resource: null } });
    const answer = await doors.post("/token", {
      grant_type: "authorization_code",
      ...{ code, client_id: clientId, redirect_uri: CALLBACK, code_verifier: VERIFIER },
    });
    expect(await answer.json()).toMatchObject({ resource: RESOURCE });
  });

  test("with a loopback redirect may use any port, but no other path", async () => {
    const clientId = await doors.register({
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost:8787/callback"],
    });
    for (const [redirect_uri, status] of [
      ["http://127.0.0.1:33418/callback", 200],
      ["http://localhost:49152/callback", 200],
      ["http://127.0.0.1:33418/other", 400],
    ] as const)
      expect(
        (await doors.openPage(await doors.authorizePath(clientId, { redirect_uri }))).response.status,
      ).toBe(status);
  });

  test("of the operator needs no registration", async () => {
    const OAUTH_CLIENTS = JSON.stringify({ "my-app": { name: "My app", redirect_uris: [CALLBACK] } });
    const known = openDoors({ OAUTH_CLIENTS });
    const page = await known.openPage(await known.authorizePath("my-app"));
    expect(page.html).toContain("Registered by the operator of this service");
    const code = await known.allow("my-app", owner.secret);
    expect((await known.exchange(code, "my-app")).status).toBe(200);
    expect((await doors.openPage(await doors.authorizePath("my-app"))).response.status).toBe(400);
  });

  test("renews its token, and the token before the last is refused", async () => {
    const { clientId, refresh_token } = await doors.signIn(owner.secret);
    const second = (await (await doors.refresh(refresh_token, clientId)).json()) as Tokens;
    const third = (await (await doors.refresh(second.refresh_token, clientId)).json()) as Tokens;
    expect((await listOf(third.access_token)).status).toBe(200);
    expect(await errorOf(await doors.refresh(refresh_token, clientId))).toEqual(refused);
  });

  test("of two processes that refresh with one token at once, both go on", async () => {
    const { clientId, refresh_token } = await doors.signIn(owner.secret);
    const answers = await Promise.all([1, 2, 3].map(() => doors.refresh(refresh_token, clientId)));
    const tokens = (await Promise.all(answers.map((one) => one.json()))) as Tokens[];
    expect(new Set(tokens.map((one) => one.refresh_token)).size).toBe(3);
    for (const one of tokens) {
      expect((await listOf(one.access_token)).status).toBe(200);
      const next = await doors.refresh(one.refresh_token, clientId);
      expect(next.status).toBe(200);
    }
  });

  test("of two processes that have refreshed at once, each can end the grant", async () => {
    for (const process of [0, 1]) {
      const { clientId, refresh_token } = await doors.signIn(owner.secret);
      const answers = await Promise.all([1, 2].map(() => doors.refresh(refresh_token, clientId)));
      const tokens = (await Promise.all(answers.map((one) => one.json()))) as Tokens[];
      const ended = { token: tokens[process]?.refresh_token ?? "", client_id: clientId };
      expect((await doors.post("/token", ended)).status).toBe(200);
      for (const one of tokens) expect((await listOf(one.access_token)).status).toBe(401);
    }
  });

  test("that ends an access token alone keeps its grant", async () => {
    const { clientId, access_token, refresh_token } = await doors.signIn(owner.secret);
    expect((await listOf(access_token)).status).toBe(200);
    expect((await doors.post("/token", { token: access_token, client_id: clientId })).status).toBe(200);
    expect((await listOf(access_token)).status).toBe(401);
    expect((await doors.refresh(refresh_token, clientId)).status).toBe(200);
  });

  test("connects through a proxy under its path, and calls tools there", async () => {
    const proxied = openDoors(
      { PUBLIC_URLS: "https://example.com/engram" },
      {
        root: "https://example.com/engram",
        at: "http://10.0.0.1",
        forwarded: {
          "x-forwarded-proto": "https",
          "x-forwarded-host": "example.com",
          "x-forwarded-prefix": "/engram",
        },
      },
    );
    const { access_token, resource } = await proxied.signIn(owner.secret);
    expect(resource).toBe("https://example.com/engram/mcp");
    const response = await proxied.send("/mcp", {
      method: "POST",
      headers: { ...bearer(access_token), "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "list_conversations", arguments: {} },
      }),
    });
    expect(((await response.json()) as { result: { isError?: boolean } }).result.isError ?? false).toBe(
      false,
    );
    expect((await doors.send("/v1/conversations", { headers: bearer(access_token) })).status).toBe(401);
  });

  test("that ends its refresh token ends the grant, with an audit event", async () => {
    const own = await createOrganization();
    const { clientId, access_token, refresh_token } = await doors.signIn(own.secret);
    const answer = await doors.post("/token", { token: refresh_token, client_id: clientId });
    expect(answer.status).toBe(200);
    expect((await listOf(access_token)).status).toBe(401);
    expect((await own.call(contracts.listGrants)).items).toEqual([]);
    const { items } = await own.call(contracts.listAuditEvents, { query: { action: "grant.deleted" } });
    expect(items).toMatchObject([{ client_id: clientId, client_name: "Test client" }]);
  });
});

describe("a request for authorization is refused", () => {
  test.each([
    ["with another path in its redirect", { redirect_uri: "https://client.example.com/other" }],
    ["with another host in its redirect", { redirect_uri: "https://evil.example.com/callback?at=1" }],
    ["with a user in its redirect", { redirect_uri: "https://client.example.com@evil.example.com/callback" }],
    [
      "with the name of its host in the user of another",
      { redirect_uri: "https://client.example.com:x@evil.example.com/callback?at=1" },
    ],
    ["with a script as its redirect", { redirect_uri: "javascript:alert(1)" }],
    ["without a redirect", { redirect_uri: null }],
    ["of an unknown client", { client_id: "unknown" }],
    ["without a client", { client_id: null }],
  ])("%s, and sends nobody there", async (_, parameters) => {
    const clientId = await doors.register();
    const { response, html } = await doors.openPage(await doors.authorizePath(clientId, parameters));
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
    expect(html).not.toContain("<form");
  });

  test.each([
    ["without PKCE", { code_challenge: null, code_challenge_method: null }, "invalid_request"],
    ["with PKCE by plain text", { code_challenge_method: "plain" }, "invalid_request"],
    ["for a resource of another host", { resource: "https://other.example.com/mcp" }, "invalid_target"],
    ["for another path of this host", { resource: `${ROOT}/other` }, "invalid_target"],
    ["for a token in the redirect", { response_type: "token" }, "unsupported_response_type"],
  ])("%s, and the client is told why, with its state and our name", async (_, parameters, error) => {
    const clientId = await doors.register();
    const { response } = await doors.openPage(await doors.authorizePath(clientId, parameters));
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.origin).toBe("https://client.example.com");
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error, state: "st-1", iss: ROOT });
  });
});

describe("a code is refused", () => {
  test("the second time, and then its tokens end, too", async () => {
    const clientId = await doors.register();
    const code = await doors.allow(clientId, owner.secret);
    const tokens = (await (await doors.exchange(code, clientId)).json()) as Tokens;
    expect((await listOf(tokens.access_token)).status).toBe(200);
    expect(await errorOf(await doors.exchange(code, clientId))).toEqual(refused);
    expect((await listOf(tokens.access_token)).status).toBe(401);
    expect(await errorOf(await doors.refresh(tokens.refresh_token, clientId))).toEqual(refused);
  });

  test("for all but one of the requests that redeem it at once", async () => {
    const clientId = await doors.register();
    const code = await doors.allow(clientId, owner.secret);
    const answers = await Promise.all([1, 2, 3].map(() => doors.exchange(code, clientId)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test("to another client", async () => {
    const clientId = await doors.register();
    const code = await doors.allow(clientId, owner.secret);
    expect(await errorOf(await doors.exchange(code, await doors.register()))).toEqual(refused);
    expect((await doors.exchange(code, clientId)).status).toBe(200);
  });

  test.each([
    ["with another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["without a verifier", { code_verifier: "" }, "invalid_request"],
    ["with another redirect", { redirect_uri: "https://client.example.com/other" }, "invalid_grant"],
    ["for a resource of another host", { resource: "https://other.example.com/mcp" }, "invalid_target"],
    ["for scopes that were not allowed", { scope: "write delete" }, "invalid_scope"],
  ])("%s", async (_, fields, error) => {
    const clientId = await doors.register();
    const code = await doors.allow(clientId, owner.secret);
    expect(await errorOf(await doors.exchange(code, clientId, fields))).toEqual({ status: 400, error });
  });

  test("if its key was revoked between the consent and the token", async () => {
    const key = await createKey(owner, { scopes: ["read", "search"] });
    const clientId = await doors.register();
    const code = await doors.allow(clientId, key.secret);
    await owner.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    expect(await errorOf(await doors.exchange(code, clientId))).toEqual(refused);
  });

  test("if its grant was deleted before the token", async () => {
    const own = await createOrganization();
    const clientId = await doors.register();
    const code = await doors.allow(clientId, own.secret);
    const [grant] = (await own.call(contracts.listGrants)).items;
    await own.call(contracts.deleteGrant, { params: { grant_id: grant?.id ?? "" } });
    expect(await errorOf(await doors.exchange(code, clientId))).toEqual(refused);
  });
});

test("a token is refused under another address of the service", async () => {
  const { access_token } = await doors.signIn(owner.secret);
  const other = openDoors({}, { root: "https://other.example.com" });
  expect((await other.send("/v1/conversations", { headers: bearer(access_token) })).status).toBe(401);
  expect((await listOf(access_token)).status).toBe(200);
});

test("a refresh token, a code and a changed token are no access tokens", async () => {
  const clientId = await doors.register();
  const code = await doors.allow(clientId, owner.secret);
  const { access_token, refresh_token } = (await (await doors.exchange(code, clientId)).json()) as Tokens;
  const changed = access_token.slice(0, -1) + (access_token.endsWith("A") ? "B" : "A");
  for (const token of [code, refresh_token, changed, access_token.replace("org_", "org_0")])
    expect((await listOf(token)).status).toBe(401);
});

test("no token, code, key or sign-in code is stored in the records of grants", async () => {
  const clientId = await doors.register();
  const code = await doors.allow(clientId, owner.secret);
  const { access_token, refresh_token } = (await (await doors.exchange(code, clientId)).json()) as Tokens;
  const stored = JSON.stringify([
    await selectRows("SELECT * FROM oauth_records"),
    await selectRows("SELECT * FROM grants"),
  ]);
  for (const secret of [access_token, refresh_token, code]) {
    expect(stored).not.toContain(secret.split(":")[2]);
  }
  expect(stored).not.toContain(owner.secret.slice(20, 47));
});

describe("a registration", () => {
  const send = (metadata: unknown, headers = {}) =>
    doors.send("/register", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof metadata === "string" ? metadata : JSON.stringify(metadata),
    });

  test.each([
    ["without a redirect", { client_name: "x" }],
    ["with a redirect to a plain http host", { redirect_uris: ["http://client.example.com/callback"] }],
    ["with a redirect to a script", { redirect_uris: ["javascript:alert(1)"] }],
    ["with a redirect that has a user", { redirect_uris: ["https://a@client.example.com/"] }],
    ["with the grant of a password", { redirect_uris: [CALLBACK], grant_types: ["password"] }],
    ["that is no JSON", "{"],
  ])("%s is refused", async (_, metadata) => {
    expect((await send(metadata)).status).toBe(400);
  });

  test("of more than 16 kB is refused, and stores nothing", async () => {
    const count = async () => (await selectRows("SELECT 1 FROM oauth_records")).length;
    const before = await count();
    const redirect_uris = [CALLBACK, `https://client.example.com/${"x".repeat(20_000)}`];
    expect((await send({ redirect_uris })).status).toBe(413);
    expect(await count()).toBe(before);
  });

  test("beyond the limit of its address is refused with 429, and other addresses are not", async () => {
    const counts = new Map<string, number>();
    const limited = openDoors({
      ADDRESS_RATE_LIMIT: {
        limit: async ({ key }) => {
          counts.set(key, (counts.get(key) ?? 0) + 1);
          return { success: (counts.get(key) ?? 0) <= 2 };
        },
      },
    });
    const from = (address: string) =>
      limited.send("/register", {
        method: "POST",
        headers: { "cf-connecting-ip": address, "content-type": "application/json" },
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
      });
    const statuses: number[] = [];
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"])
      statuses.push((await from(address)).status);
    expect(statuses).toEqual([201, 201, 429, 201]);
  });

  test("while the database fails is refused with 503, after which a client tries again", async () => {
    const prepare = (sql: string) => {
      if (sql.includes("key >= 'client:'")) throw new Error("D1_ERROR: Network connection lost.");
      return env.DB.prepare(sql);
    };
    const DB = { prepare, batch: env.DB.batch.bind(env.DB) } as D1Database;
    const response = await openDoors({ DB }).send("/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [CALLBACK] }),
    });
    expect([response.status, await response.json()]).toMatchObject([503, { code: "unavailable" }]);
  });

  test("beyond 10,000 clients is refused with 503, until some of them have expired", async () => {
    const answer = async () => {
      const response = await send({ redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" });
      return { status: response.status, error: ((await response.json()) as { error?: string }).error };
    };
    await selectRows(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000)
       INSERT INTO oauth_records (key, value, version, expires_at_ms)
       SELECT 'client:many-' || n, '{}', 0, ?1 FROM numbers`,
      Date.now() + 60_000,
    );
    const before = (await selectRows("SELECT 1 FROM oauth_records")).length;
    expect(await answer()).toEqual({ status: 503, error: "temporarily_unavailable" });
    expect(await selectRows("SELECT 1 FROM oauth_records")).toHaveLength(before);
    await selectRows("UPDATE oauth_records SET expires_at_ms = 1 WHERE key GLOB 'client:many-*'");
    await new Service().sweep();
    expect(await answer()).toEqual({ status: 201, error: undefined });
  });
});

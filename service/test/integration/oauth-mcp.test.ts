import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization } from "../support/client.ts";
import { ERAS, type Era } from "../support/mcp.ts";
import { bearer, CALLBACK, openDoors, RESOURCE, ROOT, type Tokens } from "../support/oauth.ts";

const doors = openDoors();
const owner = await createOrganization();
const METADATA = `resource_metadata="${ROOT}/.well-known/oauth-protected-resource/mcp"`;

const post = (token: string | null, message: unknown, headers: Record<string, string> = {}) =>
  doors.send("/mcp?tools=memories", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === null ? {} : bearer(token)),
      ...headers,
    },
    body: JSON.stringify(message),
  });

const calling = (name: string, args: object = {}, id = 1) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: args },
});

/** A program with the official client, whose user decides with `key` and these scopes on each page. */
function openProgram(key: string, decisions: string[][], era: Era) {
  const pages: URL[] = [];
  const saved: { client?: unknown; tokens?: unknown; verifier?: string; discovery?: unknown } = {};
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], client_name: "Program", token_endpoint_auth_method: "none" },
    state: () => "program",
    clientInformation: () => saved.client as never,
    saveClientInformation: (client) => void Object.assign(saved, { client }),
    tokens: () => saved.tokens as never,
    saveTokens: (tokens) => void Object.assign(saved, { tokens }),
    redirectToAuthorization: (url) => void pages.push(url),
    saveCodeVerifier: (verifier) => void Object.assign(saved, { verifier }),
    codeVerifier: () => saved.verifier ?? "",
  } satisfies OAuthClientProvider;
  const fetch = (url: string | URL, init: RequestInit = {}) => {
    const { origin, pathname, search } = new URL(url);
    expect(origin).toBe(ROOT);
    return doors.send(`${pathname}${search}`, init);
  };
  const openTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${RESOURCE}?tools=memories`), {
      fetch: fetch as never,
      authProvider: provider,
    });
  const finish = async (transport: StreamableHTTPClientTransport) => {
    const shown = pages.at(-1);
    const page = await doors.openPage(`${shown?.pathname}${shown?.search}`);
    const response = await doors.decide(page, key, { scopes: decisions.shift() ?? [] });
    await transport.finishAuth(new URL(response.headers.get("location") ?? "").searchParams);
  };
  const connect = async () => {
    const client = new Client({ name: "program", version: "1" }, { versionNegotiation: { mode: era } });
    const transport = openTransport();
    await client.connect(transport);
    return { client, transport };
  };
  return { pages, saved, openTransport, finish, connect };
}

describe.each(ERAS)("the official client, revision %s,", (_, era) => {
  test("goes from 401 to a tool's result, and asks for more scopes when a tool needs them", async () => {
    const program = openProgram(
      owner.secret,
      [
        ["read", "search"],
        ["read", "search", "write"],
      ],
      era,
    );
    const first = program.openTransport();
    const client = new Client({ name: "program", version: "1" }, { versionNegotiation: { mode: era } });
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
    expect(program.pages[0]?.searchParams.get("scope")).toBe("read search");
    expect(program.pages[0]?.searchParams.get("resource")).toBe(RESOURCE);
    await program.finish(first);
    const { client: connected, transport } = await program.connect();
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain("store_memory");
    const found = await connected.callTool({ name: "recall_memory", arguments: { query: "walrus" } });
    expect(found.isError ?? false).toBe(false);
    const store = { name: "store_memory", arguments: { content: `Walruses like oysters, says ${_}.` } };
    await expect(connected.callTool(store)).rejects.toThrow();
    expect(program.pages[1]?.searchParams.get("scope")?.split(" ").sort()).toEqual([
      "read",
      "search",
      "write",
    ]);
    await program.finish(transport);
    const again = await program.connect();
    expect((await again.client.callTool(store)).isError ?? false).toBe(false);
  });
});

describe("the MCP endpoint", () => {
  test("without a token answers 401 with the metadata and the least scopes; with a bad one it says so", async () => {
    const none = await post(null, calling("recall_memory", { query: "x" }));
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer ${METADATA}, scope="read search"`,
    ]);
    for (const token of ["nonsense", "org_0.grant_0:aaaaaaaaaaaaaaaa:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]) {
      const bad = await post(token, calling("recall_memory", { query: "x" }));
      expect([bad.status, bad.headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer ${METADATA}, error="invalid_token", scope="read search"`,
      ]);
    }
  });

  test("answers a call beyond the grant with 403 and all scopes that the client then needs, also in a batch", async () => {
    const { access_token } = await doors.signIn(owner.secret, { scopes: ["read", "search"] });
    for (const message of [
      calling("delete_memory", { memory_id: "mem_0" }),
      [calling("recall_memory", { query: "x" }), calling("delete_memory", { memory_id: "mem_0" }, 2)],
    ]) {
      const response = await post(access_token, message);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([
        403,
        `Bearer ${METADATA}, error="insufficient_scope", scope="read search delete"`,
      ]);
    }
  });

  test("answers a key without the scope as before, in the result of the tool", async () => {
    const { secret } = await createKey(owner, { scopes: ["read"] });
    const response = await post(secret, calling("store_memory", { content: "x" }));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([200, null]);
  });

  test("refuses GET and DELETE of a session with 405, with a token and without, as clients without sessions expect", async () => {
    const { access_token } = await doors.signIn(owner.secret);
    for (const method of ["GET", "DELETE"])
      for (const headers of [{}, bearer(access_token)]) {
        const response = await doors.send("/mcp", { method, headers: { ...headers, "mcp-session-id": "x" } });
        expect([method, response.status]).toEqual([method, 405]);
      }
  });

  test.each([
    [null, 200],
    ["2024-11-05", 200],
    ["2025-03-26", 200],
    ["2025-06-18", 200],
    ["2025-11-25", 200],
    // This revision also asks for its fields in the body, and the other one is unknown.
    ["2026-07-28", 400],
    ["2099-01-01", 400],
  ])("answers a client that names the revision %s in the header with %i", async (revision, status) => {
    const { access_token } = await doors.signIn(owner.secret);
    const headers: Record<string, string> = revision === null ? {} : { "mcp-protocol-version": revision };
    const response = await post(access_token, calling("recall_memory", { query: "walrus" }), headers);
    expect(response.status).toBe(status);
  });

  test("answers the other probes of clients with 404 or 405, never with a page or a failure", async () => {
    for (const path of [
      "/.well-known/openid-configuration",
      "/.well-known/openid-configuration/mcp",
      "/mcp/.well-known/openid-configuration",
      "/mcp/.well-known/oauth-authorization-server",
      "/mcp/.well-known/oauth-protected-resource",
      "/.well-known/oauth-authorization-server/other",
      "/.well-known/oauth-protected-resource/other",
    ]) {
      const response = await doors.send(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
    for (const path of ["/token", "/register", "/mcp/token", "/mcp/register"])
      expect([path, (await doors.send(path)).status]).toEqual([path, 405]);
  });
});

/** A client as its documents and reports describe it. */
interface RecordedClient {
  name: string;
  /** What it registers; or else its metadata document, whose URL is its id. */
  registration?: Record<string, unknown>;
  document?: { client_id: string; [field: string]: unknown };
  redirect_uri: string;
  /** Parameters of the page, if they are not the scopes of the 401 and the resource of the metadata. */
  parameters?: Record<string, string | null>;
  token?: Record<string, string>;
  /** Where it expects the endpoints, if it does not read the metadata. */
  base?: string;
}

const CLAUDE_AI = {
  client_name: "Claude",
  redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};
const CURSOR = {
  client_name: "Cursor",
  redirect_uris: [
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "https://www.cursor.com/agents/mcp/oauth/callback",
    "http://localhost:8787/callback",
  ],
  token_endpoint_auth_method: "none",
};
const VS_CODE = {
  client_name: "Visual Studio Code",
  client_uri: "https://code.visualstudio.com",
  // Those of the metadata that it has.
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: [
    "https://insiders.vscode.dev/redirect",
    "https://vscode.dev/redirect",
    "http://127.0.0.1/",
    "http://127.0.0.1:33418/",
  ],
  scope: "read search",
  token_endpoint_auth_method: "none",
  application_type: "native",
};
const ALL_SCOPES = { scope: "read write search delete" };

/** What clients of 2026 send. The service reads metadata documents here, and says so. */
const CLIENTS: RecordedClient[] = [
  {
    name: "claude.ai, which registers itself all the same",
    registration: { ...CLAUDE_AI, redirect_uris: CLAUDE_AI.redirect_uris.slice(0, 1) },
    redirect_uri: "https://claude.ai/api/mcp/auth_callback",
  },
  {
    name: "claude.com, with both of its redirects",
    registration: CLAUDE_AI,
    redirect_uri: "https://claude.com/api/mcp/auth_callback",
  },
  {
    name: "claude.ai, which reads no metadata and appends the paths to the URL of the MCP endpoint",
    registration: CLAUDE_AI,
    redirect_uri: "https://claude.ai/api/mcp/auth_callback",
    base: "/mcp",
  },
  {
    name: "claude.ai, by its document",
    document: {
      client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: CLAUDE_AI.redirect_uris,
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "https://claude.ai/api/mcp/auth_callback",
  },
  {
    name: "ChatGPT, by a document that prefers a key and offers none, with a redirect for each app",
    document: {
      client_id: "https://chatgpt.com/oauth/AbC-123/client.json",
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector/oauth/AbC-123"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
    },
    redirect_uri: "https://chatgpt.com/connector/oauth/AbC-123",
    token: { resource: RESOURCE },
  },
  {
    name: "ChatGPT, which registers itself",
    registration: {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector/oauth/AbC-123"],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
    },
    redirect_uri: "https://chatgpt.com/connector/oauth/AbC-123",
    token: { resource: RESOURCE },
  },
  {
    name: "Claude Code, by its document, on any port",
    document: {
      client_id: "https://claude.ai/oauth/claude-code-client-metadata",
      client_name: "Claude Code",
      client_uri: "https://claude.ai",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "http://localhost:61001/callback",
  },
  {
    name: "Claude Code, which registers itself, on any port",
    registration: {
      client_name: "Claude Code (engram)",
      redirect_uris: ["http://localhost:54545/callback"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "http://localhost:61001/callback",
  },
  {
    name: "Codex, on any port of the address",
    registration: {
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:1455/callback"],
      token_endpoint_auth_method: "none",
    },
    redirect_uri: "http://127.0.0.1:1999/callback",
  },
  {
    name: "Cursor, which asks for all scopes, on the default port of `wrangler dev`",
    registration: CURSOR,
    redirect_uri: "http://localhost:8787/callback",
    parameters: ALL_SCOPES,
  },
  {
    name: "Cursor, on the web",
    registration: CURSOR,
    redirect_uri: "https://www.cursor.com/agents/mcp/oauth/callback",
    parameters: ALL_SCOPES,
  },
  {
    name: "VS Code, on the web",
    registration: VS_CODE,
    redirect_uri: "https://vscode.dev/redirect",
  },
  {
    name: "VS Code, on its own port",
    registration: VS_CODE,
    redirect_uri: "http://127.0.0.1:33418/",
  },
  {
    name: "VS Code, on a random port, without the resource if the URL has a set of tools",
    registration: VS_CODE,
    redirect_uri: "http://127.0.0.1:49160/",
    parameters: { resource: null },
  },
  {
    name: "an older client that sends no resource and no scope",
    registration: { client_name: "Older", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    redirect_uri: CALLBACK,
    parameters: { resource: null, scope: null },
  },
  {
    name: "a client that names the set of tools in the resource",
    registration: { client_name: "Sets", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    redirect_uri: CALLBACK,
    parameters: { resource: `${RESOURCE}?tools=memories` },
    token: { resource: `${RESOURCE}?tools=memories` },
  },
];

test.each(CLIENTS)("$name: from the registration to a tool and a new token", async (client) => {
  const { registration, document, redirect_uri, parameters = {}, token = {}, base = "" } = client;
  const CLIENT_DOCUMENTS = { fetch: async () => Response.json(document) } as never;
  const own = openDoors({ CLIENT_DOCUMENTS }, { base });
  const metadata = await (await own.send("/.well-known/oauth-authorization-server")).json();
  expect(metadata).toMatchObject({ client_id_metadata_document_supported: true });
  const clientId = document?.client_id ?? (await own.register(registration));
  const code = await own.allow(clientId, owner.secret, { parameters: { redirect_uri, ...parameters } });
  const tokens = (await (await own.exchange(code, clientId, { redirect_uri, ...token })).json()) as Tokens;
  expect((await post(tokens.access_token, calling("recall_memory", { query: "walrus" }))).status).toBe(200);
  const next = (await (await own.refresh(tokens.refresh_token, clientId, token)).json()) as Tokens;
  expect((await post(next.access_token, calling("recall_memory", { query: "walrus" }))).status).toBe(200);
});

// Any program can claim a scheme. The specification allows redirects by https and to the same computer alone.
test("Cursor's redirect of its own scheme is refused on the page, and its others are not", async () => {
  const clientId = await doors.register(CURSOR);
  for (const redirect_uri of CURSOR.redirect_uris) {
    const { response } = await doors.openPage(await doors.authorizePath(clientId, { redirect_uri }));
    const status = redirect_uri.startsWith("cursor:") ? 400 : 200;
    expect([redirect_uri, response.status, response.headers.get("location")]).toEqual([
      redirect_uri,
      status,
      null,
    ]);
  }
});

test("a client with a secret proves itself with it, by either method, and without it gets nothing", async () => {
  const body = JSON.stringify({ redirect_uris: [CALLBACK], client_name: "Confidential" });
  const headers = { "content-type": "application/json" };
  const answer = await doors.send("/register", { method: "POST", headers, body });
  const { client_id, client_secret } = (await answer.json()) as { client_id: string; client_secret: string };
  const code = await doors.allow(client_id, owner.secret);
  expect((await doors.exchange(code, client_id)).status).toBe(401);
  expect((await doors.exchange(code, client_id, { client_secret: "wrong" })).status).toBe(401);
  const tokens = (await (await doors.exchange(code, client_id, { client_secret })).json()) as Tokens;
  const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
  const fields = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  expect((await doors.post("/token", fields, basic)).status).toBe(200);
});

test("an unknown client gets `invalid_client` with 401, after which claude.ai registers again", async () => {
  const response = await doors.refresh("a:b:c", "unknown");
  expect([response.status, await response.json()]).toMatchObject([401, { error: "invalid_client" }]);
});

import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createKey, createOrganization } from "../support/client.ts";
import { bearer, CALLBACK, openDoors, type Tokens } from "../support/oauth.ts";

const doors = openDoors();
const owner = await createOrganization();

/** The page with which a client of this registration asks. */
const pageOf = async (
  metadata: Record<string, unknown> = {},
  parameters: Record<string, string | null> = {},
) => doors.openPage(await doors.authorizePath(await doors.register(metadata), parameters));

const tickedIn = (html: string) =>
  [...html.matchAll(/name="scope"\s+value="(\w+)" checked/g)].map(([, scope]) => scope);

/** What the page says after a refusal. */
const misfitIn = (html: string) => /class="refusal"[^>]*>([^<]*)</.exec(html)?.[1];

describe("the page of consent", () => {
  test("names the client, says that nothing proves the name, and shows the host that gets the code", async () => {
    const { html } = await pageOf({ client_name: "Claude" });
    expect(html).toContain("Claude");
    expect(html).toContain("Not verified");
    expect(html).toContain("<code>client.example.com</code>");
    expect(html).not.toContain("Any program on this computer");
  });

  test("warns of a redirect to this computer", async () => {
    const redirect_uri = "http://127.0.0.1:33418/callback";
    const { html } = await pageOf({ redirect_uris: [redirect_uri] }, { redirect_uri });
    expect(html).toContain("<code>127.0.0.1:33418</code>");
    expect(html).toContain("Any program on this computer");
  });

  test("shows markup in the name of a client as text, without characters that hide or turn text", async () => {
    const { html } = await pageOf({
      client_name: "</bdi><script>alert(1)</script>\"'&\u202Eevil\u0000\u200B",
    });
    expect(html).not.toContain("<script");
    expect(["\u202E", "\u0000", "\u200B"].filter((character) => html.includes(character))).toEqual([]);
    expect(html).toContain("&lt;/bdi&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("shows no more than 80 characters of a name, and what it was given of a request that is text", async () => {
    const { html } = await pageOf({ client_name: "n".repeat(5_000) });
    expect(html).toContain("n".repeat(80));
    expect(html).not.toContain("n".repeat(81));
    const state = '"><img src=x onerror=alert(1)>';
    expect((await pageOf({}, { state, scope: state })).html).not.toContain("<img");
  });

  test("runs no script, loads nothing of another origin, and cannot be framed or cached", async () => {
    const { response, html } = await pageOf();
    expect(html).not.toContain("<script");
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self' https://client.example.com; frame-ancestors 'none'",
    );
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.getSetCookie().join()).toMatch(
      /^__Host-oauth-consent-\w+=\w+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
  });

  test("takes no part of a policy from the host of a redirect", async () => {
    const redirect_uri = "https://a;script-src.example.com/";
    const { response } = await pageOf({ redirect_uris: [redirect_uri] }, { redirect_uri });
    expect(response.headers.get("content-security-policy")).toContain("form-action 'self'; frame-ancestors");
  });

  test("ticks what the client asks for, `read` and `search` if it asks for nothing known, and never offers `admin`", async () => {
    expect(tickedIn((await pageOf({}, { scope: "read write" })).html)).toEqual(["read", "write"]);
    for (const scope of [null, "admin offline_access"]) {
      const { html } = await pageOf({}, { scope });
      expect(tickedIn(html)).toEqual(["read", "search"]);
      expect(html).not.toContain('value="admin"');
    }
  });
});

describe("a person", () => {
  test("can allow more than the client asks for, or less", async () => {
    const { access_token, scope } = await doors.signIn(owner.secret, {
      parameters: { scope: "read search" },
      scopes: ["search", "write"],
    });
    expect(scope).toBe("write search".split(" ").sort().reverse().join(" "));
    expect((await doors.send("/v1/conversations", { headers: bearer(access_token) })).status).toBe(403);
  });

  test("can decline, and the client is told", async () => {
    const page = await pageOf();
    const response = await doors.decide(page, "", { decision: "deny" });
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "");
    expect(location.searchParams.get("error")).toBe("access_denied");
    expect(location.searchParams.get("state")).toBe("st-1");
  });

  test("sees what is wrong, and can try again on the same page", async () => {
    const reader = await createKey(owner, { scopes: ["read"], agent_id: "bot-1" });
    const page = await pageOf();
    for (const [key, decision, misfit] of [
      ["engram_sk_live_wrong", {}, "This is no active key, and no sign-in code that was not used yet."],
      ["", {}, "This is no active key, and no sign-in code that was not used yet."],
      [owner.secret, { scopes: [] }, "Tick what the client may do."],
      [owner.secret, { scopes: ["admin"] }, "Tick what the client may do."],
      [
        reader.secret,
        { scopes: ["read", "write"] },
        "The key does not have: write. Untick it, or use another key.",
      ],
      [reader.secret, { scopes: ["read"], agent_id: "bot-2" }, "The key is bound to another agent."],
      [reader.secret, { scopes: ["read"], user_id: "x".repeat(1_000) }, "This is no id of one user."],
    ] as const) {
      const response = await doors.decide(page, key, {
        ...decision,
        scopes: [...("scopes" in decision ? decision.scopes : ["read"])],
      });
      expect(response.status).toBe(400);
      expect(response.headers.get("location")).toBeNull();
      expect(misfitIn(await response.text())).toBe(misfit);
    }
    expect((await doors.decide(page, reader.secret, { scopes: ["read"] })).status).toBe(302);
  });

  test("signs in with a link that an admin has made, once", async () => {
    const { code } = await owner.call(contracts.createSignInCode);
    for (const [entered, status] of [
      [`https://engram.test/#/sign-in/${code}`, 302],
      [code, 400],
    ] as const)
      expect((await doors.decide(await pageOf(), entered)).status).toBe(status);
  });

  test("can narrow the client to one agent and one user", async () => {
    const create = async (agent_id: string, user_id: string) =>
      (await owner.call(contracts.createConversation, { body: { agent_id, user_id } })).id;
    const all = [
      await create("bot-1", "maria"),
      await create("bot-2", "maria"),
      await create("bot-1", "omar"),
    ];
    const { access_token } = await doors.signIn(owner.secret, { agent_id: "bot-1", user_id: "maria" });
    const statuses: number[] = [];
    for (const id of all)
      statuses.push((await doors.send(`/v1/conversations/${id}`, { headers: bearer(access_token) })).status);
    expect(statuses).toEqual([200, 404, 404]);
  });
});

describe("the form of a consent is refused", () => {
  test("a second time", async () => {
    const page = await pageOf();
    expect((await doors.decide(page, owner.secret)).status).toBe(302);
    const again = await doors.decide(page, owner.secret);
    expect([again.status, again.headers.get("location")]).toEqual([400, null]);
  });

  test("for all but one that are sent at once", async () => {
    const page = await pageOf();
    const answers = await Promise.all([1, 2, 3].map(() => doors.decide(page, owner.secret)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
  });

  test("from another browser, and without its handle", async () => {
    const page = await pageOf();
    const other = await pageOf();
    for (const forged of [
      { ...page, cookie: "" },
      { ...page, cookie: other.cookie },
      { ...page, handle: "" },
      { ...page, handle: other.handle },
    ])
      expect((await doors.decide(forged, owner.secret)).status).toBe(400);
  });

  test("with a request in its URL that was not shown: what was shown counts", async () => {
    const page = await pageOf();
    const other = await doors.authorizePath(await doors.register({ client_name: "Other" }), {
      state: "other",
    });
    const response = await doors.decide({ ...page, path: other }, owner.secret);
    expect(new URL(response.headers.get("location") ?? "").searchParams.get("state")).toBe("st-1");
  });
});

describe("the metadata document of a client", () => {
  const ID = "https://claude.example.com/oauth/client-metadata";
  const document = {
    client_id: ID,
    client_name: "Claude",
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
  };
  let fetched = 0;
  const withDocument = (respond: (url: string) => Response | Promise<Response>) =>
    openDoors({
      CLIENT_DOCUMENTS: {
        fetch: (async (url: string, { redirect }: RequestInit) => {
          fetched += 1;
          expect(redirect).toBe("manual");
          return respond(url);
        }) as never,
      },
    });

  test("proves its domain, and needs no registration", async () => {
    const known = withDocument(() => Response.json(document));
    const metadata = await (await known.send("/.well-known/oauth-authorization-server")).json();
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: true });
    const page = await known.openPage(await known.authorizePath(ID));
    expect(page.html).toContain("Published by <strong>claude.example.com</strong>");
    const code = await known.allow(ID, owner.secret);
    const tokens = (await (await known.exchange(code, ID)).json()) as Tokens;
    expect((await known.refresh(tokens.refresh_token, ID)).status).toBe(200);
    const { items } = await owner.call(contracts.listGrants);
    expect(items[0]).toMatchObject({
      client_id: ID,
      client_name: "Claude",
      client_domain: "claude.example.com",
    });
  });

  test("is not offered where nothing guards the machine's own network, as under `npm start`", async () => {
    const local = openDoors({ WEBHOOKS: { fetch: async () => new Response() } as never });
    const metadata = await (await local.send("/.well-known/oauth-authorization-server")).json();
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: false });
    expect((await local.openPage(await local.authorizePath(ID))).response.status).toBe(400);
  });

  test.each([
    ["is of another client", () => Response.json({ ...document, client_id: `${ID}/other` })],
    [
      "redirects",
      () => Response.json(document, { status: 302, headers: { location: "https://evil.example.com/x" } }),
    ],
    ["has 5 MB", () => Response.json({ ...document, more: "x".repeat(5_000_000) })],
    ["is no JSON", () => new Response("<html>")],
    ["is missing", () => new Response(null, { status: 404 })],
    ["has a secret", () => Response.json({ ...document, client_secret: "s" })],
    ["has no name", () => Response.json({ ...document, client_name: "" })],
    [
      "offers no method without a key",
      () => Response.json({ ...document, token_endpoint_auth_methods_supported: ["private_key_jwt"] }),
    ],
    [
      "has another redirect",
      () => Response.json({ ...document, redirect_uris: ["https://claude.example.com/"] }),
    ],
    ["cannot be reached", () => Promise.reject(new Error("unreachable"))],
  ])("that %s connects nobody", async (_, respond) => {
    const known = withDocument(respond);
    const page = await known.openPage(await known.authorizePath(ID));
    expect([page.response.status, page.response.headers.get("location")]).toEqual([400, null]);
    expect(page.html).not.toContain("<form");
    const answer = await known.exchange("a:b:c", ID);
    expect([400, 401]).toContain(answer.status);
  });

  test.each([
    "https://127.0.0.1/client",
    "https://[::1]/client",
    "https://0x7f000001/client",
    "https://localhost/client",
    "https://printer.local/client",
    "https://claude.example.com:8080/client",
    "https://claude.example.com",
    "https://user@claude.example.com/client",
    "https://claude.example.com/a/../client",
    "https://claude.example.com/client#part",
    `https://claude.example.com/${"x".repeat(600)}`,
  ])("is not fetched from %s", async (id) => {
    const known = withDocument((url) => Response.json({ ...document, client_id: url }));
    const before = fetched;
    expect((await known.openPage(await known.authorizePath(id))).response.status).toBe(400);
    expect(fetched).toBe(before);
  });
});

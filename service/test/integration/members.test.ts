import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, callerOf, createKey, createOrganization } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { selectRows } from "../support/invocations.ts";
import { bearer, openDoors, ROOT } from "../support/oauth.ts";
import { Reader } from "../support/socket.ts";

const doors = openDoors();
const CONSOLE = `${ROOT}/`;

type Organization = Awaited<ReturnType<typeof createOrganization>>;

const addMember = (by: Caller, role: contracts.Role, more: Record<string, unknown> = {}) =>
  by.call(contracts.createMember, { body: { name: "Maria Rossi", role, ...more } });

const codeOf = async (by: Caller, member_id: string): Promise<string> =>
  (await by.call(contracts.createMemberSignInCode, { params: { member_id } })).code;

/** Signs in to the console with a code, and returns the token. */
async function signInToConsole(code: string, at = doors): Promise<string> {
  const scope = null;
  const parameters = { redirect_uri: CONSOLE, scope };
  const granted = await at.allow(contracts.CONSOLE_CLIENT_ID, code, { parameters, scopes: [] });
  const response = await at.exchange(granted, contracts.CONSOLE_CLIENT_ID, { redirect_uri: CONSOLE });
  const answer = (await response.json()) as { access_token: string; refresh_token?: string };
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.access_token;
}

/** Sends a request with a token of a member. */
const asked = async (token: string, path: string, method = "GET", body?: unknown, at = doors) => {
  const response = await at.send(path, {
    method,
    headers: { ...bearer(token), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** A member who is signed in to the console. */
async function enter(owner: Organization, role: contracts.Role, more: Record<string, unknown> = {}) {
  const member = await addMember(owner, role, more);
  return { ...member, token: await signInToConsole(await codeOf(owner, member.id)) };
}

describe("a member", () => {
  test("is added, read, listed newest first, changed and removed", async () => {
    const owner = await createOrganization();
    const added = await addMember(owner, "writer", { email: "Maria@Example.com", user_id: "maria" });
    expect(added).toEqual({
      id: expect.stringMatching(/^member_/),
      ...{ name: "Maria Rossi", role: "writer", email: "maria@example.com", issuer: null, subject: null },
      ...{ agent_id: null, user_id: "maria", created_at: expect.any(String) },
      ...{ removed_at: null, last_used_at: null },
    });
    const second = await addMember(owner, "reader");
    const params = { member_id: added.id };
    expect(await owner.call(contracts.getMember, { params })).toEqual(added);
    const first = await owner.call(contracts.listMembers, { query: { limit: "1" } });
    expect(first.items).toEqual([second]);
    const rest = await owner.call(contracts.listMembers, { query: { cursor: first.next_cursor ?? "" } });
    expect(rest.items).toEqual([added]);
    const changed = await owner.call(contracts.updateMember, {
      params,
      body: { name: "M. R.", role: "reader" },
    });
    expect(changed).toEqual({ ...added, name: "M. R.", role: "reader" });
    const removed = await owner.call(contracts.deleteMember, { params });
    expect(removed).toEqual({ ...changed, removed_at: expect.any(String) });
    expect(await owner.call(contracts.deleteMember, { params })).toEqual(removed);
    expect((await owner.fail(contracts.updateMember, { params, body: { name: "x" } })).code).toBe(
      "not_found",
    );
    expect((await owner.fail(contracts.createMemberSignInCode, { params })).code).toBe("not_found");
  });

  test("has an email address that no other member of the organization has, in any case of its letters", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "reader", { email: "a@example.com" });
    const other = await addMember(owner, "reader");
    const body = { name: "B", role: "reader", email: "A@EXAMPLE.com" };
    expect((await owner.fail(contracts.createMember, { body })).code).toBe("email_conflict");
    const params = { member_id: other.id };
    const update = { params, body: { email: "A@example.com" } };
    expect((await owner.fail(contracts.updateMember, update)).code).toBe("email_conflict");
    await addMember(await createOrganization(), "reader", { email: "a@example.com" });
    await owner.call(contracts.deleteMember, { params: { member_id: id } });
    expect((await owner.call(contracts.updateMember, update)).email).toBe("a@example.com");
  });

  test("is no key: none of the operations of keys finds one, and a key is no member", async () => {
    const owner = await createOrganization();
    const key = await createKey(owner, { scopes: ["read"] });
    const { id } = await addMember(owner, "reader");
    const listed = (await owner.call(contracts.listKeys)).items.map((one) => one.id);
    expect(listed).toContain(key.keyId);
    expect(listed).not.toContain(id);
    const params = { key_id: id };
    for (const contract of [contracts.getKey, contracts.revokeKey])
      expect((await owner.fail(contract, { params })).code).toBe("not_found");
    expect((await owner.fail(contracts.rotateKey, { params, body: {} })).code).toBe("not_found");
    for (const contract of [contracts.getMember, contracts.deleteMember, contracts.createMemberSignInCode])
      expect((await owner.fail(contract, { params: { member_id: key.keyId } })).code).toBe("not_found");
    // What stands in place of the hash of a secret is no secret.
    expect((await callerOf(id).fail(contracts.getMe)).code).toBe("unauthenticated");
  });

  test("of another organization is not found", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "reader");
    const stranger = await createOrganization();
    const params = { member_id: id };
    for (const contract of [contracts.getMember, contracts.deleteMember, contracts.createMemberSignInCode])
      expect((await stranger.fail(contract, { params })).code).toBe("not_found");
    const update = { params, body: { role: "admin" } };
    expect((await stranger.fail(contracts.updateMember, update)).code).toBe("not_found");
    expect((await stranger.call(contracts.listMembers)).items).toEqual([]);
    expect((await owner.call(contracts.getMember, { params })).role).toBe("reader");
  });

  test("who may do everything is bound to no agent and no user", async () => {
    const owner = await createOrganization();
    for (const role of ["owner", "admin"]) {
      const body = { name: "M", role, user_id: "maria" };
      expect((await owner.fail(contracts.createMember, { body })).code).toBe("forbidden");
    }
    const { id } = await addMember(owner, "writer", { agent_id: "bot" });
    const update = { params: { member_id: id }, body: { role: "admin" } };
    expect((await owner.fail(contracts.updateMember, update)).code).toBe("forbidden");
  });
});

describe("a member signs in to the console", () => {
  test.each(contracts.ROLES)("as %s, with the scopes of the role", async (role) => {
    const owner = await createOrganization();
    const { id, token } = await enter(owner, role);
    const { body } = await asked(token, "/v1/me");
    const [grant] = (await owner.call(contracts.listGrants)).items;
    expect(grant).toMatchObject({ key_id: id, client_id: contracts.CONSOLE_CLIENT_ID, scopes: body.scopes });
    expect(body).toMatchObject({
      organization_id: owner.organizationId,
      key_id: id,
      grant_id: expect.stringMatching(/^grant_/),
      member: { id, role, name: "Maria Rossi" },
    });
    expect([...(body.scopes as string[])].sort()).toEqual([...contracts.ROLE_SCOPES[role]].sort());
    const isAdmin = role === "owner" || role === "admin";
    expect((await asked(token, "/v1/members")).status).toBe(isAdmin ? 200 : 403);
    expect((await asked(token, "/v1/conversations", "POST", {})).status).toBe(role === "reader" ? 403 : 201);
    expect((await asked(token, "/v1/conversations")).status).toBe(200);
  });

  test("with a code that counts once, makes no key, and ends with another one", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "reader");
    const replaced = await codeOf(owner, id);
    const code = await codeOf(owner, id);
    expect(code).toMatch(/^engram_invite_/);
    expect((await callerOf(code).fail(contracts.redeemSignInCode)).code).toBe("unauthenticated");
    await expect(signInToConsole(replaced)).rejects.toThrow("no active key");
    const keys = (await owner.call(contracts.listKeys)).items.length;
    await signInToConsole(`${ROOT}/#/sign-in/${code}`);
    await expect(signInToConsole(code)).rejects.toThrow("no active key");
    expect((await owner.call(contracts.listKeys)).items).toHaveLength(keys);
  });

  test("with a code of seven days, which ends when they are removed", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "reader");
    const params = { member_id: id };
    const { code, expires_at } = await owner.call(contracts.createMemberSignInCode, { params });
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await owner.call(contracts.deleteMember, { params });
    await expect(signInToConsole(code)).rejects.toThrow("no active key");
  });

  test("bound to a user, and then sees that user alone", async () => {
    const owner = await createOrganization();
    await owner.call(contracts.createMemory, { body: { content: "of Maria", user_id: "maria" } });
    await owner.call(contracts.createMemory, { body: { content: "of Tom", user_id: "tom" } });
    const { token } = await enter(owner, "writer", { user_id: "maria" });
    const { body } = await asked(token, "/v1/memories");
    expect((body.items as { content: string }[]).map(({ content }) => content)).toEqual(["of Maria"]);
  });

  test("for twelve hours, without a token to refresh, and nobody else gets `admin` so", async () => {
    const owner = await createOrganization();
    const parameters = { redirect_uri: CONSOLE, scope: null };
    const code = await doors.allow(contracts.CONSOLE_CLIENT_ID, owner.secret, { parameters });
    const response = await doors.exchange(code, contracts.CONSOLE_CLIENT_ID, { redirect_uri: CONSOLE });
    const tokens = (await response.json()) as { expires_in: number; scope: string };
    expect(tokens).toMatchObject({ expires_in: 43_200 });
    expect(tokens).not.toHaveProperty("refresh_token");
    const elsewhere = await doors.openPage(
      await doors.authorizePath(contracts.CONSOLE_CLIENT_ID, { redirect_uri: "https://evil.example.com/" }),
    );
    expect(elsewhere.response.status).toBe(400);
    const { access_token } = await doors.signIn(await codeOf(owner, (await addMember(owner, "owner")).id), {
      scopes: ["read", "admin"],
      parameters: { scope: "read admin" },
    });
    expect((await asked(access_token, "/v1/keys")).status).toBe(403);
    expect((await asked(access_token, "/v1/me")).body.scopes).toEqual(["read"]);
  });

  test("and out, by revoking the token", async () => {
    const owner = await createOrganization();
    const { token } = await enter(owner, "reader");
    expect((await asked(token, "/v1/me")).status).toBe(200);
    const revoked = await doors.post("/token", { token, client_id: contracts.CONSOLE_CLIENT_ID });
    expect(revoked.status).toBe(200);
    expect((await asked(token, "/v1/me")).status).toBe(401);
    expect((await owner.call(contracts.listGrants)).items).toEqual([]);
  });
});

describe("the page of consent", () => {
  const pathFor = () => doors.authorizePath(contracts.CONSOLE_CLIENT_ID, { redirect_uri: CONSOLE });
  const sessionOf = (response: Response): string =>
    response.headers.getSetCookie().find((one) => one.startsWith("__Host-engram-session=")) ?? "";

  /** The page as a browser sees it that has this session. */
  async function pageWith(cookie: string) {
    const path = await pathFor();
    const response = await doors.send(path, { headers: { cookie: cookie.split(";")[0] ?? "" } });
    const html = await response.text();
    const own = response.headers.getSetCookie().map((one) => one.split(";")[0]);
    return {
      path,
      html,
      cookie: [cookie.split(";")[0], ...own].join("; "),
      handle: /name="handle" value="([^"]+)"/.exec(html)?.[1] ?? "",
    };
  }

  async function signedIn(owner: Organization, role: contracts.Role = "writer", name = "Maria Rossi") {
    const member = await owner.call(contracts.createMember, { body: { name, role } });
    const page = await doors.openPage(await pathFor());
    const response = await doors.decide(page, await codeOf(owner, member.id), { scopes: [] });
    return { member, cookie: sessionOf(response) };
  }

  test("keeps a member signed in, by a cookie that no script and no other site can use", async () => {
    const owner = await createOrganization();
    const { cookie } = await signedIn(owner, "writer", "<b>Maria</b>");
    expect(cookie).toMatch(
      /^__Host-engram-session=org_\w{20}\.\w{32}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const page = await pageWith(cookie);
    expect(page.html).toContain("Signed in as");
    expect(page.html).toContain("&lt;b&gt;Maria&lt;/b&gt;");
    expect(page.html).not.toContain('name="key"');
    const response = await doors.decide(page, "", { scopes: [] });
    expect(response.headers.get("location")).toMatch(/^https:\/\/engram\.test\/\?code=/);
    const [stored] = await selectRows("SELECT key, value FROM oauth_records WHERE key LIKE 'session:%'");
    expect(JSON.stringify(stored)).not.toContain(/=(\w{32})/.exec(cookie)?.[1]);
  });

  test("keeps nobody signed in who used a key", async () => {
    const owner = await createOrganization();
    const page = await doors.openPage(await pathFor());
    const response = await doors.decide(page, owner.secret, { scopes: [] });
    expect(response.status).toBe(302);
    expect(sessionOf(response)).toBe("");
  });

  test("lets the person use another account, which ends the session", async () => {
    const owner = await createOrganization();
    const { cookie } = await signedIn(owner);
    const page = await pageWith(cookie);
    const out = await doors.decide(page, "", { decision: "sign-out" });
    expect(out.status).toBe(200);
    expect(await out.clone().text()).toContain('name="key"');
    expect(out.headers.getSetCookie().join()).toContain("__Host-engram-session=; Max-Age=0");
    expect((await pageWith(cookie)).html).toContain('name="key"');
  });

  test("signs in nobody who was removed, and nobody without a session of this browser", async () => {
    const owner = await createOrganization();
    const { member, cookie } = await signedIn(owner);
    const page = await pageWith(cookie);
    await owner.call(contracts.deleteMember, { params: { member_id: member.id } });
    expect((await doors.decide(page, "", { scopes: [] })).status).toBe(400);
    expect((await pageWith(cookie)).html).toContain('name="key"');
    const other = await pageWith(`__Host-engram-session=${"x".repeat(32)}`);
    expect(other.html).toContain('name="key"');
  });

  test("shows whom a link signs in before it does, and does not use it up", async () => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "writer");
    const key = await codeOf(owner, id);
    const path = await pathFor();
    for (let opened = 0; opened < 2; opened++) {
      const html = await (await doors.post(path, { key })).text();
      expect(html).toContain("You will be signed in as");
      expect(html).toContain("Maria Rossi");
      expect(html).toContain(`<input type="hidden" name="key" value="${key}"`);
    }
    const unknown = await (await doors.post(path, { key: `${key}x` })).text();
    expect(unknown).not.toContain("You will be signed in as");
    await signInToConsole(key);
  });
});

describe("another role", () => {
  test("counts at the next request, also where the old one is in the cache", async () => {
    const owner = await createOrganization();
    const { id, token } = await enter(owner, "admin");
    const elsewhere = openDoors();
    expect((await asked(token, "/v1/keys", "GET", undefined, elsewhere)).status).toBe(200);
    await owner.call(contracts.updateMember, { params: { member_id: id }, body: { role: "reader" } });
    // The first request finds that the role is another one, the next one has it.
    const first = await asked(token, "/v1/keys", "GET", undefined, elsewhere);
    expect(first.status).toBe(401);
    expect((await asked(token, "/v1/keys", "GET", undefined, elsewhere)).status).toBe(403);
    expect((await asked(token, "/v1/conversations", "GET", undefined, elsewhere)).status).toBe(200);
  });

  test("ends a socket that was opened with the old one", async () => {
    const owner = await createOrganization();
    const { id, token } = await enter(owner, "admin");
    const response = await doors.open("/v1/events/socket", {
      ...bearer(token),
      upgrade: "websocket",
      "sec-websocket-protocol": contracts.LIVE_PROTOCOL,
    });
    const socket = new Reader(response.webSocket as WebSocket);
    socket.send({ type: "subscribe", id: "all", after: "now" });
    await socket.until((frames) => frames.length > 0);
    const before = socket.frames.length;
    await owner.call(contracts.updateMember, { params: { member_id: id }, body: { role: "reader" } });
    await owner.call(contracts.createKey, { body: { name: "secret key", scopes: ["read"] } });
    expect((await socket.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(JSON.stringify(socket.frames.slice(before))).not.toContain("key.created");
  });

  test("counts for an append whose key was read before", async () => {
    const owner = await createOrganization();
    const { id, token } = await enter(owner, "writer");
    const created = await asked(token, "/v1/conversations", "POST", {});
    await selectRows("UPDATE api_keys SET role = 'reader' WHERE id = ?1", id);
    const path = `/v1/conversations/${created.body.id}/messages`;
    const body = { messages: [{ role: "user", content: "not stored" }] };
    expect((await asked(token, path, "POST", body)).status).toBe(401);
    const params = { conversation_id: String(created.body.id) };
    expect((await owner.call(contracts.listMessages, { params })).items).toEqual([]);
  });
});

test.each([
  ["PATCH", { name: "M. R." }, "SET name"],
  ["DELETE", undefined, "SET revoked_at_ms"],
] as const)(
  "%s of a member who gets another role meanwhile changes nothing, and leaves no audit event",
  async (method, body, fragment) => {
    const owner = await createOrganization();
    const { id } = await addMember(owner, "writer");
    const params = { member_id: id };
    const DB = databaseWith(`UPDATE api_keys ${fragment}`, async () => {
      await selectRows("UPDATE api_keys SET role = 'owner' WHERE id = ?1", id);
    });
    const { status } = await asked(owner.secret, `/v1/members/${id}`, method, body, openDoors({ DB }));
    expect(status).toBe(503);
    expect(await owner.call(contracts.getMember, { params })).toMatchObject({
      name: "Maria Rossi",
      removed_at: null,
    });
    const actions = (await owner.call(contracts.listAuditEvents)).items.map(({ action }) => action);
    expect(actions).toEqual(["member.created", "key.created"]);
  },
);

describe("owners", () => {
  test("are managed by owners and keys alone", async () => {
    const owner = await createOrganization();
    const boss = await addMember(owner, "owner");
    const { token } = await enter(owner, "admin");
    const path = `/v1/members/${boss.id}`;
    for (const [method, at, body] of [
      ["PATCH", path, { name: "x" }],
      ["DELETE", path, undefined],
      ["POST", `${path}/sign-in-codes`, undefined],
      ["POST", "/v1/members", { name: "x", role: "owner" }],
    ] as const)
      expect([method, at, (await asked(token, at, method, body)).status]).toEqual([method, at, 403]);
    const { id } = await addMember(owner, "writer");
    expect((await asked(token, `/v1/members/${id}`, "PATCH", { role: "owner" })).status).toBe(403);
    expect((await asked(token, `/v1/members/${id}`, "PATCH", { role: "admin" })).status).toBe(200);
    const first = await enter(owner, "owner");
    expect((await asked(first.token, path, "DELETE")).status).toBe(200);
  });

  test("alone create keys with `admin`, so that an admin gets no more so, and delete the organization", async () => {
    const owner = await createOrganization();
    const admin = await enter(owner, "admin");
    const [{ id = "" } = {}] = (await owner.call(contracts.listKeys)).items;
    const body = { name: "k", scopes: ["admin"] };
    expect((await asked(admin.token, "/v1/keys", "POST", body)).status).toBe(403);
    expect((await asked(admin.token, `/v1/keys/${id}/rotate`, "POST", {})).status).toBe(403);
    expect((await asked(admin.token, "/v1/keys", "POST", { ...body, scopes: ["read"] })).status).toBe(201);
    const path = `/v1/organizations/${owner.organizationId}`;
    expect((await asked(admin.token, path, "DELETE")).status).toBe(403);
    const boss = await enter(owner, "owner");
    expect((await asked(boss.token, "/v1/keys", "POST", body)).status).toBe(201);
    expect((await asked(boss.token, path, "DELETE")).status).toBe(202);
    expect((await asked(boss.token, "/v1/me")).status).toBe(401);
  });

  test("do not remove or demote themselves, so that one is left", async () => {
    const owner = await createOrganization();
    const { id, token } = await enter(owner, "owner");
    expect((await asked(token, `/v1/members/${id}`, "DELETE")).status).toBe(403);
    expect((await asked(token, `/v1/members/${id}`, "PATCH", { role: "reader" })).status).toBe(403);
    expect((await asked(token, `/v1/members/${id}`, "PATCH", { name: "Me", role: "owner" })).status).toBe(
      200,
    );
  });
});

test("audit events name the member for everything that they do", async () => {
  const owner = await createOrganization();
  const { id, token } = await enter(owner, "admin");
  const key = await asked(token, "/v1/keys", "POST", { name: "k", scopes: ["read"] });
  await owner.call(contracts.updateMember, { params: { member_id: id }, body: { role: "reader" } });
  await owner.call(contracts.deleteMember, { params: { member_id: id } });
  const [first] = (await owner.call(contracts.listKeys)).items.slice(-1);
  const { items } = await owner.call(contracts.listAuditEvents);
  const told = items.map(({ action, key_id, client_id, target_id }) => [
    action,
    key_id,
    client_id,
    target_id,
  ]);
  expect(told).toEqual([
    ["member.deleted", first?.id, null, id],
    ["member.updated", first?.id, null, id],
    ["key.created", id, contracts.CONSOLE_CLIENT_ID, key.body.id],
    ["grant.created", id, contracts.CONSOLE_CLIENT_ID, expect.any(String)],
    ["member.sign_in_code.created", first?.id, null, id],
    ["member.created", first?.id, null, id],
    ["key.created", null, null, first?.id],
  ]);
});

test("a key says who it is, whatever its scopes", async () => {
  const owner = await createOrganization();
  const key = await createKey(owner, { scopes: ["search"], agent_id: "bot" });
  expect(await key.call(contracts.getMe)).toEqual({
    organization_id: owner.organizationId,
    key_id: key.keyId,
    ...{ grant_id: null, member: null, scopes: ["search"], agent_id: "bot", user_id: null, expires_at: null },
  });
});

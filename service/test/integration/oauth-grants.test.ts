import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { callerOf, createKey, createOrganization, operator } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { type Block, eventsOf, isHeartbeat, reading } from "../support/event-streams.ts";
import { Service, selectRows } from "../support/invocations.ts";
import { bearer, openDoors } from "../support/oauth.ts";
import { Reader } from "../support/socket.ts";

const doors = openDoors();

/** An organization whose key has a grant. */
async function open() {
  const owner = await createOrganization();
  const key = await createKey(owner, { scopes: ["read", "write", "search"] });
  return grantedTo(owner, key, async () => key.secret);
}

/** An organization whose member has a grant. */
async function openMember() {
  const owner = await createOrganization();
  const { id } = await owner.call(contracts.createMember, { body: { name: "Maria", role: "writer" } });
  const params = { member_id: id };
  const key = { keyId: id };
  return grantedTo(
    owner,
    key,
    async () => (await owner.call(contracts.createMemberSignInCode, { params })).code,
  );
}

async function grantedTo<Key extends { keyId: string }>(
  owner: Awaited<ReturnType<typeof createOrganization>>,
  key: Key,
  secretOf: () => Promise<string>,
) {
  const signIn = async () => doors.signIn(await secretOf());
  const { access_token, clientId } = await signIn();
  const [grant] = (await owner.call(contracts.listGrants)).items;
  if (grant === undefined) throw new Error("no grant");
  return { owner, key, grant, token: access_token, clientId, signIn };
}

type Opened = Awaited<ReturnType<typeof openMember>>;

/** Everything that ends a grant. */
const ENDS: [name: string, end: (opened: Opened) => Promise<unknown>, start?: () => Promise<Opened>][] = [
  [
    "deleting it",
    ({ owner, grant }) => owner.call(contracts.deleteGrant, { params: { grant_id: grant.id } }),
  ],
  [
    "revoking its key",
    ({ owner, key }) => owner.call(contracts.revokeKey, { params: { key_id: key.keyId } }),
  ],
  [
    "rotating its key without an overlap",
    ({ owner, key }) =>
      owner.call(contracts.rotateKey, { params: { key_id: key.keyId }, body: { overlap_seconds: 0 } }),
  ],
  [
    "the expiry of its key",
    ({ key }) => selectRows("UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?1", key.keyId),
  ],
  [
    "removing its member",
    ({ owner, key }) => owner.call(contracts.deleteMember, { params: { member_id: key.keyId } }),
    openMember,
  ],
  [
    "deleting its organization",
    ({ owner }) =>
      owner.call(contracts.deleteOrganization, { params: { organization_id: owner.organizationId } }),
  ],
];

/** Those after which the organization still changes. */
const WHILE_OPEN = ENDS.filter(([name]) => name !== "deleting its organization");

describe("a grant", () => {
  test("is listed with its client and its key, and only in its organization", async () => {
    const { owner, key, grant, clientId } = await open();
    expect(grant).toEqual({
      id: expect.stringMatching(/^grant_/),
      key_id: key.keyId,
      client_id: clientId,
      client_name: "Test client",
      client_domain: null,
      redirect_uri: "https://client.example.com/callback?at=1",
      scopes: ["read", "search"],
      agent_id: null,
      user_id: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const stranger = await createOrganization();
    expect((await stranger.call(contracts.listGrants)).items).toEqual([]);
    const params = { grant_id: grant.id };
    expect((await stranger.fail(contracts.deleteGrant, { params })).code).toBe("not_found");
    expect((await key.fail(contracts.listGrants)).code).toBe("forbidden");
    expect((await owner.call(contracts.listGrants)).items).toHaveLength(1);
  });

  test.each(ENDS)(
    "ends at the next request by %s: over REST, MCP and its refresh token",
    async (_, end, start = open) => {
      const opened = await start();
      const { token, clientId } = opened;
      const { refresh_token } = await opened.signIn();
      const read = () => doors.send("/v1/conversations", { headers: bearer(token) });
      const call = () =>
        doors.send("/mcp", {
          method: "POST",
          headers: { ...bearer(token), "content-type": "application/json", accept: "application/json" },
          body: JSON.stringify({
            ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
            params: { name: "list_conversations", arguments: {} },
          }),
        });
      expect([(await read()).status, (await call()).status]).toEqual([200, 200]);
      await end(opened);
      expect((await read()).status).toBe(401);
      const answer = await call();
      // The endpoint may know the key for five seconds, but the call finds that it has ended.
      if (answer.status === 200) expect(await answer.text()).toContain("unauthenticated");
      else expect(answer.status).toBe(401);
      if (_ !== "deleting it") expect((await doors.refresh(refresh_token, clientId)).status).toBe(400);
    },
  );

  test.each(WHILE_OPEN)("ends for a stream of events that is open by %s", async (_, end, start = open) => {
    const opened = await start();
    const sent = reading(await doors.open("/v1/events/stream?after=now", bearer(opened.token)));
    expect(isHeartbeat((await sent.next()) as Block)).toBe(true);
    await end(opened);
    await opened.owner.call(contracts.createConversation, { body: {} });
    const blocks = (await sent.rest()).filter((block) => !isHeartbeat(block));
    expect(blocks.map(({ event }) => event)).toEqual(["error"]);
    expect(eventsOf(blocks)).toMatchObject([{ code: "unauthenticated" }]);
  });

  test.each(WHILE_OPEN)("ends for a socket that is open by %s", async (_, end, start = open) => {
    const opened = await start();
    const response = await doors.open("/v1/events/socket", {
      ...bearer(opened.token),
      upgrade: "websocket",
      "sec-websocket-protocol": contracts.LIVE_PROTOCOL,
    });
    const socket = new Reader(response.webSocket as WebSocket);
    socket.send({ type: "subscribe", id: "all", after: "now" });
    await socket.until((frames) => frames.length > 0);
    const before = socket.frames.length;
    await end(opened);
    await opened.owner.call(contracts.createConversation, { body: {} });
    expect((await socket.closed).code).toBe(contracts.LIVE_CLOSE.keyEnded);
    expect(JSON.stringify(socket.frames.slice(before))).not.toContain("conversation.created");
  });

  test("cannot do what its key cannot, whatever it was given", async () => {
    const { key, token } = await open();
    await selectRows(`UPDATE api_keys SET scopes = '["search"]' WHERE id = ?1`, key.keyId);
    const other = openDoors();
    expect((await other.send("/v1/conversations", { headers: bearer(token) })).status).toBe(403);
  });

  test("ends also if it is deleted while its token is refreshed: nothing of it is stored again", async () => {
    const { owner, key } = await open();
    for (const fragment of ["UPDATE oauth_records", "INSERT OR REPLACE INTO oauth_records"]) {
      const { clientId, refresh_token } = await doors.signIn(key.secret);
      const [newest] = (await owner.call(contracts.listGrants)).items;
      let isDeleted = false;
      const DB = databaseWith(fragment, async () => {
        if (isDeleted) return;
        isDeleted = true;
        await owner.call(contracts.deleteGrant, { params: { grant_id: newest?.id ?? "" } });
      });
      const { status } = await openDoors({ DB }).refresh(refresh_token, clientId);
      expect([fragment, status]).toEqual([fragment, 400]);
      expect(await selectRows("SELECT 1 FROM oauth_records WHERE grant_id = ?1", newest?.id)).toEqual([]);
    }
  });

  test("works again once the deletion of its organization is canceled, unless a refresh was refused meanwhile", async () => {
    const { owner, key, grant: kept, token } = await open();
    const ended = await doors.signIn(key.secret);
    const { id } = await owner.call(contracts.deleteOrganization, {
      params: { organization_id: owner.organizationId },
    });
    expect((await doors.refresh(ended.refresh_token, ended.clientId)).status).toBe(400);
    await operator.call(contracts.cancelOperation, { params: { operation_id: id } });
    const statusOf = async (secret: string) =>
      (await openDoors().send("/v1/conversations", { headers: bearer(secret) })).status;
    expect([await statusOf(token), await statusOf(ended.access_token)]).toEqual([200, 401]);
    expect((await owner.call(contracts.listGrants)).items.map((grant) => grant.id)).toEqual([kept.id]);
  });

  test("of which the database says `admin` is without it", async () => {
    const owner = await createOrganization();
    const { access_token } = await doors.signIn(owner.secret, { scopes: ["read"] });
    const admin = `'"read"', '"read","admin"'`;
    await selectRows(
      `UPDATE grants SET scopes = replace(scopes, ${admin}) WHERE organization_id = ?1`,
      owner.organizationId,
    );
    await selectRows(
      `UPDATE oauth_records SET value = replace(value, ${admin}) WHERE organization_id = ?1`,
      owner.organizationId,
    );
    expect((await doors.send("/v1/conversations", { headers: bearer(access_token) })).status).toBe(200);
    expect((await openDoors().send("/v1/keys", { headers: bearer(access_token) })).status).toBe(403);
  });

  test.each(WHILE_OPEN)("is no longer present in a conversation after %s", async (_, end, start = open) => {
    const opened = await start();
    const { owner, token } = opened;
    const { id: conversation_id } = await owner.call(contracts.createConversation, { body: {} });
    const present = await doors.send(`/v1/conversations/${conversation_id}/presence`, {
      method: "PUT",
      headers: { ...bearer(token), "content-type": "application/json" },
      body: '{"state":{}}',
    });
    expect(present.status).toBe(200);
    const list = () => owner.call(contracts.listPresences, { params: { conversation_id } });
    expect((await list()).items).toMatchObject([{ id: opened.grant.id, key_id: opened.key.keyId }]);
    await end(opened);
    expect((await list()).items).toEqual([]);
  });

  test("cannot manage keys, grants or the organization, even of a key that can", async () => {
    const owner = await createOrganization();
    const all = ["read", "write", "search", "delete", "admin"];
    const { access_token, scope } = await doors.signIn(owner.secret, {
      scopes: all,
      parameters: { scope: all.join(" ") },
    });
    expect(scope).toBe("read write search delete");
    for (const path of ["/v1/keys", "/v1/grants", "/v1/audit-events", "/v1/export"])
      expect([path, (await doors.send(path, { headers: bearer(access_token) })).status]).toEqual([path, 403]);
  });

  test("has idempotency keys of its own, so that it never gets an answer of its key", async () => {
    const { key, token } = await open();
    const own = await doors.signIn(key.secret, { scopes: ["write"], user_id: "maria" });
    const headers = { "idempotency-key": "same", "content-type": "application/json" };
    const create = (authorization: object) =>
      doors.send("/v1/conversations", {
        method: "POST",
        headers: { ...headers, ...authorization },
        body: "{}",
      });
    const [first, second] = [await create(bearer(key.secret)), await create(bearer(own.access_token))];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(((await first.json()) as { id: string }).id).not.toBe(
      ((await second.json()) as { id: string }).id,
    );
    expect((await create(bearer(token))).status).toBe(403);
  });

  test("leaves audit events that name its key and its client, for itself and for what is done with it", async () => {
    const owner = await createOrganization();
    const { items } = await owner.call(contracts.listKeys);
    const { clientId, access_token } = await doors.signIn(owner.secret, { scopes: ["read", "delete"] });
    const { id } = await owner.call(contracts.createConversation, { body: {} });
    await doors.send(`/v1/conversations/${id}`, { method: "DELETE", headers: bearer(access_token) });
    const [grant] = (await owner.call(contracts.listGrants)).items;
    await owner.call(contracts.deleteGrant, { params: { grant_id: grant?.id ?? "" } });
    const told = (await owner.call(contracts.listAuditEvents)).items
      .filter(({ client_id }) => client_id !== null)
      .map(({ action, key_id, client_id, client_name, target_id }) => [
        action,
        key_id,
        client_id,
        client_name,
        target_id,
      ]);
    const by = [items[0]?.id, clientId, "Test client"];
    expect(told).toEqual([
      ["grant.deleted", ...by, grant?.id],
      ["conversation.deleted", ...by, id],
      ["grant.created", ...by, grant?.id],
    ]);
  });
});

test("a sweep removes grants, tokens and clients that have expired, and no others", async () => {
  const { owner, grant } = await open();
  const service = new Service();
  await service.sweep();
  expect((await owner.call(contracts.listGrants)).items).toHaveLength(1);
  await selectRows("UPDATE grants SET expires_at_ms = 1 WHERE id = ?1", grant.id);
  await selectRows("UPDATE oauth_records SET expires_at_ms = 1 WHERE grant_id = ?1", grant.id);
  await service.sweep();
  expect(await selectRows("SELECT 1 FROM grants WHERE id = ?1", grant.id)).toEqual([]);
  expect(await selectRows("SELECT 1 FROM oauth_records WHERE grant_id = ?1", grant.id)).toEqual([]);
});

test("the key of a grant works as before when the grant has ended", async () => {
  const { owner, key, grant } = await open();
  await owner.call(contracts.deleteGrant, { params: { grant_id: grant.id } });
  await callerOf(key.secret).call(contracts.listConversations);
});

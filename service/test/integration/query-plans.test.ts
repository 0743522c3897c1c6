import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { openBrowser, targetOf } from "../support/browser.ts";
import { createKey, createOrganization } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";
import { bearer, openDoors, ROOT } from "../support/oauth.ts";
import { MARIA, openIssuer } from "../support/openid.ts";
import type { RequestParts } from "../support/requests.ts";

/** The effect of a statement, however its text is composed: `SELECT`, `INSERT INTO messages`. */
const nameOf = (sql: string): string =>
  /^ ?(SELECT|WITH|INSERT (OR \w+ )?INTO \w+|UPDATE \w+|DELETE FROM \w+)/.exec(
    sql.replace(/\s+/g, " "),
  )?.[1] ?? sql;

async function planOf({ sql, binds }: { sql: string; binds: unknown[] }): Promise<string> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...binds)
    .all<{ id: number; parent: number; detail: string }>();
  const depths = new Map([[0, 0]]);
  const lines = results.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    depths.set(id, depth);
    return "  ".repeat(depth) + detail.replace(/SUBQUERY \d+|subquery-\d+/, "subquery");
  });
  return [nameOf(sql), ...lines].join("\n");
}

/**
 * The recorded plans protect the service's speed: a scan in place of a seek passes every other test. Update
 * them with `vitest -u` after an intended change of a statement, and check the difference.
 */
/** A move that another test has left makes triggers, and with them SQLite deletes rows in another way. */
async function endMoves(): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'moving%'",
  ).all<{ name: string }>();
  for (const { name } of results) await env.DB.prepare(`DROP TRIGGER ${name}`).run();
}

test("the statements of every frequent operation keep their query plans", async () => {
  await endMoves();
  const { secret } = await createOrganization("test", "d1");
  const clock = new Clock();
  const database = new RowsRead();
  const service = new Service({ DB: database.db }, clock);
  const caller = service.callerOf(secret);
  const lines: string[] = [];
  const known = new Set<string>();
  /** Records the plans that no earlier operation has, in an order that does not depend on time. */
  const note = async (name: string) => {
    const plans = new Set<string>();
    for (const statement of database.statements.splice(0)) plans.add(await planOf(statement));
    const fresh = [...plans].filter((plan) => !known.has(plan)).sort();
    if (fresh.length > 0) lines.push(`## ${name}`, ...fresh);
    for (const plan of fresh) known.add(plan);
  };
  const call = async (contract: RouteConfig, parts: RequestParts, by = caller) => {
    const answer = await by.call(contract, {
      ...parts,
      headers: contract.method === "post" ? { "idempotency-key": crypto.randomUUID() } : {},
    });
    await note(contract.operationId ?? "");
    await service.settle();
    await note(`${contract.operationId}, after the response`);
    return answer as { id: string; message_ids: string[]; last_sequence: number; recall_id: string };
  };
  const { id } = await call(contracts.createConversation, { body: { external_id: "thread", tags: ["a"] } });
  const params = { conversation_id: id };
  const appended = await call(contracts.appendMessages, {
    params,
    body: {
      messages: [
        { role: "user", content: "Where does the walrus sing?", external_id: "m1" },
        { role: "assistant", content: "On the beach, says the tide table of the harbor office." },
      ],
    },
  });
  const message = { ...params, message_id: appended.message_ids[0] ?? "" };
  await call(contracts.listMessages, { params, query: { limit: 1 } });
  await call(contracts.getMessage, { params: message });
  await call(contracts.createSummaries, { params });
  await call(contracts.listSummaries, { params, query: { limit: 1, to_sequence: 9 } });
  await call(contracts.search, { body: { query: "tide table", mode: "keyword", in: ["summaries"] } });
  await call(contracts.updateMessage, { params: message, body: { content: "Where does the seal sing?" } });
  await call(contracts.getConversation, { params });
  await call(contracts.updateConversation, { params, body: { title: "Seals" } });
  await call(contracts.listConversations, { query: { tags_any: ["a"], include_total: true } });
  const memory = await call(contracts.createMemory, {
    body: { content: "The seal sings on the beach.", tags: ["a"] },
  });
  await call(contracts.listMemories, { query: { limit: 1 } });
  const versions = { params: { memory_id: memory.id } };
  await call(contracts.updateMemory, { ...versions, body: { content: "The seal sings on the pier." } });
  await call(contracts.createMemory, { body: { content: "The seal is silent.", supersedes: memory.id } });
  await call(contracts.listMemoryVersions, versions);
  const mine = { content: "The seal sings twice.", user_id: "maria", check_conflicts: true };
  await call(contracts.createMemory, { body: mine });
  await call(contracts.searchMemories, { body: { query: "seal", mode: "keyword" } });
  const sources = [{ message_id: message.message_id, quote: "the seal" }];
  await call(contracts.createMemory, { body: { content: "A seal sings.", tags: [], sources } });
  await call(contracts.listMemories, { query: { source_conversation_id: id } });
  await call(contracts.listMemories, { query: { source_message_id: message.message_id } });
  await call(contracts.search, { body: { query: "seal beach" } });
  await call(contracts.search, { body: { query: "seal beach", exclude_conversation: "chat-1" } });
  await call(contracts.search, { body: { query: '"on the beach" -walrus', mode: "keyword" } });
  await call(contracts.replaceMessages, {
    params,
    body: {
      expected_last_sequence: appended.last_sequence,
      from_sequence: appended.last_sequence,
      messages: [{ role: "assistant", content: "On the rocks." }],
    },
  });
  const doors = openDoors({ DB: database.db });
  const { access_token, refresh_token, clientId } = await doors.signIn(secret);
  await note("sign in by OAuth");
  await doors.send("/v1/conversations", { headers: bearer(access_token) });
  await note("request with an access token");
  await doors.refresh(refresh_token, clientId);
  await note("refresh an access token");
  const issuer = await openIssuer();
  await caller.call(contracts.createMember, { body: { name: "Maria", role: "writer", email: MARIA.email } });
  database.statements.splice(0);
  const mapped = {
    organization: (await createOrganization("test", "d1")).organizationId,
    role: { claim: "groups", values: {}, default: "reader" },
  };
  const provided = openDoors({
    DB: database.db,
    OIDC: JSON.stringify({ ...issuer.config, ...mapped }),
    IDENTITY_PROVIDER: issuer as never,
  });
  const browser = openBrowser(provided, ROOT);
  const leaving = await browser.press(await browser.open(await provided.authorizePath(clientId)), "provider");
  await browser.open(issuer.authorize(targetOf(leaving)).href);
  await note("sign in with an identity provider");
  await call(contracts.listGrants, {});
  await call(contracts.deleteMessage, { params: message });
  await call(contracts.deleteConversation, { params });
  await call(contracts.deleteConversations, { body: { filter: { user_id: "maria" } } });
  clock.advance(65_000);
  await service.sweep();
  await note("sweep");
  const remember = (content: string) => call(contracts.createMemory, { body: { content, agent_id: "bot" } });
  await call(contracts.deleteMemory, {
    params: { memory_id: (await remember("Forget this.")).id },
    query: { forget: "true" },
  });
  await remember("Forget that.");
  await call(contracts.deleteMemories, { body: { filter: { agent_id: "bot" }, forget: true } });
  const other = { conversation_id: (await call(contracts.createConversation, { body: {} })).id };
  const said = await call(contracts.appendMessages, {
    params: other,
    body: { messages: [{ role: "user", content: "Forget me.", external_id: "m" }] },
  });
  const forgotten = {
    params: { ...other, message_id: said.message_ids[0] ?? "" },
    query: { forget: "true" },
  };
  await call(contracts.deleteMessage, forgotten);
  await call(contracts.createMemories, {
    body: { memories: [{ content: "Forget this.", agent_id: "bot" }] },
  });
  await call(contracts.updateMemory, {
    params: { memory_id: (await remember("Keep this.")).id },
    body: { content: "Keep that." },
  });
  await call(contracts.deleteConversations, { body: { filter: { metadata: { a: 1 } }, forget: true } });
  await call(contracts.deleteConversation, { params: other, query: { forget: "true" } });
  await call(contracts.listTombstones, { query: { limit: 1 } });
  const { recall_id } = await call(contracts.search, {
    body: { query: "seal", user_id: "jon", record: true },
  });
  const receipt = { params: { recall_id } };
  await call(contracts.getContext, { body: { query: "seal", record: true } });
  await call(contracts.listRecalls, { query: { item_id: memory.id } });
  await call(contracts.listRecalls, { query: { user_id: "jon" } });
  await call(contracts.updateRecall, { ...receipt, body: { outcome: "answered" } });
  await call(contracts.replayRecall, receipt);
  await call(contracts.deleteUser, { params: { user_id: "jon" } });
  clock.advance(65_000);
  await service.sweep();
  await note("sweep with tombstones");
  const { id: conversation_id } = await call(contracts.createConversation, { body: { user_id: "ada" } });
  const tide = {
    role: "user",
    content: "The tide table of the harbor office says when the seals sing. ".repeat(4),
  };
  await call(contracts.appendMessages, {
    params: { conversation_id },
    body: { messages: Array.from({ length: 40 }, () => tide) },
  });
  await call(contracts.createMemory, { body: { content: tide.content, user_id: "ada" } });
  const asked = { layout: "stable", conversation_id, user_id: "ada", query: "tide" };
  const { stable_id } = (await call(contracts.getContext, { body: asked })) as { stable_id?: string };
  clock.advance(15 * 3_600_000);
  await call(contracts.getContext, { body: { ...asked, previous: stable_id } });
  const scopes: contracts.Scope[] = ["read", "write", "search"];
  const { secret: ofMaria } = await createKey(caller, { scopes, user_id: "maria" });
  const maria = service.callerOf(ofMaria);
  const shared = { shared: true };
  const ours = { conversation_id: (await call(contracts.createConversation, { body: shared })).id };
  const mails = { messages: [{ role: "user", content: "Mail zoe@example.com." }] };
  await call(contracts.appendMessages, { params: ours, body: mails });
  const ourMemory = {
    memory_id: (await call(contracts.createMemory, { body: { content: "Seals.", ...shared } })).id,
  };
  const ofUser = (contract: RouteConfig, parts: RequestParts = {}) => call(contract, parts, maria);
  for (const sort of ["created_at", "updated_at"])
    for (const contract of [contracts.listConversations, contracts.listMemories]) {
      await ofUser(contract, { query: { sort } });
      await ofUser(contract, { query: { sort, visibility: ["shared"] } });
      await call(contract, { query: { sort, visibility: ["shared"] } });
    }
  await ofUser(contracts.listConversations, { query: { sort: "last_message_at" } });
  await ofUser(contracts.listMemories, { query: { external_id: "diet" } });
  await ofUser(contracts.listMemories, { query: { source_conversation_id: ours.conversation_id } });
  await ofUser(contracts.getConversation, { params: ours });
  await ofUser(contracts.search, {
    body: { query: "seal", in: ["conversations", "memories"], tags_any: ["a"] },
  });
  await ofUser(contracts.listEvents);
  const { items } = (await ofUser(contracts.listEntities, { query: { sort: "value" } })) as unknown as {
    items: { id: string }[];
  };
  await ofUser(contracts.listEntities, { query: { sort: "mentions" } });
  await ofUser(contracts.listMentions, { params: { entity_id: items[0]?.id ?? "" } });
  await maria.fail(contracts.appendMessages, { params: ours, body: mails });
  await note("append to a shared conversation by a key for a user");
  const supersedes = { content: "Whales.", supersedes: ourMemory.memory_id };
  await maria.fail(contracts.createMemory, { body: supersedes });
  await note("supersede a shared memory by a key for a user");
  for (const change of [{ shared: false }, shared]) {
    await call(contracts.updateConversation, { params: ours, body: change });
    await call(contracts.updateMemory, { params: ourMemory, body: change });
  }
  const operator = service.callerOf(env.ADMIN_TOKEN);
  for (const sort of ["created_at", "place", "size_bytes", "message_count", "last_active_on"]) {
    const query = { sort, limit: 1 };
    const { next_cursor: cursor } = await operator.call(contracts.listOrganizations, { query });
    await note(`listOrganizations by ${sort}`);
    await operator.call(contracts.listOrganizations, { query: { ...query, cursor: cursor ?? "" } });
    await note(`listOrganizations by ${sort}, a further page`);
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../query-plans.txt");
});

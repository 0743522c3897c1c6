import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { DATA_LABEL } from "../../src/text/message-lines.ts";
import { appendText, createKey, createOrganization, open, seedConversation } from "../support/client.ts";
import { connect, sendTo } from "../support/mcp.ts";
import { promptRuntime } from "../support/runtime.ts";

const uriOf = (id: string) => `engram://conversations/${id}`;

/** The official client, subscribed to conversations, and the URIs of its notifications. */
async function subscribe(secret: string, ids: string[], path = "/mcp") {
  const { client } = await connect(secret, { pin: "2026-07-28" }, open, path);
  const notified: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    notified.push(params.uri);
  });
  const subscription = await client.listen({ resourceSubscriptions: ids.map(uriOf) });
  return { client, notified, subscription };
}

describe("subscriptions/listen", () => {
  test("notifies of new messages in the subscribed conversations, from its acknowledgement on", async () => {
    const caller = await createOrganization();
    const [id, other] = [await seedConversation(caller), await seedConversation(caller)];
    const { client, notified, subscription } = await subscribe(caller.secret, [id]);
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uriOf(id)] });
    await appendText(caller, other);
    await appendText(caller, id, "The zeppelin lands.");
    await expect.poll(() => notified).toEqual([uriOf(id)]);
    const { contents } = await client.readResource({ uri: uriOf(id) });
    const [label, content] = contents;
    expect(label).toMatchObject({ text: DATA_LABEL });
    expect(content && "text" in content ? JSON.parse(content.text).items : []).toMatchObject([
      { content: "The zeppelin lands." },
    ]);
    await subscription.close();
  });

  test("sends nothing that the key may not read, and responds as for an unknown conversation", async () => {
    const [caller, attacker] = [await createOrganization(), await createOrganization()];
    const id = await seedConversation(caller, [], { agent_id: "mine", user_id: "u1" });
    const bound = await createKey(caller, { scopes: ["read"], agent_id: "other" });
    const own = await seedConversation(attacker);
    const readers = [
      await subscribe(attacker.secret, [id, "conv_none", own]),
      await subscribe(bound.secret, [id]),
      await subscribe(caller.secret, [id], "/mcp?user_id=u2"),
    ];
    expect(readers[0]?.subscription.honoredFilter).toEqual({
      resourceSubscriptions: [id, "conv_none", own].map(uriOf),
    });
    const rightful = await subscribe(caller.secret, [id]);
    await appendText(caller, id);
    await appendText(attacker, own);
    await expect.poll(() => rightful.notified).toEqual([uriOf(id)]);
    await expect.poll(() => readers[0]?.notified).toEqual([uriOf(own)]);
    for (const { notified } of readers.slice(1)) expect(notified).toEqual([]);
    const failure = (uri: string) =>
      readers[0]?.client.readResource({ uri }).catch((error: Error & { code: number }) => error);
    const [foreign, unknown] = [await failure(uriOf(id)), await failure(uriOf("conv_none"))];
    expect(foreign).toMatchObject({ code: (unknown as { code: number }).code });
    expect(String(foreign).replace(id, "conv_none")).toBe(String(unknown));
    for (const { subscription } of [...readers, rightful]) await subscription.close();
  });

  test("rejects a request without a valid filter, and ends at once if the filter selects nothing", async () => {
    const caller = await createOrganization();
    // Waits until all work of the request has ended.
    const through = sendTo(createApp(openIsolate(promptRuntime)));
    const { client } = await connect(caller.secret, { pin: "2026-07-28" }, through);
    await expect(client.listen({ resourceSubscriptions: "all" } as never)).rejects.toThrow("Invalid params");
    const { honoredFilter, closed } = await client.listen({ toolsListChanged: true });
    expect(honoredFilter).toEqual({});
    expect(await closed).toBe("graceful");
  });

  test("ends when the key is revoked", async () => {
    const caller = await createOrganization();
    const id = await seedConversation(caller);
    const key = await createKey(caller, { scopes: ["read"] });
    const { notified, subscription } = await subscribe(key.secret, [id]);
    await caller.call(contracts.revokeKey, { params: { key_id: key.keyId } });
    await appendText(caller, id);
    expect(await subscription.closed).toBe("graceful");
    expect(notified).toEqual([]);
  });

  test("is not offered to a key without the scope `read`", async () => {
    const caller = await createOrganization();
    const key = await createKey(caller, { scopes: ["write"] });
    const { client } = await connect(key.secret);
    expect(client.getServerCapabilities()?.resources).toBeUndefined();
  });

  test("is not offered to clients of earlier protocol revisions", async () => {
    const { client } = await connect((await createOrganization()).secret, "legacy");
    expect(client.getServerCapabilities()?.resources).toBeUndefined();
  });
});

test("MCP resources have a template, and an invalid URI is rejected", async () => {
  const { client } = await connect((await createOrganization()).secret);
  expect((await client.listResources()).resources).toEqual([]);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([uriOf("{conversation_id}")]);
  for (const uri of [
    "engram://conversations/",
    "engram://conversations/..",
    "engram://other/a",
    uriOf("../memories?limit=1#"),
  ])
    await expect(client.readResource({ uri })).rejects.toThrow();
});

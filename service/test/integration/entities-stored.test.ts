import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { StoredMention } from "../../src/entities/mentions-queries.ts";
import { findMentions } from "../../src/entities/service.ts";
import { ENTITY_RULES } from "../../src/text/entities/index.ts";
import { type Caller, operator } from "../support/client.ts";
import { env } from "../support/env.ts";
import { conversation, message, send } from "../support/imports.ts";
import { open, selectRows } from "../support/invocations.ts";
import { tireless } from "../support/pace.ts";

const TEXTS = [
  "Mail ana@host.example, then see https://docs.host.example/a",
  "Nothing to see here.",
  "Mail Ana@host.example again",
  "See https://docs.host.example/a",
  "and ana@host.example, ana@host.example",
];

interface Row {
  row_key: number;
  mentions: string;
}

/** Compares the stored entities of an organization with those that the rules find in its messages. */
async function expectStored(caller: Caller, organizationId: string): Promise<number> {
  const stored = await selectRows<Row>(
    "SELECT row_key, mentions FROM message_entities WHERE organization_id = ?1 AND rules = ?2 ORDER BY row_key",
    organizationId,
    ENTITY_RULES,
  );
  const expected: Row[] = [];
  const byMessage = new Set<string>();
  const byConversation = new Set<string>();
  const messages = await selectRows<{ row_key: number; conversation_id: string; id: string }>(
    `SELECT m.row_key, m.conversation_id, m.id FROM messages AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24
      WHERE m.organization_id = ?1 AND c.kind = 'conversation' ORDER BY m.row_key`,
    organizationId,
  );
  for (const { row_key, conversation_id, id } of messages) {
    const { content, created_at } = await caller.call(contracts.getMessage, {
      params: { conversation_id, message_id: id },
    });
    const { agent_id, user_id } = await caller.call(contracts.getConversation, {
      params: { conversation_id },
    });
    const mentions = await findMentions({ pace: tireless() }, organizationId, {
      content,
      createdAtMs: Date.parse(created_at),
    });
    if (mentions.length > 0) expected.push({ row_key, mentions: JSON.stringify(mentions) });
    for (const { kind, folded } of mentions) {
      byMessage.add(JSON.stringify([kind, folded, row_key]));
      for (const agent of new Set([null, agent_id])) {
        for (const user of new Set([null, user_id]))
          byConversation.add(JSON.stringify([[agent, user], kind, folded, Math.floor(row_key / 2 ** 24)]));
      }
    }
  }
  expect(stored).toEqual(expected);
  const inMessages = await selectRows<{ row: string }>(
    `SELECT json_array(kind, folded, (conversation_row_key << 24) + sequence) AS row FROM entity_messages
      WHERE organization_id = ?1`,
    organizationId,
  );
  expect(inMessages.map(({ row }) => row).sort()).toEqual([...byMessage].sort());
  const inConversations = await selectRows<{ row: string }>(
    `SELECT json_array(json(scope), kind, folded, conversation_row_key) AS row FROM entity_conversations
      WHERE organization_id = ?1`,
    organizationId,
  );
  expect(inConversations.map(({ row }) => row).sort()).toEqual([...byConversation].sort());
  return expected.length;
}

async function openStored(texts = TEXTS, more: object = {}) {
  const world = await open();
  const { id } = await world.caller.call(contracts.createConversation, { body: more });
  const { message_ids } = await world.append(id, texts);
  await world.idle();
  const params = { conversation_id: id };
  const stored = () => expectStored(world.caller, world.organizationId);
  return {
    ...world,
    id,
    params,
    ids: message_ids,
    stored,
    of: (i: number) => ({ ...params, message_id: message_ids[i] ?? "" }),
  };
}

describe("entities are stored when their messages are indexed", () => {
  test.for([{}, { agent_id: "a" }, { user_id: 'u"ü' }, { agent_id: "a", user_id: "u" }])(
    "by an append, for the owner %j",
    async (owner) => {
      const { append, id, idle, stored } = await openStored(TEXTS, owner);
      expect(await stored()).toBe(4);
      await append(id, ["See ana@host.example"]);
      await idle();
      expect(await stored()).toBe(5);
    },
  );

  test("by single appends to a long conversation", async () => {
    const { append, id, idle, stored } = await openStored();
    for (let i = 0; i < 9; i++) await append(id, [`See https://host.example/${i}`]);
    await idle();
    expect(await stored()).toBe(13);
  });

  test("by a fork", async () => {
    const { caller, params, idle, stored } = await openStored();
    await caller.call(contracts.forkConversation, { params, body: { sequence: 3 } });
    await idle();
    expect(await stored()).toBe(6);
  });

  test("by a replacement of the last messages", async () => {
    const { caller, params, idle, stored } = await openStored();
    await caller.call(contracts.replaceMessages, {
      params,
      body: {
        from_sequence: 3,
        expected_last_sequence: 5,
        messages: [{ role: "user", content: "x@host.example" }],
      },
    });
    await idle();
    expect(await stored()).toBe(2);
  });

  test("by an import", async () => {
    const { caller, idle, stored } = await openStored();
    const content = "Ask bo@host.example yesterday";
    const lines = [conversation("e1"), message("e1", 1, { content })];
    expect(await send(caller, lines)).toMatchObject({ messages: { created: 1 } });
    await idle();
    expect(await stored()).toBe(5);
  });

  test("by a write whose index terms are inserted later", async () => {
    const world = await open({}, { wordsAtOnceCharacters: 10 });
    const { id } = await world.caller.call(contracts.createConversation, { body: {} });
    await world.append(id, TEXTS);
    await world.idle();
    expect(await expectStored(world.caller, world.organizationId)).toBe(4);
  });

  test("and memories have no entities", async () => {
    const { caller, idle, stored } = await openStored();
    await caller.call(contracts.createMemory, { body: { content: "Ana is ana@host.example" } });
    await idle();
    expect(await stored()).toBe(4);
  });

  test("even if the embedding model is down", async () => {
    const AI = { run: () => Promise.reject(new Error("3040: Capacity temporarily exceeded")) };
    const world = await open({ AI } as never);
    const { id } = await world.caller.call(contracts.createConversation, { body: {} });
    await world.append(id, TEXTS);
    await world.service.settle();
    world.clock.advance(65_000);
    await world.service.sweep();
    expect(await expectStored(world.caller, world.organizationId)).toBe(4);
  });

  test("and again by a repair, with the current rules", async () => {
    const { caller, organizationId, params, idle, stored } = await openStored();
    const mentions: Partial<StoredMention>[] = [
      { kind: "symbol", folded: "old", value: "old", start: 0, end: 3 },
    ];
    await env.DB.batch([
      env.DB.prepare("UPDATE message_entities SET rules = 0, mentions = ?2 WHERE organization_id = ?1").bind(
        organizationId,
        JSON.stringify(mentions),
      ),
      env.DB.prepare("DELETE FROM entity_messages WHERE organization_id = ?1").bind(organizationId),
      env.DB.prepare("DELETE FROM entity_conversations WHERE organization_id = ?1").bind(organizationId),
    ]);
    await caller.call(contracts.repairIndex, { body: params });
    await idle();
    expect(await stored()).toBe(4);
  });
});

describe("entity mentions are deleted with their text", () => {
  const countRows = async (organizationId: string) => {
    const [counts] = await selectRows<Record<string, number>>(
      `SELECT (SELECT count(*) FROM message_entities WHERE organization_id = ?1) AS mentions,
              (SELECT count(*) FROM entity_messages WHERE organization_id = ?1) AS messages,
              (SELECT count(*) FROM entity_conversations WHERE organization_id = ?1) AS conversations`,
      organizationId,
    );
    return counts;
  };

  test("in the transaction that deletes a message", async () => {
    const { caller, of, stored, idle } = await openStored();
    await caller.call(contracts.deleteMessage, { params: of(0) });
    expect(await stored()).toBe(3);
    await caller.call(contracts.deleteMessage, { params: of(3) });
    expect(await stored()).toBe(2);
    await idle();
    expect(await stored()).toBe(2);
  });

  test("in the transaction that changes the content, and found in the new content when it is indexed", async () => {
    const { caller, organizationId, of, stored, idle } = await openStored();
    await caller.call(contracts.updateMessage, { params: of(0), body: { content: "Mail bo@host.example" } });
    const { mentions } = (await countRows(organizationId)) ?? {};
    expect(mentions).toBe(3);
    await idle();
    expect(await stored()).toBe(4);
    await caller.call(contracts.updateMessage, { params: of(0), body: { content: "Mail Bo" } });
    await idle();
    expect(await stored()).toBe(3);
  });

  test("with the rows of a deleted conversation", async () => {
    const { caller, organizationId, params, idle } = await openStored(TEXTS, { agent_id: "a", user_id: "u" });
    expect(await countRows(organizationId)).toEqual({ mentions: 4, messages: 5, conversations: 8 });
    await caller.call(contracts.deleteConversation, { params });
    await idle();
    expect(await countRows(organizationId)).toEqual({ mentions: 0, messages: 0, conversations: 0 });
  });

  test("with the rows of a deleted organization", async () => {
    const { service, organizationId, idle } = await openStored();
    await service
      .callerOf(operator.secret)
      .call(contracts.deleteOrganization, { params: { organization_id: organizationId } });
    await idle();
    expect(await countRows(organizationId)).toEqual({ mentions: 0, messages: 0, conversations: 0 });
  });
});

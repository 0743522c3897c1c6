import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { operator } from "../support/client.ts";
import { databaseWith } from "../support/deletions.ts";
import { selectRow } from "../support/invocations.ts";
import { openConversation, places, said, summariesOf } from "../support/summaries.ts";

describe("a message that is changed or deleted", () => {
  test("takes the summaries over it, and no others, in its own batch, and they are made again", async () => {
    const { caller, id, params, store, messageAt, settle } = await openConversation();
    await store(1, 200);
    expect(await places(caller, id)).toHaveLength(9);
    const message_id = await messageAt(30);
    const receipt = await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
    expect(receipt).toMatchObject({ type: "delete_message", summaries_deleted: 2 });
    expect((await places(caller, id)).map(([level, from]) => [level, from])).toEqual(
      [1, 49, 73, 97, 121, 145, 169].map((from) => [1, from]),
    );
    await settle();
    const again = await summariesOf(caller, id);
    expect(again).toHaveLength(9);
    expect(again[1]).toMatchObject({ from_sequence: 25, to_sequence: 48, source_count: 23 });
    expect(JSON.stringify(again)).not.toContain(message_id);
  });

  test("takes them if its content changes, but not if only its metadata does", async () => {
    const { caller, id, params, store, messageAt, settle } = await openConversation();
    await store(1, 24);
    const message_id = await messageAt(3);
    const update = (body: object) =>
      caller.call(contracts.updateMessage, { params: { ...params, message_id }, body });
    await update({ metadata: { a: 1 } });
    await update({ content: said(3) });
    expect(await places(caller, id)).toEqual([[1, 1, 24]]);
    await update({ content: "Zanzibar sells nutmeg to Antwerp." });
    expect(await places(caller, id)).toEqual([]);
    await settle();
    expect(JSON.stringify(await summariesOf(caller, id))).toContain("Zanzibar");
  });

  test("takes them if it is replaced", async () => {
    const { caller, id, params, store, settle } = await openConversation();
    await store(1, 60);
    await caller.call(contracts.replaceMessages, {
      params,
      body: { expected_last_sequence: 60, from_sequence: 30, messages: [{ role: "user", content: "Fin." }] },
    });
    expect(await places(caller, id)).toEqual([[1, 1, 24]]);
    await settle();
    expect(await places(caller, id)).toEqual([
      [1, 1, 24],
      [1, 25, 29],
    ]);
  });

  test("ends a run that has read it", async () => {
    const { caller, id, params, store, messageAt, service, settle } = await openConversation();
    await store(1, 23);
    const message_id = await messageAt(3);
    await caller.call(contracts.appendMessages, {
      params,
      body: { messages: [{ role: "user", content: said(24) }], wait: "indexed" },
    });
    let isChanged = false;
    const DB = databaseWith("INSERT INTO summaries", async () => {
      if (isChanged) return;
      isChanged = true;
      await caller.call(contracts.updateMessage, {
        params: { ...params, message_id },
        body: { content: "Zanzibar sells nutmeg." },
      });
    });
    await service.summarizeApart({ db: DB });
    if (!isChanged) throw new Error("no summary was stored");
    const made = JSON.stringify(await summariesOf(caller, id));
    expect(made).not.toContain(said(3));
    await settle();
    expect(JSON.stringify(await summariesOf(caller, id))).toContain("Zanzibar");
  });

  test.for(["a conversation", "conversations", "a user", "an organization"])(
    "takes all of them with the deletion of %s, whose receipt counts them",
    async (what) => {
      const { caller, id, params, store, idle, organizationId } = await openConversation({ user_id: "ana" });
      await store(1, 200);
      const receipt =
        what === "a conversation"
          ? await caller.call(contracts.deleteConversation, { params })
          : what === "conversations"
            ? await caller.call(contracts.deleteConversations, { body: { filter: { user_id: "ana" } } })
            : what === "a user"
              ? await caller.call(contracts.deleteUser, { params: { user_id: "ana" } })
              : await operator.call(contracts.deleteOrganization, {
                  params: { organization_id: organizationId },
                });
      if (what !== "an organization")
        expect(await caller.fail(contracts.listSummaries, { params })).toMatchObject({ code: "not_found" });
      await idle();
      const reader = what === "an organization" ? operator : caller;
      const ended = await reader.call(contracts.getOperation, {
        params: { operation_id: (receipt as { id: string }).id },
      });
      expect(ended).toMatchObject({ status: "succeeded", summaries_deleted: 9 });
      for (const table of ["summaries", "summary_jobs"])
        expect(await selectRow(`SELECT count(*) AS n FROM ${table} WHERE conversation_id = ?1`, id)).toEqual({
          n: 0,
        });
    },
  );
});

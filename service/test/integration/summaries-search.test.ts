import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { type Caller, createKey } from "../support/client.ts";
import { open } from "../support/invocations.ts";
import { AI, openConversation, said, summariesOf } from "../support/summaries.ts";

describe("search in summaries", () => {
  const search = (caller: Caller, body: object) =>
    caller.call(contracts.search, {
      body: { query: "ledger 1030", mode: "keyword", in: ["summaries"], ...body },
    });

  test("returns the summary of each match with the messages that it cites, as part of the result of the match", async () => {
    const { caller, id, store } = await openConversation();
    await store(1, 48);
    const { results, tokens } = await search(caller, { limit: 5 });
    const [first] = results;
    if (first?.type !== "messages") throw new Error("no messages");
    expect(first.matches[0]?.sequence).toBe(30);
    const [summary, ...others] = first.summaries ?? [];
    expect(others).toEqual([]);
    expect(summary).toMatchObject({ level: 1, from_sequence: 25, to_sequence: 48 });
    const stored = await summariesOf(caller, id);
    expect(summary?.sentences).toEqual(stored[1]?.sentences);
    const cited = new Set(
      summary?.sentences.flatMap(({ cites }) => cites.map(({ message_id }) => message_id)),
    );
    expect(summary?.messages.map(({ message_id }) => message_id).sort()).toEqual([...cited].sort());
    for (const { sequence, content } of summary?.messages ?? []) expect(content).toBe(said(sequence));
    // Once, with the best result.
    const many = await search(caller, { query: "Priya", limit: 10, neighbors: { before: 0, after: 0 } });
    const returned = many.results.map((result) =>
      result.type === "messages" ? result.summaries?.map(({ from_sequence }) => from_sequence) : null,
    );
    expect(returned.length).toBeGreaterThan(2);
    expect(returned.flat().sort()).toEqual([1, 25]);
    const plain = await search(caller, { in: ["conversations"], limit: 5 });
    expect(plain.results.every((result) => !("summaries" in result))).toBe(true);
    expect(tokens).toBeGreaterThan(plain.tokens);
  });

  test("leaves summaries out that do not fit, and never a message for one", async () => {
    const { caller, store } = await openConversation();
    await store(1, 48);
    const plain = await search(caller, { in: ["conversations"], max_tokens: 120 });
    const small = await search(caller, { in: ["conversations", "summaries"], max_tokens: 120 });
    expect(small.tokens).toBeLessThanOrEqual(120);
    const bare = small.results.map((result) => ({ ...result, summaries: undefined }));
    expect(bare).toMatchObject(plain.results);
    expect(small.results[0]).toMatchObject({ summaries: [] });
  });

  test("has the part of a long message that is cited", async () => {
    const { caller, id, append, summarize, settle } = await openConversation();
    const noise = "So it was, and so it is, and it was so. ".repeat(60);
    await append(id, [`${noise}The Kestrel ledger 1030 moved to Antwerp on Friday. ${noise}`]);
    await settle();
    await summarize();
    const { results } = await search(caller, {});
    const [first] = results;
    const [summary] = first?.type === "messages" ? (first.summaries ?? []) : [];
    const [message] = summary?.messages ?? [];
    expect(message?.content.length).toBe(1_000);
    expect(message?.content).toContain("Kestrel ledger 1030");
  });

  test("returns none of a message that was edited or deleted, and none as of the past", async () => {
    const { caller, params, store, messageAt } = await openConversation();
    await store(1, 24);
    const asked = { query: "ledger 1003" };
    const message_id = await messageAt(5);
    await caller.call(contracts.deleteMessage, { params: { ...params, message_id } });
    const { results } = await search(caller, asked);
    expect(results[0]).toMatchObject({ type: "messages", summaries: [] });
    const past = { ...asked, query: "ledger", in: ["summaries"], as_of: "2026-01-01T00:00:00Z" };
    expect(await caller.fail(contracts.search, { body: past })).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "in" }],
    });
  });

  test("returns none of another agent, user or organization", async () => {
    const { caller, store, service } = await openConversation({ agent_id: "a", user_id: "u" });
    await store(1, 24);
    const keys = await Promise.all(
      [{ agent_id: "a" }, { user_id: "u" }, { agent_id: "b" }, { user_id: "v" }].map((owner) =>
        createKey(caller, { scopes: ["search"], ...owner }),
      ),
    );
    const found = await Promise.all(
      keys.map(
        async ({ secret }) =>
          (await search(service.callerOf(secret), { query: "ledger 1003" })).results.length,
      ),
    );
    expect(found.map((count) => count > 0)).toEqual([true, true, false, false]);
    const other = await open({ AI });
    expect((await search(other.caller, { query: "ledger 1003" })).results).toEqual([]);
  });
});

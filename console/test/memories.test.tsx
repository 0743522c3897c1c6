// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { LATER } from "../src/later-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const { changesOf } = await import("../src/text-changes.ts");
const { statesOf } = await import("../src/memory-state.ts");

const AT = "2026-11-02T09:30:00.000Z";
const MEMORY = {
  ...{ id: "mem_1", kind: "note", content: "Maria <b>wants</b> refunds to her card.", parts: null },
  ...{ source: null, agent_id: null, user_id: "maria", external_id: null, tags: ["refunds"], summary: null },
  ...{ metadata: {}, valid_from: null, valid_until: null, occurred_at: null, supersedes: null },
  ...{ superseded_by: null, enriched_by: null, created_at: AT, updated_at: AT, sources: [] },
};
const page = (...items: unknown[]) => json({ items, next_cursor: null, total: items.length });

/** A service that answers each path so, and has nothing else. */
const serving =
  (paths: Record<string, Answer>): Answer =>
  (url, init) =>
    (paths[url.pathname] ?? emptyStore)(url, init);
const having = (memory: object, paths: Record<string, Answer> = {}) =>
  serving({ "/v1/memories/mem_1": () => json({ ...MEMORY, chunks: [], ...memory }), ...paths });

const all = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());
const press = (name: string, within = "body") =>
  [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)]
    .findLast(({ textContent }) => textContent === name)
    ?.click();

describe("a memory", () => {
  const source = {
    ...{ conversation_id: "conv_1", message_id: "msg_2", sequence: 2, start: 0, end: 4 },
    ...{ quote: "Never <i>credit</i>.", state: "intact" },
  };

  test("shows what it cites, as text, with the state of each message and the way to it", async () => {
    const gone = { ...source, message_id: "msg_3", sequence: 3, quote: null, state: "deleted" };
    await open(
      "memories/mem_1",
      having(
        { sources: [source, { ...source, state: "edited", quote: null }, gone] },
        {
          "/v1/conversations/conv_1": () => json({ title: "Order <b>1029</b>", messages: {} }),
          "/v1/conversations/conv_1/messages/msg_2": () =>
            json({ role: "user", name: null, content: "Never <i>credit</i>. Thanks.", created_at: AT }),
        },
      ),
    );
    await until(() => expect(text(".sources")).toContain("Order <b>1029</b>"));
    expect(all(".sources blockquote")).toEqual(["Never <i>credit</i>."]);
    expect(all(".sources .badge")).toEqual(["Intact", "Edited", "Deleted"]);
    expect(all(".sources li > p:first-child")).toEqual([LATER.sources.lost, LATER.sources.gone]);
    const links = [...document.querySelectorAll(".sources a")].map((each) => each.getAttribute("href"));
    expect(links[0]).toBe("#/conversations/conv_1?at=2&memory=mem_1");
    expect(links[2]).toBe("#/conversations/conv_1?at=3&memory=mem_1");
    expect(all("h1 .badge")).toEqual(["Source deleted", "Source edited"]);
    expect(document.querySelector("main :is(b, i)")).toBeNull();
  });

  test("that cites a whole message shows how it begins", async () => {
    const whole = { ...source, quote: null };
    const said = { role: "user", name: "Maria", content: "I want letters.", created_at: AT };
    await open(
      "memories/mem_1",
      having(
        { sources: [whole] },
        {
          "/v1/conversations/conv_1": () => json({ title: null, messages: {} }),
          "/v1/conversations/conv_1/messages/msg_2": () => json(said),
        },
      ),
    );
    await until(() => expect(all(".sources blockquote")).toEqual(["I want letters."]));
    expect(text(".sources li > .note")).toContain("Maria");
  });

  test("shows when it holds, and links what it replaces and what replaced it", async () => {
    await open(
      "memories/mem_1",
      having(
        {
          valid_from: AT,
          valid_until: "2026-11-03T09:30:00.000Z",
          supersedes: "mem_0",
          superseded_by: "mem_2",
        },
        {
          "/v1/memories/mem_0": () => problem(404, "not_found", "No."),
          "/v1/memories/mem_2": () => json({ ...MEMORY, id: "mem_2", content: "Letters only.", chunks: [] }),
        },
      ),
    );
    await until(() => expect(text('.facts a[href="#/memories/mem_2"]')).toBe("Letters only."));
    await until(() => expect(text(".facts")).toContain(`mem_0 ${LATER.memory.gone}`));
    expect(document.querySelectorAll(".facts dd > time")).toHaveLength(3);
    expect(all("h1 .badge")).toEqual(["Ended"]);
  });

  const VERSION = { ...MEMORY, key_id: "key_1", stored_at: AT, replaced_at: null, content_hash: "" };

  test("shows its versions with what changed, who changed it, and when", async () => {
    const versions = [
      { ...VERSION, version: 4 },
      { ...VERSION, version: 3, replaced_at: AT },
      {
        ...{ ...VERSION, version: 2, replaced_at: AT, key_id: null, enriched_by: "model" },
        ...{ summary: "Refunds", tags: ["card"], content: "Maria <b>wants</b> money." },
      },
      { ...VERSION, version: 1, replaced_at: AT, key_id: null, content: "Maria <b>wants</b> money." },
    ];
    await open(
      "memories/mem_1",
      having(
        {},
        {
          "/v1/memories/mem_1/versions": () => page(...versions),
          "/v1/keys": () => page({ id: "key_1", name: "Support <b>bot</b>" }),
        },
      ),
    );
    await until(() => expect(text(".versions")).toContain("Support <b>bot</b>"));
    const rows = [...document.querySelectorAll(".versions > li")];
    expect(rows[0]?.textContent).toContain(LATER.versions.onlySources);
    expect(rows[0]?.querySelector(".badge")?.textContent).toBe(LATER.versions.now);
    expect([...(rows[1]?.querySelectorAll("del") ?? [])].map((each) => each.textContent)).toEqual([
      "money",
      "card",
      "Refunds",
    ]);
    expect([...(rows[1]?.querySelectorAll("ins") ?? [])].map((each) => each.textContent)).toEqual([
      "refunds to her card",
      "refunds",
      "none",
    ]);
    expect(rows[2]?.textContent).toContain("by model");
    expect(rows[3]?.textContent).toContain(LATER.versions.first);
    expect(rows[3]?.textContent).toContain(LATER.versions.nobody);
    expect(rows[3]?.querySelector("details .prose")?.textContent).toBe("Maria <b>wants</b> money.");
    expect(document.querySelector("main b")).toBeNull();
  });

  test("says nothing of the change of a version until the one before it is loaded", async () => {
    await open(
      "memories/mem_1",
      having(
        {},
        {
          "/v1/memories/mem_1/versions": ({ searchParams }) =>
            searchParams.has("cursor")
              ? page({ ...VERSION, version: 1, content: "Before" })
              : json({ items: [{ ...VERSION, version: 2 }], next_cursor: "next" }),
        },
      ),
    );
    await until(() => expect(document.querySelectorAll(".versions > li")).toHaveLength(1));
    expect(text(".versions")).not.toContain(LATER.versions.first);
    expect(document.querySelector(".versions :is(ins, del)")).toBeNull();
    press(MESSAGES.more);
    await until(() => expect(all(".versions del")).toEqual(["Before"]));
  });

  test("that was just stored asks about possible conflicts, and ends one on request", async () => {
    const bodies: unknown[] = [];
    const conflict: Answer = (_, { method, body }) => {
      if (method === "PATCH") bodies.push(body);
      return json({ ...MEMORY, id: "mem_2", content: "The rent is 950.", chunks: [] });
    };
    await open("memories/mem_1?conflicts=mem_2", having({}, { "/v1/memories/mem_2": conflict }));
    await until(() => expect(text(".conflicts a")).toBe("The rent is 950."));
    press(LATER.conflicts.end);
    await until(() => expect(location.hash).toBe("#/memories/mem_1"));
    expect(bodies).toEqual([{ valid_until: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    expect(document.querySelector(".conflicts")).toBeNull();
  });

  test("is stored with a check for conflicts", async () => {
    const bodies: unknown[] = [];
    await open(
      "memories",
      serving({
        "/v1/memories": (url, init) => {
          if (init.method !== "POST") return emptyStore(url, init);
          bodies.push(init.body);
          return json({ ...MEMORY, possible_conflicts: ["mem_2", "mem_3"] }, 201);
        },
      }),
    );
    await until(() => expect(text("main .empty")).not.toBe(""));
    press(LATER.memoryBulk.deleteTitle);
    press(MESSAGES.memories.capture, "main");
    await until(() => expect(document.querySelector("dialog textarea")).not.toBeNull());
    Object.assign(document.querySelector("dialog textarea") as object, { value: "Rent: 1,020." });
    press(MESSAGES.memories.capture, "dialog");
    await until(() => expect(location.hash).toBe("#/memories/mem_1?conflicts=mem_2&conflicts=mem_3"));
    expect(bodies).toMatchObject([{ content: "Rent: 1,020.", check_conflicts: true }]);
  });

  test("is marked in lists if it has ended or a source of it was deleted", async () => {
    const flagged = { ...MEMORY, sources: [{ ...source, state: "deleted" }] };
    const ended = { ...MEMORY, id: "mem_2", valid_until: AT };
    await open("memories?as_of=2026-11-02", serving({ "/v1/memories": () => page(flagged, ended) }));
    await until(() => expect(all("tbody tr .badge")).toEqual(["Source deleted", "Ended"]));
  });
});

test.for([
  [{ valid_until: AT }, ["ended"]],
  [{ valid_until: "2026-11-02T09:30:00.001Z" }, []],
  [{ valid_from: "2026-11-02T09:30:00.001Z" }, ["notYet"]],
  [{ valid_from: AT }, []],
  [{}, []],
] as const)("a memory with %j is %j at 09:30", ([memory, states]) => {
  expect(statesOf(memory, Date.parse(AT))).toEqual(states);
});

describe("what changed in a text", () => {
  test.for([
    ["Room 12.", "Room 31.", "Room [-12][+31]."],
    ["a b c", "a b c", "a b c"],
    ["to her bank account.", "to her card, never credit.", "to her [-bank account][+card, never credit]."],
    ["a b\n\nc", "a B\n\nC", "a [-b][+B]\n\n[-c][+C]"],
    ["", "new", "[+new]"],
    [`${"x ".repeat(100)}one`, `${"x ".repeat(100)}two`, `…${"x ".repeat(40)}[-one][+two]`],
    [`${"🙂".repeat(100)} one`, `${"🙂".repeat(100)} two`, `…${"🙂".repeat(39)} [-one][+two]`],
  ] as const)("from %j to %j is shown word by word", ([before, after, shown]) => {
    const marks = { same: "", added: "+", removed: "-" };
    const changes = changesOf(before, after).map(({ kind, text: part }) =>
      kind === "same" ? part : `[${marks[kind]}${part}]`,
    );
    expect(changes.join("")).toBe(shown);
  });

  test("is the whole text if too much differs", () => {
    const before = Array.from({ length: 2_000 }, (_, i) => `a${i}`).join(" same ");
    const after = Array.from({ length: 2_000 }, (_, i) => `b${i}`).join(" same ");
    const [removed, added, ...others] = changesOf(before, after);
    expect(others).toEqual([]);
    expect(removed).toMatchObject({ kind: "removed", text: expect.stringMatching(/^a0 same a1 .*…$/) });
    expect(added).toMatchObject({ kind: "added", text: expect.stringMatching(/^b0 same b1 .*…$/) });
  });
});

describe("a message", () => {
  const conversation = {
    ...{ id: "conv_1", title: "Refund", user_id: null, agent_id: null, external_id: null, tags: [] },
    ...{ metadata: {}, message_count: 2, last_sequence: 2, created_at: AT, updated_at: AT, messages: {} },
  };
  const message = (sequence: number) => ({
    ...{ id: `msg_${sequence}`, conversation_id: "conv_1", sequence, role: "user", name: null, parts: null },
    ...{ content: `No. ${sequence}`, tool_name: null, tool_call_id: null, external_id: null, metadata: {} },
    ...{ created_at: AT, stored_at: AT, updated_at: null },
  });
  const cites = (id: string, ...sequences: number[]) => ({
    ...{ ...MEMORY, id },
    sources: sequences.map((sequence) => ({
      ...{ conversation_id: "conv_1", message_id: `msg_${sequence}`, sequence, state: "intact" },
    })),
  });

  test("links the memories that cite it, and its conversation all of them", async () => {
    await open(
      "conversations/conv_1?at=2&memory=mem_9",
      serving({
        "/v1/conversations/conv_1": () => json(conversation),
        "/v1/conversations/conv_1/messages": () => page(message(1), message(2)),
        "/v1/memories": () => page(cites("mem_1", 1, 1), cites("mem_2", 2), cites("mem_3", 2)),
      }),
    );
    await until(() => expect(all(".derived")).toEqual(["1 memory", "2 memories"]));
    const links = [...document.querySelectorAll(".derived")].map((each) => each.getAttribute("href"));
    expect(links).toEqual(["#/memories/mem_1", "#/memories?source_message_id=msg_2"]);
    expect(text('.facts a[href="#/memories?source_conversation_id=conv_1"]')).toBe("3");
    expect(text('.chat-bar a[href="#/memories/mem_9"]')).toContain(MESSAGES.conversation.backToMemory);
  });
});

describe("a deletion", () => {
  const receipt = {
    ...{ id: "op_1", type: "delete_memory", status: "running", target_id: "mem_1", created_at: AT },
    ...{ completed_at: null, rows_deleted_at: null, vectors_deleted_at: null, recoverable_until: null },
    memory_versions_deleted: 0,
  };

  test("forgets only if the box is checked, and is followed until it is complete", async () => {
    let asks = 0;
    const paths = {
      "/v1/operations/op_1": () => {
        asks += 1;
        if (asks === 1) return problem(409, "conflict", "Not now.");
        return json({ ...receipt, status: "succeeded", completed_at: AT, memory_versions_deleted: 1_200 });
      },
    };
    const asked = await open("memories/mem_1", (url, init) =>
      init.method === "DELETE" ? json(receipt, 202) : having({}, paths)(url, init),
    );
    await until(() => expect(text("main .actions")).toContain(MESSAGES.memories.delete));
    press(MESSAGES.memories.delete);
    await until(() => expect(document.querySelector("dialog [name=forget]")).not.toBeNull());
    expect(text("dialog label")).toContain(MESSAGES.forget.memory);
    (document.querySelector("dialog [name=forget]") as HTMLInputElement).checked = true;
    press(MESSAGES.memories.delete, "dialog");
    await until(() => expect(text("dialog .receipt")).toContain("Not now."));
    await until(() => expect(text("dialog .receipt .badge")).toBe(MESSAGES.statuses.succeeded));
    expect(text("dialog .receipt .facts")).toBe(`${MESSAGES.counts.memory_versions_deleted}1,200`);
    expect(text("dialog .receipt")).not.toContain("Not now.");
    expect(asked.filter((line) => line.startsWith("DELETE"))).toEqual([
      "DELETE /v1/memories/mem_1?forget=true",
    ]);
  });

  test("of several memories forgets each, and counts those that are removed for good", async () => {
    const memories = ["mem_1", "mem_2", "mem_3"].map((id) => ({ ...MEMORY, id }));
    const asked = await open("memories", (url, { method, body }) => {
      if (method === "DELETE") return json({ ...receipt, id: url.pathname.replace(/.*_/, "op_") }, 202);
      if (url.pathname === "/v1/operations") return page({ ...receipt, id: "op_2" });
      return serving({ "/v1/memories": () => page(...memories) })(url, { method, body });
    });
    await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(3));
    document.querySelector<HTMLInputElement>("thead input")?.click();
    await until(() => expect(text(".selection-bar")).toContain("3 selected"));
    press(MESSAGES.bulk.delete);
    await until(() => expect(text("dialog")).toContain(LATER.memoryBulk.deleteQuestion(3)));
    (document.querySelector("dialog [name=forget]") as HTMLInputElement).checked = true;
    press(LATER.memoryBulk.deleteCount(3), "dialog");
    await until(() => expect(text("dialog .progress")).toBe("2 of 3 removed for good"));
    expect(asked.filter((line) => line.startsWith("DELETE")).sort()).toEqual([
      "DELETE /v1/memories/mem_1?forget=true",
      "DELETE /v1/memories/mem_2?forget=true",
      "DELETE /v1/memories/mem_3?forget=true",
    ]);
  });

  test("of a user says that it holds until the tombstone is lifted", async () => {
    const user = {
      id: "maria",
      conversation_count: 1,
      memory_count: 1,
      first_seen_at: null,
      last_seen_at: null,
    };
    await open("users/maria", serving({ "/v1/users/maria": () => json(user) }));
    await until(() => expect(text("h1")).toBe("maria"));
    press(`${MESSAGES.users.delete}…`);
    await until(() => expect(text("dialog")).toContain(MESSAGES.users.deleteHolds));
    expect(document.querySelector("dialog [name=forget]")).toBeNull();
  });

  test.for([
    ["delete_memories", true],
    ["delete_memory", false],
  ] as const)("of the type %s offers to cancel it: %s", async ([type, isOffered]) => {
    await open("operations/op_1", serving({ "/v1/operations/op_1": () => json({ ...receipt, type }) }));
    await until(() => expect(text(".receipt")).not.toBe(""));
    expect(text("main .screen-head").includes(MESSAGES.operations.cancel)).toBe(isOffered);
  });
});

describe("the tombstones", () => {
  const tombstone = {
    ...{ id: "tomb_1", kind: "user", operation_id: "op_1", conversations: 1, messages: 12, memories: 3 },
    created_at: AT,
  };

  test("name what was deleted, and one is lifted after a question", async () => {
    const asked = await open("tombstones", (url, init) => {
      if (init.method === "DELETE") return json(tombstone);
      const operations = () => page({ id: "op_1", target_id: "maria <b>" });
      return serving({ "/v1/tombstones": () => page(tombstone), "/v1/operations": operations })(url, init);
    });
    await until(() => expect(text("tbody tr")).toContain("maria <b>"));
    expect(text("tbody tr")).toContain("1 conversation, 12 messages, 3 memories");
    press(LATER.tombstones.lift);
    await until(() => expect(text("dialog")).toContain(LATER.tombstones.liftText));
    expect(text("dialog")).toContain(LATER.tombstones.liftUser);
    expect(asked.some((line) => line.startsWith("DELETE"))).toBe(false);
    press(LATER.tombstones.liftTitle, "dialog");
    await until(() => expect(text("main .empty")).toContain(LATER.tombstones.none));
    expect(asked).toContain("DELETE /v1/tombstones/tomb_1");
  });
});

test("the settings show and change what happens when a source is deleted", async () => {
  const organization = {
    ...{ id: "org_1", name: "Acme <b>", on_source_deleted: "flag", conversation_count: 1, message_count: 2 },
    created_at: AT,
  };
  const bodies: unknown[] = [];
  await open("settings", (_, { method, body }) => {
    if (method === "PATCH") bodies.push(body);
    return method === "PATCH" && bodies.length === 1
      ? problem(403, "forbidden", "The key lacks the scope `admin`.")
      : json(organization);
  });
  await until(() => expect(text(".facts")).toContain("Acme <b>"));
  expect(document.querySelector<HTMLInputElement>("main input:checked")?.value).toBe("flag");
  document.querySelector<HTMLInputElement>("input[value=delete]")?.click();
  press(MESSAGES.save);
  await until(() => expect(text("main .forbidden")).toContain("lacks the scope `admin`"));
  press(MESSAGES.save);
  await until(() => expect(text("main [role=status]")).toBe(LATER.settings.saved));
  expect(bodies).toEqual([{ on_source_deleted: "delete" }, { on_source_deleted: "delete" }]);
});

test("a message among the results of a search has the time when it was said", async () => {
  const said = "2025-01-02T03:04:05.000Z";
  const message = {
    ...{ id: "msg_2", sequence: 2, role: "user", name: null, content: "On Monday.", tool_name: null },
    ...{ created_at: said, stored_at: AT, updated_at: null, metadata: {}, parts: null, tool_call_id: null },
    external_id: null,
  };
  const result = {
    ...{ type: "messages", relevance: 0.9, score: 1, conversation_id: "conv_1", start_sequence: 2 },
    conversation: { title: "Refund", user_id: null, agent_id: null, tags: [], created_at: AT },
    matches: [{ message_id: "msg_2", sequence: 2, score: 1, highlights: [] }],
    ...{ end_sequence: 2, messages: [message] },
  };
  await open("search?q=when", () =>
    json({ results: [result], pending: 0, below_min_relevance: 0, degraded: [], tokens: 0, omitted: 0 }),
  );
  await until(() => expect(document.querySelector(".hit")).not.toBeNull());
  const time = document.querySelector(".hit > header time");
  expect(time?.getAttribute("datetime")).toBe(said);
  expect(time?.getAttribute("title")).toContain(said);
});

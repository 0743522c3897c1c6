// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { ARCHIVES, HOLDS, RETENTION } from "../src/data-rules-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const AT = "2026-11-02T09:30:00.000Z";
const page = (items: readonly object[]) => json({ items, next_cursor: null });

/** Presses the first button of this name. */
const press = (name: string, within: string) =>
  [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)]
    .find(({ textContent }) => textContent === name)
    ?.click();

/** Fills a field of the dialog. */
const fill = (name: string, value: string) => {
  const field = document.querySelector<HTMLInputElement>(`dialog [name=${name}]`);
  if (field) field.value = value;
  field?.dispatchEvent(new Event("change", { bubbles: true }));
};

/** Answers, and keeps the bodies of what was sent, by method and path. */
function keeping(answer: Answer): { sent: Record<string, unknown>; answer: Answer } {
  const sent: Record<string, unknown> = {};
  return {
    sent,
    answer: (url, init) => {
      if (init.method !== "GET") sent[`${init.method} ${url.pathname}`] = init.body ?? null;
      return answer(url, init);
    },
  };
}

const RULE = {
  ...{ id: "ret_1", name: "<b>Old</b>", kind: "conversations", older_than_days: 365, by: "last_message_at" },
  ...{ filter: { tags_any: ["a", "b"] }, dry_run: true, matched: 12, operation_id: "op_1" },
  ...{ created_at: AT, updated_at: AT, applied_at: AT },
};
const PREVIEW = { matched: 7, held: 2, complete: true, samples: ["conv_1", "conv_2"] };

describe("retention", () => {
  test("shows what each rule is about, with its last deletion, and switches and deletes it after a question", async () => {
    const { sent, answer } = keeping((url, init) => {
      if (url.pathname === "/v1/retention/preview") return json(PREVIEW);
      if (url.pathname === "/v1/retention") return page([RULE]);
      return init.method === "GET" ? emptyStore(url, init) : json(RULE);
    });
    await open("retention", answer);
    await until(() => expect(text("tbody tr")).toContain("<b>Old</b>"));
    for (const part of [
      "Conversations",
      "Older than 365 days",
      "Last message",
      "a, b",
      "12",
      RETENTION.counts,
    ])
      expect(text("tbody tr")).toContain(part);
    expect(document.querySelector("tbody b")).toBeNull();
    expect(document.querySelector<HTMLAnchorElement>("tbody a")?.hash).toBe("#/operations/op_1");
    press(RETENTION.startDeleting, "tbody");
    await until(() => expect(text("dialog")).toContain(RETENTION.willMatch(7, true)));
    expect(sent).not.toHaveProperty("PATCH /v1/retention/ret_1");
    press(RETENTION.startDeleting, "dialog");
    await until(() => expect(sent["PATCH /v1/retention/ret_1"]).toEqual({ dry_run: false }));
    await until(() => expect(document.querySelector("dialog")).toBeNull());
    // The list is loaded again.
    await until(() => expect(text("tbody tr")).not.toBe(""));
    press(MESSAGES.bulk.delete, "tbody");
    await until(() => expect(text("dialog")).toContain(RETENTION.deleteText));
    expect(sent).not.toHaveProperty("DELETE /v1/retention/ret_1");
    press(RETENTION.delete, "dialog");
    await until(() => expect(sent).toHaveProperty("DELETE /v1/retention/ret_1"));
  });

  test("previews a rule before it creates it", async () => {
    const { sent, answer } = keeping((url, init) => {
      if (url.pathname === "/v1/retention/preview") return json(PREVIEW);
      return init.method === "GET" ? emptyStore(url, init) : json(RULE, 201);
    });
    await open("retention", answer);
    await until(() => expect(text("main .state.empty")).toContain(RETENTION.none));
    press(RETENTION.create, "main");
    await until(() => expect(text("dialog")).toContain(RETENTION.times.last_message_at));
    fill("kind", "memories");
    await until(() => expect(text("dialog")).not.toContain(RETENTION.times.last_message_at));
    fill("name", "Old notes");
    fill("older_than_days", "30");
    fill("user_id", "maria");
    press(RETENTION.preview, "dialog");
    await until(() => expect(text("dialog")).toContain("conv_1 conv_2"));
    expect(text("dialog")).toContain(RETENTION.held);
    const about = { kind: "memories", older_than_days: 30, by: "created_at", filter: { user_id: "maria" } };
    expect(sent["POST /v1/retention/preview"]).toEqual(about);
    expect(sent).not.toHaveProperty("POST /v1/retention");
    press(RETENTION.create, "dialog");
    const body = { name: "Old notes", ...about, dry_run: true };
    await until(() => expect(sent["POST /v1/retention"]).toEqual(body));
  });
});

const HOLD = {
  ...{
    id: "hold_1",
    status: "active",
    reason: "<b>Case</b> 1",
    filter: { user_id: "maria" },
    item_count: null,
  },
  ...{ created_at: AT, created_by: "key_1", lifted_at: null, lifted_by: null },
};

describe("legal holds", () => {
  test("are listed with the active ones first, counted when they are opened, and lifted after a question", async () => {
    const lifted = { ...HOLD, id: "hold_2", status: "lifted", filter: null, item_count: 3, lifted_at: AT };
    const { sent, answer } = keeping((url, init) => {
      if (url.pathname === "/v1/holds")
        return page([url.searchParams.get("status") === "active" ? HOLD : lifted]);
      if (url.pathname === "/v1/holds/hold_1")
        return json({ ...HOLD, ids: null, conversations: 12, memories: 1, complete: true });
      return init.method === "GET" ? emptyStore(url, init) : json(lifted);
    });
    await open("holds", answer);
    await until(() => expect(document.querySelectorAll("table")).toHaveLength(2));
    expect(text("table")).toContain("<b>Case</b> 1");
    expect(text("table")).toContain("maria");
    expect(document.querySelector("table b")).toBeNull();
    const second = document.querySelectorAll("table")[1]?.textContent;
    expect(second).toContain(HOLDS.someIds(3));
    expect(second).not.toContain(HOLDS.liftTitle);
    press(HOLD.reason, "table");
    await until(() => expect(text("dialog")).toContain("12 conversations and 1 memory"));
    document.querySelector("dialog")?.dispatchEvent(new Event("close"));
    await until(() => expect(document.querySelector("dialog")).toBeNull());
    press(HOLDS.lift, "table");
    await until(() => expect(text("dialog")).toContain(HOLDS.liftText));
    expect(sent).toEqual({});
    press(HOLDS.liftTitle, "dialog");
    await until(() => expect(sent).toHaveProperty("POST /v1/holds/hold_1/lift"));
  });

  test.for([
    [{ ids: "conv_1\nmem_1" }, { ids: ["conv_1", "mem_1"] }],
    [
      { user_id: "maria", tags: "a\nb", corpus: "memories" },
      { filter: { corpus: "memories", user_id: "maria", tags_any: ["a", "b"] } },
    ],
    [{}, { filter: {} }],
  ] as const)("are created from %j", async ([fields, expected]) => {
    const { sent, answer } = keeping((url, init) =>
      init.method === "GET" ? emptyStore(url, init) : json(HOLD, 201),
    );
    await open("holds", answer);
    await until(() => expect(text("main .state.empty")).toContain(HOLDS.none));
    press(HOLDS.create, "main");
    await until(() => expect(text("dialog")).toContain(HOLDS.ids));
    for (const [name, value] of Object.entries({ reason: "Case 1", ...fields })) fill(name, value);
    press(HOLDS.create, "dialog");
    await until(() => expect(sent["POST /v1/holds"]).toEqual({ reason: "Case 1", ...expected }));
  });
});

const ARCHIVE = {
  ...{ id: "arc_1", operation_id: "op_1", created_at: AT, completed_at: AT, expires_at: null },
  ...{ schema_version: 1, part_count: 1, bytes: 9_000, stored_bytes: 1_500 },
  counts: { conversations: 1, messages: 1_200, memories: 2, memory_versions: 0, recalls: 0 },
};

describe("archives", () => {
  test("have their size and counts, and one that is written is followed until it is complete", async () => {
    let reads = 0;
    const { sent, answer } = keeping((url, init) => {
      if (url.pathname === "/v1/archives/schedule")
        return json({ every_days: 7, keep_days: 30, next_at: AT });
      if (init.method !== "GET" || url.pathname !== "/v1/archives")
        return init.method === "GET" ? emptyStore(url, init) : json(ARCHIVE);
      reads += 1;
      return page([reads === 1 ? { ...ARCHIVE, completed_at: null } : ARCHIVE]);
    });
    await open("archives", answer);
    await until(() => expect(text("tbody tr")).toContain(ARCHIVES.writing));
    await until(() => expect(text("tbody tr")).toContain(ARCHIVES.complete));
    for (const part of ["1 conversation, 1,200 messages, 2 memories", "1.5 kB", ARCHIVES.kept])
      expect(text("tbody tr")).toContain(part);
    await until(() => expect(text("main .facts")).toContain("Every 7 days, kept for 30 days"));
    press(ARCHIVES.schedule, "main");
    await until(() => expect(text("dialog")).toContain(ARCHIVES.everyDays));
    fill("every_days", "");
    press(MESSAGES.save, "dialog");
    await until(() => expect(sent["PUT /v1/archives/schedule"]).toEqual({ every_days: null, keep_days: 30 }));
    await until(() => expect(document.querySelector("dialog")).toBeNull());
    // The list is loaded again.
    await until(() => expect(text("tbody tr")).not.toBe(""));
    press(MESSAGES.bulk.delete, "tbody");
    await until(() => expect(text("dialog")).toContain(ARCHIVES.deleteText));
    expect(sent).not.toHaveProperty("DELETE /v1/archives/arc_1");
    press(ARCHIVES.delete, "dialog");
    await until(() => expect(sent).toHaveProperty("DELETE /v1/archives/arc_1"));
  });

  test("say so when the service has no object store", async () => {
    await open("archives", (url, init) =>
      init.method === "GET" ? emptyStore(url, init) : problem(501, "not_configured", "No bucket."),
    );
    await until(() => expect(text("main .state.empty")).toContain(ARCHIVES.none));
    press(ARCHIVES.create, "main");
    await until(() => expect(text("dialog")).toContain(ARCHIVES.createText));
    press(ARCHIVES.create, "dialog");
    await until(() => expect(text("main .state.empty")).toContain(ARCHIVES.noStore));
    expect(document.querySelector("dialog")).toBeNull();
    expect(document.querySelector(".state.failed")).toBeNull();
  });
});

// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { MESSAGES } from "../src/messages.ts";
import { SUMMARIES } from "../src/summary-messages.ts";
import { open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const AT = "2026-11-02T09:30:00.000Z";
const PLACE = "conversations/conv_1?show=summaries";
const PATH = "/v1/conversations/conv_1/summaries";

const summary = (level: number, from_sequence: number, to_sequence: number, of: object = {}) => ({
  ...{
    conversation_id: "conv_1",
    level,
    from_sequence,
    to_sequence,
    full: true,
    model: null,
    created_at: AT,
  },
  sentences: [
    {
      text: `<b>Level ${level}</b>, from ${from_sequence}.`,
      cites: [from_sequence, to_sequence].map((sequence) => ({ message_id: `msg_${sequence}`, sequence })),
    },
  ],
  ...of,
});

/** A conversation with these summaries, which `make` may add to. */
const serving =
  (summaries: readonly object[], make: Answer = () => problem(403, "forbidden", "No.")): Answer =>
  (url, init) => {
    if (url.pathname === "/v1/conversations/conv_1")
      return json({
        ...{ id: "conv_1", title: "Ledger", user_id: null, agent_id: null, external_id: null, tags: [] },
        ...{ metadata: {}, message_count: 200, last_sequence: 200, created_at: AT, updated_at: AT },
      });
    if (url.pathname !== PATH) return json({ items: [], next_cursor: null, total: 0 });
    if (init.method === "POST") return make(url, init);
    const level = Number(url.searchParams.get("level"));
    const from = Number(url.searchParams.get("from_sequence") ?? 0);
    const items = (summaries as ReturnType<typeof summary>[]).filter(
      (each) => each.level === level && each.to_sequence >= from,
    );
    return json({ items, next_cursor: null });
  };

const press = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
const shown = () => [...document.querySelectorAll(".sources > li")].map(({ textContent }) => textContent);

describe("the summaries of a conversation", () => {
  test("are those of the highest level, each sentence as text with links to its messages", async () => {
    const asked = await open(PLACE, serving([summary(1, 1, 24), summary(1, 25, 48), summary(2, 1, 48)]));
    await until(() => expect(shown()).toHaveLength(1));
    expect(shown()[0]).toContain("Messages 1–48");
    expect(shown()[0]).toContain("<b>Level 2</b>, from 1. #1#48");
    expect(document.querySelector("main b")).toBeNull();
    const links = [...document.querySelectorAll(".sources .tag")].map((each) => each.getAttribute("href"));
    expect(links).toEqual(["#/conversations/conv_1?at=1", "#/conversations/conv_1?at=48"]);
    expect(asked.some((line) => line.includes("/messages"))).toBe(false);
  });

  test("of another level are a click away", async () => {
    await open(`${PLACE}&level=1`, serving([summary(1, 1, 24), summary(1, 25, 48), summary(2, 1, 48)]));
    await until(() => expect(shown()).toHaveLength(2));
    const links = [...document.querySelectorAll(".chat-bar nav a")];
    expect(links.map(({ textContent }) => textContent)).toEqual(["Level 1", "Level 2"]);
    expect(links[0]?.getAttribute("aria-current")).toBe("page");
  });

  test("say who wrote them, and which the conversation will replace", async () => {
    const written = summary(1, 25, 30, { full: false, model: "model-<i>1</i>", sentences: [] });
    await open(PLACE, serving([summary(1, 1, 24), written]));
    await until(() => expect(shown()).toHaveLength(2));
    expect(shown()[0]).toContain(SUMMARIES.verbatim);
    expect(shown()[0]).not.toContain(SUMMARIES.soFar);
    expect(shown()[1]).toContain("model-<i>1</i>");
    expect(shown()[1]).toContain(SUMMARIES.soFar);
    expect(shown()[1]).toContain(SUMMARIES.noSentences);
  });

  test("that are missing are made on request, and shown when the last message has one", async () => {
    const summaries: object[] = [];
    const asked = await open(
      PLACE,
      serving(summaries, () => json({ conversation_id: "conv_1", last_sequence: 200 }, 202)),
    );
    await until(() => expect(text("main .state.empty")).toContain(SUMMARIES.none));
    press(SUMMARIES.now);
    await until(() => expect(text(".chat-bar [role=status]")).toBe(SUMMARIES.pending));
    summaries.push(summary(1, 1, 24));
    await until(() => expect(asked.some((line) => line.includes("from_sequence=200"))).toBe(true));
    expect(text(".chat-bar [role=status]")).toBe(SUMMARIES.pending);
    summaries.push(summary(1, 25, 200));
    await until(() => expect(shown()).toHaveLength(2));
    expect(text(".chat-bar [role=status]")).toBe("");
  });

  test("say why they cannot be made, or read", async () => {
    await open(PLACE, serving([summary(1, 1, 24)]));
    await until(() => expect(shown()).toHaveLength(1));
    press(SUMMARIES.now);
    await until(() => expect(text("main .state.forbidden")).toContain("No."));
    expect(shown()).toHaveLength(1);
  });

  test("are a link of the conversation", async () => {
    await open("conversations/conv_1", serving([]));
    await until(() => expect(text(".facts")).toContain(MESSAGES.conversation.summaries));
    expect(document.querySelector(`.facts a[href="#/${PLACE}"]`)).not.toBeNull();
  });
});

// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { LATER } from "../src/later-messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { json, until } from "./support/service.ts";

test("coding agents have the time at which one of their sessions was last stored", async () => {
  const conversation = {
    ...{ id: "conv_1", external_id: null, title: "Shop", tags: ["claude-code"], metadata: {} },
    ...{ created_at: "2026-11-01T09:30:00.000Z", updated_at: "2026-11-02T09:30:00.000Z" },
  };
  await open("connect", (url, init) => {
    if (url.pathname === "/v1/conversations" && url.searchParams.get("tags_all") === "claude-code")
      return json({ items: [conversation], next_cursor: null });
    return emptyStore(url, init);
  });
  await until(() => expect(text("main")).toContain(LATER.agents.title));
  expect(text("main")).toContain(`Codex: ${LATER.agents.nothing}`);
  expect(text("main")).toContain(`Claude Code: ${LATER.agents.stored}`);
  expect(document.querySelector("main li time")?.getAttribute("datetime")).toBe(conversation.updated_at);
});

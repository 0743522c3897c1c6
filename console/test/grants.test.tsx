// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { LATER } from "../src/later-messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { json, until } from "./support/service.ts";

const AT = "2026-11-02T09:30:00.000Z";
const grant = (id: string, more: object) => ({
  ...{ id, key_id: "key_1", client_id: "client", client_domain: null, redirect_uri: "http://127.0.0.1/cb" },
  ...{ scopes: ["read", "search"], agent_id: null, user_id: null, created_at: AT, expires_at: AT },
  ...more,
});

/** Presses the first button of this name. */
const press = (name: string, within: string) =>
  [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)]
    .find(({ textContent }) => textContent === name)
    ?.click();

test("connected clients have their name, whose it is and what they may, and one is disconnected after a question", async () => {
  const items = [
    grant("grant_1", { client_name: "<b>Claude</b>", client_domain: "claude.ai", user_id: "maria" }),
    grant("grant_2", { client_name: "Anybody" }),
  ];
  const asked = await open("grants", (url, init) => {
    if (url.pathname === "/v1/grants") return json({ items, next_cursor: null });
    if (init.method === "DELETE") return json(items[0]);
    if (url.pathname === "/v1/keys")
      return json({
        items: [{ id: "key_1", name: "laptop", created_at: AT, expires_at: null }],
        next_cursor: null,
      });
    return emptyStore(url, init);
  });
  const row = (place: number) => text(`tbody tr:nth-child(${place})`);
  await until(() => expect(row(1)).toContain("laptop"));
  expect(row(1)).toContain("<b>Claude</b>");
  expect(row(1)).toContain("claude.ai");
  expect(row(1)).toContain("maria");
  expect(row(1)).not.toContain(LATER.grants.notVerified);
  expect(row(2)).toContain(`Anybody ${LATER.grants.notVerified}`);
  expect(document.querySelector("tbody b")).toBeNull();
  press(LATER.grants.end, "tbody");
  await until(() => expect(text("dialog")).toContain(LATER.grants.endText));
  expect(asked.some((line) => line.startsWith("DELETE"))).toBe(false);
  press(LATER.grants.endTitle, "dialog");
  await until(() => expect(document.querySelectorAll("tbody tr")).toHaveLength(1));
  expect(asked).toContain("DELETE /v1/grants/grant_1");
});

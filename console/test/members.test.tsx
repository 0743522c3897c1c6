// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { MEMBERS } from "../src/member-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { emptyStore, open, text } from "./support/app.tsx";
import { json, until } from "./support/service.ts";

const AT = "2026-11-02T09:30:00.000Z";
const texts = MEMBERS;
const member = (id: string, more: object) => ({
  ...{
    id,
    name: id,
    role: "writer",
    email: null,
    issuer: null,
    subject: null,
    agent_id: null,
    user_id: null,
  },
  ...{ created_at: AT, removed_at: null, last_used_at: null },
  ...more,
});

const buttonOf = (name: string, within: string) =>
  [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)].find(
    ({ textContent }) => textContent === name,
  );

/** Presses the first button of this name, once it is there. */
async function press(name: string, within: string): Promise<void> {
  await until(() => expect(buttonOf(name, within)).toBeDefined());
  buttonOf(name, within)?.click();
}

test("members have their role, and one gets another role, a link, and is removed after a question", async () => {
  const items = [
    member("member_1", { name: "<b>Maria</b>", email: "maria@example.com", user_id: "maria" }),
    member("member_2", { name: "Tom", removed_at: AT }),
  ];
  const sent: [string, unknown][] = [];
  await open("members", (url, init) => {
    if (init.method !== "GET") sent.push([`${init.method} ${url.pathname}`, init.body]);
    if (url.pathname.endsWith("/sign-in-codes")) return json({ code: "engram_invite_x", expires_at: AT });
    if (url.pathname.startsWith("/v1/members/")) return json(items[0]);
    if (url.pathname === "/v1/members") return json({ items, next_cursor: null });
    return emptyStore(url, init);
  });
  const row = (place: number) => text(`tbody tr:nth-child(${place})`);
  await until(() => expect(row(1)).toContain("<b>Maria</b>"));
  expect(row(1)).toContain("maria@example.com");
  expect(row(1)).toContain("writer");
  expect(row(2)).toContain(texts.removed);
  expect(document.querySelector("tbody tr:nth-child(2) button")).toBeNull();
  expect(document.querySelector("tbody b")).toBeNull();

  await press(texts.change, "tbody");
  await until(() => expect(text("dialog")).toContain(texts.changeText));
  document.querySelector<HTMLInputElement>('dialog input[value="reader"]')?.click();
  await press(texts.change, "dialog");
  await until(() => expect(sent).toEqual([["PATCH /v1/members/member_1", { role: "reader" }]]));

  await until(() => expect(document.querySelector("dialog")).toBeNull());
  await press(texts.link, "tbody");
  await until(() => expect(text("dialog")).toContain(texts.linkText));
  await press(texts.linkTitle, "dialog");
  await until(() => expect(text("dialog code")).toMatch(/\/#\/sign-in\/engram_invite_x$/));
  await press(MESSAGES.secretKept, "dialog");

  await until(() => expect(document.querySelector("dialog")).toBeNull());
  await press(texts.remove, "tbody");
  await until(() => expect(text("dialog")).toContain(texts.removeText));
  await press(texts.removeTitle, "dialog");
  await until(() => expect(sent.map(([line]) => line)).toContain("DELETE /v1/members/member_1"));
});

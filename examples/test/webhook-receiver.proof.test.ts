import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { call, start } from "./support/start.ts";

const KEY = randomBytes(32);
const startWith = (secret: string) =>
  start("webhook-receiver/receiver.ts", { env: { WEBHOOK_SECRET: secret } });

async function post(url: string, id: string, body: string, signed = body): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", KEY).update(`${id}.${timestamp}.${signed}`).digest("base64");
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

test("examples/webhook-receiver prints the messages of an event once, and refuses unsigned requests", {
  timeout: 30_000,
}, async () => {
  const receiver = startWith(`whsec_${KEY.toString("base64")}`);
  await expect.poll(() => receiver.printed, { timeout: 20_000 }).toContain("http:");
  const url = /http:\S+/.exec(receiver.printed)?.[0] ?? "";
  const { id: conversation_id } = await call<{ id: string }>("/conversations", {});
  const messages = [
    { role: "user", content: "Where is my refund?" },
    { role: "assistant", content: "On its way." },
  ];
  await call(`/conversations/${conversation_id}/messages`, { messages });
  const { items } = await call<{ items: { id: string; type: string }[] }>(
    `/events?conversation_id=${conversation_id}`,
  );
  const bodies = items.map((event) => [event.id, JSON.stringify({ type: event.type, data: event })] as const);
  expect(bodies.length).toBeGreaterThan(1);
  // Each twice, as after a lost response.
  for (const [id, body] of [...bodies, ...bodies]) expect(await post(url, id, body)).toBe(204);
  expect(receiver.printed.split("\n").slice(1)).toEqual([
    "user: Where is my refund?",
    "assistant: On its way.",
    "",
  ]);
  const [[id, body] = ["", ""]] = bodies;
  expect(await post(url, id, body, `${body} `)).toBe(400);
  expect(await post(url, id, "x".repeat(20_001))).toBe(413);
});

test("examples/webhook-receiver says that it needs the secret", async () => {
  const receiver = startWith("");
  await expect.poll(() => receiver.printed, { timeout: 20_000 }).toContain("Set WEBHOOK_SECRET");
});

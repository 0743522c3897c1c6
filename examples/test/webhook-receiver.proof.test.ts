import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";

const RECEIVER = join(import.meta.dirname, "../webhook-receiver/receiver.ts");
const service = { url: inject("url"), key: inject("key") };
const KEY = randomBytes(32);
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill();
});

/** Starts the receiver. `printed` is what it has printed since. */
function start(secret: string) {
  const env = { ...process.env, ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key, PORT: "0" };
  const child = spawn(process.execPath, [RECEIVER], { env: { ...env, WEBHOOK_SECRET: secret } });
  running.push(child);
  const state = { printed: "" };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => {
      state.printed += data;
    });
  return state;
}

async function call<Body>(path: string, body?: object): Promise<Body> {
  const response = await fetch(`${service.url}/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Body;
}

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
  const receiver = start(`whsec_${KEY.toString("base64")}`);
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
  const receiver = start("");
  await expect.poll(() => receiver.printed, { timeout: 20_000 }).toContain("Set WEBHOOK_SECRET");
});

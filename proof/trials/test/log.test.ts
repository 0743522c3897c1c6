import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdsSecret } from "../src/support/log.ts";

const KEY = `engram_sk_live_${"a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ"}`;
const TOKEN = "engram_admin_5bXkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4";
const IDEMPOTENCY_KEY = "5f0c2d9e-6a52-4a86-9b7e-0d1f6f1f3a11";
const CONTENT = 'The "lantern" stood at the harbour.\nThen it was gone.';
const QUERY = "user 4711 from the harbour";
const ID = "conv_06e3tqz8m1k4v9x2c7d0";
const TIME = "2026-03-04T05:06:07.089Z";

const server = createServer((_, response) => response.end());
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/?user_id=${encodeURIComponent(QUERY)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "idempotency-key": IDEMPOTENCY_KEY },
    body: JSON.stringify({
      conversation_identity: ID,
      messages: [{ role: "user", content: CONTENT, created_at: TIME }],
    }),
  });
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.for<[what: string, line: string]>([
  ["a key that was never sent", `minted ${KEY}`],
  ["a header", "authorization: Bearer abcdefgh"],
  ["a token that was sent", TOKEN],
  ["an idempotency key", IDEMPOTENCY_KEY],
  ["content as the log writes it", JSON.stringify({ error: `Error: ${CONTENT}` })],
  ["the beginning of truncated content", JSON.stringify(CONTENT).slice(0, 25)],
  ["the end of content", JSON.stringify(CONTENT).slice(-25)],
  ["a value of the query string", QUERY],
])("a log line with %s counts as one with a secret", ([, line]) => {
  expect(holdsSecret(line)).toBe(true);
});

test.for<[what: string, line: string]>([
  ["a key's prefix", KEY.slice(0, 19)],
  ["an id", ID],
  ["the minute of a time that was sent", JSON.stringify({ time: "2026-03-04T05:06:59.999Z" })],
  ["the name of a property", "conversation_identity"],
  ["an error message without data", 'Error: Send a valid key as "Authorization: Bearer engram_sk_live_…".'],
])("a log line with %s counts as one without a secret", ([, line]) => {
  expect(holdsSecret(line)).toBe(false);
});

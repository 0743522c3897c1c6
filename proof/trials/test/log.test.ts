import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdsSecret, keepSecret } from "../src/support/log.ts";

// No two of these values have a beginning or an end in common, so that each is found by itself.
const RANDOM = "a8XkT4n7Bv2Mq5sDw9Jx3Ky6Lz1Fr8Gh";
const KEY = `engram_sk_live_${RANDOM}06e3tqz8m1k4v9x2c7d04kT9wQ`;
const EARLIER_KEY = `engram_sk_live_${RANDOM}4kT9wQ`;
const SENT_RANDOM = "c2PtU5o8Cw3Nr6tEx1Ky4Lz7Ma9Gs2Hj";
const TOKEN = "engram_admin_5bXkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4";
const IDEMPOTENCY_KEY = "5f0c2d9e-6a52-4a86-9b7e-0d1f6f1f3a11";
const CONTENT = 'The "lantern" stood at the harbour.\nThen it was gone.';
const QUERY = "user 4711 from the harbour";
const ID = "conv_06e3tqz8m1k4v9x2c7d0";
const TIME = "2026-03-04T05:06:07.089Z";

const server = createServer((_, response) => response.end());
beforeAll(async () => {
  keepSecret(`engram_sk_live_${SENT_RANDOM}06e3tqz8m1k4v9x2c7d0h5Kp2R`);
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
  ["a key of the earlier form", `minted ${EARLIER_KEY}`],
  ["the random part of a key that was sent", SENT_RANDOM],
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

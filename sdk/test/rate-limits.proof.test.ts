import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "../../local/src/start/service.ts";
import { Engram } from "../src/index.ts";

const LIMIT = 30;
const dataDirectory = mkdtempSync(join(tmpdir(), "engram-rates-"));
let service: Service;

beforeAll(async () => {
  service = await startService({ port: 0, dataDirectory, rateLimits: { key: LIMIT, organization: 10_000 } });
}, 60_000);
afterAll(async () => {
  await service.stop();
  rmSync(dataDirectory, { recursive: true });
});

const ask = () =>
  fetch(`${service.url}/v1/conversations`, { headers: { authorization: `Bearer ${service.key}` } });

test("the SDK waits as long as a rate-limit response of workerd says, and then succeeds", async () => {
  const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, ask));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2 * LIMIT - refused.length);
  expect(refused[0]?.headers.get("retry-after")).toBe("10");
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe(
    `"key";q=${LIMIT};w=10, "organization";q=10000;w=10`,
  );
  const client = new Engram({ baseUrl: service.url, apiKey: service.key });
  const conversation = await client.conversations.create({ title: "after the wait" });
  expect(conversation).toMatchObject({ title: "after the wait" });
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { startServiceProcess } from "../../../proof/support/service-process.ts";

const MESSAGES = 40_000;
const APPENDED = 500;
const ASK_EVERY_MS = 100;
/** A sweep without pauses keeps requests waiting for some three seconds. */
const ANSWERED_MS_MAX = 1_000;

interface Created {
  organization: { id: string };
  key: { secret: string };
}

interface Purged {
  rows_deleted_at: string | null;
}

test("requests are answered while a sweep purges an organization of 40,000 messages", async () => {
  const service = await startServiceProcess({ cronIntervalMs: 15_000 });
  try {
    const send = async <Answer>(
      method: string,
      path: string,
      key: string,
      body?: unknown,
    ): Promise<Answer> => {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
      return (await response.json()) as Answer;
    };
    const created = await send<Created>("POST", "/v1/organizations", service.adminToken, { name: "large" });
    const { secret } = created.key;
    const messages = Array.from({ length: APPENDED }, (_, i) => ({
      role: "user",
      content: `The ${i}th boat of the harbour leaves at noon.`,
    }));
    for (let stored = 0; stored < MESSAGES; stored += APPENDED) {
      const { id } = await send<{ id: string }>("POST", "/v1/conversations", secret, {});
      await send("POST", `/v1/conversations/${id}/messages`, secret, { messages });
    }
    const path = `/v1/organizations/${created.organization.id}`;
    const operation = await send<{ id: string }>("DELETE", path, service.adminToken);
    const answeredMs: Promise<number>[] = [];
    const ask = async () => {
      const fromMs = performance.now();
      await send("GET", "/v1/conversations", service.key);
      return performance.now() - fromMs;
    };
    for (let isPurged = false; !isPurged; ) {
      answeredMs.push(ask());
      await sleep(ASK_EVERY_MS);
      if (answeredMs.length % 20 > 0) continue;
      const state = await send<Purged>("GET", `/v1/operations/${operation.id}`, service.adminToken);
      isPurged = state.rows_deleted_at !== null;
    }
    expect(Math.max(...(await Promise.all(answeredMs)))).toBeLessThan(ANSWERED_MS_MAX);
  } finally {
    await service.stop();
  }
});

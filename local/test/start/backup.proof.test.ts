import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { backUp, restore } from "../../src/backup/backup.ts";
import { cleanUp, makeDataDirectory, type Running, start } from "./running.ts";

afterAll(cleanUp);

/** What the test reads of responses. */
interface Answer {
  id: string;
  target_id: string;
  completed_at: string | null;
  items: { sequence: number }[];
  results: unknown[];
}

const call = async ({ url, key }: Running, path: string, body?: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return { text: () => response.text(), json: async () => (await response.json()) as Answer };
};

/** Digest of everything that a service has: its data, and the lines of an archive. */
async function digestOf(service: Running, archive: string): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await (await call(service, "/v1/export")).text());
  hash.update(await (await call(service, `/v1/archives/${archive}/lines`)).text());
  hash.update(await (await call(service, "/v1/audit-events?action=key.created")).text());
  return hash.digest("hex");
}

test("a backup of a service that serves, killed, is restored with equal digests", async () => {
  const data = makeDataDirectory();
  const service = await start("run.mjs", { ENGRAM_DATA: data });
  const { id } = await (await call(service, "/v1/conversations", { title: "drill" })).json();
  const append = (content: string) =>
    call(service, `/v1/conversations/${id}/messages`, { messages: [{ role: "user", content }] });
  for (let i = 0; i < 50; i++) await append(`The zeppelin lands at noon, ${i}.`);
  const { target_id } = await (await call(service, "/v1/archives", {})).json();
  for (;;) {
    const { completed_at } = await (await call(service, `/v1/archives/${target_id}`)).json();
    if (completed_at !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const digest = await digestOf(service, target_id);
  await backUp(data, join(data, "../whole.tar"));

  // While others write: what was acknowledged before the backup is in it, and no line is half written.
  let isWriting = true;
  const writer = (async () => {
    for (let i = 0; isWriting; i++) await append(`Later, ${i}.`);
  })();
  for (let i = 0; i < 3; i++) await backUp(data, join(data, "../busy.tar"));
  isWriting = false;
  await writer;
  process.kill(service.pid, "SIGKILL");

  for (const [file, isWhole] of [
    ["whole", true],
    ["busy", false],
  ] as const) {
    const restored = makeDataDirectory();
    await restore(join(data, `../${file}.tar`), restored);
    const again = await start("run.mjs", { ENGRAM_DATA: restored });
    expect(again.key).toBe(service.key);
    if (isWhole) expect(await digestOf(again, target_id)).toBe(digest);
    const { items } = await (await call(again, `/v1/conversations/${id}/messages?limit=1000`)).json();
    const sequences = items.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    expect(sequences.length).toBeGreaterThanOrEqual(50);
    const found = await (
      await call(again, "/v1/search", { query: "When does the zeppelin land?", mode: "keyword" })
    ).json();
    expect(found.results.length).toBeGreaterThan(0);
    process.kill(again.pid, "SIGTERM");
  }
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCAL_TEST_BINDINGS, localTestWorker } from "../../src/test-worker.ts";

/** Calls a binding: `{ "binding": "VECTORIZE", "method": "query", "args": [...] }`. */
const CALLER = `export default {
  async fetch(request, env) {
    const { binding, method, args } = await request.json();
    return Response.json((await env[binding][method](...args)) ?? null);
  }
}`;

const directory = mkdtempSync(join(tmpdir(), "engram-local-"));
let runtime: Miniflare;

async function start(): Promise<void> {
  const local = await localTestWorker();
  const caller = {
    name: "caller",
    modules: [{ type: "ESModule" as const, path: "caller.js", contents: CALLER }],
    compatibilityDate: local.compatibilityDate ?? "",
    serviceBindings: LOCAL_TEST_BINDINGS,
  };
  const options = convertV4MiniflareOptions({ workers: [caller, local], cf: false });
  runtime = new Miniflare({ ...options, resourcePersistencePath: directory });
  await runtime.ready;
}

async function call(binding: string, method: string, ...args: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ binding, method, args });
  const response = await runtime.dispatchFetch("http://local/", { method: "POST", body });
  return await response.json();
}

beforeAll(start);
afterAll(async () => {
  await runtime.dispose();
  rmSync(directory, { recursive: true });
});

test("vectors, and mutations that are not visible yet, survive a restart", async () => {
  const values = Array.from({ length: 256 }, (_, i) => i);
  await call("VECTORIZE", "upsert", [{ id: "seen", namespace: "org", values, metadata: { kind: "chunk" } }]);
  await call("VECTORIZE", "upsert", [{ id: "deleted", namespace: "org", values }]);
  await call("CONTROL", "setVisibilityDelayMs", 3_600_000);
  await call("VECTORIZE", "upsert", [{ id: "pending", namespace: "org", values }]);
  await call("VECTORIZE", "deleteByIds", ["deleted"]);

  await runtime.dispose();
  await start();

  const query = () => call("VECTORIZE", "query", values, { namespace: "org", filter: { kind: "chunk" } });
  expect(await query()).toEqual({
    count: 1,
    matches: [{ id: "seen", namespace: "org", score: expect.closeTo(1, 5) }],
  });
  await call("CONTROL", "flush");
  expect(await call("VECTORIZE", "getByIds", ["deleted", "pending"])).toEqual([
    { id: "pending", namespace: "org", values },
  ]);
}, 30_000);

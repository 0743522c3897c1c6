import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { Engram } from "../src/index.ts";
import { type Behaviour, json, problem, rejection, serve, silence, stall } from "./support/fault-server.ts";

const REASON = { why: "the person went away" };

/**
 * Milliseconds from the abort until a running call rejects with the reason of the signal.
 *
 * Aborts a little after `begun` resolves, when the client has received what the server sent.
 */
async function abortOnce(
  begun: () => boolean,
  call: (signal: AbortSignal) => PromiseLike<unknown>,
): Promise<number> {
  const controller = new AbortController();
  const ended = rejection(call(controller.signal));
  await vi.waitUntil(begun, { timeout: 5_000, interval: 5 });
  await new Promise((resolve) => setTimeout(resolve, 60));
  const abortedAt = performance.now();
  controller.abort(REASON);
  expect(await ended).toBe(REASON);
  return performance.now() - abortedAt;
}

describe("an aborted call rejects at once with the signal's reason", () => {
  test.for<[string, Behaviour]>([
    ["before a response", silence],
    ["while the body is received", stall],
    ["while it waits for a retry", problem(429, "rate_limited", { "retry-after": "30" })],
  ])("%s", { retry: 2 }, async ([, behaviour]) => {
    const { attempts, client } = await serve(behaviour);
    const begun = () => attempts.length > 0;
    expect(await abortOnce(begun, (signal) => client().health.get({ signal }))).toBeLessThan(50);
    expect(attempts).toHaveLength(1);
  });

  test("even if the given `fetch` ignores the signal", { retry: 2 }, async () => {
    let begun = false;
    const deaf = () => {
      begun = true;
      return new Promise<Response>(() => {});
    };
    const client = new Engram({ apiKey: "k", baseUrl: "http://engram.test", fetch: deaf });
    expect(
      await abortOnce(
        () => begun,
        (signal) => client.health.get({ signal }),
      ),
    ).toBeLessThan(50);
  });

  test("in the middle of a list", async () => {
    const { attempts, client } = await serve(json(200, { items: [{ id: "a" }], next_cursor: "b" }), silence);
    const read = (signal: AbortSignal) => client().conversations.list({}, { signal }).toArray({ max: 2 });
    await abortOnce(() => attempts.length === 2, read);
  });

  test("before it is sent", async () => {
    const { attempts, client } = await serve(silence);
    expect(await rejection(client().health.get({ signal: AbortSignal.abort(REASON) }))).toBe(REASON);
    expect(attempts).toEqual([]);
  });

  test("through the raw client", async () => {
    const { attempts, client } = await serve(silence);
    await abortOnce(
      () => attempts.length > 0,
      (signal) => client().raw.GET("/health", { signal }),
    );
  });
});

// The sources also run directly: Node strips their types.
test("an aborted wait leaves no timer that would keep the process running", { timeout: 40_000 }, async () => {
  const { baseUrl } = await serve(problem(429, "rate_limited", { "retry-after": "60" }));
  const program = `
    import { Engram } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
    const client = new Engram({ apiKey: "k", baseUrl: ${JSON.stringify(baseUrl)} });
    await client.health.get({ signal: AbortSignal.timeout(300) }).catch((error) => console.log(error.name));`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: 30_000,
  });
  expect((await run).stdout).toBe("TimeoutError\n");
});

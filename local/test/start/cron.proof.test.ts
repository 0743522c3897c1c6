import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { cleanUp, makeDataDirectory } from "./running.ts";

const PROGRAM = join(import.meta.dirname, "flooding-service.ts");
const SWEPT = 5;
const CLIENT_TIMEOUT_MS = 20_000;

afterAll(cleanUp);

// In its own process, because the failure that it guards against would block the test run.
test("the service keeps answering and sweeping when a sweep logs more than a pipe's buffer holds", async () => {
  const child = fork(PROGRAM, [makeDataDirectory()], {
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = once(child, "exit");
  try {
    const [url] = await once(child, "message");
    const signal = AbortSignal.timeout(CLIENT_TIMEOUT_MS);
    let sweeps = 0;
    while (sweeps < SWEPT) {
      sweeps = (await (await fetch(`${url}/sweeps`, { signal })).json()) as number;
      await sleep(20);
    }
    expect(sweeps).toBeGreaterThanOrEqual(SWEPT);
  } finally {
    // Ends workerd too.
    child.kill("SIGKILL");
    await exited;
  }
});

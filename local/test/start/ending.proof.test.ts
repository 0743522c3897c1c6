import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import {
  ask,
  cleanUp,
  exitCode,
  makeDataDirectory,
  type Running,
  runs,
  runToEnd,
  start,
  until,
} from "./running.ts";

/** Two seconds more than the documented time, for a busy machine. */
const END_TIMEOUT_MS = 5_000;

/** The whole chain of processes, npm → sh → run.mjs → start.ts → workerd, with the ids that the test knows. */
const chain = (service: Running) => [service.launcher.pid ?? 0, service.pid, service.workerd];

afterAll(cleanUp);

const ENDINGS = [
  { signal: "SIGINT", to: "run.mjs", by: "run.mjs" },
  { signal: "SIGTERM", to: "run.mjs", by: "run.mjs" },
  { signal: "SIGHUP", to: "run.mjs", by: "run.mjs" },
  { signal: "SIGKILL", to: "run.mjs", by: "run.mjs" },
  { signal: "SIGINT", to: "start.ts", by: "run.mjs" },
  { signal: "SIGTERM", to: "start.ts", by: "run.mjs" },
  { signal: "SIGINT", to: "npm", by: "npm" },
  { signal: "SIGTERM", to: "npm", by: "npm" },
  { signal: "SIGKILL", to: "npm", by: "npm" },
] as const;

describe.concurrent("the service ends, and leaves no process running,", () => {
  it.each(sample(ENDINGS, 1))("after $signal to $to only", async ({ signal, to, by }) => {
    const service = await start(by, { ENGRAM_DATA: makeDataDirectory() });
    process.kill(to === "start.ts" ? service.pid : (service.launcher.pid ?? 0), signal);
    await until(() => !chain(service).some(runs), END_TIMEOUT_MS);
    if (by === "run.mjs" && signal !== "SIGKILL") expect(await exitCode(service.launcher)).toBe(0);
  });

  it("after SIGKILL to start.ts only, and the next start has the stored data", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const service = await start("run.mjs", { ENGRAM_DATA });
    const stored = await ask(service, "/v1/conversations", { title: "before the kill" });
    expect(stored.status).toBe(201);
    const { id } = JSON.parse(await stored.text());
    process.kill(service.pid, "SIGKILL");
    await until(() => !chain(service).some(runs), END_TIMEOUT_MS);
    expect(await exitCode(service.launcher)).toBe(137);

    const again = await start("run.mjs", { ENGRAM_DATA });
    const found = await ask(again, `/v1/conversations/${id}`);
    expect(await found.json()).toMatchObject({ title: "before the kill" });
  });
});

describe("a workerd process that outlived its watchdog", () => {
  it("is reported with its port, and ended by the next start on the same data", async ({ skip }) => {
    skip(process.platform !== "linux", "it reads /proc");
    const ENGRAM_DATA = makeDataDirectory();
    // Below the range of outgoing connections, one of which could take the port before the second start.
    const port = String(20_000 + (process.pid % 10_000));
    const service = await start("run.mjs", { ENGRAM_DATA, PORT: port });
    for (const pid of childrenOf(service.pid)) if (pid !== service.workerd) process.kill(pid, "SIGKILL");
    process.kill(service.pid, "SIGKILL");
    await exitCode(service.launcher);
    expect(runs(service.workerd)).toBe(true);

    const elsewhere = await runToEnd({ ENGRAM_DATA: makeDataDirectory(), PORT: port });
    expect(elsewhere.output).toContain(`Port ${port} of 127.0.0.1 is taken`);

    const again = await start("run.mjs", { ENGRAM_DATA, PORT: port });
    expect(runs(service.workerd)).toBe(false);
    expect(again.key).toBe(service.key);
  });
});

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { createPerson, PROGRAM, runAlone } from "./support/program.ts";

const START_TIMEOUT_MS = 120_000;

describe("engram start", () => {
  test.for(sample(["SIGTERM", "SIGINT", "Ctrl-C"] as const, 1))(
    "serves until %s, and keeps the data in the user's directory",
    async (signal) => {
      const { env, home, run } = await createPerson();
      // In a process group, as a shell starts it, so that Ctrl-C reaches all of it.
      const child = spawn(process.execPath, [PROGRAM, "start", "--port", "0"], { env, detached: true });
      onTestFinished(() => void child.kill("SIGKILL"));
      let output = "";
      for await (const chunk of child.stdout) {
        output += chunk;
        if (output.includes("Press Ctrl-C")) break;
      }
      const [, url = ""] = /URL +(http:\S+)/.exec(output) ?? [];
      const keyFile = join(home, ".local/share/engram/key");
      const none = { ENGRAM_URL: "", ENGRAM_API_KEY: "" };
      expect(await run(["login"], { env: none })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^Logged in to ${url} with \\S+ \\(from ${keyFile}\\)\\.`)),
      });
      expect(await run(["conversations"], { env: none })).toMatchObject({ code: 0 });
      const closed = once(child, "close");
      if (signal === "Ctrl-C") process.kill(-(child.pid ?? Number.NaN), "SIGINT");
      else child.kill(signal);
      expect(await closed).toEqual([0, null]);
      await expect(fetch(url)).rejects.toThrow();
      expect(existsSync(join(home, ".local/share/engram/running.json"))).toBe(false);
      expect(readdirSync(join(home, ".local/state/engram/services"))).toEqual([]);
      expect(await run(["login"], { env: none })).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`No Engram service responds at ${url}`),
      });
    },
  );

  test("prints its URL as one line of JSON", { timeout: START_TIMEOUT_MS }, async () => {
    const { env, home } = await createPerson();
    const child = spawn(process.execPath, [PROGRAM, "start", "--port", "0", "--json"], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    const closed = once(child, "close");
    let output = "";
    for await (const chunk of child.stdout) {
      output += chunk;
      if (!child.killed) child.kill("SIGTERM");
    }
    expect(await closed).toEqual([0, null]);
    expect(output).toMatch(/^.+\n$/);
    const data = join(home, ".local/share/engram");
    const { url, ...ready } = JSON.parse(output);
    const key = readFileSync(join(data, "key"), "utf8").trim();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(ready).toEqual({ docs: `${url}/docs`, key, data });
  });

  test("reports why it cannot start, and fails", async () => {
    const { env, url } = await createPerson();
    const start = (...args: string[]) => runAlone(["start", ...args], { env, input: "" });
    const told = await start("--port", new URL(url).port, "--json");
    expect(told).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/port/i) });
    expect(JSON.parse(told.stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "command_failed" },
    });
    const taken = await start("--port", new URL(url).port);
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringMatching(/port/i) });
    expect(await start("--port", "70000")).toMatchObject({ code: 2 });
  });
});

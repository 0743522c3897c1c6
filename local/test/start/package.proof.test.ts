import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "../..");
const { publishConfig } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));

/** Options of Node that make a program see another version of Node. */
const seeing = (version: string): string[] => [
  "--import",
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`,
];

test.for([
  ["with a supported version of Node", [], false],
  // A replacement of npx that "downloads" the Node of this test.
  ["with an older version of Node, for which it downloads a newer one", seeing("20.12.0"), true],
] as const)(
  "the published package runs without the repository %s, with the data in the current directory",
  async ([, options, downloaded]) => {
    execFileSync(process.execPath, ["scripts/build.ts"], { cwd: PACKAGE, stdio: "pipe" });
    // Outside the repository, so that none of its files are found.
    const home = mkdtempSync(join(tmpdir(), "engram-package-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    cpSync(join(PACKAGE, "dist"), join(home, "dist"), { recursive: true });
    cpSync(join(PACKAGE, "package.json"), join(home, "package.json"));
    symlinkSync(join(PACKAGE, "node_modules"), join(home, "node_modules"));
    const { ENGRAM_DATA: _, ...env } = process.env;
    const program = join(home, publishConfig.bin["engram-local"]);
    writeFileSync(join(home, "npx"), `#!/bin/sh\necho '${process.execPath}'\necho "$*" >asked\n`, {
      mode: 0o755,
    });
    const child = spawn(process.execPath, [...options, program], {
      cwd: home,
      env: { ...env, PORT: "0", PATH: [home, env.PATH].join(delimiter) },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for await (const chunk of child.stdout) {
      output += chunk;
      if (output.includes("Press Ctrl-C")) break;
    }
    const [, url = ""] = /URL +(http:\S+)/.exec(output) ?? [];
    const authorization = `Bearer ${readFileSync(join(home, ".engram/key"), "utf8").trim()}`;
    const created = await fetch(`${url}/v1/conversations`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: '{"title":"Order 1029"}',
    });
    expect(created.status).toBe(201);
    for (const path of ["/docs", "/docs/swagger-ui-bundle.js", "/openapi.json"]) {
      expect((await fetch(url + path)).status).toBe(200);
    }
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    expect(existsSync(join(home, "asked"))).toBe(downloaded);
    const tooOld = spawnSync(process.execPath, [...seeing("18.20.4"), program], { encoding: "utf8" });
    expect(tooOld).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("This is Node 18.20.4."),
    });
  },
);

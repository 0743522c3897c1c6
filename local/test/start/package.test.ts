import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../../../proof/support/scale.ts";

const PACKAGE = join(import.meta.dirname, "../..");
const { publishConfig } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));

test.runIf(isFull)(
  "what is published serves by itself, with the data where the person stands",
  { tags: ["sized"] },
  async () => {
    execFileSync(process.execPath, ["scripts/build.ts"], { cwd: PACKAGE, stdio: "pipe" });
    // Outside the repository, so that none of its files are found.
    const home = mkdtempSync(join(tmpdir(), "engram-package-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    cpSync(join(PACKAGE, "dist"), join(home, "dist"), { recursive: true });
    cpSync(join(PACKAGE, "package.json"), join(home, "package.json"));
    symlinkSync(join(PACKAGE, "node_modules"), join(home, "node_modules"));
    const { ENGRAM_DATA: _, ...env } = process.env;
    const child = spawn(process.execPath, [join(home, publishConfig.bin["engram-local"])], {
      cwd: home,
      env: { ...env, PORT: "0" },
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
  },
);

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnService, startOwnService } from "../../../scripts/own-service.ts";
import { type KeyProxy, startKeyProxy } from "./key-proxy.ts";

const SUITE = join(import.meta.dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const EXPECTED_FAILURES = join(import.meta.dirname, "../conformance/expected-failures.yml");
/** What any server must do; the other scenarios need one made for them. */
const REQUIRED = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];
const TIMEOUT_MS = 150_000;

let service: OwnService;
let proxy: KeyProxy;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "engram-conformance-"));
  service = await startOwnService();
  // The suite sends no key.
  proxy = await startKeyProxy(service.url, service.key);
}, TIMEOUT_MS);
afterAll(async () => {
  await proxy?.stop();
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

/** Run the suite; resolves to its exit code and what it printed, without colours. */
function run(...args: string[]): Promise<{ code: number; output: string }> {
  const command = [SUITE, "server", "--url", `${proxy.url}/mcp`, ...args];
  return new Promise((done) => {
    execFile(process.execPath, command, { cwd: directory }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it takes out
      done({ code, output: `${stdout}${stderr}`.replace(/\u001b\[\d+m/g, "") });
    });
  });
}

test.for(REQUIRED)("the official suite passes: %s", { timeout: TIMEOUT_MS }, async (scenario) => {
  const { code, output } = await run("--scenario", scenario);
  expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
  expect(code, output).toBe(0);
});

test("of the whole suite fails what is listed with its reason, and nothing else", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, output } = await run("--suite", "all", "--expected-failures", EXPECTED_FAILURES);
  for (const scenario of REQUIRED) expect(output).toMatch(new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`));
  expect(code, output).toBe(0);
});

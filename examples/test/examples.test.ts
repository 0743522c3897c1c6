import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OwnService, startOwnService } from "../../scripts/own-service.ts";

const EXAMPLES = join(import.meta.dirname, "..");
const START_TIMEOUT_MS = 150_000;
const EXAMPLE_TIMEOUT_MS = 60_000;

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
}, START_TIMEOUT_MS);
afterAll(() => service?.stop(), START_TIMEOUT_MS);

/** Run an example against the service, or against `settings`, as a person would. */
function run(file: string, settings: { ENGRAM_URL?: string; ENGRAM_API_KEY?: string } = {}) {
  const path = join(EXAMPLES, file);
  const [command, args] = file.endsWith(".sh") ? ["sh", [path]] : [process.execPath, [path]];
  const env = { ...process.env, ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key, ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(command, args, { env, timeout: EXAMPLE_TIMEOUT_MS }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
      done({ code, stdout, stderr });
    });
  });
}

/** What an agent says that knows what it was told before. */
const REMEMBERED = /agent: Booked for eight\. I told the kitchen about your allergy to walnuts\./;

describe.for([
  [
    "quickstart/quickstart.ts",
    /Order 1029\n {2}Maria: The kettle leaks\..*\n {2}assistant: Your refund left us/,
  ],
  ["agent-memory/agent.ts", REMEMBERED],
  ["mcp-client/client.ts", /^Tools: .*search[\s\S]*Found for \d+ tokens: Your refund left us on Tuesday\./],
  ["frameworks/ai.ts", REMEMBERED],
  ["frameworks/claude-agent.ts", REMEMBERED],
  ["frameworks/cloudflare-agents.ts", REMEMBERED],
  ["frameworks/langchain.ts", REMEMBERED],
  ["frameworks/mastra.ts", REMEMBERED],
  ["frameworks/openai-agents.ts", REMEMBERED],
  ["curl/curl.sh", /^Found in conv_\S+: Your refund left us on Tuesday\.$/m],
] as const)("examples/%s", ([file, output]) => {
  test("runs, again and again, and prints what it found", { timeout: 2 * EXAMPLE_TIMEOUT_MS }, async () => {
    for (let round = 0; round < 2; round += 1) {
      const { code, stdout, stderr } = await run(file);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(output);
    }
  });

  test("fails and says why when the key is wrong", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const { code, stderr } = await run(file, { ENGRAM_API_KEY: "engram_sk_live_wrong" });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/unauthenticated|Send a live key/);
  });

  test("fails and says why when no service is there", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const { code, stderr } = await run(file, { ENGRAM_URL: "http://127.0.0.1:2" });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/127\.0\.0\.1:2|connect/i);
  });
});

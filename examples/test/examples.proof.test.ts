import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { scale } from "../../proof/support/scale.ts";
import { openDesk } from "../refund-triage/desk.ts";
import type { RefundRequest } from "../refund-triage/model.ts";
import { NOTES, REQUESTS } from "../refund-triage/notes.ts";

const EXAMPLES = join(import.meta.dirname, "..");
const EXAMPLE_TIMEOUT_MS = 60_000;
const ROUNDS = scale(2, 1);

const service = { url: inject("url"), key: inject("key") };

const isScript = (file: string) => file.endsWith(".sh");

/** Run an example as a user would, against the service or against `settings`. */
function run(file: string, settings: Record<string, string> = {}) {
  const path = join(EXAMPLES, file);
  const [command, args] = isScript(file) ? ["sh", [path]] : [process.execPath, [path]];
  const env = { ...process.env, ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key, ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(command, args, { env, timeout: EXAMPLE_TIMEOUT_MS }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : -1;
      done({ code, stdout, stderr });
    });
  });
}

/** The reply of an agent that remembers the earlier session. */
const REMEMBERED = /agent: Booked for eight\. I told the kitchen about your allergy to walnuts\./;

describe.for([
  [
    "quickstart/quickstart.ts",
    /Order 1029\n {2}Maria: The kettle leaks\..*\n {2}assistant: Your refund left us/,
  ],
  ["agent-memory/agent.ts", REMEMBERED],
  [
    "refund-triage/agent.ts",
    /C-1003 has a fraud flag.*\n {2}agent: deny[\s\S]*The fraud flag is lifted[\s\S]*agent: approve$/m,
  ],
  [
    "two-agents/two-agents.ts",
    /^editor: 5 words\. Make it shorter\.\nwriter: Zeppelin: noon\.\neditor: Good\.$/m,
  ],
  [
    "mcp-client/client.ts",
    /^Tools: .*search[\s\S]*Found: \[2\] .+ assistant: Your refund left us on Tuesday\./,
  ],
  ["frameworks/ai.ts", REMEMBERED],
  ["frameworks/claude-agent.ts", REMEMBERED],
  ["frameworks/cloudflare-agents.ts", REMEMBERED],
  ["frameworks/langchain.ts", REMEMBERED],
  ["frameworks/mastra.ts", REMEMBERED],
  ["frameworks/openai-agents.ts", REMEMBERED],
  ["curl/curl.sh", /^Found in conv_\S+: Your refund left us on Tuesday\.$/m],
] as const)("the program examples/%s", ([file, output]) => {
  test("the example runs repeatedly, and prints what it found", {
    timeout: 2 * EXAMPLE_TIMEOUT_MS,
  }, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { code, stdout, stderr } = await run(file);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(output);
    }
  });

  test("the example fails and says why if the key is wrong", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const { code, stderr } = await run(file, { ENGRAM_API_KEY: "engram_sk_live_wrong" });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(isScript(file) ? /unauthenticated/ : /^[^\n]*Send a valid key[^\n]*\n$/);
  });

  test("the example fails and says why if no service responds", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const { code, stderr } = await run(file, { ENGRAM_URL: "http://127.0.0.1:2" });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(isScript(file) ? /connect/i : /^The Engram service does not answer at [^\n]*\n$/);
  });

  test("finds a service that runs on this machine, as `engram login` does", {
    timeout: EXAMPLE_TIMEOUT_MS,
  }, async () => {
    const XDG_STATE_HOME = mkdtempSync(join(tmpdir(), "engram-example-"));
    onTestFinished(() => rmSync(XDG_STATE_HOME, { recursive: true }));
    const none = { ENGRAM_URL: "", ENGRAM_API_KEY: "", XDG_STATE_HOME };
    const { code, stderr } = await run(file, none);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^No key: start the service with [^\n]*\n$/);

    const services = join(XDG_STATE_HOME, "engram/services");
    mkdirSync(services, { recursive: true });
    writeFileSync(join(XDG_STATE_HOME, "key"), `${service.key}\n`);
    const entry = { url: service.url, data: XDG_STATE_HOME, pid: process.pid };
    writeFileSync(
      join(services, "1.json"),
      JSON.stringify({ ...entry, url: "http://127.0.0.1:2", pid: 2 ** 30 }),
    );
    writeFileSync(join(services, "2.json"), JSON.stringify(entry));
    expect(await run(file, none)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(output),
      stderr: "",
    });
  });
});

describe("examples/refund-triage", () => {
  /** The verdicts of a new desk with these notes. */
  async function verdictsOn(requests: RefundRequest[], notes: string[]) {
    const desk = await openDesk({ baseUrl: service.url, apiKey: service.key });
    await desk.tell(notes);
    const verdicts: string[] = [];
    for (const request of requests) verdicts.push((await desk.triage(request)).verdict);
    await desk.close();
    return verdicts;
  }
  const all = Object.values(NOTES);

  test.for([
    ["maria", "approve", "limits", "escalate"],
    ["jon", "escalate", "jon", "approve"],
    ["jon", "escalate", "often", "approve"],
    ["flagged", "deny", "flagged", "approve"],
    ["promised", "approve", "promised", "deny"],
    ["downloaded", "deny", "downloaded", "approve"],
    ["downloaded", "deny", "downloads", "approve"],
  ] as const)(
    "answers the request %s with %s, and without the note %s with %s",
    { timeout: EXAMPLE_TIMEOUT_MS },
    async ([request, verdict, missing, otherwise]) => {
      expect(await verdictsOn([REQUESTS[request]], all)).toEqual([verdict]);
      const others = all.filter((note) => note !== NOTES[missing]);
      expect(await verdictsOn([REQUESTS[request]], others)).toEqual([otherwise]);
    },
  );

  test("decides by the current content of a changed note", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const raised = all.map((note) => note.replace("up to 100 euros", "up to 300 euros"));
    expect(await verdictsOn([REQUESTS.unknown], all)).toEqual(["escalate"]);
    expect(await verdictsOn([REQUESTS.unknown], raised)).toEqual(["approve"]);
  });

  test("decides the same without notes that are irrelevant to the request", {
    timeout: EXAMPLE_TIMEOUT_MS,
  }, async () => {
    const idle: string[] = [NOTES.maria, NOTES.shipping, NOTES.writes];
    const requests = Object.values(REQUESTS);
    const others = all.filter((note) => !idle.includes(note));
    expect(await verdictsOn(requests, others)).toEqual(await verdictsOn(requests, all));
  });

  test("escalates every request if no rule is stored", { timeout: EXAMPLE_TIMEOUT_MS }, async () => {
    const requests = Object.values(REQUESTS);
    expect(new Set(await verdictsOn(requests, [NOTES.writes]))).toEqual(new Set(["escalate"]));
  });
});

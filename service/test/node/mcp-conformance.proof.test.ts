import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../../local/src/start/service.ts";
import { sample } from "../../../proof/support/scale.ts";
import { type KeyProxy, startKeyProxy } from "./key-proxy.ts";
import { createAccessToken } from "./sign-in.ts";

const HERE = join(import.meta.dirname, "../conformance");
const expectFailures = (file: string) => ["--expected-failures", join(HERE, file)];
/** The last release of the official suite, and the one that supports 2026-07-28. */
const RELEASED = "conformance";
const NEXT = "conformance-next";
const EXPECTED = {
  [RELEASED]: expectFailures("expected-failures.yml"),
  [NEXT]: expectFailures("expected-failures-next.yml"),
};
/** A check of every sent message, in all scenarios. */
const WIRE_CHECK = "wire-schema-valid";
/** Scenarios of the next release without requests: about sessions, which Engram does not have, and one unwritten. */
const ASKING_NOTHING = ["server-session-lifecycle", "tasks-status-notifications"];
const TIMEOUT_MS = 150_000;

/** What the requests authenticate with. */
const CREDENTIALS = ["a key", "an access token"] as const;
type Credential = (typeof CREDENTIALS)[number];

/** A check as a run writes it. */
interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}
/** The other states mean that a check does not apply, or describe a sent message. */
const VERDICTS: ReadonlySet<string> = new Set(["SUCCESS", "WARNING", "FAILURE"]);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "engram-conformance-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.for(CREDENTIALS)("with %s, the service without test fixtures", (credential) => {
  const run = serve(`plain, ${credential}`, credential);

  // Scenarios that apply to any server. The others need fixtures.
  test.for(sample(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"], 1))(
    "passes the conformance scenarios of earlier MCP revisions: %s",
    async (scenario) => {
      const { code, output } = await run(RELEASED, "--scenario", scenario);
      expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
      expect(code, output).toBe(0);
    },
  );

  test.for(sample(["tools-list", "http-header-validation", "dns-rebinding-protection"], 1))(
    "passes the conformance scenarios of the revision 2026-07-28: %s",
    async (scenario) => {
      const { code, output } = await run(NEXT, "--spec-version", "2026-07-28", "--scenario", scenario);
      expect(output).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/);
      expect(code, output).toBe(0);
    },
  );
});

describe.for(CREDENTIALS)("with %s, the service with the MCP conformance suite's fixtures", (credential) => {
  const run = serve(`fixtures, ${credential}`, credential, join(HERE, "worker.ts"));

  test("fails only what a stateless server cannot do, in the released suite", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { code, output } = await run(RELEASED, "--suite", "all", ...EXPECTED[RELEASED]);
    expect(output).toContain("Total: 30 passed, 4 failed");
    expect(code, output).toBe(0);
  });

  test("fails only what a stateless server cannot do, among the requirements of 2025-11-25", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { code, output } = await run(NEXT, "--requirements", "2025-11-25", ...EXPECTED[NEXT]);
    expect(output).toMatch(/Total: \d{2,} passed, 4 failed/);
    expect(code, output).toBe(0);
  });

  // Scenarios that a revision does not require are run here too: those of later revisions and extensions.
  test.for([
    ["as each stands", [], 65, 4],
    ["of 2025-03-26", ["--spec-version", "2025-03-26"], 1, 0],
    ["of 2025-06-18", ["--spec-version", "2025-06-18"], 27, 2],
    ["of 2025-11-25", ["--spec-version", "2025-11-25"], 33, 4],
    ["of 2026-07-28", ["--spec-version", "2026-07-28"], 40, 0],
  ] as const)(
    "fails only what a stateless server cannot do, in all scenarios %s",
    {
      timeout: TIMEOUT_MS,
    },
    async ([, version, scenarios, failed]) => {
      const results = await mkdtemp(join(directory, "results-"));
      const asked = ["--suite", "all", ...version, "--output-dir", results];
      const { code, output } = await run(NEXT, ...asked, ...EXPECTED[NEXT]);
      expect(output).toMatch(new RegExp(`Total: \\d+ passed, ${failed} failed`));
      expect(code, output).toBe(0);
      const verdicts = await readVerdicts(results);
      expect(verdicts.size, output).toBe(scenarios);
      const silent = [...verdicts].flatMap(([scenario, { length }]) => (length === 0 ? [scenario] : []));
      expect(silent.sort()).toEqual(ASKING_NOTHING.filter((scenario) => verdicts.has(scenario)));
      const reasons = [...verdicts.values()].flat().map(({ errorMessage }) => errorMessage);
      expect(reasons, "fails for want of a fixture").not.toContainEqual(
        expect.stringMatching(/no such tool/),
      );
    },
  );

  test("fails nothing among the requirements of 2026-07-28", { timeout: TIMEOUT_MS }, async () => {
    const { code, output } = await run(NEXT, "--requirements", "2026-07-28");
    for (const scenario of ["server-stateless", "caching", "input-required-result-multi-round"])
      expect(output).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    expect(code, output).toBe(0);
  });
});

/** The checks of each scenario with a result, from the files that a run wrote. */
async function readVerdicts(results: string): Promise<Map<string, Check[]>> {
  const folders = await readdir(results);
  const judged = folders.map(async (folder) => {
    const [, scenario = ""] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder) ?? [];
    const checks = JSON.parse(await readFile(join(results, folder, "checks.json"), "utf8")) as Check[];
    return [scenario, checks.filter(({ id, status }) => id !== WIRE_CHECK && VERDICTS.has(status))] as const;
  });
  return new Map(await Promise.all(judged));
}

/** A service for these tests. Returns a function that runs a suite against it. */
function serve(name: string, credential: Credential, serviceEntry?: string) {
  let service: Service;
  let proxy: KeyProxy;
  beforeAll(async () => {
    service = await startService({
      port: 0,
      dataDirectory: join(directory, name),
      ...(serviceEntry === undefined ? {} : { serviceEntry }),
    });
    const secret =
      credential === "a key"
        ? service.key
        : await createAccessToken(service, ["read", "write", "search", "delete"]);
    // The suite sends neither a key nor a token.
    proxy = await startKeyProxy(service.url, secret);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await proxy?.stop();
    await service?.stop();
  }, TIMEOUT_MS);

  /** Resolves to its exit code and its output without colors. */
  return (suite: string, ...args: string[]) => {
    const program = join(
      import.meta.dirname,
      "../../node_modules/@modelcontextprotocol",
      suite,
      "dist/index.js",
    );
    const command = [program, "server", "--url", `${proxy.url}/mcp`, ...args];
    return new Promise<{ code: number; output: string }>((done) => {
      execFile(process.execPath, command, { cwd: directory }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it takes out
        done({ code, output: `${stdout}${stderr}`.replace(/\u001b\[\d+m/g, "") });
      });
    });
  };
}

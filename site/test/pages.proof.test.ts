// What pages show is true of a running service. proof/ci/steps.mjs runs their programs and commands outside the
// repository.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type ApiDocument, curlText, operationsOf } from "../scripts/api-reference.ts";
import { created_at, FILES } from "./moving-files.ts";

const PAGES = join(import.meta.dirname, "../pages");
/** Inside the package, so that the programs find the SDK by its name. */
const PROGRAMS = join(import.meta.dirname, ".snippets");
const PROGRAM_TIMEOUT_MS = 60_000;
/** The address that the pages name. */
const BASE_URL = "http://127.0.0.1:26366";

const service = { url: inject("url"), key: inject("key"), adminToken: inject("adminToken") };
/** Working directory of the commands on the pages, which holds the `.engram` of `npm start`. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "engram-site-"));
  mkdirSync(join(folder, ".engram"));
  writeFileSync(join(folder, ".engram/key"), service.key);
  writeFileSync(join(folder, ".engram/admin-token"), service.adminToken);
  mkdirSync(PROGRAMS, { recursive: true });
});
afterAll(() => {
  rmSync(PROGRAMS, { recursive: true, force: true });
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

/** The programs of a page, each under the heading that it stands below, with the output that the page shows. */
function programsOf(page: string) {
  const markdown = readFileSync(join(PAGES, page), "utf8");
  const blocks = /^## (?<title>.*)$|^```ts\n(?<code>[\s\S]*?)^```(?:\n\n```text\n(?<output>[\s\S]*?)^```)?/gm;
  let title = "";
  return [...markdown.matchAll(blocks)].flatMap(({ groups = {} }) => {
    title = groups.title ?? title;
    return groups.code === undefined ? [] : [{ title, code: groups.code, output: groups.output }];
  });
}

/** Run a program against our service, in the folder; resolves to what it printed. */
async function run(command: string, ...args: string[]) {
  const env = { ...process.env, ENGRAM_API_KEY: service.key, ENGRAM_ADMIN_TOKEN: service.adminToken };
  const options = { cwd: folder, env, timeout: PROGRAM_TIMEOUT_MS };
  const { stdout, stderr } = await promisify(execFile)(command, args, options);
  expect(stderr).toBe("");
  return stdout;
}

/** Resolves once all that earlier programs stored is indexed: a program on its own finds nothing pending. */
async function untilIndexed() {
  await expect
    .poll(
      async () => {
        const response = await fetch(`${service.url}/v1/search`, {
          method: "POST",
          headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
          body: '{"query":"anything"}',
        });
        return ((await response.json()) as { pending: number }).pending;
      },
      { timeout: PROGRAM_TIMEOUT_MS },
    )
    .toBe(0);
}

async function createSignInCode(): Promise<string> {
  const response = await fetch(`${service.url}/v1/sign-in-codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}` },
  });
  return ((await response.json()) as { code: string }).code;
}

async function runProgram(name: string, code: string) {
  await untilIndexed();
  const file = join(PROGRAMS, `${name}.ts`);
  writeFileSync(file, code.replaceAll(BASE_URL, service.url));
  return run(process.execPath, file);
}

describe("moving.md", () => {
  test.for(programsOf("moving.md").map(({ title, code }) => [title, code] as const))(
    "carries data over %s, once however often it is run",
    { timeout: 2 * PROGRAM_TIMEOUT_MS },
    async ([title, code]) => {
      const { file, content, stored } = FILES[title as keyof typeof FILES];
      writeFileSync(join(folder, file), JSON.stringify(content));
      for (let round = 0; round < 2; round += 1) expect(await runProgram(file, code)).toBe("");
      const answer = await fetch(`${service.url}/v1/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
        body: JSON.stringify({
          query: `"${stored}"`,
          mode: "keyword",
          in: ["conversations", "memories"],
        }),
      });
      const { results } = (await answer.json()) as { results: { messages?: unknown[]; memory?: unknown }[] };
      const found = results.flatMap(({ messages, memory }) => messages ?? [memory]);
      expect(found).toMatchObject([{ content: stored, created_at }]);
    },
  );
});

describe("mcp.md", () => {
  const markdown = readFileSync(join(PAGES, "mcp.md"), "utf8");

  test("lists the tools that the service has", async () => {
    const answer = await fetch(`${service.url}/mcp?tools=conversations,memories,context,thoughts,live`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${service.key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
    const listed = [...(await answer.text()).matchAll(/"name":"(\w+)","(?:title|description)"/g)];
    const shown = [...markdown.matchAll(/^\| `(\w+)` \| .* \| `\w+` \|$/gm)];
    expect(shown.map(([, name]) => name).sort()).toEqual(listed.map(([, name]) => name).sort());
  });

  test("shows settings that are JSON and lead to the service", () => {
    const settings = [...markdown.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
    expect(settings.length).toBeGreaterThan(3);
    for (const code of settings) expect(JSON.stringify(JSON.parse(code))).toContain(`"${BASE_URL}/mcp"`);
  });
});

describe("the API's reference", () => {
  const document: ApiDocument = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../spec/openapi.json"), "utf8"),
  );

  test.for(operationsOf(document).map((each) => [each.operation.operationId, each] as const))(
    "has an example of %s that the service understands",
    async ([, { method, path, operation }]) => {
      writeFileSync(join(folder, "backup.ndjson"), "");
      const line = curlText(document, method, path, operation).replaceAll(BASE_URL, service.url);
      const code = operation.operationId === "redeemSignInCode" ? `CODE=${await createSignInCode()}; ` : "";
      // A stream lasts for minutes.
      const end = operation.operationId === "streamEvents" ? "--max-time 2 || true" : "";
      const output = await run("sh", "-eu", "-c", `${code}${line} --write-out '\\n%{http_code}' ${end}`);
      const status = Number(output.split("\n").at(-1));
      // What the examples name by its id is not there, but for a user, who is deleted in any case; everything else about them is right.
      if (path.includes("{") && !path.includes("{user_id}")) expect(output).toContain('"code":"not_found"');
      else expect(status, output).toBeLessThan(300);
    },
  );
});

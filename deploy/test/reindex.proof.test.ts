// `npm run reindex`: its decisions, and the command in separate processes against the real service.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Engram, type IndexStatus, type RepairIndexOperation, type Scope } from "@engram/sdk";
import { afterAll, beforeAll, describe, expect, inject, it, test } from "vitest";
import { UsageError } from "../src/args.ts";
import { readArgs } from "../src/reindex/args.ts";
import { showProgress } from "../src/reindex/progress.ts";
import { reindex } from "../src/reindex/reindex.ts";
import { ROOT } from "./support/folders.ts";

const DONE: IndexStatus = {
  model: "new",
  dimensions: 256,
  messages: 9,
  pending: 0,
  failed: 0,
  chunks: 3,
  chunks_of_other_models: 0,
  deletions_pending: 0,
  complete: true,
  last_error: null,
};
const REFUSED: Partial<IndexStatus> = {
  failed: 2,
  last_error: { message: "5006: too long", at: "2026-11-21T23:13:32.254Z" },
};

describe("npm run reindex", () => {
  type RepairStatus = RepairIndexOperation["status"];

  /** Runs with a repair that has these statuses in turn, after which the index has this state. */
  const run = (repair: RepairStatus[], state: Partial<IndexStatus> = {}) => {
    const moved: number[] = [];
    const next = async () => ({ id: "op_1", status: repair.shift() ?? "succeeded" });
    const ended = reindex({
      status: async () => ({ ...DONE, ...state, pending: repair.length }),
      repair: next,
      get: next,
      sleep: async () => {},
      moved: ({ pending }) => moved.push(pending),
    });
    return { ended, moved };
  };

  it("shows what is pending until the repair is done", async () => {
    const { ended, moved } = run(["running", "running", "succeeded"]);
    expect(await ended).toEqual(DONE);
    expect(moved).toEqual([2, 1]);
  });

  it.each<[string, RepairStatus, Partial<IndexStatus>, string]>([
    ["messages could not be embedded", "failed", REFUSED, "2 messages could not be embedded: 5006: too long"],
    [
      "another process keeps writing vectors of another model",
      "succeeded",
      { chunks_of_other_models: 1 },
      "1 chunks of another model are there although all is done",
    ],
    ["the repair was canceled", "canceled", {}, "The repair was canceled."],
  ])("fails if %s, and says why", async (_, status, state, message) => {
    await expect(run(["running", status], state).ended).rejects.toThrow(message);
  });
});

describe("the progress of npm run reindex", () => {
  const moving = { ...DONE, ...REFUSED, pending: 4_000, messages: 9_000, chunks_of_other_models: 1_200 };
  const line =
    "  4,000 of 9,000 messages to go, 1,200 chunks of another model left, 2 failed, last error: 5006: too long";

  it("is a line every ten seconds if the output is not a terminal", () => {
    const written: string[] = [];
    let nowMs = 0;
    const progress = showProgress(
      { isTTY: false, write: (text) => written.push(String(text)) > 0 },
      () => nowMs,
    );
    for (const atMs of [0, 9_999, 10_000]) {
      nowMs = atMs;
      progress.show(moving);
    }
    progress.clear();
    expect(written).toEqual([`${line}\n`, `${line}\n`]);
  });

  it("is one line on a terminal, cut to the terminal's width", () => {
    const written: string[] = [];
    const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
    const progress = showProgress({ isTTY: true, columns: 40, write }, () => 0);
    progress.show(moving);
    progress.clear();
    expect(written).toEqual([`\r\x1b[K${line.slice(0, 39)}`, "\r\x1b[K"]);
  });
});

describe("the arguments of npm run reindex", () => {
  const key = { ENGRAM_API_KEY: "k" };

  test.each([
    ["an option", ["--url", "http://a"], { ...key, ENGRAM_URL: "http://b" }, "http://a"],
    ["an option that npm took for its own", [], { ...key, npm_config_url: "http://a" }, "http://a"],
    ["the environment", [], { ...key, ENGRAM_URL: "http://b" }, "http://b"],
    ["the local start", [], { ...key, ENGRAM_URL: "" }, "http://127.0.0.1:26366"],
  ] as const)("name the service by %s", (_, args, env, url) => {
    expect(readArgs(args, env)).toEqual({ url, key: "k" });
  });

  it("are refused without a key, and if they are unknown", () => {
    expect(() => readArgs([], {})).toThrow(UsageError);
    expect(() => readArgs(["--force"], key)).toThrow(UsageError);
    expect(() => readArgs(["http://a"], key)).toThrow(UsageError);
  });
});

/** Runs the command as a user does. */
function start(env: Record<string, string>, args: string[] = []) {
  const child = spawn(process.execPath, [join(ROOT, "deploy/src/reindex.ts"), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = async () => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  return { child, ended: end() };
}

describe("npm run reindex against the service", () => {
  const service = { url: inject("url"), key: inject("key") };
  const client = new Engram({ baseUrl: service.url, apiKey: service.key });

  it("exits with 0 when every message is embedded again", async () => {
    const { id } = await client.conversations.create();
    const messages = ["The kettle leaks.", "Send it back."].map((content) => ({
      role: "user" as const,
      content,
    }));
    await client.messages.append(id, { messages });
    const { code, stdout, stderr } = await start({ ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key })
      .ended;
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^The service embeds everything again\. Messages are found by their words throughout\.\n/,
    );
    expect(stdout).toMatch(/^Done: 2 messages in 1 chunks, embedded by engram\/\S+\.$/m);
    expect(await client.index.status()).toMatchObject({ pending: 0, chunks: 1 });
  });

  it("exits with 1 for an invalid key and for one that lacks a scope, and prints neither", async () => {
    const scopes: Scope[] = ["read"];
    const { secret } = await client.keys.create({ name: "reader", scopes });
    const wrong = `${secret.slice(0, -3)}000`;
    for (const [key, reason] of [
      [wrong, `${service.url} does not take the key in ENGRAM_API_KEY`],
      [secret, "The key in ENGRAM_API_KEY needs the scopes read and write"],
    ] as const) {
      const { code, stdout, stderr } = await start({ ENGRAM_API_KEY: key }, ["--url", service.url]).ended;
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(reason);
      expect(stderr).not.toContain(key);
    }
  });

  it("exits with 1 if no Engram service responds", async () => {
    const elsewhere = { ENGRAM_API_KEY: service.key, ENGRAM_URL: `${service.url}/elsewhere` };
    const { code, stderr } = await start(elsewhere).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no Engram at ${service.url}/elsewhere`);
  });

  it("exits with 2 and the usage for invalid arguments", async () => {
    for (const [env, args] of [
      [{}, []],
      [{ ENGRAM_API_KEY: service.key }, ["--force"]],
      [{ ENGRAM_API_KEY: service.key }, ["--url", "nowhere"]],
    ] as const) {
      const { code, stdout, stderr } = await start(env, [...args]).ended;
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain("Usage: npm run reindex");
    }
  });
});

describe("npm run reindex against a service that never completes", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const isIndex = request.method === "GET" && request.url === "/v1/index";
      response.writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(isIndex ? { ...DONE, pending: 9 } : { id: "op_1", status: "running" }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends at %s and says that the service continues", async (name, expected) => {
    const { child, ended } = start({ ENGRAM_URL: url, ENGRAM_API_KEY: "engram_sk_live_0" });
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("9 of 9 messages to go")) child.kill(name);
    });
    const { code, stderr } = await ended;
    expect(code).toBe(expected);
    expect(stderr).toContain("what is queued goes on in the service");
  });

  it("exits with 1 if the service no longer responds", async () => {
    const gone = createServer();
    gone.listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, "close");
    const nobody = { ENGRAM_URL: `http://127.0.0.1:${port}`, ENGRAM_API_KEY: "engram_sk_live_0" };
    const { code, stderr } = await start(nobody).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`No answer from http://127.0.0.1:${port}: `);
  });
});

it("`npm run reindex -- --help` prints the usage of the reindex command", () => {
  const output = execFileSync("npm", ["run", "reindex", "--", "--help"], { cwd: ROOT, encoding: "utf8" });
  expect(output).toContain("Usage: npm run reindex");
});

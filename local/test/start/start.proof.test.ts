import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { databaseFile } from "../../src/start/database.ts";
import { listMigrations } from "../../src/start/migrations.ts";
import { ask, cleanUp, exitCode, makeDataDirectory, ROOT, runToEnd, start, until } from "./running.ts";

interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Sends a request that an HTTP library would not send. */
async function sendRaw(url: string, request: string, headers: string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`${[`${request} HTTP/1.1`, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`);
  const answer = await text(socket);
  const end = answer.indexOf("\r\n\r\n");
  const [first = "", ...lines] = answer.slice(0, end).split("\r\n");
  const pairs = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(":");
    return [name, value.join(":").trim()];
  });
  return { status: Number(first.split(" ")[1]), headers: new Headers(pairs), body: answer.slice(end + 4) };
}

async function statusOf(url: string, hosts: string[]): Promise<number> {
  const headers = hosts.map((host) => `Host: ${host}`);
  return (await sendRaw(url, "GET /problems", headers)).status;
}

/** The names in the file that the stopped service has used. */
function appliedMigrations(data: string): unknown[] {
  const database = new DatabaseSync(databaseFile(join(data, "v3")));
  try {
    const rows = database
      .prepare("SELECT name FROM d1_migrations WHERE EXISTS (SELECT 1 FROM conversations)")
      .all();
    return rows.map(({ name }) => name);
  } finally {
    database.close();
  }
}

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8);

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/**
 * An unused port below the range from which the system takes the ports of outgoing connections. A client that
 * connects repeatedly to a port in that range can be given the same port, and connect to itself.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, "127.0.0.1");
    const taken = await once(server, "listening").then(
      () => false,
      () => true,
    );
    if (taken) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

afterAll(cleanUp);

interface McpServer {
  url: string;
  headers: Record<string, string>;
}

/** The arguments that the printed `claude mcp add` line passes to Claude Code. A shell function records them. */
async function claudeServer(output: string): Promise<McpServer> {
  const line = /^ {2}(claude mcp add .*)$/m.exec(output)?.[1] ?? "";
  const script = `claude() { printf '%s\n' "$@"; }; ${line}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: tmpdir() });
  const words = stdout.trimEnd().split("\n");
  const [url = "", header, value = ""] = words.splice(-3);
  expect([...words, header]).toEqual([..."mcp add --scope user --transport http engram --header".split(" ")]);
  return { url, headers: Object.fromEntries([value.split(": ")]) };
}

/** The server in the printed JSON. */
function jsonServer(output: string): McpServer {
  const json = /^ {2}(\{"mcpServers".*\})$/m.exec(output)?.[1] ?? "{}";
  const { type, ...server } = JSON.parse(json).mcpServers.engram;
  expect(type).toBe("http");
  return server;
}

describe.concurrent("npm start", () => {
  it("serves with a persistent key that only the user can read, applies migrations once, and locks its data directory", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const first = await start("run.mjs", { ENGRAM_DATA });

    expect((await ask(first, "/v1/keys")).status).toBe(200);
    expect(readFileSync(join(ENGRAM_DATA, "key"), "utf8").trim()).toBe(first.key);
    expect(readFileSync(join(ENGRAM_DATA, "admin-token"), "utf8")).toMatch(
      /^engram_admin_[0-9A-Za-z]{32}\n$/,
    );
    expect(permissions(ENGRAM_DATA)).toBe("700");
    expect(permissions(join(ENGRAM_DATA, "key"))).toBe("600");
    expect(permissions(join(ENGRAM_DATA, "admin-token"))).toBe("600");

    const curl = /^ {2}(curl .*)$/m.exec(first.output())?.[1] ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", curl], { cwd: ROOT });
    const { id } = JSON.parse(stdout);
    expect(id).toMatch(/^conv_/);

    for (const { url, headers } of [await claudeServer(first.output()), jsonServer(first.output())]) {
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const accept = "application/json, text/event-stream";
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headers, accept, "content-type": "application/json" },
        body: JSON.stringify(list),
      });
      expect(await answer.text()).toContain('"name":"append_messages"');
    }

    const code = /^ {2}Console {2}.*\/#\/sign-in\/(engram_code_\w+)$/m.exec(first.output())?.[1] ?? "";
    const headers = { authorization: `Bearer ${code}` };
    const bought = await fetch(`${first.url}/v1/sign-in-codes/redeem`, { method: "POST", headers });
    expect(await bought.json()).toMatchObject({ name: "console sign-in", secret: expect.any(String) });

    const second = await runToEnd({ ENGRAM_DATA, PORT: "0" });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`pid ${first.pid}, ${first.url}`);
    const third = await runToEnd({ ENGRAM_DATA: makeDataDirectory(), PORT: new URL(first.url).port });
    expect(third.code).toBe(1);
    expect(third.output).toContain(`is taken by another Engram (pid ${first.pid})`);

    first.launcher.kill("SIGTERM");
    expect(await exitCode(first.launcher)).toBe(0);
    const applied = appliedMigrations(ENGRAM_DATA);
    expect(applied).toEqual(listMigrations(join(ROOT, "migrations")));

    expect(first.output()).not.toContain('"event"');
    const again = await start("run.mjs", { ENGRAM_DATA, ENGRAM_LOG: "1" });
    expect(again.key).toBe(first.key);
    expect((await ask(again, `/v1/conversations/${id}`)).status).toBe(200);
    await until(() => again.output().includes('"operation":"getConversation"'), 10_000);
    expect(appliedMigrations(ENGRAM_DATA)).toEqual(applied);
  });

  it("accepts the host names of the loopback interface and ENGRAM_ALLOWED_HOSTS, and rejects a second Host header", async () => {
    const ENGRAM_ALLOWED_HOSTS = "engram.test,other.test:8080";
    const service = await start("run.mjs", { ENGRAM_DATA: makeDataDirectory(), ENGRAM_ALLOWED_HOSTS });
    const { host } = new URL(service.url);
    for (const hosts of [
      [host, host],
      [host, "evil.example"],
      ["evil.example", host],
      [`${host}, evil.example`],
      [`${host},${host}`],
    ]) {
      expect(await statusOf(service.url, hosts), hosts.join(" and ")).toBe(400);
    }
    expect(await statusOf(service.url, [host])).toBe(200);
    expect(await statusOf(service.url, ["evil.example"])).toBe(403);
    for (const [name, expected] of [
      ["localhost", 200],
      ["localhost:1", 200],
      ["127.0.0.1:65535", 200],
      ["[::1]:26366", 200],
      ["engram.test:80", 200],
      ["other.test:8080", 200],
      ["other.test", 403],
    ] as const) {
      expect(await statusOf(service.url, [name]), name).toBe(expected);
    }
    const { status, body } = await sendRaw(service.url, "GET /problems", ["Host: evil.example"]);
    const { code, detail } = JSON.parse(body);
    expect([status, code]).toEqual([403, "host_not_allowed"]);
    expect(detail).toContain("`ENGRAM_ALLOWED_HOSTS`");
    for (const path of ["/health", "/ready"]) {
      expect((await sendRaw(service.url, `GET ${path}`, ["Host: 10.0.0.7"])).status, path).toBe(200);
    }
  });

  it("answers an invalid request target with a problem, and HEAD with the headers of GET", async () => {
    const service = await start("run.mjs", { ENGRAM_DATA: makeDataDirectory() });
    const { host } = new URL(service.url);
    const headers = [`Host: ${host}`, `Authorization: Bearer ${service.key}`];
    for (const [request, status, code] of [
      ["OPTIONS *", 400, "validation_failed"],
      ["GET *", 400, "validation_failed"],
      ["GET /v1/conversations/%", 404, "not_found"],
      ["GET /v1/conversations/%zz", 404, "not_found"],
      ["GET /v1/conversations/%E0%A4%A/messages/%zz", 404, "not_found"],
      ["GET /docs/%E0%A4%A", 404, "not_found"],
      ["GET /%zz", 404, "not_found"],
      ["GET /v1/conversations?cursor=%zz", 400, "invalid_cursor"],
      ["GET /v1/conversations?%zz=1", 400, "validation_failed"],
      [`GET http://${host}/nothing`, 404, "not_found"],
    ] as const) {
      const answer = await sendRaw(service.url, request, headers);
      expect(answer.headers.get("content-type"), request).toBe("application/problem+json");
      const problem = JSON.parse(answer.body);
      expect([answer.status, problem.status, problem.code], request).toEqual([status, status, code]);
      expect(problem.request_id, request).toBe(answer.headers.get("x-request-id"));
    }
    for (const target of ["/v1/conversations?tags_any=%E0%A4%A", `http://${host}/v1/keys`]) {
      expect((await sendRaw(service.url, `GET ${target}`, headers)).status, target).toBe(200);
    }
    for (const path of ["/health", "/ready", "/docs", "/openapi.json", "/llms.txt", "/v1/keys", "/nothing"]) {
      const [got, head] = [
        await sendRaw(service.url, `GET ${path}`, headers),
        await sendRaw(service.url, `HEAD ${path}`, headers),
      ];
      const describe = ({ status, headers }: RawAnswer) => {
        for (const name of ["x-request-id", "server-timing", "content-length"]) headers.delete(name);
        return [status, Object.fromEntries(headers)];
      };
      expect(describe(head), path).toEqual(describe(got));
      expect([got.body === "", head.body], path).toEqual([false, ""]);
    }
  });

  it("responds only after the file of the key is readable", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const port = await freePort();
    const starting = start("run.mjs", { ENGRAM_DATA, PORT: String(port) });
    await until(() => existsSync(join(ENGRAM_DATA, "running.json")), 30_000);
    let response: Response | undefined;
    await until(async () => {
      response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
      return response !== undefined;
    }, 60_000);
    const key = readFileSync(join(ENGRAM_DATA, "key"), "utf8").trim();
    expect([response?.status, key]).toEqual([200, (await starting).key]);
  });

  it("names the program that uses the port", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const port = portOf(holder);
    const { code, output } = await runToEnd({ ENGRAM_DATA: makeDataDirectory(), PORT: String(port) });
    holder.close();
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} of 127.0.0.1 is taken`);
  });

  it("has no rate limits, as docs/limits.md says", async () => {
    const service = await start("run.mjs", { ENGRAM_DATA: makeDataDirectory() });
    // More than a deployment accepts from a key in 10 seconds.
    for (let sent = 0; sent < 1_200; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(service, "/v1/keys")));
      for (const { status, headers } of answers)
        expect([status, headers.get("ratelimit-policy")]).toEqual([200, null]);
    }
  });

  it("takes its options after `--`, which take precedence over the variables", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const port = await freePort();
    const service = await start("npm", { ENGRAM_DATA }, [`--port=${port}`]);
    expect(service.url).toBe(`http://127.0.0.1:${port}`);
    const data = makeDataDirectory();
    const other = await start("npm", { ENGRAM_DATA, PORT: String(port) }, ["--port", "0", "--data", data]);
    expect(readFileSync(join(data, "key"), "utf8").trim()).toBe(other.key);
  });

  it("prints its options with --help, and stops at an unknown one with one line and exit code 2", async () => {
    const env = { ENGRAM_DATA: makeDataDirectory() };
    const help = await runToEnd(env, { by: "npm", args: ["--help"] });
    expect(help).toMatchObject({
      code: 0,
      output: expect.stringMatching(/--port <n>[\s\S]*--data <directory>/),
    });
    const wrong = await runToEnd(env, { by: "npm", args: ["--prot", "9123"] });
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain("Unknown option '--prot'. The option --help lists the options.\n");
    expect(existsSync(env.ENGRAM_DATA)).toBe(false);
  });

  it("refuses an invalid port", async () => {
    const { code, output } = await runToEnd({ ENGRAM_DATA: makeDataDirectory(), PORT: "70000" });
    expect(code).toBe(1);
    expect(output).toContain('not "70000"');
  });
});

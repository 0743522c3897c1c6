import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "../../../local/src/start/service.ts";

const PROGRAM = join(
  import.meta.dirname,
  "../../node_modules/@modelcontextprotocol/conformance-next/dist/index.js",
);
const TIMEOUT_MS = 120_000;

let directory: string;
let service: Service;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "engram-oauth-"));
  service = await startService({ port: 0, dataDirectory: join(directory, "data") });
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** What a person does in a browser: opens the page, enters the key, and is sent to the client. */
async function allow(url: string): Promise<void> {
  const page = await fetch(url);
  const html = await page.text();
  const body = new URLSearchParams([
    ["handle", /name="handle" value="([^"]+)"/.exec(html)?.[1] ?? ""],
    ["decision", "allow"],
    ["key", service.key],
    ["scope", "read"],
  ]);
  const headers = {
    cookie: page.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; "),
  };
  const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual" });
  expect(answer.status).toBe(302);
  await fetch(answer.headers.get("location") ?? "");
}

test("passes the scenarios of the official conformance suite for authorization servers", {
  timeout: TIMEOUT_MS,
}, async () => {
  const registered = await fetch(`${service.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
      client_name: "Conformance",
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const args = ["--url", service.url, "--client-id", client_id, "--resource", `${service.url}/mcp`];
  const command = [PROGRAM, "authorization", ...args, "--port", String(await freePort())];
  const suite = spawn(process.execPath, command, { cwd: directory });
  let output = "";
  let opened: Promise<void> | undefined;
  const read = (chunk: Buffer) => {
    output += chunk;
    const [url] = /https?:\/\/\S+\/authorize\?\S+/.exec(output) ?? [];
    if (url !== undefined) opened ??= allow(url);
  };
  suite.stdout.on("data", read);
  suite.stderr.on("data", read);
  const [code] = await once(suite, "close");
  await opened;
  expect(opened, output).toBeDefined();
  expect(output).toMatch(/authorization-server-metadata-endpoint/);
  expect(code, output).toBe(0);
});

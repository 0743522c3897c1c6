import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Service, startService } from "../../../local/src/start/service.ts";
import { allow, register } from "./sign-in.ts";

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
const follow = async (url: string): Promise<void> => void (await fetch(await allow(service, url, ["read"])));

test("passes the scenarios of the official conformance suite for authorization servers", {
  timeout: TIMEOUT_MS,
}, async () => {
  const clientId = await register(service, ["http://127.0.0.1/callback", "http://localhost/callback"]);
  const args = ["--url", service.url, "--client-id", clientId, "--resource", `${service.url}/mcp`];
  const command = [PROGRAM, "authorization", ...args, "--port", String(await freePort())];
  const suite = spawn(process.execPath, command, { cwd: directory });
  let output = "";
  let opened: Promise<void> | undefined;
  const read = (chunk: Buffer) => {
    output += chunk;
    const [url] = /https?:\/\/\S+\/authorize\?\S+/.exec(output) ?? [];
    if (url !== undefined) opened ??= follow(url);
  };
  suite.stdout.on("data", read);
  suite.stderr.on("data", read);
  const [code] = await once(suite, "close");
  await opened;
  expect(opened, output).toBeDefined();
  expect(output).toMatch(/authorization-server-metadata-endpoint/);
  expect(code, output).toBe(0);
});

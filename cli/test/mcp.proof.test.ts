import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseToml } from "smol-toml";
import { describe, expect, onTestFinished, test } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { before, createProfile, createSettings, FILES } from "./support/mcp-files.ts";
import { createPerson, PROGRAM, runAlone } from "./support/program.ts";
import { serve } from "./support/servers.ts";

/** The official client, which starts the bridge as any client does. */
async function connect(
  server: { command: string; args: string[] },
  env: Record<string, string>,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, options);
  await client.connect(new StdioClientTransport({ ...server, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}

const bridge = { command: process.execPath, args: [PROGRAM, "mcp"] };

describe("engram mcp", () => {
  test.for([
    ["the revision of 2025", {}],
    ["the newest revision", { versionNegotiation: { mode: "auto" } }],
  ] as const)("forwards every message unchanged in %s", async ([, options]) => {
    const { env } = await createPerson();
    const client = await connect(bridge, env, options);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("append_messages");
    const created = await client.callTool({
      name: "create_conversation",
      arguments: { title: "Order 1029" },
    });
    expect(created.structuredContent).toMatchObject({ title: "Order 1029" });
    const failed = await client.callTool({
      name: "get_conversation",
      arguments: { conversation_id: "conv_none" },
    });
    expect(failed.isError).toBe(true);
  });

  test("and every other command reach a service that a proxy serves under a path", async () => {
    const { url, env, run } = await createPerson();
    const asked: string[] = [];
    const proxy = await serve(async (incoming, outgoing) => {
      asked.push(incoming.url ?? "");
      const body = incoming.method === "POST" ? Buffer.concat(await incoming.toArray()) : undefined;
      const { host: _, connection: __, ...headers } = incoming.headers;
      const target = `${url}${incoming.url?.replace(/^\/engram/, "")}`;
      const answer = await fetch(target, {
        method: incoming.method,
        headers: headers as never,
        body,
      } as never);
      const type = answer.headers.get("content-type") ?? "text/plain";
      outgoing
        .writeHead(answer.status, { "content-type": type })
        .end(Buffer.from(await answer.arrayBuffer()));
    });
    const ENGRAM_URL = `${proxy}/engram/`;
    const client = await connect(bridge, { ...env, ENGRAM_URL });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("append_messages");
    for (const args of [
      ["doctor", "--json"],
      ["conversations", "list"],
    ])
      expect(await run(args, { env: { ENGRAM_URL } })).toMatchObject({ code: 0 });
    const { stdout } = await run(["console"], { env: { ENGRAM_URL } });
    expect(stdout).toContain(`${proxy}/engram/#/sign-in/engram_code_`);
    expect(asked.filter((path) => !/^\/engram\/(mcp|openapi\.json|health|ready|v1\/)/.test(path))).toEqual(
      [],
    );
  });

  test("offers the client the tool sets that its options select", async () => {
    const { env } = await createPerson();
    const namesOf = async (...args: string[]) => {
      const client = await connect({ ...bridge, args: [...bridge.args, ...args] }, env);
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name);
    };
    expect(await namesOf()).not.toContain("store_memory");
    expect(await namesOf("--tools", "memories")).toEqual(
      expect.arrayContaining(["store_memory", "recall_memory"]),
    );
    // Each tool is one of the service's.
    expect(await namesOf("--tools", "conversations, memories,thoughts")).toEqual(
      expect.arrayContaining(["append_messages", "store_memory", "capture_thought"]),
    );
  });

  test.for(["", "notes", "memories,notes"])(
    "rejects the unknown tool sets %o when it starts",
    async (tools) => {
      const { run } = await createPerson();
      for (const args of [["mcp"], ["mcp", "install", "--client", "cursor", "--yes"]]) {
        const { code, stdout, stderr } = await run([...args, "--tools", tools], { input: "" });
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
        expect(stderr).toContain("conversations, memories, context, thoughts");
      }
    },
  );

  test("processes requests in parallel, each with its own response", async () => {
    const { env } = await createPerson();
    const client = await connect(bridge, env);
    const titles = Array.from({ length: 20 }, (_, i) => `chat ${i}`);
    const created = await Promise.all(
      titles.map((title) => client.callTool({ name: "create_conversation", arguments: { title } })),
    );
    expect(created.map(({ structuredContent }) => structuredContent)).toMatchObject(
      titles.map((title) => ({ title })),
    );
  });

  test.for([
    ["a rejected key", { ENGRAM_API_KEY: "engram_sk_live_wrong" }, /unauthenticated/],
    ["a service that does not respond", { ENGRAM_URL: "http://127.0.0.1:2" }, /fetch failed/],
  ] as const)("reports to the client %s", async ([, env, says]) => {
    const person = await createPerson();
    await expect(connect(bridge, { ...person.env, ...env })).rejects.toThrow(says);
  });

  test("writes only messages to standard output, and ends when its input ends", async () => {
    const { env } = await createPerson();
    const serve = (more: Record<string, string>) =>
      runAlone(["mcp"], { env: { ...env, ...more }, input: "" });
    expect(await serve({})).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await serve({ ENGRAM_API_KEY: "" })).toMatchObject({ code: 1, stdout: "" });
  });
});

/** The servers in the text of a client's file. */
const servers = (client: string, text: string): Record<string, { command: string; args: string[] }> => {
  if (client === "codex") return parseToml(text).mcp_servers as never;
  return JSON.parse(text.replace(/\/\/.*/, ""))[client === "vscode" ? "servers" : "mcpServers"];
};

describe.for(sample(Object.entries(FILES), 2))("engram mcp install for %s", ([client, path]) => {
  const install = ["mcp", "install", "--client", client];

  test("writes the command that the client starts, without the key", async () => {
    const person = await createProfile();
    const { code, stdout, stderr } = await person.run([...install, "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Done\. /);
    expect(stderr).toContain(path);
    const text = readFileSync(join(person.home, path), "utf8");
    expect(text + stdout + stderr).not.toContain(person.key);
    const { command, args } = servers(client, text).engram ?? { command: "", args: [] };
    const { ENGRAM_API_KEY: _, ENGRAM_URL: __, ...env } = person.env;
    const { tools } = await (await connect({ command, args }, env)).listTools();
    expect(tools.length).toBeGreaterThan(0);
  });

  test("keeps a one-line file on one line, and does not print the key of a replaced entry", async () => {
    const { person, file } = await createSettings(path);
    const old = { url: person.url, headers: { Authorization: `Bearer ${person.key}` } };
    const key = client === "vscode" ? "servers" : "mcpServers";
    writeFileSync(
      file,
      client === "codex"
        ? `[mcp_servers.engram]\nurl = "${old.url}"\nhttp_headers = { Authorization = "${old.headers.Authorization}" }\n`
        : JSON.stringify({ theme: 1, [key]: { a: { b: [] }, engram: old } }),
    );
    const { code, stderr } = await person.run([...install, "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/ {2}- .*engram_sk_live_[\s\S]* {2}\+ .*command/);
    expect(stderr).not.toContain(person.key);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(person.key);
    if (client !== "codex") expect(JSON.parse(text)).toMatchObject({ theme: 1 });
    expect(servers(client, text)).toMatchObject(client === "codex" ? {} : { a: { b: [] } });
  });

  test("changes only this entry, once it is confirmed, saves the old file as a backup, and changes nothing again", async () => {
    const { person, file } = await createSettings(path, before(client));
    expect(await person.run(install)).toMatchObject({ code: 2, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(before(client));
    const { stdout, stderr } = await person.run([...install, "--yes", "--json"]);
    const { backup, changed } = JSON.parse(stdout);
    expect(changed).toBe(true);
    expect(readFileSync(backup, "utf8")).toBe(before(client));
    const once = readFileSync(file, "utf8");
    for (const line of before(client).split("\n")) expect(once).toContain(line.replace(/[\s}]+$/, ""));
    expect(servers(client, once)).toMatchObject({ other: { command: "other" }, engram: {} });
    // The diff shows only what changes.
    expect(stderr).toMatch(/\+ .*engram/);
    expect(stderr).not.toContain("another secret");
    const again = await person.run([...install, "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: false, backup: null });
    expect(readFileSync(file, "utf8")).toBe(once);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".bak"))).toHaveLength(1);
  });

  test("replaces the profile and the tool sets of an existing entry, and removes the tool sets again", async () => {
    const { person, file } = await createSettings(path, before(client));
    await person.run(["login", "--profile", "work"], { input: person.key });
    const tools = ["--tools", "conversations,memories"];
    const args = () => servers(client, readFileSync(file, "utf8")).engram?.args;
    await person.run([...install, "--yes"]);
    await person.run([...install, "--yes", "--profile", "work", ...tools]);
    expect(args()?.slice(-4)).toEqual(["--profile", "work", ...tools]);
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain('"default"');
    for (const line of before(client).split("\n")) expect(text).toContain(line.replace(/[\s}]+$/, ""));
    const { stdout } = await person.run([...install, "--profile", "work", ...tools, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ changed: false });
    await person.run([...install, "--yes"]);
    expect(args()).not.toContain("--tools");
  });
});

describe("engram mcp install", () => {
  test("needs a profile, which stores the key", async () => {
    const { run } = await createPerson();
    const { code, stderr } = await run(["mcp", "install", "--client", "cursor", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("engram login") });
  });
});

// The plugin for coding agents. proof/ci/coding-agents.mjs installs it into the clients themselves.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { hookClients, hookCommandsIn } from "../src/hook-clients.ts";
import { createPerson } from "./support/program.ts";

const ROOT = join(import.meta.dirname, "../..");
const PLUGIN = join(ROOT, "plugin");
const read = (path: string) => JSON.parse(readFileSync(join(PLUGIN, path), "utf8"));
const own = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

const MANIFESTS = [".claude-plugin", ".codex-plugin", ".cursor-plugin"].map(
  (folder) => `${folder}/plugin.json`,
);

describe("Agent Plugins 1.0.0", () => {
  // Both formats are closed, by the sections 5.2 and 7.2.1 of the specification.
  const SCHEMAS = "https://agent-plugins.org/schemas/1.0.0";
  const TEXTS = ["$schema", "name", "version", "description", "homepage", "repository", "license"];

  test("the manifest has the fields of the specification, and no other", () => {
    const { author, keywords, ...texts } = read("plugin.json");
    expect(texts).toMatchObject({ $schema: `${SCHEMAS}/plugin.schema.json`, version: own.version });
    expect(texts.name).toMatch(/^(?!.*(--|\.\.))[a-z0-9]([a-z0-9.-]{0,62}[a-z0-9])?$/);
    for (const [field, text] of Object.entries(texts)) {
      expect(TEXTS).toContain(field);
      expect(typeof text, field).toBe("string");
    }
    expect(author).toEqual({ name: expect.any(String) });
    for (const keyword of keywords) expect(typeof keyword).toBe("string");
  });

  test("the server is a program with arguments, and has no other fields", () => {
    expect(read("mcp.json")).toEqual({
      $schema: `${SCHEMAS}/mcp.schema.json`,
      mcpServers: {
        // The command is one bare name: it is neither a shell's nor expanded.
        engram: { type: "stdio", command: expect.stringMatching(/^[\w-]+$/), args: expect.any(Array) },
      },
    });
  });

  test("each skill has the name of its folder, and a description that says when to use it", () => {
    const skills = readdirSync(join(PLUGIN, "skills"));
    expect(skills).toEqual(["memory"]);
    for (const skill of skills) {
      const text = readFileSync(join(PLUGIN, "skills", skill, "SKILL.md"), "utf8");
      const { name, description, ...more } = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "");
      expect(name).toBe(skill);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect(description).toContain("when");
      expect(Object.keys(more)).toEqual(["license"]);
    }
  });
});

test("the manifests of all clients agree, and name files that exist", () => {
  const { $schema: _, ...about } = read("plugin.json");
  for (const path of MANIFESTS) {
    const manifest = read(path);
    expect(manifest, path).toMatchObject(about);
    for (const field of ["hooks", "skills"])
      if (manifest[field] !== undefined) expect(existsSync(join(PLUGIN, manifest[field])), path).toBe(true);
  }
});

test("the hooks are those of `engram hooks install`, and run the program on the PATH", () => {
  const text = readFileSync(join(PLUGIN, "hooks/claude-code.json"), "utf8");
  expect(hookCommandsIn(text)).toEqual(["engram hooks run --client claude-code"]);
  const captureEvents = hookClients({}).get("claude-code")?.captureEvents ?? [];
  expect(Object.keys(JSON.parse(text).hooks)).toEqual(["SessionStart", "UserPromptSubmit", ...captureEvents]);
  // A client would run a file with this name in addition to the one of its own.
  expect(existsSync(join(PLUGIN, "hooks/hooks.json"))).toBe(false);
});

test("no key is in the plugin, and Claude Code stores the one that it asks for apart", () => {
  const { userConfig, mcpServers } = read(".claude-plugin/plugin.json");
  expect(userConfig.api_key.sensitive).toBe(true);
  expect(mcpServers.engram.env).toEqual({
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
    ENGRAM_URL: "${user_config.url}",
    ENGRAM_API_KEY: "${user_config.api_key}",
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
  });
});

test("each tool that the skill names is one of the plugin's server", async () => {
  const { url, key } = await createPerson();
  const response = await fetch(`${url}/mcp?tools=${read("mcp.json").mcpServers.engram.args.at(-1)}`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${key}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  const tools = [...(await response.text()).matchAll(/"name":"([a-z_]+)"/g)].map(([, name]) => name);
  const skill = readFileSync(join(PLUGIN, "skills/memory/SKILL.md"), "utf8");
  const named = [...skill.matchAll(/`((?:search|[a-z]+_(?:memory|messages|conversations?)))`/g)];
  expect(named.length).toBeGreaterThan(5);
  for (const [, name] of named) expect(tools).toContain(name);
});

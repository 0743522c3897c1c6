import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { createPerson, PROGRAM } from "./support/program.ts";

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const entry = read("../../server.json");
const own = read("../package.json");

/** The fields of a type in the schema of 2025-12-11, of those that a server in a package can have. */
const FIELDS = {
  server: ["$schema", "name", "title", "description", "websiteUrl", "version", "packages"],
  package: [
    ...["registryType", "identifier", "version", "runtimeHint", "transport", "packageArguments"],
    "environmentVariables",
  ],
  argument: ["type", "name", "value", "valueHint", "description", "default", "isRequired", "isSecret"],
};
const unknown = (value: object, known: string[]) => Object.keys(value).filter((key) => !known.includes(key));

test("the entry for the registry of MCP servers has the form of the schema of 2025-12-11", () => {
  expect(entry.$schema).toContain("/2025-12-11/");
  expect(entry.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(entry.name.length).toBeLessThanOrEqual(200);
  for (const text of [entry.title, entry.description]) {
    expect(text.length).toBeGreaterThan(0);
    expect(text.length).toBeLessThanOrEqual(100);
  }
  expect(URL.canParse(entry.websiteUrl)).toBe(true);
  expect(unknown(entry, FIELDS.server)).toEqual([]);
  for (const part of entry.packages) {
    expect(unknown(part, FIELDS.package)).toEqual([]);
    expect(part.version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(part.transport).toEqual({ type: "stdio" });
    for (const argument of part.packageArguments) {
      expect(unknown(argument, FIELDS.argument)).toEqual([]);
      if (argument.type === "named") expect(argument.name).toMatch(/^--/);
      else
        expect([argument.type, typeof (argument.value ?? argument.valueHint)]).toEqual([
          "positional",
          "string",
        ]);
    }
    for (const variable of part.environmentVariables) {
      expect(unknown(variable, FIELDS.argument)).toEqual([]);
      expect(variable.name).toMatch(/^ENGRAM_/);
    }
  }
});

test("the entry names this package in this version, and the package names the entry", () => {
  expect([entry.name, entry.version]).toEqual([own.mcpName, own.version]);
  expect(entry.packages).toMatchObject([{ registryType: "npm", identifier: own.name, version: own.version }]);
});

test("a client that runs the package with the arguments of the entry gets its tools", async () => {
  const { env } = await createPerson();
  const [part] = entry.packages;
  const args = part.packageArguments.flatMap(({ name, value, default: usual }: Record<string, string>) =>
    name === undefined ? [value as string] : [name, usual as string],
  );
  const client = new Client({ name: "test", version: "1.0.0" });
  const server = { command: process.execPath, args: [PROGRAM, ...args], env };
  await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("append_messages");
});

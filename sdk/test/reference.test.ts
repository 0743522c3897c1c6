// The SDK's reference is tested: every public name has a description, and each method an example that runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { sample } from "../../proof/support/scale.ts";
import { readPublicNames } from "../../scripts/reference.ts";
import document from "../../spec/openapi.json" with { type: "json" };
import { type Contract, methodsOf } from "../generator/contract.ts";
import { exports } from "../package.json" with { type: "json" };
import { writeExamples } from "./support/examples.ts";

const SDK = join(import.meta.dirname, "..");

const { ".": _, "./limits": __, ...adapters } = exports;
const names = readPublicNames();
const ofClient = names.filter(({ subpath }) => subpath === ".");
const { folder, examples } = writeExamples(names);

beforeAll(() => {
  vi.stubEnv("ENGRAM_URL", inject("url"));
  vi.stubEnv("ENGRAM_ADMIN_TOKEN", inject("adminToken"));
  vi.stubEnv("ENGRAM_API_KEY", inject("key"));
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe("the SDK's reference", () => {
  test("describes every public name in a sentence", () => {
    expect(ofClient.length).toBeGreaterThan(100);
    for (const subpath of Object.keys(exports)) expect(names.map((each) => each.subpath)).toContain(subpath);
    const bare = names.filter(({ isDocumented }) => !isDocumented);
    expect(bare.map(({ subpath, name }) => `${subpath} ${name}`)).toEqual([]);
  });

  test("has an example of every exported function and method", () => {
    const callable = names.filter(({ needsExample }) => needsExample);
    const bare = callable.filter(({ examples }) => examples.length === 0);
    expect(bare.map(({ subpath, name }) => `${subpath} ${name}`)).toEqual([]);
    const called = callable.map(({ name }) => name);
    for (const name of ["isEngramError", "Engram.constructor", "Call.withResponse", "Engram.search"])
      expect(called).toContain(name);
    for (const name of ["loadChat", "EngramSession.constructor", "EngramStore.batch"])
      expect(called).toContain(name);
  });

  test("has the example that the contract gives of each operation, so that it compiles and runs", () => {
    const shown = examples.map(({ code }) => code);
    const given = methodsOf(document as unknown as Contract).flatMap(({ operation }) =>
      operation["x-codeSamples"].map(({ source }) => source),
    );
    expect(given.filter((source) => !shown.includes(source))).toEqual([]);
    expect(given.length).toBeGreaterThan(60);
  });

  // The examples of the adapters run in the package that has the frameworks.
  test.for(Object.entries(adapters))("has examples for every function and class of %s", ([subpath, file]) => {
    const [, overview = ""] =
      /^\/\*\*([\s\S]*?)@module\s*\*\//.exec(readFileSync(join(SDK, file), "utf8")) ?? [];
    const [, shown = ""] = overview.split("@example");
    const callable = names.filter((each) => each.subpath === subpath && each.needsExample);
    const brought = new Set(callable.map(({ name }) => name.split(".")[0] ?? name));
    expect(brought.size).toBeGreaterThan(0);
    for (const name of brought) expect(shown).toContain(name);
  });

  test.for(
    sample(
      examples.map(({ name }, i) => [name, i] as const),
      20,
    ),
  )("has an example of %s that runs", async ([, i]) => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    await import(/* @vite-ignore */ join(folder, `${i}.ts`));
  });
});

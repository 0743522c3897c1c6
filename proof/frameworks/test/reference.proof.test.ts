// The adapters' reference is tested code: every member's example compiles with the framework itself and runs.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { complaintsAbout, readPublicNames } from "../../../scripts/reference.ts";
import { sample } from "../../support/scale.ts";
import { given } from "./support/given.ts";

const FOLDER = join(import.meta.dirname, "support/.reference");

const callable = readPublicNames().filter(({ subpath, needsExample }) => subpath !== "." && needsExample);
const examples = callable.flatMap(({ subpath, name, examples }) =>
  examples.map((code) => ({ subpath, name, code })),
);

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const names = new Map<string, string[]>();
  for (const [subpath, create] of Object.entries(given)) names.set(subpath, Object.keys(await create()));
  for (const [i, { subpath, code }] of examples.entries())
    writeFileSync(join(FOLDER, `${i}.ts`), toModule(subpath, names.get(subpath) ?? [], code));
}, 60_000);
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe("the adapters' reference", () => {
  test("has an example of every exported function and class", () => {
    expect(callable.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
    expect(new Set(examples.map(({ subpath }) => subpath))).toEqual(new Set(Object.keys(given)));
  });

  test("has no example twice", () => {
    expect(new Set(examples.map(({ code }) => code)).size).toBe(examples.length);
  });

  test("has examples that compile with the frameworks' types", async () => {
    expect(await complaintsAbout(FOLDER)).toBe("");
  });

  test.for(
    sample(
      examples.map(({ subpath, name, code }, i) => [name, subpath, i, code] as const),
      16,
    ),
  )("has an example of %s of %s that runs and prints what its comments say", async ([, , i, code]) => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    onTestFinished(() => log.mockRestore());
    await import(/* @vite-ignore */ join(FOLDER, `${i}.ts`));
    const printed = log.mock.calls.flatMap((args) => format(...args).split("\n"));
    expect(printed).toEqual(expect.arrayContaining(outputsIn(code)));
    // An example must print something if it calls `console.log`.
    expect(printed.length > 0).toBe(code.includes("console.log("));
    expect(log.mock.calls.flat()).not.toContain(undefined);
  });
});

/** An example as a module: its imports, the adapter, the provided values, and the remaining code. */
function toModule(subpath: string, names: string[], code: string): string {
  const [imports = ""] = /^(?:import [^;]*;\n)*/.exec(code) ?? [];
  const members = callable.filter((each) => each.subpath === subpath);
  const brought = new Set(members.map(({ name }) => name.split(".")[0]));
  return [
    `import { ${[...brought].join(", ")} } from "@engram/sdk/${subpath.slice(2)}";`,
    `import { given } from "../given.ts";`,
    imports,
    `const { ${names.join(", ")} } = await given[${JSON.stringify(subpath)}]();`,
    `{\n${code.slice(imports.length)}\n}\n`,
  ].join("\n");
}

/** The expected outputs of an example: the comments after `console.log(…);`. */
function outputsIn(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output = ""]) => output);
}

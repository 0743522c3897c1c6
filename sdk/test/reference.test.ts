// The SDK's reference is code, too: what is public says what it is, each method with an example that runs.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type OwnService, startOwnService } from "../../scripts/own-service.ts";
import { exports } from "../package.json" with { type: "json" };

const SDK = join(import.meta.dirname, "..");
const FOLDER = join(import.meta.dirname, "support/.reference");
const START_TIMEOUT_MS = 150_000;

/** A public name of the package: a member by its owner's name and its own. */
interface PublicName {
  /** Where it is exported, as the package names it. */
  subpath: string;
  name: string;
  isDocumented: boolean;
  needsExample: boolean;
  examples: string[];
}

const { ".": _, ...adapters } = exports;
const names = readPublicNames();
const ofClient = names.filter(({ subpath }) => subpath === ".");
const examples = ofClient.flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
  process.env.ENGRAM_URL = service.url;
  process.env.ENGRAM_ADMIN_TOKEN = service.adminToken;
  process.env.ENGRAM_API_KEY = service.key;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [i, { code }] of examples.entries()) writeFileSync(join(FOLDER, `${i}.ts`), toModule(code));
}, START_TIMEOUT_MS);
afterAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await service?.stop();
}, START_TIMEOUT_MS);

describe("the SDK's reference", () => {
  test("says of every public name in a sentence what it is", () => {
    expect(ofClient.length).toBeGreaterThan(100);
    for (const subpath of Object.keys(adapters)) expect(names.map((each) => each.subpath)).toContain(subpath);
    const bare = names.filter(({ isDocumented }) => !isDocumented);
    expect(bare.map(({ subpath, name }) => `${subpath} ${name}`)).toEqual([]);
  });

  test("has an example of everything that can be called", () => {
    const callable = ofClient.filter(({ needsExample }) => needsExample);
    expect(callable.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
    const called = callable.map(({ name }) => name);
    for (const name of ["isEngramError", "Engram.constructor", "Call.withResponse", "Engram.search"])
      expect(called).toContain(name);
  });

  // Run they are in the packages that have the frameworks; here it is enough that nothing is forgotten.
  test.for(Object.entries(adapters))("shows how to use everything that %s brings", ([subpath, file]) => {
    const [, overview = ""] =
      /^\/\*\*([\s\S]*?)@module\s*\*\//.exec(readFileSync(join(SDK, file), "utf8")) ?? [];
    const [, shown = ""] = overview.split("@example");
    const callable = names.filter((each) => each.subpath === subpath && each.needsExample);
    const brought = Map.groupBy(callable, ({ name }) => name.split(".")[0] ?? name);
    expect(brought.size).toBeGreaterThan(0);
    for (const [name, members] of brought)
      if (members.every(({ examples }) => examples.length === 0)) expect(shown).toContain(name);
  });

  test("has examples that compile", { timeout: 60_000 }, async () => {
    const compilerOptions = { noUnusedLocals: false, types: ["node"], lib: ["ES2024", "DOM"] };
    const config = { extends: "../../../../tsconfig.base.json", include: ["*.ts"], compilerOptions };
    writeFileSync(join(FOLDER, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(import.meta.dirname, "../node_modules/.bin/tsc");
    const { stdout } = await promisify(execFile)(compiler, ["--project", FOLDER]).catch((error) => error);
    expect(stdout).toBe("");
  });

  test.for(examples.map(({ name }, i) => [name, i] as const))(
    "has an example of %s that runs",
    async ([, i]) => {
      const log = vi.spyOn(console, "log").mockReturnValue();
      onTestFinished(() => log.mockRestore());
      await import(/* @vite-ignore */ join(FOLDER, `${i}.ts`));
    },
  );
});

function toModule(code: string): string {
  return `import { Engram, isEngramError } from "@engram/sdk";
import { createFixtures } from "../fixtures.ts";
const { baseUrl, adminToken, operator, engram, other, organization, conversation, message, memory, key, operation } =
  await createFixtures();
{
${code}
}
`;
}

function readPublicNames(): PublicName[] {
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const entries = Object.entries(exports).map(([subpath, file]) => ({ subpath, file: join(SDK, file) }));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
  );
  const checker = program.getTypeChecker();
  return entries.flatMap(({ subpath, file }) => {
    const entry = program.getSourceFile(file);
    const module = entry && checker.getSymbolAtLocation(entry);
    if (module === undefined) throw new Error(`${subpath} has no entry.`);
    return namesOf(module).map((each) => ({ ...each, subpath }));
  });

  function namesOf(module: ts.Symbol): Omit<PublicName, "subpath">[] {
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const { name, declarations = [] } = symbol;
      const [declaration] = declarations;
      // The contract's own types say in its document what they are.
      if (declaration === undefined || isIn("generated", declaration)) return [];
      return [...toName(name, declarations), ...membersOf(name, declaration)];
    });
  }

  function membersOf(owner: string, declaration: ts.Declaration): Omit<PublicName, "subpath">[] {
    if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
    return [...declaration.members].flatMap((member) => {
      if (ts.isConstructorDeclaration(member)) return toName(`${owner}.constructor`, [member]);
      const symbol = member.name && checker.getSymbolAtLocation(member.name);
      if (symbol === undefined || member.name === undefined || ts.isPrivateIdentifier(member.name)) return [];
      const name = `${owner}.${symbol.name}`;
      const type = checker.getTypeOfSymbol(symbol).symbol?.declarations?.[0];
      const isResource = type !== undefined && ts.isClassDeclaration(type) && isIn("resources", type);
      return [
        ...toName(name, symbol.declarations ?? []),
        ...(isResource ? membersOf(type.name?.text ?? "", type) : []),
      ];
    });
  }
}

function isIn(folder: string, declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().fileName.includes(`/${folder}/`);
}

/** A name by its own comments, whatever those of a base class say; none for what is internal. */
function toName(name: string, declarations: ts.Declaration[]): Omit<PublicName, "subpath">[] {
  const comments = declarations.flatMap(ts.getJSDocCommentsAndTags).filter(ts.isJSDoc);
  const tags = comments.flatMap(({ tags = [] }) => [...tags]);
  if (tags.some(({ tagName }) => tagName.text === "internal")) return [];
  return [
    {
      name,
      isDocumented: comments.some(({ comment = "" }) => comment !== ""),
      needsExample: declarations.some((each) => isCallable(each, name)),
      examples: tags.filter(({ tagName }) => tagName.text === "example").map(codeOf),
    },
  ];
}

/** Whether a program calls it; what it gives the client, as a logger, is called by the client. */
function isCallable(declaration: ts.Declaration, name: string): boolean {
  return (
    ts.isMethodDeclaration(declaration) ||
    ts.isConstructorDeclaration(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    (ts.isMethodSignature(declaration) && name.startsWith("Call."))
  );
}

/** The code of an example, out of its fence. */
function codeOf(tag: ts.JSDocTag): string {
  const text = ts.getTextOfJSDocComment(tag.comment) ?? "";
  const [, code] = /^```ts\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  if (code === undefined) throw new Error(`an example is no block of ts:\n${text}`);
  return code;
}

// The SDK's reference is code, too: what is public says what it is, each method with an example that runs.
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type OwnService, startOwnService } from "../../scripts/own-service.ts";

const SDK = join(import.meta.dirname, "../src");
const FOLDER = join(import.meta.dirname, "support/.reference");
const START_TIMEOUT_MS = 150_000;

/** A public name of the package: a member by its owner's name and its own. */
interface PublicName {
  name: string;
  isDocumented: boolean;
  isMethod: boolean;
  examples: string[];
}

const names = readPublicNames();
const examples = names.flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
  process.env.ENGRAM_URL = service.url;
  process.env.ENGRAM_ADMIN_TOKEN = service.adminToken;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [i, { code }] of examples.entries()) writeFileSync(join(FOLDER, `${i}.ts`), toModule(code));
}, START_TIMEOUT_MS);
afterAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await service?.stop();
}, START_TIMEOUT_MS);

describe("the SDK's reference", () => {
  test("documents every public name", () => {
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name)).toEqual([]);
  });

  test("has an example of every method", () => {
    const bare = names.filter(({ isMethod, examples }) => isMethod && examples.length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
    expect(examples.length).toBeGreaterThan(30);
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
  return `import { Engram } from "@engram/sdk";
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
  const program = ts.createProgram([join(SDK, "index.ts")], options);
  const checker = program.getTypeChecker();
  const entry = program.getSourceFile(join(SDK, "index.ts"));
  const module = entry && checker.getSymbolAtLocation(entry);
  if (module === undefined) throw new Error("The SDK has no entry.");
  const found: PublicName[] = [];
  const note = (name: string, symbol: ts.Symbol) => {
    const tags = symbol.getJsDocTags(checker);
    if (tags.some((tag) => tag.name === "internal")) return;
    const declaration = symbol.declarations?.[0];
    found.push({
      name,
      isDocumented: symbol.getDocumentationComment(checker).length > 0 || tags.length > 0,
      isMethod: declaration !== undefined && ts.isMethodDeclaration(declaration),
      examples: tags.flatMap((tag) => (tag.name === "example" ? [codeOf(tag)] : [])),
    });
  };
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations ?? [];
    // The contract's own types say in its document what they are.
    if (declaration?.getSourceFile().fileName.includes("/generated/")) continue;
    note(symbol.name, symbol);
    if (declaration === undefined) continue;
    if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
      noteMembers(symbol, declaration);
  }
  return found;

  function noteMembers(owner: ts.Symbol, declaration: ts.ClassDeclaration | ts.InterfaceDeclaration): void {
    for (const member of declaration.members) {
      const symbol = member.name && checker.getSymbolAtLocation(member.name);
      if (symbol === undefined || member.name === undefined || ts.isPrivateIdentifier(member.name)) continue;
      note(`${owner.name}.${symbol.name}`, symbol);
      const type = checker.getTypeOfSymbol(symbol).symbol?.declarations?.[0];
      if (
        type !== undefined &&
        ts.isClassDeclaration(type) &&
        type.getSourceFile().fileName.includes("/resources/")
      ) {
        noteMembers(checker.getTypeOfSymbol(symbol).symbol, type);
      }
    }
  }
}

/** The code of an example, out of its fence. */
function codeOf(tag: ts.JSDocTagInfo): string {
  const text = ts.displayPartsToString(tag.text);
  const [, code] = /^```ts\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  if (code === undefined) throw new Error(`an example is no block of ts:\n${text}`);
  return code;
}

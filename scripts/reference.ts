// Reads the SDK's reference for its tests: public names, their documentation, and whether examples compile.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import manifest from "../sdk/package.json" with { type: "json" };

const ROOT = resolve(import.meta.dirname, "..");
const SDK = join(ROOT, "sdk");

/** A public name of the SDK; for a member, prefixed by the name of its owner. */
export interface PublicName {
  /** The package subpath that exports it. */
  subpath: string;
  name: string;
  isDocumented: boolean;
  needsExample: boolean;
  examples: string[];
}

/** The SDK's exports on each subpath with their members, and their documentation comments. */
export function readPublicNames(): PublicName[] {
  const options: ts.CompilerOptions = {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  // The types of packages have no part in what is public, and the frameworks have thousands of files of them.
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, file, options, host) : { resolvedModule: undefined },
    );
  const entries = Object.entries(manifest.exports).map(([subpath, file]) => ({
    subpath,
    file: join(SDK, file),
  }));
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
    host,
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
      // Types of the contract are documented in the OpenAPI document.
      if (declaration === undefined || isIn("generated/schema.ts", declaration)) return [];
      return [...toName(name, declarations), ...membersOf(name, declaration)];
    });
  }

  function membersOf(owner: string, declaration: ts.Declaration): Omit<PublicName, "subpath">[] {
    if (!ts.isClassDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return [];
    const [extended] = declaration.heritageClauses?.find(isExtends)?.types ?? [];
    const base = extended && checker.getTypeAtLocation(extended.expression).symbol?.declarations?.[0];
    const inherited =
      base !== undefined && ts.isClassDeclaration(base) && isIn("generated", base)
        ? membersOf(owner, base)
        : [];
    const own = [...declaration.members].flatMap((member) => {
      if (ts.isConstructorDeclaration(member)) return toName(`${owner}.constructor`, [member]);
      const symbol = member.name && checker.getSymbolAtLocation(member.name);
      if (symbol === undefined || member.name === undefined || ts.isPrivateIdentifier(member.name)) return [];
      const name = `${owner}.${symbol.name}`;
      const type = checker.getTypeOfSymbol(symbol).symbol?.declarations?.[0];
      const isResource =
        type !== undefined && ts.isClassDeclaration(type) && RESOURCES.some((at) => isIn(at, type));
      return [
        ...toName(name, symbol.declarations ?? []),
        ...(isResource ? membersOf(type.name?.text ?? "", type) : []),
      ];
    });
    return [...inherited, ...own];
  }
}

/** Where the classes of the client's resources are. */
const RESOURCES = ["resources", "generated/resources.ts"];

function isIn(path: string, declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile();
  return fileName.includes(`/${path}/`) || fileName.endsWith(`/${path}`);
}

const isExtends = ({ token }: ts.HeritageClause): boolean => token === ts.SyntaxKind.ExtendsKeyword;

/** Uses only comments on the declarations themselves. Empty for internal names. */
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

/** Whether a program calls it. Functions that a program passes in, such as a logger's, are not counted. */
function isCallable(declaration: ts.Declaration, name: string): boolean {
  const isHeld = ts.isVariableDeclaration(declaration) || ts.isPropertyDeclaration(declaration);
  if (isHeld && declaration.initializer !== undefined) return ts.isFunctionLike(declaration.initializer);
  return (
    ts.isMethodDeclaration(declaration) ||
    ts.isConstructorDeclaration(declaration) ||
    ts.isFunctionDeclaration(declaration) ||
    (ts.isMethodSignature(declaration) && name.startsWith("Call."))
  );
}

/** The compiler's output for the modules in a folder; empty when they compile. */
export async function complaintsAbout(folder: string): Promise<string> {
  const compilerOptions = { noUnusedLocals: false, types: ["node"], lib: ["ES2024", "DOM"] };
  const config = { extends: join(ROOT, "tsconfig.base.json"), include: ["*.ts"], compilerOptions };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = await promisify(execFile)(compiler, ["--project", folder]).catch((error) => error);
  return stdout;
}

/** The code of an example, without its fence. */
function codeOf(tag: ts.JSDocTag): string {
  const text = ts.getTextOfJSDocComment(tag.comment) ?? "";
  const [, code] = /^```ts\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  if (code === undefined) throw new Error(`an example is no block of ts:\n${text}`);
  return code;
}

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Application, PageEvent, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

const SDK = resolve(import.meta.dirname, "../../sdk");
/** In the folder of the sources, so that their imports resolve. */
const COPY = join(SDK, ".reference");
const SCHEMA = join(SDK, "src/generated/schema.ts");
const CONTRACT_TYPE = /^export type (\w+) = components\['schemas'\]\['\w+'\];$/gm;

/**
 * Write the SDK's reference into a folder, from its docstrings: a page of the client, one of each resource and one of
 * each adapter to a framework.
 *
 * @throws {Error} when a docstring cannot be read as it is meant.
 */
export async function writeSdkReference(folder: string): Promise<void> {
  copySources();
  try {
    await generate(join(folder, "sdk/reference"));
  } finally {
    rmSync(COPY, { recursive: true, force: true });
  }
}

/** The classes of the client's resources, with the address of the page of each. */
function resourceClasses(): { name: string; page: string }[] {
  const client = readFileSync(join(SDK, "src/generated/client.ts"), "utf8");
  return [...client.matchAll(/^ {2}readonly \w+: (\w+);$/gm)].map(([, name = ""]) => {
    const page = name.replaceAll(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
    // A folder's own page has the address `index`.
    return { name, page: page === "index" ? "search-index" : page };
  });
}

/** The addresses of the resources' pages. */
export const sdkResources = (): string[] =>
  resourceClasses()
    .map(({ page }) => page)
    .sort();

/** The adapters that have a page, as the package exports them. */
export function sdkAdapters(): string[] {
  const { exports } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8"));
  return Object.values<string>(exports).flatMap((file) => /adapters\/([\w-]+)\.ts$/.exec(file)?.[1] ?? []);
}

/**
 * A copy of the sources in which each resource has a module, and each type of the contract a name of its own.
 *
 * There they are aliases of parts of one large interface, so that TypeDoc would spell them out wherever they are
 * used.
 */
function copySources(): void {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY);
  for (const file of ["src", "package.json"]) cpSync(join(SDK, file), join(COPY, file), { recursive: true });
  const named = readFileSync(SCHEMA, "utf8")
    .replaceAll(CONTRACT_TYPE, "export interface $1 extends Shape<'$1'> {}")
    .replaceAll("@description ", "");
  const shape = 'type Shape<Name extends keyof components["schemas"]> = components["schemas"][Name];';
  writeFileSync(join(COPY, "src/generated/schema.ts"), `${named}\n${shape}\n`);
  for (const { name, page } of resourceClasses()) {
    const file = join(COPY, `src/resources/${page}.ts`);
    if (!existsSync(file)) writeFileSync(file, `export { ${name} } from "../generated/resources.ts";\n`);
  }
  const compilerOptions = { types: [], lib: ["ES2024", "DOM", "DOM.AsyncIterable"] };
  const config = { extends: "../../tsconfig.base.json", include: ["src"], compilerOptions };
  writeFileSync(join(COPY, "tsconfig.json"), JSON.stringify(config));
}

/** The names under which the SDK exports types of the contract. */
function contractTypes(): string[] {
  return [...readFileSync(SCHEMA, "utf8").matchAll(CONTRACT_TYPE)].flatMap(([, name]) => name ?? []);
}

async function generate(out: string): Promise<void> {
  const links = contractTypes().map((name) => [name, `/api/types.md#${name.toLowerCase()}`]);
  const options: TypeDocOptions & PluginOptions = {
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: [
      "src/index.ts",
      ...sdkResources().map((page) => `src/resources/${page}.ts`),
      ...sdkAdapters().map((name) => `src/adapters/${name}.ts`),
    ].map((file) => join(COPY, file)),
    exclude: ["**/generated/schema.ts"],
    tsconfig: join(COPY, "tsconfig.json"),
    basePath: join(COPY, "src"),
    readme: "none",
    out,
    logLevel: "Warn",
    // No interface can extend those types of the contract that are unions. The sources are checked where they stand.
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeReferences: true,
    disableSources: true,
    hideGenerator: true,
    validation: { notExported: false, invalidPath: false },
    externalSymbolLinkMappings: { "@engram/sdk": Object.fromEntries(links) },
    router: "module",
    entryFileName: "modules",
    pageTitleTemplates: {
      module: ({ name }) =>
        name === "index"
          ? "SDK reference"
          : name.replace("resources/", "").replace("adapters/", "@engram/sdk/"),
    },
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hideGroupHeadings: true,
    useCodeBlocks: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    // With more columns, none would be wide enough.
    tableColumnSettings: {
      hideDefaults: true,
      hideInherited: true,
      hideModifiers: true,
      hideOverrides: true,
      hideSources: true,
    },
  };
  const application = await Application.bootstrapWithPlugins(options);
  // Which classes are generated, and extended by others, makes no difference to callers.
  application.renderer.on(PageEvent.END, (page) => {
    page.contents = page.contents?.replaceAll(/^#+ (?:Extends|Inherited from|Overrides)\n\n.*\n\n/gm, "");
  });
  const project = await application.convert();
  if (project === undefined) throw new Error("The SDK's reference could not be made.");
  await application.generateOutputs(project);
  // A list of the pages, which the site's navigation is.
  rmSync(join(out, "modules.md"));
  if (application.logger.hasWarnings() || application.logger.hasErrors())
    throw new Error("The SDK's docstrings have mistakes.");
}

// The SDK's resources: a class of each, with a method of each operation of the contract.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Contract, type Method, methodsOf, toCamelCase, toPascalCase } from "./contract.ts";
import { comment } from "./documentation.ts";
import { createRenderer, typeName } from "./methods.ts";

const HEADER = "// Generated from spec/openapi.json by `npm run generate`. Do not edit.\n";

/** The members of the classes that are written by hand, by the name of the class. The generated classes lack them. */
function membersByHand(): Map<string, { file: string; members: string[] }> {
  const source = join(import.meta.dirname, "../src");
  const files = ["engram.ts", ...globSync("resources/*.ts", { cwd: source }).sort()];
  return new Map(
    files.flatMap((file) =>
      ts
        .createSourceFile(file, readFileSync(join(source, file), "utf8"), ts.ScriptTarget.Latest)
        .statements.filter(ts.isClassDeclaration)
        .map(({ name, members }): [string, { file: string; members: string[] }] => {
          const names = members.flatMap((member) =>
            member.name && ts.isIdentifier(member.name) ? member.name.text : [],
          );
          return [name?.text ?? "", { file, members: names }];
        }),
    ),
  );
}

/** The generated files, by name, before they are formatted. */
export function renderResources(contract: Contract): Record<string, string> {
  const all = methodsOf(contract);
  const byHand = membersByHand();
  const resources = [...new Set(all.flatMap(({ resource }) => resource ?? []))];
  const classes = resources.map(toPascalCase);
  const { renderMethod, renderQuery } = createRenderer(contract, all, classes);
  const methodsIn = (resource: string | null) => {
    const { members = [] } = byHand.get(resource === null ? "Engram" : toPascalCase(resource)) ?? {};
    return all.filter((method) => method.resource === resource && !members.includes(method.name));
  };
  const generated = resources.filter((resource) => methodsIn(resource).length > 0);
  const queries = [...generated, null].flatMap(methodsIn).flatMap(renderQuery);
  const queryNames = queries.flatMap((query) => /^export interface (\w+)/m.exec(query)?.[1] ?? []);
  const importsByHand = classes.flatMap((name) => {
    const { file } = byHand.get(name) ?? {};
    return file === undefined ? [] : `import { ${name} } from "../${file}";`;
  });
  const importedClasses = generated.map(toPascalCase).filter((name) => !byHand.has(name));
  return {
    "resources.ts": withImports(contract, classes, [
      'type Query<Id extends keyof operations> = NonNullable<operations[Id]["parameters"]["query"]>;',
      ...queries,
      ...generated.map((resource) =>
        renderClass(
          toPascalCase(resource),
          describe(contract, all, resource),
          methodsIn(resource).map(renderMethod),
        ),
      ),
    ]),
    "client.ts": withImports(contract, classes, [
      [...importsByHand, `import { ${importedClasses} } from "./resources.ts";`].join("\n"),
      renderClass(
        "Resources",
        "The resources of the API, and the methods that belong to none of them.",
        methodsIn(null).map(renderMethod),
        resources.map((name) => ({ name, description: describe(contract, all, name) })),
      ),
    ]),
    "types.ts": `${HEADER}
export type { ${queryNames.join(", ")} } from "./resources.ts";
export type { ${Object.keys(contract.components.schemas).join(", ")}, paths } from "./schema.ts";
`,
  };
}

/** The text of the tag with the name of the resource, or else the summaries of the resource's operations. */
function describe({ tags }: Contract, all: Method[], resource: string): string {
  const tag = tags.find(({ name }) => toCamelCase(name) === resource);
  const own = all.filter((method) => method.resource === resource);
  return tag?.description ?? own.map(({ operation }) => `${operation.summary}.`).join(" ");
}

const renderClass = (
  name: string,
  description: string,
  methods: string[],
  resources: { name: string; description: string }[] = [],
): string => `${comment([description])}
export class ${name} {
  ${resources.map((each) => `${comment([each.description])}\nreadonly ${each.name}: ${toPascalCase(each.name)};`).join("\n")}
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
    ${resources.map((each) => `this.${each.name} = new ${toPascalCase(each.name)}(http);`).join("\n")}
  }

  ${methods.join("\n\n")}
}`;

/** A module of these parts, with imports of all names that they use. */
function withImports({ components }: Contract, classes: string[], parts: string[]): string {
  const code = parts.join("\n\n");
  const withoutComments = code.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const used = (...names: string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(withoutComments));
  const schemas = Object.keys(components.schemas).flatMap((name) => {
    const imported = typeName(name, classes);
    return used(imported).map(() => (imported === name ? name : `${name} as ${imported}`));
  });
  const from = (file: string, types: string[], values: string[] = []) => {
    const names = values.length === 0 ? types : [...types.map((type) => `type ${type}`), ...values];
    if (names.length === 0) return "";
    return `import ${values.length === 0 ? "type " : ""}{ ${names.join(", ")} } from "${file}";`;
  };
  return [
    HEADER,
    from("../call.ts", used("Call")),
    from("../http.ts", used("Http"), used("idempotencyHeader", "ifMatchHeader")),
    from("../list.ts", [], used("List")),
    from("../options.ts", used("CallOptions", "ConditionalOptions", "WriteOptions")),
    from("../well-formed.ts", [], used("withValidQuery")),
    from("./schema.ts", [...schemas, ...(code.includes("keyof operations") ? ["operations"] : [])]),
    code,
    "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

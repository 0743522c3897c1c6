// Checks that code in the documents compiles against the package: every TypeScript block of the READMEs, the
// site, the pending changesets and the adapters' module comments.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runBuffered } from "./commands.mjs";

const DOCUMENTS = [
  "README.md",
  "sdk/README.md",
  "docs/deploy.md",
  ...globSync(["site/pages/*.md", ".changeset/*.md"], { cwd: root }).sort(),
];
const ADAPTERS = "sdk/src/adapters/*.ts";
/** Inside the package, so that it can import itself by name. */
const FOLDER = "sdk/.snippets";

/** The TypeScript blocks of a Markdown text or a comment. */
export const snippetsOf = (text) =>
  [...text.replaceAll(/^ \* ?/gm, "").matchAll(/^```ts(?: \[.+\])?\n([\s\S]*?)^```/gm)].map(
    ([, code]) => code,
  );

/**
 * The module comment. Examples of members are not included: they are fragments that the frameworks' tests
 * run.
 */
const overviewOf = (source) => /^\/\*\*[\s\S]*?@module/.exec(source)?.[0] ?? "";

/** Compile every block as a separate module. @throws when one does not compile. */
export async function checkSnippets() {
  const folder = join(root, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const read = (document) => readFileSync(join(root, document), "utf8");
    const texts = [
      ...DOCUMENTS.map((document) => ({ document, text: read(document) })),
      ...globSync(ADAPTERS, { cwd: root }).map((document) => ({
        document,
        text: overviewOf(read(document)),
      })),
    ];
    const blocks = texts.flatMap(({ document, text }) =>
      snippetsOf(text).map((code) => ({ document, code })),
    );
    if (blocks.length === 0) throw new Error("the documents hold no TypeScript");
    for (const [i, { document, code }] of blocks.entries()) {
      // The number comes first because the compiler skips files whose names start with a dot.
      writeFileSync(join(folder, `${i}-${document.replaceAll("/", "-")}.ts`), `${code}\nexport {};\n`);
    }
    const config = {
      extends: "../../tsconfig.base.json",
      include: ["*.ts"],
      compilerOptions: { types: ["node"], lib: ["ES2024", "DOM", "DOM.AsyncIterable"] },
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    await runBuffered(FOLDER, "tsc", "--project", "tsconfig.json", "--singleThreaded");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

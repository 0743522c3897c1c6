// Counts the words that docs/glossary.md replaces, in comments, strings, SQL, settings and documents.
// Identifiers do not count.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./commands.mjs";

/** Uses in their plain sense that may remain. */
const USES_MAX = 20;

const WORDS = /\b(behind|told|tells|nobody|somebody|whoever|beside|anew|lest|called\s+off|so\s+many)\b/gi;
const READ = ["ts", "mts", "mjs", "js", "vue", "css", "md", "sql", "toml", "yml", "yaml"].map(
  (end) => `*.${end}`,
);
/** Written by programs, history that stays as it was published, or a list of the words themselves. */
const SKIPPED = /(^|\/)(generated|dist)\/|CHANGELOG\.md$|^docs\/glossary\.md$|^scripts\/.*\blanguage\b/;

/** Uses of the replaced words in a file, as offsets. */
export function findUses(file, text) {
  const uses = [
    ...text.replaceAll(/\n\s*(\*|\/\/|--|#) ?/g, (mark) => " ".repeat(mark.length)).matchAll(WORDS),
  ];
  if (uses.length === 0 || !/\.(ts|mts|mjs)$/.test(file)) return uses.map(({ index }) => index);
  const names = new Set();
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const visit = (node) => {
    if (ts.isIdentifier(node)) names.add(node.getStart(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses.map(({ index }) => index).filter((index) => !names.has(index));
}

/** The files of the repository that people read. */
function files() {
  const { stdout } = spawnSync("git", ["ls-files", ...READ, "*package.json"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((file) => file !== "" && !SKIPPED.test(file));
}

/** Counts the uses in the whole repository. @throws when there are more than may remain, with the fullest files. */
export function checkLanguage() {
  const counts = files()
    .map((file) => ({ file, uses: findUses(file, readFileSync(join(root, file), "utf8")).length }))
    .filter(({ uses }) => uses > 0)
    .sort((a, b) => b.uses - a.uses);
  const total = counts.reduce((sum, { uses }) => sum + uses, 0);
  console.log(`\n${total} uses of words that docs/glossary.md replaces; at most ${USES_MAX} may remain.`);
  if (total <= USES_MAX) return;
  const fullest = counts.slice(0, 20).map(({ file, uses }) => `  ${uses} ${file}`);
  throw new Error(`words that docs/glossary.md replaces, ${total} times:\n${fullest.join("\n")}`);
}

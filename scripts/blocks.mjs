// The code blocks of the documents, and which of them .ci/run runs.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./commands.mjs";

/** Documents whose code blocks proof/ci/steps.mjs runs. */
export const STEP_DOCUMENTS = [
  "README.md",
  ...globSync("site/pages/*.md", { cwd: root }).sort(),
  ...["sdk", "cli", "local", "examples/chatbot"].map((folder) => `${folder}/README.md`),
  "docs/deploy.md",
];

/**
 * Number of blocks that a comment in the document excludes from the run, and of those whose output it leaves out. Change
 * them only with a reason in the comment: a new block is run by default.
 */
const EXCLUDED_BLOCKS = 63;
const HIDDEN_OUTPUTS = 17;

const FENCE =
  /^(?: *<!-- (?<mark>not run|output not shown): (?<reason>.+) -->\n)?(?<indent> *)```(?<info>.*)\n(?<code>[\s\S]*?)^\k<indent>```$/gm;
const RUNNABLE = ["sh", "ts", "python", "console"];
const OUTPUT = ["", "text", "json"];

/**
 * The blocks of a Markdown text, in order. `kind` says what happens to each: `run`, `save` (a program that a later
 * block runs), `output` (what the block before prints) or `none`.
 */
export function blocksOf(markdown) {
  let end = 0;
  let previous;
  return [...markdown.matchAll(FENCE)].map(({ index, 0: whole, groups }) => {
    const { mark, reason, info, code, indent } = groups;
    const [language = "", file] = info.split(/ \[|\]/);
    const follows = previous !== undefined && markdown.slice(end, index).trim() === "";
    const section = markdown
      .slice(0, index)
      .match(/^## .*$/gm)
      ?.at(-1)
      ?.slice(3);
    const line = markdown.slice(0, index).split("\n").length + (mark === undefined ? 0 : 1);
    const kind = kindOf({ language, file, mark, isAfterRun: follows && previous === "run" });
    end = index + whole.length;
    previous = kind;
    return { kind, section, language, file, mark, reason, line, code: code.replaceAll(`\n${indent}`, "\n") };
  });
}

function kindOf({ language, file, mark, isAfterRun }) {
  if (mark === "not run") return "none";
  if (file !== undefined) return "save";
  if (RUNNABLE.includes(language)) return "run";
  return OUTPUT.includes(language) && isAfterRun ? "output" : undefined;
}

/** @throws when a block is neither run nor excluded with a reason, or when more are excluded than before. */
export function checkBlocks() {
  const blocks = STEP_DOCUMENTS.flatMap((document) =>
    blocksOf(readFileSync(join(root, document), "utf8")).map((block) => ({ document, ...block })),
  );
  const unknown = blocks.filter(({ kind }) => kind === undefined);
  if (unknown.length > 0) {
    const places = unknown.map(({ document, line }) => `${document}:${line}`).join(", ");
    throw new Error(
      `Not run, and not the output of the block before: ${places}. Put \`<!-- not run: REASON -->\` on the line before the block.`,
    );
  }
  const counted = (wanted) => blocks.filter(({ mark }) => mark === wanted).length;
  for (const [mark, allowed] of [
    ["not run", EXCLUDED_BLOCKS],
    ["output not shown", HIDDEN_OUTPUTS],
  ]) {
    if (counted(mark) === allowed) continue;
    throw new Error(
      `${counted(mark)} blocks of the documents are marked "${mark}", and scripts/blocks.mjs has ${allowed}.`,
    );
  }
}

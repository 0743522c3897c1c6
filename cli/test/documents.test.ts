// The program can parse every command that documents and help texts show.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../src/program.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = ["README.md", "cli/README.md", "local/README.md", "site/pages/*.md", ".changeset/*.md"];
/** A call of the program: at the start of a line, after a prompt or after a pipe. */
const CALL = /^ *(?:\$ )?(?:.*\| )?(?:npx @engram\/cli|engram) (.+)$/gm;
/** A word, quoted or not, or a character that ends the command. */
const WORD = /"([^"]*)"|'([^']*)'|([<>|&;#])|([^\s"'<>|&;]+)/g;

const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];

/** The arguments of each call in the text. */
function callsOf(text: string): string[][] {
  return [...text.replaceAll("\\\n", " ").matchAll(CALL)].map(([, rest = ""]) => {
    const words = [...rest.matchAll(WORD)];
    const end = words.findIndex(([, , , sign]) => sign !== undefined);
    return words
      .slice(0, end === -1 ? undefined : end)
      .map(([, double, single, , plain]) => double ?? single ?? plain ?? "");
  });
}

/** The code blocks for the shell, and those without a language. */
const codeOf = (markdown: string): string =>
  [...markdown.matchAll(/^```(\w*).*\n([\s\S]*?)^```/gm)]
    .map(([, language = "", code]) => (["", "sh", "bash", "console"].includes(language) ? code : ""))
    .join("\n");

function helpOf(command: Command): string {
  const help: string[] = [];
  command.configureOutput({ writeOut: (text) => help.push(text) }).outputHelp();
  return help.join("");
}

const documented = globSync(DOCUMENTS, { cwd: ROOT })
  .sort()
  .map((file) => [file, callsOf(codeOf(readFileSync(join(ROOT, file), "utf8")))] as const);
const helped = withAll(createProgram()).map(
  (command) => [`${command.name()} --help`, callsOf(helpOf(command))] as const,
);
const calls = [...documented, ...helped].flatMap(([place, each]) =>
  each.map((words) => [place, words.join(" "), words] as const),
);

test("commands are found in the READMEs, the site and the help texts", () => {
  const places = new Set(calls.map(([place]) => place));
  for (const place of ["README.md", "cli/README.md", "site/pages/memories.md", "keys --help"])
    expect(places).toContain(place);
});

/** Terms of the code that a reader of a command's output has never met. */
const IN_HOUSE = /\b(receipts?|chunks?|purged?|sweep|priors?|degraded|labelled)\b/i;

/** Texts about operations of the API come from the contract. */
const own = withAll(createProgram()).filter(
  (command) => ![command.name(), command.parent?.name()].includes("api"),
);

test.for(own.map((command) => [command.name(), helpOf(command)] as const))(
  "the help of %s uses no in-house term",
  ([, help]) => expect(help).not.toMatch(IN_HOUSE),
);

test.for(calls)("the command in %s can be parsed: engram %s", async ([, , words]) => {
  const program = createProgram(() => {});
  // Only parses the command, without running it.
  for (const command of withAll(program).slice(1)) command.action(() => {});
  await program.parseAsync(words, { from: "user" });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../cli/src/program.ts";
import { cell } from "./schema-text.ts";

type Command = ReturnType<typeof createProgram>;
type Argument = Command["registeredArguments"][number];
type Option = Command["options"][number];

/** Writes the page of all commands into a folder, from the definitions that the program's own `--help` prints. */
export function writeCliReference(folder: string): void {
  mkdirSync(join(folder, "cli"), { recursive: true });
  writeFileSync(join(folder, "cli/commands.md"), cliReference());
}

export function cliReference(): string {
  const program = createProgram();
  return paragraphs(
    "---\noutline: [2, 3]\n---",
    "# Commands of the command line",
    "Each command prints this with `--help`. [The guide](/cli/) explains profiles, imports and exit codes.",
    "## Options of every command",
    optionsTable(program),
    ...visibleCommands(program).map((command) => commandText(command, 2)),
  );
}

function commandText(command: Command, level: number): string {
  const name = nameOf(command);
  return paragraphs(
    `${"#".repeat(level)} ${name}`,
    `${command.description()}.`,
    fence("sh", `${name} ${command.usage()}`.trim()),
    argumentsTable(command),
    optionsTable(command),
    ...afterText(command),
    ...visibleCommands(command).map((each) => commandText(each, level + 1)),
  );
}

/** The commands that `--help` lists, except `help` itself and the operations of the API, which have pages of their own. */
export const visibleCommands = (command: Command): Command[] =>
  command.name() === "api"
    ? []
    : command
        .createHelp()
        .visibleCommands(command)
        .filter((each) => command.commands.includes(each));

/** The words that call a command, such as `engram keys list`. */
const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

function argumentsTable(command: Command): string | undefined {
  const rows = command.registeredArguments.map(
    (argument) => `| \`${shownArgument(argument)}\` | ${withChoices(argument)} |`,
  );
  return table("| argument | |", rows);
}

const shownArgument = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

function optionsTable(command: Command): string | undefined {
  const shown = command.options.filter((option) => !option.hidden);
  return table(
    "| option | |",
    shown.map((option) => `| \`${cell(option.flags)}\` | ${withChoices(option)} |`),
  );
}

/** The description with the allowed values and the default, as `--help` shows them. */
function withChoices(of: Argument | Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = of;
  const choices = argChoices === undefined ? [] : [argChoices.map((each) => `\`${each}\``).join(", ")];
  const preset =
    defaultValueDescription ?? (defaultValue === undefined ? undefined : shownDefault(defaultValue));
  return cell(
    [description, ...choices, ...(preset === undefined ? [] : [`default \`${preset}\``])].join("; "),
  );
}

const shownDefault = (value: unknown): string => [value].flat().join(" ");

/** What `--help` prints after the options: notes, lists and examples. */
function afterText(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const after = help.slice(command.helpInformation().length).trim();
  return after.split("\n\n").map(blockText);
}

function blockText(block: string): string {
  const [head = "", ...lines] = block.split("\n");
  if (!head.endsWith(":") || !lines.every((line) => line.startsWith("  ")))
    return block.replaceAll("\n", " ");
  const code = lines.map((line) => line.slice(2).replace(/^\$ /, "")).join("\n");
  return paragraphs(head, fence(head === "Examples:" ? "sh" : "text", code)).trimEnd();
}

function table(head: string, rows: string[]): string | undefined {
  return rows.length === 0 ? undefined : [head, head.replace(/[^|]+/g, " --- "), ...rows].join("\n");
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

const paragraphs = (...blocks: (string | undefined)[]) =>
  `${blocks.flatMap((block) => block?.trimEnd() || []).join("\n\n")}\n`;

import type { Command } from "commander";
import { shownPath } from "./config.ts";
import { shownKey } from "./connection.ts";
import type { Globals } from "./context.ts";
import { clientOption } from "./options.ts";
import { createOutput, type Output, printable } from "./output.ts";
import { type SettingsChange, writeChange } from "./settings-files.ts";
import { confirm } from "./terminal.ts";

type Clients = ReadonlyMap<string, ShownChange["about"]>;

/** Adds a command that changes the settings of a client. */
export const addSettingsCommand = (parent: Command, name: string, about: string, clients: Clients): Command =>
  parent
    .command(name)
    .description(about)
    .addOption(clientOption(clients))
    .option("--yes", "skip the confirmation");

/** The clients with their files, for a help text. */
export const clientLines = (clients: Clients): string =>
  [...clients]
    .map(([name, { title, file }]) => `  ${name.padEnd(13)}${title}, ${shownPath(file)}`)
    .join("\n");

/** A change of a client's settings, as the user sees it. */
export interface ShownChange {
  client: string;
  about: { title: string; file: string };
  /** What is added to the settings and removed from them. */
  lines(output: Output): string;
  question: string;
  /** What is said of a client whose settings need no change. */
  unchanged: string;
  /** What the user has to do after the change. */
  hint: string;
  /** More fields of the result. */
  more?: object;
}

/** Shows a change, asks for confirmation, writes it and reports it. */
export async function changeSettings(
  plan: SettingsChange,
  { client, about: { title, file }, lines, question, unchanged, hint, more }: ShownChange,
  options: Globals & { yes?: boolean },
): Promise<void> {
  const output = createOutput(options.json === true);
  const result = { client, file, ...more };
  if ((plan.before ?? "") === (plan.text ?? "")) {
    output.data({ ...result, changed: false, backup: null }, () => `${title} ${unchanged}.`);
    return;
  }
  output.note(`${file}\n${lines(output)}`);
  await confirm(question, options);
  const backup = writeChange(file, plan);
  const deleted = plan.text === undefined ? " The file had nothing else and was deleted." : "";
  output.data({ ...result, changed: true, backup }, () => {
    return `Done.${deleted} ${hint}${backup === null ? "" : ` Backup of the old file: ${backup}`}`;
  });
}

/** A value of the settings as lines that begin with a sign. Keys in it are shortened. */
export const signedLines = (sign: "+" | "-", text: string, { paint }: Output): string =>
  paint(
    sign === "+" ? "green" : "red",
    printable(text)
      .replace(/engram_sk_live_\w+/g, shownKey)
      .split("\n")
      .map((line) => `  ${sign} ${line}`)
      .join("\n"),
  );

import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { readConfig, writeConfig } from "../config.ts";
import { shownKey } from "../connection.ts";
import type { Globals } from "../context.ts";
import { createOutput } from "../output.ts";

export function addUse(program: Command): void {
  program
    .command("use")
    .description("Choose the profile for other commands, or list profiles")
    .argument("[profile]", "name of the profile; omit to list profiles")
    .addHelpText(
      "after",
      `
Examples:
  $ engram use
  $ engram use work
`,
    )
    .action((name: string | undefined, _options: unknown, command: Command) => {
      const output = createOutput(command.optsWithGlobals<Globals>().json === true);
      const config = readConfig(process.env);
      if (name !== undefined) {
        if (config.profiles[name] === undefined) {
          throw new CommandError(
            `Profile "${name}" not found. Create it with \`engram login --profile ${name}\`.`,
          );
        }
        config.current = name;
        writeConfig(process.env, config);
      }
      const profiles = Object.entries(config.profiles).map(([profile, { url, api_key }]) => ({
        profile,
        url,
        api_key: shownKey(api_key),
        current: profile === config.current,
      }));
      const rows = profiles.map((of) => [of.current ? "*" : " ", of.profile, of.url, of.api_key]);
      output.data({ profiles }, () =>
        rows.length === 0
          ? "No profiles. Create one with `engram login`."
          : output.list([" ", "PROFILE", "URL", "KEY"], rows),
      );
    });
}

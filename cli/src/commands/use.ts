import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { readConfig, writeConfig } from "../config.ts";
import { shownKey } from "../connection.ts";
import type { Globals } from "../context.ts";
import { createOutput, table } from "../output.ts";

export function addUse(program: Command): void {
  program
    .command("use")
    .description("Choose the profile that other commands use, or list all")
    .argument("[profile]", "name of the profile; none lists them")
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
            `There is no profile "${name}". Make it with \`engram login --profile ${name}\`.`,
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
      output.data({ profiles }, () =>
        profiles.length === 0
          ? "There is no profile yet. Make one with `engram login`."
          : table(profiles.map((of) => [of.current ? "*" : " ", of.profile, of.url, of.api_key])),
      );
    });
}

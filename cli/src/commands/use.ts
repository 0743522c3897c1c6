import type { Command } from "commander";
import { overProfiles, profileNamed, readConfig, writeConfig } from "../config.ts";
import { shownKey } from "../connection.ts";
import type { Globals } from "../context.ts";
import { examples } from "../options.ts";
import { createOutput } from "../output.ts";

export function addUse(program: Command): void {
  program
    .command("use")
    .description("Choose the profile for other commands, or list profiles")
    .argument("[profile]", "name of the profile; omit to list profiles")
    .addHelpText(...examples("engram use", "engram use work"))
    .action((name: string | undefined, _options: unknown, command: Command) => {
      const output = createOutput(command.optsWithGlobals<Globals>().json === true);
      const config = readConfig(process.env);
      const before = config.current;
      if (name !== undefined) {
        profileNamed(config, name);
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
      output.data({ profiles, changed: config.current !== before }, () => {
        if (rows.length === 0) return "No profiles. Create one with `engram login`.";
        const listed = output.list([" ", "PROFILE", "URL", "KEY"], rows);
        if (name === undefined) return listed;
        const used =
          name === before ? "Commands use this profile already" : `Commands now use the profile "${name}"`;
        return `${used}.\n${listed}`;
      });
      if (name !== undefined && overProfiles(process.env) !== "") output.note(overProfiles(process.env));
    });
}

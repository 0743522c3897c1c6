import { ApiError } from "@engram/sdk";
import type { Command } from "commander";
import { configFile, readConfig, writeConfig } from "../config.ts";
import { findConnection, shownKey } from "../connection.ts";
import { connect, type Globals } from "../context.ts";
import { createOutput } from "../output.ts";
import { readSecret } from "../terminal.ts";

export function addLogin(program: Command): void {
  program
    .command("login")
    .description("Check a key and store it in a profile")
    .addHelpText(
      "after",
      `
The key is read from --api-key, from standard input, or from a prompt. It is stored in
${configFile(process.env)}, which only you can read.

Examples:
  $ engram login
  $ engram login --url http://127.0.0.1:26366 < .engram/key
  $ engram login --profile work --url https://memory.example.com
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Globals>();
      const config = readConfig(process.env);
      const name = flags.profile ?? "default";
      // `--profile` may name a profile that this command creates. `findConnection` would reject it.
      const { profile: _, ...others } = flags;
      const { url } = findConnection(config.profiles[name] === undefined ? others : flags, process.env);
      const apiKey = flags.apiKey ?? (await readSecret("Key"));
      await tryKey(url, apiKey);
      config.profiles[name] = { url, api_key: apiKey };
      writeConfig(process.env, { ...config, current: name });
      const kept = { profile: name, url, api_key: shownKey(apiKey) };
      createOutput(flags.json === true).data(
        kept,
        () => `Logged in to ${kept.url} with ${kept.api_key} as profile "${name}".`,
      );
    });
}

/** `forbidden` is accepted: the key is valid, but lacks the scope of this request. */
async function tryKey(url: string, apiKey: string): Promise<void> {
  try {
    await connect(url, apiKey).index.status();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "forbidden")) throw error;
  }
}

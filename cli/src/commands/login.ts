import { ApiError } from "@engram/sdk";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import {
  type Config,
  configFile,
  overProfiles,
  type Profile,
  readConfig,
  shownPath,
  writeConfig,
} from "../config.ts";
import { findConnection, sameUrl, shownKey } from "../connection.ts";
import { connect, type Globals } from "../context.ts";
import { findLocalServices, type LocalService } from "../local-services.ts";
import { createOutput } from "../output.ts";
import { askSecret, isInteractive, readPiped } from "../terminal.ts";

export function addLogin(program: Command): void {
  program
    .command("login")
    .description("Check a key and store it in a profile; finds the service of this machine and its key")
    .addHelpText(
      "after",
      `
Without --url, logs in to the service that \`engram start\` or \`npm start\` runs on this machine, unless
ENGRAM_URL or the profile names another one. The key is the first of: --api-key, standard input, the key
file of a service on this machine, a prompt. The key is stored in ${shownPath(configFile(process.env))},
which only you can read. Commands use the first profile that is stored, until \`engram use\` chooses another.

Examples:
  $ engram login
  $ engram login --profile work --url https://memory.example.com
  $ engram login --url https://memory.example.com < key.txt
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Globals>();
      const config = readConfig(process.env);
      const name = flags.profile ?? "default";
      const { url, service } = findService(flags, config, name);
      const { apiKey, from } = await findKey(flags, url, service);
      await tryKey(url, apiKey);
      const replaced = config.profiles[name];
      // The other commands of this user go on with the profile that they use.
      const current = config.profiles[config.current] === undefined ? name : config.current;
      config.profiles[name] = { url, api_key: apiKey };
      writeConfig(process.env, { ...config, current });
      const shown = { url, api_key: shownKey(apiKey) };
      const output = createOutput(flags.json === true);
      output.data(
        {
          ...{ profile: name, ...shown, api_key_from: from },
          replaced:
            replaced === undefined ? null : { url: replaced.url, api_key: shownKey(replaced.api_key) },
          profile_in_use: current,
          file: configFile(process.env),
        },
        () =>
          [
            `Logged in to ${url} with ${shown.api_key} (from ${from}).`,
            `Stored as profile "${name}" in ${shownPath(configFile(process.env))}${replacing(replaced)}.`,
            current === name
              ? `Commands use this profile.`
              : `Commands still use the profile "${current}". To switch: engram use ${name}`,
          ].join("\n"),
      );
      if (overProfiles(process.env) !== "") output.note(overProfiles(process.env));
    });
}

const replacing = (replaced: Profile | undefined): string =>
  replaced === undefined ? "" : `, replacing ${replaced.url} with ${shownKey(replaced.api_key)}`;

/**
 * The URL to log in to, and the service of this machine that has it, if there is one.
 *
 * @throws {CommandError} If several services run on this machine, and none is chosen.
 */
function findService(
  flags: Globals,
  { profiles }: Config,
  name: string,
): { url: string; service: LocalService | undefined } {
  // `--profile` may name a profile that this command creates. `findConnection` would reject it.
  const { profile: _, ...others } = flags;
  const { url, urlFrom } = findConnection(profiles[name] === undefined ? others : flags, process.env);
  const services = findLocalServices(process.env);
  const service = services.find((each) => sameUrl(each.url, withoutLocalhost(url)));
  const isChosen = urlFrom === "--url" || urlFrom === "ENGRAM_URL" || !isLoopback(url);
  const [only, ...more] = services;
  // A local service may have moved to another port since the profile was stored.
  if (service !== undefined || isChosen || only === undefined) return { url, service };
  if (more.length === 0) return { url: only.url, service: only };
  const urls = services.map((each) => each.url).join(", ");
  throw new CommandError(`Several services run on this machine: ${urls}. Choose one with --url.`);
}

const withoutLocalhost = (url: string): string =>
  url.replace(/^http:\/\/localhost(?=[:/]|$)/, "http://127.0.0.1");

const isLoopback = (url: string): boolean => /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?=[:/]|$)/.test(url);

/** @throws {CommandError} If there is no key, or no service to give it to. */
async function findKey(
  { apiKey }: Globals,
  url: string,
  service: LocalService | undefined,
): Promise<{ apiKey: string; from: string }> {
  if (apiKey !== undefined) return { apiKey, from: "--api-key" };
  const piped = await readPiped();
  if (piped !== "") return { apiKey: piped, from: "standard input" };
  if (service !== undefined) return { apiKey: service.apiKey, from: service.keyFile };
  await reach(url);
  const typed = isInteractive() ? await askSecret(`Key for ${url}`) : "";
  if (typed === "") throw new CommandError(`No key given for ${url}. Pass one on standard input.`);
  return { apiKey: typed, from: "the prompt" };
}

/** @throws {CommandError} If no service responds there, before the user types a key. */
async function reach(url: string): Promise<void> {
  try {
    await connect(url, "none", { maxRetries: 0 }).health.get();
  } catch (error) {
    if (error instanceof ApiError) return;
    if (!isLoopback(url)) throw error;
    throw new CommandError(
      `No Engram service responds at ${url}, and none was found on this machine. Start one with \`engram start\`, or name another with --url.`,
    );
  }
}

/** `forbidden` is accepted: the key is valid, but lacks the scope of this request. */
async function tryKey(url: string, apiKey: string): Promise<void> {
  try {
    await connect(url, apiKey).index.status();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "forbidden")) throw error;
  }
}

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CommandError } from "./command-error.ts";

/** A service and the key to it, under a name. */
export interface Profile {
  url: string;
  api_key: string;
}

/** What `engram login` and `engram use` keep. */
export interface Config {
  /** Name of the profile in use. */
  current: string;
  profiles: Record<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The person's own directory of one kind, as the XDG base directory specification has it. */
export function xdgDirectory(env: Environment, variable: string, otherwise: string): string {
  return join(env[variable] || join(homedir(), otherwise), "engram");
}

export const configFile = (env: Environment): string =>
  join(xdgDirectory(env, "XDG_CONFIG_HOME", ".config"), "config.json");

/** What was kept; no profile when nothing was. @throws {CommandError} when the file is damaged. */
export function readConfig(env: Environment): Config {
  const file = configFile(env);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: "default", profiles: {} };
    throw error;
  }
  try {
    const { current, profiles } = JSON.parse(text) as Config;
    if (typeof current === "string" && typeof profiles === "object") return { current, profiles };
  } catch {
    // Told below like any other damage, without the text, which may hold a key.
  }
  throw new CommandError(`${file} is damaged. Remove it and log in again.`);
}

/** Keep profiles, readable by this person alone. An interruption leaves the old file or the new one. */
export function writeConfig(env: Environment, config: Config): void {
  writePrivately(configFile(env), `${JSON.stringify(config, null, 2)}\n`);
}

/** Write a file that only this person can read, whole or not at all. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

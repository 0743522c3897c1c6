import { mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { CommandError } from "./command-error.ts";
import { writeText } from "./file-outputs.ts";

export interface Profile {
  url: string;
  api_key: string;
}

export interface Config {
  current: string;
  profiles: Record<string, Profile>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Directory of this program by the XDG base directory specification. */
export function xdgDirectory(env: Environment, variable: string, otherwise: string): string {
  return join(env[variable] || join(homedir(), otherwise), "engram");
}

/** A path as users write it, with `~` for the home directory. */
export const shownPath = (path: string): string =>
  path.startsWith(homedir() + sep) ? `~${path.slice(homedir().length)}` : path;

export const configFile = (env: Environment): string =>
  join(xdgDirectory(env, "XDG_CONFIG_HOME", ".config"), "config.json");

/**
 * Reads the stored profiles. If the file does not exist, there are none.
 *
 * @throws {CommandError} If the file is damaged.
 */
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
    // The error below omits the text, which may contain a key.
  }
  throw new CommandError(`${file} is damaged. Remove it and log in again.`);
}

export function writeConfig(env: Environment, config: Config): void {
  writePrivately(configFile(env), `${JSON.stringify(config, null, 2)}\n`);
}

/** Writes a file that only this user can read, as `writeText` does. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeText(file, text);
}

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
  /** Name of the profile in use. */
  current: string;
  profiles: Record<string, Profile>;
  /** Secrets that `engram listen` signs with, by profile. */
  listen_secrets: Record<string, string>;
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
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { current: "default", profiles: named({}), listen_secrets: named({}) };
    throw error;
  }
  try {
    const { current, profiles, listen_secrets = {} } = JSON.parse(text) as Config;
    const isProfile = ({ url, api_key }: Profile) => typeof url === "string" && typeof api_key === "string";
    if (typeof current === "string" && Object.values(profiles).every(isProfile))
      return { current, profiles: named(profiles), listen_secrets: named(listen_secrets) };
  } catch {
    // The error below omits the text, which may contain a key.
  }
  throw new CommandError(`${file} is damaged. Remove it and log in again.`);
}

/** @throws {CommandError} If there is no profile of this name. */
export function profileNamed({ profiles }: Config, name: string): Profile {
  const profile = profiles[name];
  if (profile !== undefined) return profile;
  throw new CommandError(`Profile "${name}" not found. Create it with \`engram login --profile ${name}\`.`);
}

/** A copy in which no name, such as "constructor", is found that is not a key. */
const named = <T>(values: Record<string, T>): Record<string, T> =>
  Object.assign(Object.create(null) as Record<string, T>, values);

export function writeConfig(env: Environment, config: Config): void {
  writePrivately(configFile(env), `${JSON.stringify(config, null, 2)}\n`);
}

/** Says which variables of the environment have precedence over every profile; empty if there are none. */
export const overProfiles = ({ ENGRAM_URL, ENGRAM_API_KEY }: Environment): string => {
  const set = [...(ENGRAM_URL ? ["ENGRAM_URL"] : []), ...(ENGRAM_API_KEY ? ["ENGRAM_API_KEY"] : [])];
  return set.length === 0 ? "" : `The environment has ${set.join(" and ")}, with precedence over profiles.`;
};

/** Writes a file that only this user can read, as `writeText` does. */
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeText(file, text);
}

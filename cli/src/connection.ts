import { profileNamed, readConfig } from "./config.ts";

/** Must be the one in local/src/start/port.ts, which has the reason for it. */
export const DEFAULT_PORT = 26366;
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface ConnectionFlags {
  url?: string;
  apiKey?: string;
  profile?: string;
}

/** `urlFrom` and `apiKeyFrom` say where the URL and the key are from, such as a flag or a profile. */
export interface Connection {
  url: string;
  urlFrom: string;
  apiKey: string | undefined;
  apiKeyFrom: string;
}

/**
 * Chooses the URL and the key: from flags, else the environment, else a profile. A profile's key is sent only
 * to the profile's own URL, never to another one.
 *
 * @throws {CommandError} If the flag `--profile` names a profile that does not exist, or the file with the
 * profiles is damaged.
 */
export function findConnection(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const config = readConfig(env);
  const name = flags.profile ?? config.current;
  const profile = flags.profile === undefined ? config.profiles[name] : profileNamed(config, name);
  // --profile selects a profile even if the environment has a URL and a key.
  const { ENGRAM_URL, ENGRAM_API_KEY, CLAUDE_PLUGIN_OPTION_URL, CLAUDE_PLUGIN_OPTION_API_KEY } =
    flags.profile === undefined ? env : {};
  const [url, urlFrom] = first(
    [flags.url, "--url"],
    // Claude Code gives the hooks of a plugin what the user has entered for it.
    [CLAUDE_PLUGIN_OPTION_URL, "the settings of the plugin"],
    [ENGRAM_URL, "ENGRAM_URL"],
    [profile?.url, `profile "${name}"`],
    [DEFAULT_URL, "the default"],
  );
  const [apiKey, apiKeyFrom] = first(
    [flags.apiKey, "--api-key"],
    [CLAUDE_PLUGIN_OPTION_API_KEY, "the settings of the plugin"],
    [ENGRAM_API_KEY, "ENGRAM_API_KEY"],
    [profile !== undefined && sameUrl(profile.url, url) ? profile.api_key : undefined, `profile "${name}"`],
    [undefined, "nowhere"],
  );
  return { url: (url ?? DEFAULT_URL).replace(/\/+$/, ""), urlFrom, apiKey, apiKeyFrom };
}

function first(...choices: [string | undefined, string][]): [string | undefined, string] {
  return choices.find(([value]) => value) ?? choices.at(-1) ?? [undefined, ""];
}

export const sameUrl = (a: string, b = ""): boolean => a.replace(/\/+$/, "") === b.replace(/\/+$/, "");

/** `engram login` finds the service of this machine itself. */
export const loginCommand = ({ url, urlFrom }: Connection): string =>
  urlFrom === "the default" ? "engram login" : `engram login --url ${url}`;

export const shownKey = (apiKey: string): string =>
  apiKey.startsWith("engram_sk_live_") ? `${apiKey.slice(0, 19)}…` : "…";

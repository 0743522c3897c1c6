import { CommandError } from "./command-error.ts";
import { readConfig } from "./config.ts";

const DEFAULT_URL = "http://127.0.0.1:8787";

/** What the flags of a command say of the connection. */
export interface ConnectionFlags {
  url?: string;
  apiKey?: string;
  profile?: string;
}

/** Where the service is and what opens it, each with where it was found. */
export interface Connection {
  url: string;
  urlFrom: string;
  /** Undefined when none was found for this URL. */
  apiKey: string | undefined;
  apiKeyFrom: string;
}

/**
 * Find URL and key: flags before environment before profile.
 *
 * A profile's key goes to the profile's own URL and nowhere else: naming another URL never sends it there.
 *
 * @throws {CommandError} for a profile that is not there.
 */
export function findConnection(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Connection {
  const { current, profiles } = readConfig(env);
  const name = flags.profile ?? current;
  const profile = profiles[name];
  if (profile === undefined && flags.profile !== undefined) {
    throw new CommandError(`There is no profile "${name}". Make it with \`engram login --profile ${name}\`.`);
  }
  // A profile that is named is meant, whatever the environment says.
  const { ENGRAM_URL, ENGRAM_API_KEY } = flags.profile === undefined ? env : {};
  const [url, urlFrom] = first(
    [flags.url, "--url"],
    [ENGRAM_URL, "ENGRAM_URL"],
    [profile?.url, `profile "${name}"`],
    [DEFAULT_URL, "the default"],
  );
  const [apiKey, apiKeyFrom] = first(
    [flags.apiKey, "--api-key"],
    [ENGRAM_API_KEY, "ENGRAM_API_KEY"],
    [profile !== undefined && sameUrl(profile.url, url) ? profile.api_key : undefined, `profile "${name}"`],
    [undefined, "nowhere"],
  );
  return { url: url ?? DEFAULT_URL, urlFrom, apiKey, apiKeyFrom };
}

/** The first that is there; the last, whatever it is. */
function first(...choices: [string | undefined, string][]): [string | undefined, string] {
  return choices.find(([value]) => value) ?? choices.at(-1) ?? [undefined, ""];
}

const sameUrl = (a: string, b = ""): boolean => a.replace(/\/+$/, "") === b.replace(/\/+$/, "");

/** A key as it may be shown: enough to recognize it, not to use it. */
export const shownKey = (apiKey: string): string =>
  apiKey.startsWith("engram_sk_live_") ? `${apiKey.slice(0, 19)}…` : "…";

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivately, xdgDirectory } from "./config.ts";

/** What the hooks of a client last did on this machine. */
interface HookState {
  /** When a transcript was last stored. */
  stored_at?: string;
  /** What has failed since. */
  error?: { message: string; at: string; is_told?: boolean };
}

export const stateDirectory = (): string =>
  xdgDirectory(process.env, "XDG_STATE_HOME", join(".local", "state"));

const fileOf = (client: string): string => join(stateDirectory(), "hooks", `${client}.json`);

export function readHookState(client: string): HookState {
  try {
    return JSON.parse(readFileSync(fileOf(client), "utf8")) as HookState;
  } catch {
    // There is none yet.
    return {};
  }
}

function writeHookState(client: string, state: HookState): void {
  try {
    writePrivately(fileOf(client), JSON.stringify(state));
  } catch {
    // A directory that cannot be written must not stop the client either.
  }
}

const now = (): string => new Date().toISOString();

export const noteStored = (client: string): void => writeHookState(client, { stored_at: now() });

export const noteFailure = (client: string, message: string): void =>
  writeHookState(client, { ...readHookState(client), error: { message, at: now() } });

/** The last failure; undefined if there is none or if the user has been told of it. */
export function takeFailure(client: string): string | undefined {
  const state = readHookState(client);
  const { error } = state;
  if (error === undefined || error.is_told === true) return undefined;
  writeHookState(client, { ...state, error: { ...error, is_told: true } });
  return error.message;
}

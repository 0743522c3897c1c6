import { statSync } from "node:fs";
import { type Check, ok, warn } from "./check-results.ts";
import { NotFoundError } from "./command-error.ts";
import { type HookClient, hasHooks, hookClients } from "./hook-clients.ts";
import { readHookState } from "./hook-state.ts";
import { FORMATS } from "./importers/formats.ts";
import { shownTime } from "./output.ts";
import { findSources } from "./sources.ts";

const DAY_MS = 24 * 3_600_000;
/** A client may still write to its log after the hook at the end of a session. */
const LATE_MS = 10 * 60_000;

/** Checks that the hooks of each client store what its own log has. */
export async function checkHooks(): Promise<Check[]> {
  const installed = [...hookClients(process.env)].filter(([, client]) => hasHooks(client));
  return Promise.all(installed.map(([name, client]) => checkClient(name, client)));
}

async function checkClient(name: string, { title, file }: HookClient): Promise<Check> {
  const { stored_at, error } = readHookState(name);
  // Nothing is missing of the time before the hooks were installed.
  const storedMs = stored_at === undefined ? changedMs(file) : Date.parse(stored_at);
  const loggedMs = await lastLogMs(name);
  const isLate = Date.now() - storedMs > DAY_MS && loggedMs - storedMs > LATE_MS;
  const detail = [
    `${title}: ${stored_at === undefined ? "nothing stored yet" : `last stored ${shownTime(stored_at)}`}`,
    ...(isLate ? [`its own log grew until ${shownTime(new Date(loggedMs).toISOString())}`] : []),
    ...(error === undefined ? [] : [`last error ${shownTime(error.at)}: ${error.message}`]),
  ].join("; ");
  if (!isLate && error === undefined) return ok("hooks", detail);
  return warn(
    "hooks",
    detail,
    `\`engram import ${name}\` stores what is missing; \`/hooks\` in ${title} shows whether it runs the hooks`,
  );
}

const changedMs = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** When the client last wrote to the log of a session; 0 if it never has. */
async function lastLogMs(name: string): Promise<number> {
  const format = FORMATS.get(name);
  if (format?.home === undefined) return 0;
  try {
    const { sources } = await findSources(format.home(process.env), format.files);
    return Math.max(...sources.map(({ modifiedAtMs }) => modifiedAtMs));
  } catch (error) {
    if (error instanceof NotFoundError) return 0;
    throw error;
  }
}

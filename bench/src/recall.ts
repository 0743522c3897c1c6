// What `npm run bench:recall` runs: how much of what questions need does a search find?
import { isEngramError } from "@engram/sdk";
import { startOwnService } from "../../scripts/own-service.ts";
import { generateChats } from "./chats/chats.ts";
import { readArgs, USAGE, UsageError } from "./recall/args.ts";
import { FloorsError, findBelowFloors, readFloors } from "./recall/floors.ts";
import { DataError, loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { createProgress } from "./recall/progress.ts";
import { runRecall } from "./recall/run.ts";

const { show: progress, clear } = createProgress(process.stderr);
const cleanups: (() => Promise<void>)[] = [];
let leaving = false;

process.once("SIGINT", () => leave(130));
process.once("SIGTERM", () => leave(143));
process.once("SIGHUP", () => leave(129));

try {
  await leave(await main());
} catch (error) {
  // What fails because we are stopping is no news.
  if (!leaving) {
    clear();
    process.stderr.write(`${explain(error)}\n`);
    await leave(error instanceof UsageError ? 2 : 1);
  }
}

/** @returns The exit code. */
async function main(): Promise<number> {
  // npm runs scripts in the package; INIT_CWD is where the person stands.
  const args = readArgs(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd());
  const set = args.dataDirectory === undefined ? generateChats() : await loadLocomo(args.dataDirectory);
  const floors = args.floorsFile && (await readFloors(args.floorsFile, set.name, args.scopes));
  const access = accessService(args.remote ?? (await startService()));
  // A service of our own goes with all its data.
  if (args.remote !== undefined) cleanups.push(access.close);
  const reports = await runRecall(args, set, access, { progress, print });
  if (!floors) return 0;
  const below = findBelowFloors(floors, set.name, reports);
  print(below.length === 0 ? "Every floor holds." : below.join("\n"));
  return below.length === 0 ? 0 : 1;
}

async function startService() {
  progress("starting the service");
  const starting = startOwnService();
  // Registered before it is up, so that a signal meanwhile stops it, too.
  cleanups.push(async () => (await starting.catch(() => undefined))?.stop());
  return await starting;
}

function print(text: string): void {
  clear();
  process.stdout.write(`${text}\n`);
}

/** Undo what was started, once, then exit. */
async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  clear();
  for (const cleanup of cleanups) {
    await cleanup().catch((error: unknown) => process.stderr.write(`${explain(error)}\n`));
  }
  process.exit(code);
}

/** What went wrong: a sentence for what people can change, the stack for the rest. */
function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DataError || error instanceof FloorsError) return error.message;
  if (isEngramError(error)) return `The service failed: ${error.message} (${error.code})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

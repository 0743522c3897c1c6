// What `npm run bench:recall` runs: how much of what questions need does a search find?
import { startOwnService } from "../../scripts/own-service.ts";
import { generateChats } from "./chats/chats.ts";
import { type Command, runCommand } from "./command/command.ts";
import { readArgs, USAGE } from "./recall/args.ts";
import { findBelowFloors, readFloors } from "./recall/floors.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { accessService } from "./recall/memory.ts";
import { runRecall } from "./recall/run.ts";

await runCommand(USAGE, async (command) => {
  const { progress, print } = command;
  const args = readArgs(command.argv, command.workingDirectory);
  const set = args.dataDirectory === undefined ? generateChats() : await loadLocomo(args.dataDirectory);
  const floors = args.floorsFile && (await readFloors(args.floorsFile, set.name, args.scopes));
  const access = accessService(args.remote ?? (await startService(command)));
  // A service of our own goes with all its data.
  if (args.remote !== undefined) command.atEnd(access.close);
  const reports = await runRecall(args, set, access, { progress, print });
  if (!floors) return 0;
  const below = findBelowFloors(floors, set.name, reports);
  print(below.length === 0 ? "Every floor holds." : below.join("\n"));
  return below.length === 0 ? 0 : 1;
});

async function startService({ progress, atEnd }: Command) {
  progress("starting the service");
  const starting = startOwnService();
  // Registered before it is up, so that a signal meanwhile stops it, too.
  atEnd(async () => (await starting.catch(() => undefined))?.stop());
  return await starting;
}

import { parseArgs } from "node:util";
import { UsageError } from "../args.ts";

export const USAGE = `Usage: npm run reindex [-- --url URL]

Rebuilds the embedding of every message and memory of an organization, for example after a change of the model, and
shows the progress. The service keeps working and does this in the background: stopping this command does
not stop it, and running the command again shows the progress again. Exits with 0 when everything is
embedded, with 1 when something could not be.

  --url URL  URL of the service; default http://127.0.0.1:26366.
  --help     Print this help.

Environment:
  ENGRAM_API_KEY  A key of the organization with the scopes read and write. With a key that is bound to
                  an agent, only the conversations and memories of that agent are embedded.
  ENGRAM_URL      Used when --url is not given.
`;

export interface ReindexArgs {
  url: string;
  key: string;
}

/**
 * For `npm run reindex --url=URL`, without the `--` before the option, npm does not pass the option on but
 * sets the variable `npm_config_url`. So this variable is read, too.
 *
 * @throws {UsageError} If an argument is unknown, or ENGRAM_API_KEY is not set.
 */
export function readArgs(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReindexArgs | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const url = values.url ?? env.npm_config_url ?? (env.ENGRAM_URL || "http://127.0.0.1:26366");
  const key = env.ENGRAM_API_KEY;
  if (!key) throw new UsageError("Set ENGRAM_API_KEY to a key of the organization.");
  return { url, key };
}

function parse(args: readonly string[]): { url?: string; help?: boolean } {
  try {
    return parseArgs({
      args: [...args],
      options: { url: { type: "string" }, help: { type: "boolean" } },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

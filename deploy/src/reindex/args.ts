import { parseArgs } from "node:util";
import { UsageError } from "../args.ts";

export const USAGE = `Usage: npm run reindex [-- --url URL]

Has every message of an organization embedded anew, as after a change of the model, and shows how far that
is. The service goes on serving and does the work by itself: stopping this command stops nothing, and
running it again watches on. Ends with 0 when all is done, with 1 when something could not be embedded.

  --url URL  Where the service is; http://127.0.0.1:8787 unless given.
  --help     Print this.

Environment:
  ENGRAM_API_KEY  A key of the organization with the scopes read and write. One that is bound to an agent
                  has only that agent's conversations embedded.
  ENGRAM_URL      In place of --url.
`;

export interface ReindexArgs {
  url: string;
  key: string;
}

/**
 * Parse the command line; "help" when it asks for the usage.
 *
 * @param env npm swallows the flag of `npm run reindex --url=URL`, which lacks the extra `--`, and sets it
 *   here.
 * @throws {UsageError} On an unknown argument, or without a key.
 */
export function readArgs(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReindexArgs | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const url = values.url ?? env.npm_config_url ?? (env.ENGRAM_URL || "http://127.0.0.1:8787");
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

import { parseArgs } from "node:util";
import { isLocation, LOCATIONS, type Location } from "./locations.ts";

export const USAGE = `Usage: npm run deploy [-- --dry-run] [--location=LOCATION]

Sets Engram up in your Cloudflare account as wrangler.toml says, or brings it up to date: D1 database,
Vectorize index with its metadata indexes, migrations, admin token, Worker, smoke test. What is right
already is left alone, so an interrupted run is simply repeated.

  --dry-run            Check the settings and the account, say what is missing, change nothing. Without
                       a login, and offline, it checks only the settings and the bundle.
  --location=LOCATION  Where D1 creates a new database, for good: wnam, enam, weur, eeur, apac or oc.
                       Without it, the command asks; without a terminal, D1 chooses.
  --help               Print this.

The account needs the Workers Paid plan.

Environment:
  CLOUDFLARE_API_TOKEN   Instead of \`npx wrangler login\`.
  CLOUDFLARE_ACCOUNT_ID  Which account, when the login reaches several.
  ENGRAM_ADMIN_TOKEN     The admin token of a new Worker, instead of one asked for or generated.
  OAUTH_CLIENTS, OIDC, OIDC_CLIENT_SECRET
                         Settings that the Worker keeps as secrets until they are given again.
`;

export class UsageError extends Error {
  override name = "UsageError";
}

export interface DeployArgs {
  dryRun: boolean;
  help: boolean;
  /** Location of a new database. Undefined if not given. */
  location: Location | undefined;
}

/**
 * For `npm run deploy --dry-run`, without the `--` before the option, npm does not pass the option on but
 * sets the variable `npm_config_dry_run`. So this variable is read, too.
 *
 * @throws {UsageError} If an argument is unknown.
 */
export function readArgs(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DeployArgs {
  const values = parse(args);
  const { location } = values;
  if (location !== undefined && !isLocation(location))
    throw new UsageError(`--location must be one of ${LOCATIONS.join(", ")}.`);
  return {
    dryRun: values["dry-run"] ?? env.npm_config_dry_run === "true",
    help: values.help ?? false,
    location,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        "dry-run": { type: "boolean" },
        help: { type: "boolean" },
        location: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

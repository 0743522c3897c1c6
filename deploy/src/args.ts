export const USAGE = `Usage: npm run deploy [-- --dry-run]

Sets Engram up in your Cloudflare account as wrangler.toml says, or brings it up to date: D1 database,
Vectorize index with its metadata indexes, migrations, admin token, Worker, smoke test. What is right
already is left alone, so an interrupted run is simply repeated.

  --dry-run  Look, say what would be done, change nothing.
  --help     Print this.

Environment:
  CLOUDFLARE_API_TOKEN   Instead of \`npx wrangler login\`.
  CLOUDFLARE_ACCOUNT_ID  Which account, when the login reaches several.
  ENGRAM_ADMIN_TOKEN     The admin token of a new Worker, instead of one asked for or generated.
`;

export class UsageError extends Error {
  override name = "UsageError";
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
): { dryRun: boolean; help: boolean } {
  const unknown = args.find((arg) => arg !== "--dry-run" && arg !== "--help");
  if (unknown !== undefined) throw new UsageError(`Unknown argument: ${unknown}`);
  return {
    dryRun: args.includes("--dry-run") || env.npm_config_dry_run === "true",
    help: args.includes("--help"),
  };
}

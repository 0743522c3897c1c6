import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DeployConfig, readToml } from "./config.ts";
import { type Location, REGIONS } from "./regions.ts";

/** Where the Worker runs, for a line of the progress. */
export function describePlacement({ hasOwnPlacement }: DeployConfig, location: Location | undefined): string {
  if (hasOwnPlacement) return "placed as wrangler.toml says";
  return location === undefined ? "placed by Cloudflare" : `near ${REGIONS[location].placement}`;
}

/**
 * Runs a command with the path of a configuration that places the Worker near a database. Removes this file
 * afterwards. The path is undefined if wrangler.toml itself applies.
 */
export async function withPlacement<T>(
  config: DeployConfig,
  location: Location | undefined,
  run: (file: string | undefined) => Promise<T>,
): Promise<T> {
  if (config.hasOwnPlacement || location === undefined) return run(undefined);
  // In the same folder, because wrangler resolves paths from there.
  const file = join(config.root, `wrangler.deploy-${randomUUID()}.json`);
  try {
    const placement = { region: REGIONS[location].placement };
    writeFileSync(file, JSON.stringify({ ...readToml(config.root), placement }));
    return await run(file);
  } finally {
    rmSync(file, { force: true });
  }
}

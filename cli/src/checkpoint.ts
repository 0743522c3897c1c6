import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately, xdgDirectory } from "./config.ts";
import type { Connection } from "./connection.ts";
import type { SourceFile } from "./sources.ts";

/** Where an import that was interrupted goes on. */
export interface Checkpoint {
  /** Lines that the service has answered for; 0 for an import that begins. */
  lines: number;
  /** Keep how far it is now. */
  save(lines: number): void;
  /** Forget it: the import is done. */
  remove(): void;
}

/**
 * What is known of an import of these very files to this organization.
 *
 * Kept beside the person's other state, under a hash: a file that has changed is another import, which begins at
 * the beginning and finds there already what it sends again.
 */
export function findCheckpoint(
  env: Readonly<Record<string, string | undefined>>,
  { url, apiKey }: Pick<Connection, "url" | "apiKey">,
  format: string,
  sources: SourceFile[],
): Checkpoint {
  const files = sources.map(({ path, bytes, modifiedAtMs }) => [path, bytes, modifiedAtMs]);
  const name = createHash("sha256")
    .update(JSON.stringify([url, apiKey, format, files]))
    .digest("hex");
  const directory = join(xdgDirectory(env, "XDG_STATE_HOME", ".local/state"), "imports");
  const file = join(directory, `${name}.json`);
  return {
    lines: readLines(file),
    save: (lines) => writePrivately(file, JSON.stringify({ lines })),
    remove: () => rmSync(file, { force: true }),
  };
}

function readLines(file: string): number {
  try {
    const { lines } = JSON.parse(readFileSync(file, "utf8")) as { lines: unknown };
    return Number.isSafeInteger(lines) ? Number(lines) : 0;
  } catch {
    // None, or a damaged one: beginning anew costs time and nothing else.
    return 0;
  }
}

import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately, xdgDirectory } from "./config.ts";
import type { Connection } from "./connection.ts";
import type { SourceFile } from "./sources.ts";

export interface Checkpoint {
  /** The operation that counts the lines; null for a new import. */
  operationId: string | null;
  save(operationId: string): void;
  /** Call this when the import is complete. */
  remove(): void;
}

/**
 * Load the checkpoint of an import of exactly these files to this service with this key.
 *
 * Stored in the user's state directory under a hash of these values. A changed file therefore starts a new
 * import from the beginning, which leaves existing items unchanged.
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
    operationId: readOperationId(file),
    save: (operationId) => writePrivately(file, JSON.stringify({ operation_id: operationId })),
    remove: () => rmSync(file, { force: true }),
  };
}

function readOperationId(file: string): string | null {
  try {
    const { operation_id } = JSON.parse(readFileSync(file, "utf8")) as { operation_id: unknown };
    return typeof operation_id === "string" ? operation_id : null;
  } catch {
    // The file is missing or damaged. Starting over costs only time.
    return null;
  }
}

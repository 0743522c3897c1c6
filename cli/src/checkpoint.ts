import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately, xdgDirectory } from "./config.ts";
import type { Connection } from "./connection.ts";
import type { SourceFile } from "./sources.ts";

/** Which import was interrupted. */
export interface Checkpoint {
  /** The operation that counts its lines; null for an import that begins. */
  operationId: string | null;
  /** Keep which it is. */
  save(operationId: string): void;
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
    // None, or a damaged one: beginning anew costs time and nothing else.
    return null;
  }
}

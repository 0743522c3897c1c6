import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivately, xdgDirectory } from "./config.ts";
import type { Connection } from "./connection.ts";
import type { SourceFile } from "./sources.ts";

export interface Checkpoint {
  /** Id of the service's operation for the interrupted import. Null if no such import is known. */
  operationId: string | null;
  save(operationId: string): void;
  remove(): void;
}

/**
 * Finds what an interrupted import of the same files has saved. The name of the file with the checkpoint is a
 * hash of the imported files' paths, sizes and times, their format, the service's URL and the key. If one of
 * them has changed, the import starts from the beginning, and items that are stored already stay unchanged.
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
    // The file is missing or damaged. The import then starts from the beginning, which only takes longer.
    return null;
  }
}

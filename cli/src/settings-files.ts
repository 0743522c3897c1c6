import { copyFileSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CommandError } from "./command-error.ts";
import { writeText } from "./file-outputs.ts";

/** A change of a settings file of another program. `before` is undefined if there is no file. */
export interface SettingsChange {
  before: string | undefined;
  text: string;
}

/** @throws {CommandError} If `change` throws one; it then names the file. */
export function planChange<Change extends { text: string }>(
  file: string,
  change: (text: string) => Change,
): Change & SettingsChange {
  let before: string | undefined;
  try {
    before = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    return { before, ...change(before ?? "") };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${file} was not changed. ${error.message}`);
  }
}

/** Replaces the file atomically. @returns the path of the backup; null if there was no file. */
export function writeChange(file: string, { before, text }: SettingsChange): string | null {
  mkdirSync(dirname(file), { recursive: true });
  // If the file is a symbolic link, its target is replaced, not the link.
  const target = before === undefined ? file : realpathSync(file);
  const backup =
    before === undefined ? null : `${target}.${new Date().toISOString().replaceAll(":", "-")}.bak`;
  if (backup !== null) copyFileSync(target, backup);
  writeText(target, text, before === undefined ? undefined : statSync(target).mode);
  return backup;
}

import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError } from "./command-error.ts";
import { writeText } from "./file-outputs.ts";

/** A change of a settings file of another program. A text is undefined if there is no file. */
export interface SettingsChange {
  before: string | undefined;
  text: string | undefined;
}

/** How settings get what a command installs, and lose it again. Both keep everything else. */
export interface Installation {
  /** The text with what `installed` has; the same text if it has it already. */
  install(text: string): string;
  remove(text: string): string;
}

/** The byte order mark that some editors of Windows write. It is kept, and no edit sees it. */
const MARK = "\ufeff";

/** @throws {CommandError} If the file cannot be changed. It names the file and the reason. */
export function planInstallation(file: string, install: (text: string) => string): SettingsChange {
  return naming(file, () => {
    const before = readSettings(file);
    return { before, text: edited(before ?? "", install) };
  });
}

/**
 * Restores the text before the installation if a backup proves it: the same installation into it gives the present
 * text. Else removes only what was installed.
 *
 * @throws {CommandError} As `planInstallation`.
 */
export function planRemoval(
  file: string,
  installationIn: (text: string) => Installation | undefined,
): SettingsChange {
  return naming(file, () => {
    const before = readSettings(file);
    const found = installationIn((before ?? "").replace(MARK, ""));
    if (before === undefined || found === undefined) return { before, text: before };
    const gives = (text: string) => {
      try {
        // After a second installation, a backup has what the first one installed.
        const isBefore = installationIn(text.replace(MARK, "")) === undefined;
        return isBefore && edited(text, found.install) === before;
      } catch {
        return false;
      }
    };
    const backup = backupsOf(realpathSync(file)).find(gives);
    if (backup === undefined && gives("")) return { before, text: undefined };
    return { before, text: backup ?? edited(before, found.remove) };
  });
}

const edited = (text: string, edit: (text: string) => string): string =>
  text.startsWith(MARK) ? MARK + edit(text.slice(MARK.length)) : edit(text);

/**
 * Replaces the file atomically, or removes it.
 *
 * @returns the path of the backup; null if there was no file.
 * @throws {CommandError} As `planInstallation`, and if the file has changed since it was read.
 */
export function writeChange(file: string, { before, text }: SettingsChange): string | null {
  return naming(file, () => {
    if (readSettings(file) !== before)
      throw new CommandError("Another program has changed it in the meantime. Run the command again.");
    if (before === undefined) {
      mkdirSync(dirname(file), { recursive: true });
      writeText(file, text ?? "");
      return null;
    }
    // If the file is a symbolic link, its target is replaced, not the link.
    const target = realpathSync(file);
    const backup = `${target}.${new Date().toISOString().replaceAll(":", "-")}${BACKUP_ENDING}`;
    copyFileSync(target, backup);
    try {
      if (text === undefined) rmSync(target);
      else writeText(target, text, statSync(target).mode);
    } catch (error) {
      rmSync(backup, { force: true });
      throw error;
    }
    return backup;
  });
}

const BACKUP_ENDING = ".bak";

/** The texts of the backups of a file, the newest first. */
function backupsOf(file: string): string[] {
  const names = readdirSync(dirname(file)).filter(
    (name) => name.startsWith(`${basename(file)}.`) && name.endsWith(BACKUP_ENDING),
  );
  return names
    .sort()
    .reverse()
    .flatMap((name) => {
      try {
        return [readFileSync(join(dirname(file), name), "utf8")];
      } catch {
        // Another program's, which this user cannot read.
        return [];
      }
    });
}

/** The text of the file, undefined if there is none. */
function readSettings(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Opening a pipe would wait for a writer.
  if (!found.isFile()) throw new CommandError("It is not a regular file.");
  // Replacing a file does not need the permission to write it, but its owner has said that it must not change.
  const isReadOnly = (found.mode & 0o222) === 0;
  if (isReadOnly) throw new CommandError("It is read-only.");
  accessSync(file, constants.W_OK);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError("It is not text in UTF-8.");
    throw error;
  }
}

const REASONS: Record<string, string> = {
  EACCES: "You have no permission to.",
  EPERM: "You have no permission to.",
  EROFS: "Its file system is read-only.",
  ENOTDIR: "A part of its path is not a directory.",
  EEXIST: "A part of its path is not a directory.",
  ENOENT: "It is a symbolic link into a directory that does not exist.",
  ELOOP: "It is a symbolic link to itself.",
  ENOSPC: "There is no space left.",
};

/** Adds the file to errors of its contents and of the file system. */
function naming<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof CommandError) throw new CommandError(`${file} was not changed. ${message}`);
    if (code === undefined) throw error;
    throw new CommandError(`${file} was not changed. ${REASONS[code] ?? message}`);
  }
}

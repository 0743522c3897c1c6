import { stat } from "node:fs/promises";
import { CommandError } from "./command-error.ts";
import { FORMATS } from "./importers/formats.ts";
import { recognizeFormats } from "./importers/recognition.ts";
import { oneLine } from "./output.ts";
import { findNotes, findSources, type SourceFile } from "./sources.ts";
import { STANDARD_STREAM } from "./spooled-input.ts";

/**
 * Checks that a file does not have another format than the one that the user named. A file of no known format passes.
 *
 * @throws {CommandError} That names the format that the file looks like.
 */
export async function checkFormat(wanted: string, path: string, [first]: SourceFile[]): Promise<void> {
  const formats = first === undefined ? [] : await recognizeFormats(first);
  const [other] = formats;
  if (other !== undefined && !formats.includes(wanted)) throw wrongFormat(wanted, path, other);
}

/** The error for a path in which no file of the wanted format was found, with the format that it looks like. */
export async function explainPath(wanted: string, path: string, cause: CommandError): Promise<CommandError> {
  const other = await formatOfPath(path);
  if (other !== undefined && other !== wanted) return wrongFormat(wanted, path, other);
  return cause;
}

function wrongFormat(wanted: string, path: string, other: string): CommandError {
  const shown = path === STANDARD_STREAM ? "Standard input" : oneLine(path);
  return new CommandError(
    `${shown} does not have the format ${wanted}. It looks like ${other}: engram import ${other} ${oneLine(path)}`,
  );
}

/** The format of the files in a directory or zip file, or of a file. Undefined if it is none of the known ones. */
async function formatOfPath(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  for (const { files } of FORMATS.values()) {
    const { sources } = await findSources(path, files).catch(() => ({ sources: [] }));
    const [first] = sources;
    const [format] = first === undefined ? [] : await recognizeFormats(first);
    if (format !== undefined) return format;
  }
  const hasNotes =
    found.isDirectory() &&
    (await findNotes(path).then(
      () => true,
      () => false,
    ));
  return hasNotes ? "obsidian" : undefined;
}

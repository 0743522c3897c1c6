import { isDeepStrictEqual } from "node:util";
import { parse, patch, stringify } from "@decimalturn/toml-patch";
import { CommandError } from "./command-error.ts";

type Table = Record<string, unknown>;
/** The path of a table within another one, such as `["mcp_servers", "engram"]`. */
type Path = readonly [string, string];

/** The value at `path`, undefined if there is none. @throws {CommandError} If the text is not valid TOML. */
export const tomlValueAt = (text: string, path: Path): unknown =>
  structuredClone(parentOf(parseToml(text), path)[path[1]]);

/**
 * Sets the table at `path`. Keeps comments, and all else as it is written.
 *
 * @throws {CommandError} If the text is not valid TOML, or the parent of the table is none.
 */
export function withTomlTable(text: string, path: Path, table: object): string {
  const document = parseToml(text);
  const [parent, key] = path;
  const wanted = { ...document, [parent]: { ...parentOf(document, path), [key]: table } };
  const appended = withAppended(text, `[${parent}.${key}]\n${stringify(table)}`);
  // A table cannot be appended if it exists, or if its parent is an inline table.
  return has(appended, wanted) ? appended : patchedTo(text, wanted);
}

/** Removes the table at `path`, and its parent if that has no other. @throws {CommandError} As `withTomlTable`. */
export function withoutTomlTable(text: string, path: Path): string {
  const document = parseToml(text);
  const [parent, key] = path;
  const { [key]: _, ...others } = parentOf(document, path);
  const { [parent]: __, ...rest } = document;
  return patchedTo(text, Object.keys(others).length === 0 ? rest : { ...document, [parent]: others });
}

function parentOf(document: Table, [parent]: Path): Table {
  const value = document[parent] ?? {};
  if (typeof value === "object" && !Array.isArray(value) && !(value instanceof Date)) return value as Table;
  throw new CommandError(`Its \`${parent}\` is not a table.`);
}

function withAppended(text: string, table: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text.trim() === "" ? "" : `${text.trimEnd()}${end}${end}`;
  return before + table.replaceAll("\n", end);
}

function patchedTo(text: string, wanted: Table): string {
  const patched = patch(text, wanted);
  if (has(patched, wanted)) return patched;
  throw new CommandError("It is written in a way that cannot be changed safely. Change it by hand.");
}

function has(text: string, wanted: Table): boolean {
  try {
    // Parsed tables have no prototype, so they equal no literal.
    return isDeepStrictEqual(structuredClone(parse(text)), structuredClone(wanted));
  } catch {
    return false;
  }
}

function parseToml(text: string): Table {
  try {
    return parse(text) as Table;
  } catch (error) {
    const { message, line } = error as Error & { line?: number };
    // The first lines of the message show the place.
    const reason = message.split("\n").at(-1);
    throw new CommandError(`It is not valid TOML: line ${line ?? 1}: ${reason}.`);
  }
}

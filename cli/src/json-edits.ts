import {
  applyEdits,
  type FormattingOptions,
  format,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { CommandError } from "./command-error.ts";

/**
 * Reads the text of a settings file: JSON that may have comments. An empty text is an empty object.
 *
 * @throws {CommandError} If it is not an object.
 */
export function parseSettings(text: string): { text: string; tree: Node } {
  const whole = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const tree = parseTree(whole, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    throw new CommandError(`It is not valid JSON: ${printParseErrorCode(error.error)} at ${error.offset}.`);
  }
  if (tree?.type !== "object") throw new CommandError("It does not contain a JSON object.");
  return { text: whole, tree };
}

/** Sets the value at `path`; undefined removes it. The index -1 appends to a list. Keeps all else as it is written. */
export function withValue(text: string, path: JSONPath, value: unknown): string {
  const edits = modify(text, path, value, { isArrayInsertion: path.at(-1) === -1 });
  const changed = applyEdits(text, edits);
  if (value === undefined) return changed;
  // Only what is new is formatted. `modify` would also format the lines around it.
  const formatting = edits.flatMap(({ offset, content }) =>
    format(changed, { offset, length: content.length }, indentationOf(text)),
  );
  return applyEdits(changed, formatting);
}

function indentationOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1 }
    : { insertSpaces: true, tabSize: indent.length };
}

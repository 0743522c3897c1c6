import {
  applyEdits,
  createScanner,
  type Edit,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  getNodeValue,
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
    const lines = whole.slice(0, error.offset).split(/\r\n|\r|\n/);
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    throw new CommandError(`It is not valid JSON: ${printParseErrorCode(error.error)} at ${place}.`);
  }
  if (tree?.type !== "object") throw new CommandError("It does not contain a JSON object.");
  return { text: whole, tree };
}

/**
 * Sets the value at `path`; the index -1 appends to a list. Creates objects and lists of the path that are missing or
 * null. Keeps all else as it is written.
 *
 * @throws {CommandError} If a value of the path has another type, or a key of it occurs twice.
 */
export function withValue(given: string, path: JSONPath, value: unknown): string {
  let { text } = parseSettings(given);
  for (let depth = 1; depth < path.length; depth++) {
    const parent = path.slice(0, depth);
    const type = typeof path[depth] === "number" ? "array" : "object";
    const present = nodeAt(text, parent);
    if (present?.type === "null") text = changed(text, parent, type === "array" ? [] : {});
    else if (present !== undefined && present.type !== type)
      throw new CommandError(
        `Its \`${parent.join(".")}\` is not ${type === "array" ? "a list" : "an object"}.`,
      );
  }
  nodeAt(text, path);
  return changed(text, path, value);
}

/**
 * Removes the value at `path`, with the lines that have nothing else. Keeps comments, which `modify` would remove with
 * the comma.
 *
 * @throws {CommandError} If a key of the path occurs twice.
 */
export function withoutValue(text: string, path: JSONPath): string {
  const node = nodeAt(text, path);
  const entry = node?.parent?.type === "property" ? node.parent : node;
  const siblings = entry?.parent?.children ?? [];
  if (entry === undefined) return text;
  const comma = commaAfter(text, entry);
  const before = siblings[siblings.indexOf(entry) - 1];
  // The last entry has no comma of its own. The one before it then loses its comma.
  const commaBefore = comma === undefined && before !== undefined ? commaAfter(text, before) : undefined;
  const end = comma === endOf(entry) ? comma + 1 : endOf(entry);
  const [spaceBefore = ""] = /[ \t]*$/.exec(text.slice(0, entry.offset)) ?? [];
  const start = entry.offset - spaceBefore.length;
  const [restOfLine = ""] = /^[ \t]*(?:\r\n|\r|\n)/.exec(text.slice(end)) ?? [];
  const isWholeLine = start === 0 || /[\r\n]/.test(text[start - 1] ?? "");
  const edits = [
    { offset: start, length: end - start + (isWholeLine ? restOfLine.length : 0), content: "" },
    ...[comma === endOf(entry) ? undefined : comma, commaBefore].flatMap((offset) =>
      offset === undefined ? [] : [{ offset, length: 1, content: "" }],
    ),
  ];
  return applyEdits(text, edits);
}

const endOf = ({ offset, length }: Node): number => offset + length;

/** The place of the comma after an entry, undefined if there is none. */
function commaAfter(text: string, entry: Node): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(entry));
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === "," ? next : undefined;
}

/** The value at `path`, undefined if there is none. @throws {CommandError} If a key of the path occurs twice. */
export function valueAt(text: string, path: JSONPath): unknown {
  const node = nodeAt(text, path);
  // Its objects have no prototype, so they equal no literal.
  return node && structuredClone(getNodeValue(node));
}

/** Programs read the last of two equal keys, and an edit changes the first, so neither may be in the path. */
function nodeAt(text: string, path: JSONPath): Node | undefined {
  const { tree } = parseSettings(text);
  for (const [depth, key] of path.entries()) {
    const entries = findNodeAtLocation(tree, path.slice(0, depth))?.children ?? [];
    if (
      entries.filter(({ type, children }) => type === "property" && children?.[0]?.value === key).length > 1
    )
      throw new CommandError(`Its \`${path.slice(0, depth + 1).join(".")}\` occurs twice.`);
  }
  return findNodeAtLocation(tree, path);
}

function changed(text: string, path: JSONPath, value: unknown): string {
  const edits =
    afterComment(text, path, value) ?? modify(text, path, value, { isArrayInsertion: path.at(-1) === -1 });
  const edited = applyEdits(text, edits);
  // The last edit has the value. Only what is new is formatted; `modify` would also format the lines around it.
  const { offset = 0, content = "" } = edits.at(-1) ?? {};
  const before = edits.slice(0, -1).reduce((sum, edit) => sum + edit.content.length - edit.length, 0);
  const range = { offset: offset + before, length: content.length };
  return applyEdits(edited, format(edited, range, indentationOf(text)));
}

/**
 * The edits that insert a value after the last entry of its parent and the comment on that entry's line. `modify` would
 * insert it before the comment, which then seems to belong to it. Undefined if there is no such comment.
 */
function afterComment(text: string, path: JSONPath, value: unknown): Edit[] | undefined {
  const { tree } = parseSettings(text);
  const depth = path.findIndex((_, i) => findNodeAtLocation(tree, path.slice(0, i + 1)) === undefined);
  const last = depth < 0 ? undefined : findNodeAtLocation(tree, path.slice(0, depth))?.children?.at(-1);
  if (last === undefined) return undefined;
  const end = last.offset + last.length;
  const [line = "", comma] = /^[ \t]*(,)?[ \t]*(?:\/\/.*|\/\*.*?\*\/)/.exec(text.slice(end)) ?? [];
  if (line === "") return undefined;
  const nested = path
    .slice(depth + 1)
    .reduceRight((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value);
  const name = typeof path[depth] === "number" ? "" : `${JSON.stringify(path[depth])}: `;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return [
    ...(comma === undefined ? [{ offset: end, length: 0, content: "," }] : []),
    {
      offset: end + line.length,
      length: 0,
      content: `${lineEnd}${name}${JSON.stringify(nested)}${comma === undefined ? "" : ","}`,
    },
  ];
}

function indentationOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1 }
    : { insertSpaces: true, tabSize: indent.length };
}

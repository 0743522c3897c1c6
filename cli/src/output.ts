import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { isEngramError } from "@engram/sdk";
import { CommandError, UsageError } from "./command-error.ts";

export type Style = Parameters<typeof styleText>[0];

/** Where a command says what it found: data on stdout, all else on stderr. */
export interface Output {
  /** Whether data goes out as JSON. */
  json: boolean;
  /** The command's answer: as JSON, or as text for people. */
  data(value: unknown, text: () => string): void;
  /** What is said beside the answer. */
  note(text: string): void;
  /** Text in a style where stdout is a terminal that shows it; otherwise as it is. */
  paint(style: Style, text: string): string;
}

/** Stands for the escape character of a style of our own until a text is written. No text of others can hold it. */
const OWN_ESCAPE = `<${randomUUID()}>`;

export function createOutput(json: boolean): Output {
  const colored = process.stdout.isTTY && process.stdout.hasColors();
  const paint = (style: Style, text: string) =>
    styleText(style, text, { validateStream: false }).replaceAll("\u001b", OWN_ESCAPE);
  return {
    json,
    data(value, text) {
      const shown = () => printable(ended(text())).replaceAll(OWN_ESCAPE, "\u001b");
      process.stdout.write(json ? `${toJson(value)}\n` : shown());
    },
    note,
    paint: (style, text) => (colored ? paint(style, printable(text)) : text),
  };
}

/** Say something on stderr. Every text that the program writes there goes through here, or through `printable`. */
export const note = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/** JSON without a control character: terminals also obey those from U+007F to U+009F, which JSON leaves as they are. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * Stored text as a terminal may show it: what would move the cursor, change its colours or turn the reading
 * direction becomes a blank. As many UTF-16 units as before.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it takes out
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ");

/** On one line. As many UTF-16 units as before. */
export const oneLine = (text: string): string => printable(text).replace(/[\n\t]/g, " ");

/** Cut to a number of characters, with an ellipsis where something is missing. */
export const shortened = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;

/** A moment in the person's own time zone, to the minute. */
export const shownTime = (timestamp: string): string =>
  // Sweden writes dates as ISO 8601 does.
  new Date(timestamp).toLocaleString("sv-SE").slice(0, 16);

/** A count with thousands apart. */
export const count = (n: number): string => n.toLocaleString("en");

/** Rows in columns that line up; the last is as long as it likes. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}

/** What went wrong, as people read it and as programs do. Neither holds a key. */
export function explain(error: unknown): { text: string; problem: Record<string, unknown> } {
  if (error instanceof CommandError) {
    const code = error instanceof UsageError ? "usage" : "command_failed";
    return { text: error.message, problem: { code, message: error.message } };
  }
  if (!isEngramError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { text: message, problem: { code: "internal", message } };
  }
  const { code, message } = error;
  if (error.name === "ConnectionError") {
    const text = `${message}. Is the service running? \`engram doctor\` tells more.`;
    return { text, problem: { code, message } };
  }
  const { status, errors, requestId } = error;
  const places = errors.map(({ path, message: what }) => `  ${path}: ${what}`);
  const hint = HINTS[code];
  const text = [`${message} (${code})`, ...places, ...(hint === undefined ? [] : [hint])].join("\n");
  return { text, problem: { code, message, status, errors, request_id: requestId } };
}

const HINTS: Record<string, string> = {
  unauthenticated:
    "Log in with `engram login`, or set ENGRAM_API_KEY; `engram doctor` tells which key is used.",
  forbidden: "`engram doctor` tells what the key may do.",
};

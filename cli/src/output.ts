import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { isEngramError } from "@engram/sdk";
import { CommandError, UsageError } from "./command-error.ts";

export type Style = Parameters<typeof styleText>[0];

/** Prints results: data to stdout, everything else to stderr. */
export interface Output {
  json: boolean;
  /** Print the command's result, as JSON or as text. */
  data(value: unknown, text: () => string): void;
  /** Print a remark to stderr. */
  note(text: string): void;
  /** Style text when stdout is a terminal with colors; otherwise return it unchanged. */
  paint(style: Style, text: string): string;
}

/**
 * Replaces the escape character of our own styles until text is written. Random, so no other text can contain
 * it.
 */
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

/** Print to stderr. All text that the program writes there passes through here or through `printable`. */
export const note = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/** JSON without control characters: JSON leaves U+007F to U+009F as they are, and terminals obey them. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * Stored text that is safe to print to a terminal. Characters that would move the cursor, change colors or
 * change the text direction become spaces. Keeps the length in UTF-16 units.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it takes out
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ");

/** `printable` text on one line. Keeps the length in UTF-16 units. */
export const oneLine = (text: string): string => printable(text).replace(/[\n\t]/g, " ");

/** Cut text to a number of characters, with an ellipsis at the cut. */
export const shortened = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;

/** A time in the user's time zone, to the minute. */
export const shownTime = (timestamp: string): string =>
  // The Swedish locale writes dates as ISO 8601 does.
  new Date(timestamp).toLocaleString("sv-SE").slice(0, 16);

/** A number with thousands separators. */
export const count = (n: number): string => n.toLocaleString("en");

/** Align rows in columns. The last column is not padded. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}

/** An error as text for people and as JSON for programs. Neither contains a key. */
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
    const text = `${message}. Is the service running? Run \`engram doctor\` to find out why.`;
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
    "Log in with `engram login`, or set ENGRAM_API_KEY. `engram doctor` shows which key is used.",
  forbidden: "Run `engram doctor` to see the scopes of the key.",
};

import { randomUUID } from "node:crypto";
import { styleText } from "node:util";
import { isEngramError } from "@engram/sdk";
import { CommandError, ProblemError, UsageError } from "./command-error.ts";

export type Style = Parameters<typeof styleText>[0];

/** Data goes to stdout, everything else to stderr. */
export interface Output {
  json: boolean;
  data(value: unknown, text: () => string): void;
  note(text: string): void;
  /** A table with a line of column names. Empty without rows. */
  list(columns: string[], rows: string[][]): string;
  /** Adds the style if stdout is a terminal with colors. Otherwise returns the text unchanged. */
  paint(style: Style, text: string): string;
}

/**
 * Stands for the escape character in this program's styles, because `printable` removes real ones. Random,
 * so that stored text cannot contain it.
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
    list(columns, rows) {
      if (rows.length === 0) return "";
      const [head = "", ...lines] = table([columns, ...rows]).split("\n");
      return [colored ? paint("dim", head) : head, ...lines].join("\n");
    },
    paint: (style, text) => (colored ? paint(style, printable(text)) : text),
  };
}

/** Prints a line to stderr. Everything that is printed there must pass `printable`. */
export const note = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/**
 * Converts a value to JSON, with U+007F to U+009F escaped. `JSON.stringify` keeps them, and terminals would
 * interpret them.
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );

const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/**
 * Replaces each character that would move the cursor, change colors or change the text direction with a
 * space. The length in UTF-16 units stays the same, so that offsets of highlights stay valid.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern exists to remove control characters
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ");

export const oneLine = (text: string): string => printable(text).replace(/[\n\t]/g, " ");

export const shownTime = (timestamp: string): string =>
  // The Swedish locale formats dates like ISO 8601: 2026-11-02 09:30.
  new Date(timestamp).toLocaleString("sv-SE").slice(0, 16);

export const count = (n: number): string => n.toLocaleString("en");

export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join("  "),
    )
    .join("\n");
}

/** The error as text for people and as an object for `--json`. Neither contains a key. */
export function explain(error: unknown): { text: string; problem: Record<string, unknown> } {
  if (error instanceof CommandError) {
    const code = error instanceof UsageError ? "usage" : "command_failed";
    return { text: error.message, problem: { code, message: error.message } };
  }
  if (!isEngramError(error) && !(error instanceof ProblemError)) {
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

export const HOST_HINT =
  "Use another name of the service in the URL, or allow this one: ALLOWED_HOSTS of the deployment, ENGRAM_ALLOWED_HOSTS of `npm start`.";

const HINTS: Record<string, string> = {
  unauthenticated:
    "Log in with `engram login`, or set ENGRAM_API_KEY. `engram doctor` shows which key is used.",
  forbidden: "Run `engram doctor` to see the scopes of the key.",
  host_not_allowed: HOST_HINT,
};

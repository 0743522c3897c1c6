import { shortened } from "./text-cuts.ts";

export type Fields = Record<string, unknown>;

/**
 * The value if it is an object. Otherwise an empty object, so that callers can read fields without checks.
 */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Divides a list where the key of its items changes. */
export function runsOf<T>(items: T[], keyOf: (item: T) => unknown): T[][] {
  const runs: T[][] = [];
  let before: unknown;
  for (const item of items) {
    const key = keyOf(item);
    const last = runs.at(-1);
    if (last !== undefined && key === before) last.push(item);
    else runs.push([item]);
    before = key;
  }
  return runs;
}

/** The value of a JSON text. Undefined if it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const joinTexts = (values: unknown[]): string =>
  values.flatMap((value) => textOf(value) ?? []).join("\n\n");

/** The names in a text, which white space separates. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

const YEAR_9999_MS = Date.parse("9999-12-31T23:59:59.999Z");
const plausible = (ms: number): number => (ms >= 0 && ms <= YEAR_9999_MS ? ms : Number.NaN);

/** Converts a time as text to Unix time in milliseconds. NaN if the value is not a time from 1970 to 9999. */
export const timeOf = (value: unknown): number =>
  typeof value === "string" ? plausible(Date.parse(value)) : Number.NaN;

/**
 * Converts a Unix time in seconds to milliseconds. NaN if the value is not a number, or not a time from 1970
 * to 9999.
 */
export const secondsOf = (value: unknown): number =>
  typeof value === "number" ? plausible(Math.round(value * 1_000)) : Number.NaN;

/** A Unix time above this number is in milliseconds: as seconds, it would be after the year 5000. */
const SECONDS_MAX = 100_000_000_000;

/** Converts a Unix time in seconds or milliseconds to milliseconds. */
export const millisecondsOf = (value: number): number =>
  value > SECONDS_MAX ? plausible(Math.round(value)) : secondsOf(value);

export const present = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );

const TITLE_CHARACTERS = 80;

export const titleFrom = (text: string): string =>
  shortened(text.trim().replace(/\s+/g, " "), TITLE_CHARACTERS);

/**
 * A title from the first message that the user typed. Undefined if there is none. Skips messages that the program
 * inserts as the user: those with `is_meta`, and those that start with a tag or the heading of AGENTS.md.
 */
export function firstPrompt(
  messages: { role: string; content: string; metadata?: Fields }[],
): string | undefined {
  const prompt = messages.find(
    ({ role, content, metadata }) =>
      role === "user" &&
      content.trim() !== "" &&
      !/^\s*(<|# AGENTS\.md)/.test(content) &&
      metadata?.is_meta !== true,
  );
  return prompt && titleFrom(prompt.content);
}

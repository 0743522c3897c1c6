import { InvalidArgumentError, Option } from "commander";

export const clientOption = (clients: ReadonlyMap<string, unknown>): Option =>
  new Option("--client <client>", "client to configure").choices([...clients.keys()]).makeOptionMandatory();

export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };

const SECONDS: Record<string, number> = { "": 1, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Checks a time span such as `90d`, `12h`, `30m` or a number of seconds: those that `expires_in` of the SDK takes. */
export function timeSpan(text: string): string {
  if (msOf(text) > 0 && !Number.isNaN(new Date(Date.now() + msOf(text)).getTime())) return text;
  throw new InvalidArgumentError("It must be a time span such as 90d, 12h, 30m or a number of seconds.");
}

/** The time after a time span from now, in ISO 8601. */
export const timeAfter = (span: string): string => new Date(Date.now() + msOf(span)).toISOString();

function msOf(span: string): number {
  const [, number, unit = ""] = /^(\d+)([smhd]?)$/.exec(span) ?? [];
  return Number(number) * (SECONDS[unit] ?? 1) * 1_000;
}

/** Converts a date or time to ISO 8601 in UTC. A text without an offset is in the user's time zone. */
export function moment(text: string): string {
  // `Date.parse` reads a date without a time as UTC.
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError("It must be a date such as 2026-11-02 or 2026-11-02T09:30.");
  return new Date(time).toISOString();
}

export function filled(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

export const collect = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

export const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

export const listOf =
  (names: readonly string[]) =>
  (text: string): string[] => {
    const items = list(text);
    if (items.length > 0 && items.every((item) => names.includes(item))) return items;
    throw new InvalidArgumentError(`It must be one or more of ${names.join(", ")}, separated by commas.`);
  };

/** The arguments of `addHelpText` for a command whose help needs only examples. */
export const examples = (...commands: string[]): ["after", string] => [
  "after",
  ["\nExamples:", ...commands.map((command) => `  $ ${command}`), ""].join("\n"),
];

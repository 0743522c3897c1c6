import { InvalidArgumentError } from "commander";

/** Reads a whole number between two bounds. */
export const wholeNumber =
  (minimum: number, maximum: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };

/** Reads a date or a moment, in the person's own time zone unless it names one, as the service wants it. */
export function moment(text: string): string {
  // A date alone would be read as UTC.
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError("It must be a date such as 2026-11-02 or 2026-11-02T09:30.");
  return new Date(time).toISOString();
}

/** Collects an option that may be repeated. */
export const collect = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];

/** Reads a list parted by commas, blanks around its items left out. */
export const list = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** Reads such a list of one or more of some names. */
export const listOf =
  (names: readonly string[]) =>
  (text: string): string[] => {
    const items = list(text);
    if (items.length > 0 && items.every((item) => names.includes(item))) return items;
    throw new InvalidArgumentError(`It must be one or more of ${names.join(", ")}, parted by commas.`);
  };

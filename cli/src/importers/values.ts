/** A JSON object whose fields are yet to be looked at. */
export type Fields = Record<string, unknown>;

/** An object's fields; none for anything else, so that a file may lack whatever it likes. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text that says something; undefined for anything else. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** The texts among some values, a blank line between two. */
export const joinTexts = (values: unknown[]): string =>
  values.flatMap((value) => textOf(value) ?? []).join("\n\n");

/** Milliseconds of an ISO 8601 time; not a number for anything else. */
export const timeOf = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number.NaN;

/** Fields without those that hold nothing. */
export const present = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );

const TITLE_CHARACTERS = 80;

/** The beginning of a text, on one line, as a title. */
export function titleFrom(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1)}…`;
}

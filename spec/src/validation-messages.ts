import { z } from "@hono/zod-openapi";
import { PROBLEM_ERRORS_MAX } from "./limits.ts";
import { suggestion } from "./suggestions.ts";

type Issue = Parameters<NonNullable<ReturnType<typeof z.config>["localeError"]>>[0];

const NOUNS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  object: ["field", "fields"],
};

/**
 * What is wrong with a value, with the limit that it breaks, such as "must have at most 256 characters". A schema's own
 * message takes precedence.
 */
export function validationMessage(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return `must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case "too_big":
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case "too_small":
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${oneOf(issue.values)}`;
    case "invalid_format":
      return formatMessage(issue.format, issue.pattern);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_union":
      return issue.input === undefined ? "is required" : "has none of the allowed forms";
    case "unrecognized_keys":
      return unknownFields(issue.keys, "inst" in issue ? issue.inst : undefined).join("\n");
    case "invalid_key":
      return "has a field with a name that is not allowed";
    default:
      return "is invalid";
  }
}

/** The message for each unknown field, one a line, with the known field that it resembles. */
function unknownFields(names: readonly string[], schema: unknown): string[] {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  // A request can have 100,000 unknown fields. A response lists some of them.
  return names.slice(0, PROBLEM_ERRORS_MAX).map((name) => `Unknown field.${suggestion(name, known)}`);
}

const shown = (n: number): string => n.toLocaleString("en-US");

function atMost(origin: string, maximum: number, inclusive: boolean): string {
  const units = UNITS[origin];
  if (units === undefined) return `must be ${inclusive ? "at most" : "less than"} ${shown(maximum)}`;
  return `must have at most ${shown(maximum)} ${units[maximum === 1 ? 0 : 1]}`;
}

function atLeast(origin: string, minimum: number, inclusive: boolean): string {
  const units = UNITS[origin];
  if (units === undefined) return `must be ${inclusive ? "at least" : "more than"} ${shown(minimum)}`;
  return `must have at least ${shown(minimum)} ${units[minimum === 1 ? 0 : 1]}`;
}

function oneOf(values: readonly unknown[]): string {
  const names = values.map((value) => `\`${String(value)}\``);
  return names.length === 1 ? String(names[0]) : `one of ${names.join(", ")}`;
}

function formatMessage(format: string, pattern: string | undefined): string {
  if (format === "datetime") return "must be a time with a time zone, such as `2026-11-02T09:30:00Z`";
  if (format === "date") return "must be a date, such as `2026-11-02`";
  return pattern === undefined ? `must be a valid ${format}` : `must match \`${pattern}\``;
}

z.config({ localeError: validationMessage });

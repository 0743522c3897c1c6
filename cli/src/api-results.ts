import { shortened } from "./importers/text-cuts.ts";
import { fieldsOf } from "./importers/values.ts";
import { type Output, oneLine, shownTime, table } from "./output.ts";

const CELL_CHARACTERS = 60;

type Row = Record<string, unknown>;

/** A record as lines of names and values, and the list in it as a table. */
export function shownAnswer({ next_cursor: _, ...answer }: Row, output: Output): string {
  const rows = listIn(answer);
  const isElsewhere = (value: unknown) =>
    rows !== undefined && (value === rows || fieldsOf(value).items === rows);
  const fields = Object.entries(answer).filter(([, value]) => !isElsewhere(value));
  return [
    ...(fields.length > 0 ? [table(fields.map(([name, value]) => [name, shown(value)]))] : []),
    ...(rows !== undefined && rows.length > 0 ? [rowsOf(rows, output)] : []),
  ].join("\n\n");
}

/** The first list of objects, also one in a page, or `items` even if it is empty. */
export function listIn(answer: Row): Row[] | undefined {
  const isList = (value: unknown) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "object" && item !== null);
  const list =
    Object.values(answer)
      .flatMap((value) => [value, fieldsOf(value).items])
      .find(isList) ?? answer.items;
  return Array.isArray(list) ? list : undefined;
}

/** Columns without any value are left out. */
function rowsOf(rows: Row[], output: Output): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.filter((name) => rows.some((row) => !isEmpty(row[name])));
  return output.list(
    columns.map((name) => name.toUpperCase().replaceAll("_", " ")),
    rows.map((row) => columns.map((name) => shortened(shown(row[name]), CELL_CHARACTERS))),
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || ["[]", "{}"].includes(JSON.stringify(value));

function shown(value: unknown): string {
  if (isEmpty(value)) return "-";
  if (typeof value === "string")
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? shownTime(value) : oneLine(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return oneLine(value.join(","));
  return oneLine(typeof value === "object" ? JSON.stringify(value) : String(value));
}

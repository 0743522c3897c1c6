import type { ToolFields } from "@engram/spec";
import type { ObjectSchema, Schema } from "./schemas.ts";

type Answer = Record<string, unknown>;

export function pickFields(answer: Answer, fields: ToolFields): Answer {
  const pick = ([name, source]: [string, ToolFields[string]]) => {
    if (typeof source === "string") return [name, fieldAt(answer, source)];
    const list = listOf(name, source);
    if (list !== null)
      return [name, (fieldAt(answer, list.path) as Answer[]).map((item) => pickFields(item, list.fields))];
    const parts = (source as string[]).map((path) => fieldAt(answer, path));
    const [text, span, offset = 0] = parts as [string, Span | null, number?];
    const toPart = (at: number) => Math.max(0, at - offset);
    return [name, span === null ? text : text.slice(toPart(span.start), toPart(span.end))];
  };
  return Object.fromEntries(Object.entries(fields).map(pick));
}

/**
 * The schema of what `pickFields` returns.
 *
 * @throws {Error} if `schema` has no such field.
 */
export function pickSchema(schema: Schema, fields: ToolFields): ObjectSchema {
  const pick = ([name, source]: [string, ToolFields[string]]) => {
    if (typeof source === "string") return [name, schemaAt(schema, source)];
    const list = listOf(name, source);
    if (list !== null) {
      const { type, items = {} } = schemaAt(schema, list.path);
      return [name, { type, items: pickSchema(items as Schema, list.fields) }];
    }
    const [text] = (source as string[]).map((path) => schemaAt(schema, path));
    return [name, text];
  };
  return { type: "object", properties: Object.fromEntries(Object.entries(fields).map(pick)) };
}

/** Where a list comes from, and the fields of its items. Null for a part of a text. */
function listOf(
  name: string,
  source: Exclude<ToolFields[string], string>,
): { path: string; fields: ToolFields } | null {
  if (!Array.isArray(source)) return { path: name, fields: source };
  const [path, fields] = source;
  return typeof fields === "object" ? { path, fields } : null;
}

/** A range of a text, in UTF-16 code units. `end` is exclusive. */
interface Span {
  start: number;
  end: number;
}

const fieldAt = (answer: Answer, path: string): unknown =>
  path.split(".").reduce<unknown>((inside, name) => (inside as Answer)[name], answer);

function schemaAt(schema: Schema, path: string): Schema {
  return path.split(".").reduce((inside, name) => {
    const field = (inside.properties as Record<string, Schema> | undefined)?.[name];
    if (field === undefined) throw new Error(`the answer has no ${path}`);
    return field;
  }, schema);
}

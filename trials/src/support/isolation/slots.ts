/** What an id can name. */
export const IDS = [
  "conversation_id",
  "message_id",
  "memory_id",
  "operation_id",
  "key_id",
  "organization_id",
  "chunk_id",
] as const;

/** What of another's may be put into a request: ids, what it filters or names by, its words, its places in lists. */
export type Kind =
  | (typeof IDS)[number]
  | "agent_id"
  | "user_id"
  | "external_id"
  | "tag"
  | "name"
  | "source"
  | "content"
  | "metadata"
  | "word"
  | "text"
  | "cursor"
  | "position"
  | "given_id"
  | "idempotency_key";

/** An id's own kind, then all others: nobody may mistake one for another either. */
const id = (kind: Kind): readonly Kind[] => [kind, ...IDS.filter((other) => other !== kind)];

/** What may stand in a parameter or property, by its name. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  // Of what is made under it, where every other id is of what is there.
  id: ["given_id"],
  conversation_id: id("conversation_id"),
  message_id: id("message_id"),
  memory_id: id("memory_id"),
  around: id("message_id"),
  operation_id: id("operation_id"),
  key_id: id("key_id"),
  organization_id: id("organization_id"),
  agent_id: ["agent_id"],
  user_id: ["user_id"],
  external_id: ["external_id"],
  tags: ["tag"],
  tags_any: ["tag"],
  tags_all: ["tag"],
  names: ["name"],
  source: ["source"],
  // A memory is looked for by it, among those of its agent; a message never is.
  content: ["content"],
  metadata: ["metadata"],
  query: ["word", "text"],
  cursor: ["cursor"],
  message_cursor: ["cursor"],
  // An id that need not be anybody's: what follows is the asker's own from there on.
  after_conversation_id: ["position"],
  after_memory_id: ["position"],
  "idempotency-key": ["idempotency_key"],
};

/** Texts that are kept as they come and never looked up by, and a version, which names nothing. */
const ONLY_KEPT = new Set([
  // Taken only where it is that of the content.
  "content_hash",
  "enriched_by",
  "external_digest",
  "name",
  "parts",
  "summary",
  "title",
  "tool_call_id",
  "tool_name",
  "if-match",
]);

/** A JSON Schema, as far as it is read here. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** A place in a request that something of another's can be put into. */
export interface Slot {
  at: "path" | "query" | "headers" | "body";
  /** Names from the outside in; "0" for the first of a list. */
  names: string[];
  kinds: readonly Kind[];
  /** An object travels as its JSON. */
  asText: boolean;
}

/**
 * The slots of a parameter or body.
 *
 * @throws {Error} when something free to choose is neither said to name anything nor said to be only kept.
 */
export function slotsOf(
  at: Slot["at"],
  name: string,
  schema: Schema,
  components: Record<string, Schema>,
): Slot[] {
  const walk = (from: Schema, last: string, names: string[]): Slot[] => {
    const one = resolve(from, components);
    const kinds = KINDS[last];
    const parts = [one.anyOf, one.oneOf].flatMap((options) => options ?? []);
    if (one.items !== undefined) return walk(one.items, last, [...names, "0"]);
    if (one.properties !== undefined)
      return Object.entries(one.properties).flatMap(([property, inner]) =>
        walk(inner, property, [...names, property]),
      );
    if (kinds !== undefined) return [{ at, names, kinds, asText: at === "query" && last === "metadata" }];
    if (parts.length > 0) return parts.flatMap((part) => walk(part, last, names));
    if (ONLY_KEPT.has(last) || !isFree(one)) return [];
    throw new Error(`Say in slots.ts what "${names.join(".")}" names`);
  };
  return distinct(walk(schema, name, at === "body" ? [] : [name]));
}

/** Whether any text may be given: not a number, a choice or a time. */
function isFree({ type, enum: choices, format }: Schema): boolean {
  const types = [type ?? "string"].flat().filter((one) => one !== "null");
  const isText = types.some((one) => one === "string" || one === "object");
  return isText && choices === undefined && !format?.startsWith("date");
}

export function resolve(schema: Schema, components: Record<string, Schema>): Schema {
  const { allOf, ...own } = schema;
  // Every one of them says something of the same.
  if (allOf !== undefined) return Object.assign(own, ...allOf.map((part) => resolve(part, components)));
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const found = components[$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`No schema ${$ref}`);
  return { ...resolve(found, components), ...beside };
}

/** The options of an `anyOf` may name the same. */
function distinct(slots: Slot[]): Slot[] {
  return [...new Map(slots.map((slot) => [slot.names.join("."), slot])).values()];
}

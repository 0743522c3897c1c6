export const IDS = [
  "conversation_id",
  "message_id",
  "memory_id",
  "operation_id",
  "key_id",
  "organization_id",
  "chunk_id",
  "webhook_id",
  "delivery_id",
  "entity_id",
] as const;

/** The kinds of foreign values in a request: ids, names and filters, words, and positions in lists. */
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

/** The id's own kind, then all others: an id of another kind must not be accepted either. */
const id = (kind: Kind): readonly Kind[] => [kind, ...IDS.filter((other) => other !== kind)];

/** Possible kinds of a parameter or property, by its name. */
const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  // The id of a new item; every other id names an existing one.
  id: ["given_id"],
  conversation_id: id("conversation_id"),
  message_id: id("message_id"),
  memory_id: id("memory_id"),
  operation_id: id("operation_id"),
  key_id: id("key_id"),
  webhook_id: id("webhook_id"),
  delivery_id: id("delivery_id"),
  entity_id: id("entity_id"),
  organization_id: id("organization_id"),
  agent_id: ["agent_id"],
  user_id: ["user_id"],
  external_id: ["external_id"],
  tags: ["tag"],
  tags_any: ["tag"],
  tags_all: ["tag"],
  names: ["name"],
  source: ["source"],
  // A capture looks for a memory with the same content of the same agent. Messages are never looked up by
  // content.
  content: ["content"],
  metadata: ["metadata"],
  query: ["word", "text"],
  exclude: ["word"],
  prefix: ["word"],
  cursor: ["cursor"],
  // Any id is accepted here: the list continues after it with the caller's own items.
  after: ["position"],
  "idempotency-key": ["idempotency_key"],
};

/** Texts that are stored and never looked up, a version, and a position in the caller's own event log. */
const ONLY_KEPT = new Set([
  "after",
  // Accepted only if it matches the content.
  "content_hash",
  "enriched_by",
  "external_digest",
  "name",
  "parts",
  "summary",
  "title",
  "url",
  "tool_call_id",
  "tool_name",
  "if-match",
  "last-event-id",
  // Of the page that opens a socket.
  "origin",
  // Sent to the caller's own listeners.
  "state",
  "value",
]);

/** The used part of a JSON Schema. */
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

/** A place in a request that can take a foreign value. */
export interface Slot {
  at: "path" | "query" | "headers" | "body";
  /** Names from the outside in; "0" for the first of a list. */
  names: string[];
  kinds: readonly Kind[];
  /** Whether an object is sent as JSON text. */
  asText: boolean;
}

/**
 * The slots of a parameter or body.
 *
 * @throws {Error} When a free text is neither in `KINDS` nor in `ONLY_KEPT`.
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

/** Whether any text is allowed: not a number, an enum or a time. */
function isFree({ type, enum: choices, format }: Schema): boolean {
  const types = [type ?? "string"].flat().filter((one) => one !== "null");
  const isText = types.some((one) => one === "string" || one === "object");
  return isText && choices === undefined && !format?.startsWith("date");
}

export function resolve(schema: Schema, components: Record<string, Schema>): Schema {
  const { allOf, ...own } = schema;
  // Each part of `allOf` describes the same value.
  if (allOf !== undefined) return Object.assign(own, ...allOf.map((part) => resolve(part, components)));
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const found = components[$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`No schema ${$ref}`);
  return { ...resolve(found, components), ...beside };
}

/** Several options of an `anyOf` may have the same slot. */
function distinct(slots: Slot[]): Slot[] {
  return [...new Map(slots.map((slot) => [slot.names.join("."), slot])).values()];
}

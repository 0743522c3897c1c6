import { METADATA_FILTER_KEYS_MAX } from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import fc from "fast-check";
import { anyValue } from "./document.ts";
import { type Ids, type RequestParts, requestFor } from "./requests.ts";

/** Largest page that a random request asks for. */
export const RANDOM_PAGE_MAX = 10;

const count = fc.integer({ min: 1, max: RANDOM_PAGE_MAX });
const tags = fc.subarray(["red", "blue", "green"], { minLength: 1 });
const time = fc
  .integer({ min: -2_000, max: 2_000 })
  .map((seconds) => new Date(Date.now() + 1_000 * seconds).toISOString());
const metadata = fc.oneof(
  fc.constantFrom({ project: "p0" }, { project: "p1" }, { project: "none" }),
  fc.constant(
    Object.fromEntries(Array.from({ length: METADATA_FILTER_KEYS_MAX }, (_, i) => [`key_${i}`, "value"])),
  ),
);
const OMITTED = fc.constant(undefined);

/** Values of optional fields, by name, some of which match rows of `stored.ts`. Others are any of the contract. */
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  limit: count,
  message_limit: count,
  newest: count,
  before: count,
  after: count,
  neighbors: fc.record({ before: count, after: count }),
  agent_id: fc.constantFrom("agent_0", "agent_1", "agent_none"),
  user_id: fc.constantFrom("user_0", "user_1", "user_none"),
  source: fc.constantFrom("source_0", "source_none"),
  kind: fc.constantFrom("note", "summary", "url"),
  entities: fc.constantFrom([{ kind: "url", value: "X1" }], [{ kind: "file", value: "none" }]),
  prefix: fc.constantFrom("x", "f1", "none"),
  group_by: fc.constantFrom(
    ["day"],
    ["key"],
    ["operation", "tool"],
    ["day", "key", "operation", "tool", "user"],
  ),
  external_id: fc.constantFrom("ext_7", "ext_none"),
  exclude_conversation: fc.constantFrom("ext_7", "ext_none"),
  tags_any: tags,
  tags_all: tags,
  metadata,
  created_after: time,
  created_before: time,
  as_of: time,
  sort: fc.constantFrom("created_at", "updated_at", "last_message_at"),
  order: fc.constantFrom("asc", "desc"),
  include_total: fc.boolean(),
  dry_run: fc.boolean(),
  from_sequence: fc.integer({ min: 1, max: 900 }),
  to_sequence: fc.integer({ min: 1, max: 900 }),
  type: fc.constantFrom(
    ...["delete_conversation", "import", "repair_index", "enrich_memories"],
    ...["messages.appended", "conversation.created", "memory.created"],
  ),
  wait_seconds: fc.constant(0),
  status: fc.constantFrom("running", "succeeded", "failed", "canceled"),
  action: fc.constantFrom("key.created", "key.revoked"),
  query: fc.constantFrom(
    "walrus",
    "the walrus sang",
    "word7 walrus",
    '"walrus sang"',
    "sang -walrus",
    '-"walrus sang" walrus',
    "nothing matches",
  ),
  mode: fc.constantFrom("keyword", "semantic", "hybrid"),
  exclude: fc.constantFrom(["sang"], ['"walrus sang"', "word7"]),
  explain: fc.boolean(),
  min_relevance: fc.constantFrom(0, 0.3),
  max_tokens: fc.integer({ min: 100, max: 1_000 }),
  roles: fc.constantFrom(["user"], ["user", "assistant"]),
  names: fc.constantFrom(["alice"], ["walrus"]),
  in: fc.constantFrom(["messages"], ["memories"], ["messages", "memories"]),
  priors: fc.constant(undefined),
  from: fc.constant("2026-01-01"),
  to: fc.constant("2027-12-31"),
  wait: fc.constantFrom("stored", "indexed"),
};

/** Fields that `requestFor` fills, or that name one row or hold new content. */
const GIVEN = new Set([
  ...["cursor", "name", "scopes", "expires_at", "overlap_seconds", "title"],
  ...["content", "summary", "created_at", "tags", "messages", "memories", "sequence", "lines", "filter"],
  ...["expected_last_sequence", "conversation_id", "key_id", "operation_id", "after_line", "last", "all"],
  ...["after", "after_sequence", "rerank"],
]);

interface Shaped {
  shape?: Record<string, unknown>;
  def?: { innerType?: unknown };
  parse(value: unknown): unknown;
  safeParse(value: unknown): { success: boolean };
}

/** Always sent: the default page is larger. */
const PAGE = new Set(["limit", "message_limit"]);

/** Optional fields that narrow a request to one row. */
const NARROWING = ["conversation_id", "key_id"];

/** A value as a query string has it; each item of a list on its own. */
const toText = (value: unknown): unknown =>
  Array.isArray(value) || typeof value === "string"
    ? value
    : typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : String(value);

/** The fields of a schema of an object, without its wrappers. */
function fieldsOf(schema: unknown): Record<string, unknown> {
  const { shape, def } = (schema ?? {}) as Shaped;
  if (shape !== undefined) return shape;
  return def?.innerType === undefined ? {} : fieldsOf(def.innerType);
}

/** Random values of some of the fields of a schema. */
function valuesOf(
  contract: RouteConfig,
  schema: unknown,
  asText: boolean,
): fc.Arbitrary<Record<string, unknown>> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of Object.keys(fieldsOf(schema))) {
    if (GIVEN.has(name)) continue;
    const value = VALUES[name] ?? anyValue(contract, name);
    fields[name] = fc.option(asText ? value.map(toText) : value, {
      nil: undefined,
      freq: PAGE.has(name) ? Number.MAX_SAFE_INTEGER : 3,
    });
  }
  return fc.record(fields).map((values) => JSON.parse(JSON.stringify(values)));
}

/** Legal requests of an operation, with random values in its optional fields. */
export function randomRequest(
  contract: RouteConfig & { operationId: string },
  ids: fc.Arbitrary<Ids>,
): fc.Arbitrary<RequestParts> {
  const { operationId, request } = contract;
  const json = Object.values(request?.body?.content ?? {})[0] as { schema?: unknown } | undefined;
  const querySchema = request?.query as unknown as Shaped | undefined;
  const bodyFields = fieldsOf(json?.schema);
  const isWrite = contract.method !== "get" && !operationId.startsWith("search") && !("filter" in bodyFields);
  const filter = "filter" in bodyFields ? valuesOf(contract, bodyFields.filter, false) : OMITTED;
  return fc
    .record({
      ids,
      isWide: fc.boolean(),
      query: valuesOf(contract, querySchema, true),
      body: isWrite ? fc.constant({}) : valuesOf(contract, json?.schema, false),
      filter,
    })
    .map(({ ids: own, isWide, query, body, filter: filtered }) => {
      const base = requestFor(operationId, own);
      const cited = { source_conversation_id: own.conversation_id, source_message_id: own.message_id };
      const named = Object.fromEntries(Object.entries(cited).filter(([name]) => name in query));
      const widen = (fields: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(fields).filter(([name]) => !isWide || !NARROWING.includes(name)));
      const parts: RequestParts = {
        params: base.params ?? {},
        query: { ...widen(base.query ?? {}), ...query, ...named } as never,
      };
      const given = base.body && widen(base.body as Record<string, unknown>);
      if (given === undefined) return parts;
      return {
        ...parts,
        body: {
          ...given,
          ...body,
          ...(filtered === undefined || Object.keys(filtered).length === 0 ? {} : { filter: filtered }),
        },
      };
    })
    .filter(({ query, body }) => {
      const isLegal = (schema: Shaped | undefined, value: unknown) =>
        schema === undefined || schema.safeParse(value).success;
      return isLegal(querySchema, query) && (body === undefined || isLegal(json?.schema as Shaped, body));
    });
}

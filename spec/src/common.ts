import { z } from "@hono/zod-openapi";
import {
  METADATA_BYTES_MAX,
  METADATA_FILTER_KEYS_MAX,
  PAGE_ITEMS_MAX,
  PARTS_BYTES_MAX,
  TAGS_MAX,
  TEXT_CHARACTERS_MAX,
  WRITE_BYTES_MAX,
} from "./limits.ts";

export const SCOPES = ["read", "write", "search", "delete", "admin"] as const;
export const Scope = z
  .enum(SCOPES)
  .meta({
    description:
      "Permission of a key. `read`: get and list items. `write`: create and update items. `search`: search. `delete`: delete items. `admin`: manage keys and the organization, export and import, and read audit events and usage.",
  })
  .openapi("Scope");
export type Scope = z.infer<typeof Scope>;

export const requires = <S extends Scope>(scope: S) => [{ apiKey: [scope] }];

/** Any key, whatever its scopes. */
export const requiresAnyKey = [{ apiKey: [] as Scope[] }];

export const requiresAdminToken = [{ adminToken: [] as string[] }];

/** A code of `createSignInCode`, which only the operation that redeems it accepts. */
export const requiresSignInCode = [{ signInCode: [] as string[] }];

export const requiresNothing = [{}];

/**
 * Sets of MCP tools. A client chooses sets, because the description of every tool that it lists costs its model
 * tokens.
 */
export const TOOL_SETS = ["conversations", "memories", "context", "thoughts", "live"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

/**
 * The fields of an MCP tool's result, and where each comes from in the response of the operation:
 * - a path, such as `memory.id`;
 * - the path of a text, the path of an object whose `start` and `end` select a part of that text, and the path of the
 *   offset at which the text starts, if it is a part itself. If the object is null, the text is returned;
 * - an object, if the field is a list: the fields of each of its items;
 * - the path of a list, and the fields of each of its items.
 */
export interface ToolFields {
  [name: string]:
    | string
    | [text: string, span: string, offset?: string]
    | [list: string, fields: ToolFields]
    | ToolFields;
}

/** How an API operation is presented as an MCP tool. */
export interface McpMarker {
  set: ToolSet;
  /** Default: the operation's id in snake_case. */
  name?: string;
  /** Default: the operation's summary. */
  title?: string;
  /** Default: the operation's description. */
  description?: string;
  /** For a POST that only reads. A GET is always read-only. */
  read_only?: true;
  /** For a POST that has no further effect when it is repeated. */
  idempotent?: true;
  /** The request field that each argument of the tool sets. Default: an argument for each request field. */
  takes?: Record<string, string>;
  /** Default: all fields of the response. */
  gives?: ToolFields;
  /** Values for arguments that the caller omits. They limit the result. */
  defaults?: Record<string, number>;
  /** Values that every request of the tool sends in its body. They are no arguments. */
  sends?: Record<string, unknown>;
  /** The messages of search results are lines of text, and `max_tokens` counts the answer as it is sent. */
  lines?: true;
  /** The result is the field `text` of the response. `max_tokens` counts the result as it is sent. */
  block?: true;
  /** Arguments and result fields that the tool leaves out, because only programs use them and models pay by token. */
  omits?: readonly string[];
}

/** Part of an operation's contract that offers the operation as MCP tools, one for each marker. */
export const mcpTools = (...markers: McpMarker[]) => ({ "x-mcp": markers });

/** For `takes` and `gives`: arguments or fields that have the same name in the tool as in the operation. */
export const asNamed = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

/** The method by which the SDK offers an operation, where it does not follow from the rest of the contract. */
export interface SdkMethod {
  /** Default: the tag and the operation's id without it, such as `conversations.create` for `createConversation`. */
  method?: string;
  /** The field of the body that the method takes in place of the whole body. */
  takes?: string;
  /** For a POST that has no further effect when it is repeated, so that it may be retried without an idempotency key. */
  repeatable?: true;
}

/** Part of an operation's contract that says so. */
export const sdkMethod = (method: SdkMethod) => ({ "x-sdk": method });

/**
 * Part of an operation's contract: how a program calls it with the SDK.
 *
 * @param source TypeScript, in which `engram` is a client, and items such as `conversation` come from earlier calls.
 */
export const sdkExample = (source: string) => ({
  "x-codeSamples": [{ lang: "TypeScript", source: withoutMargin(source) }],
});

const withoutMargin = (text: string): string => {
  const [margin = ""] = /(?<=\n) *(?=\S)/.exec(text) ?? [];
  return text.trim().replaceAll(`\n${margin}`, "\n");
};

const encoder = new TextEncoder();
export const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;

/** The size limit of one write, as text for descriptions. */
export const WRITE_SIZE = `${WRITE_BYTES_MAX.toLocaleString("en")} bytes (content as UTF-8, everything else as JSON)`;

// The pattern has no flags such as `u`, because the OpenAPI document cannot contain flags.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern exists to reject control characters
const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/**
 * A field of a new item that may be absent or null; null counts as absent. Used wherever a response gives null, so that
 * callers can send an item as they read it. In an update, null clears a field instead.
 */
export const optionalOrNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();

export const shortText = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .regex(NO_CONTROL_CHARACTERS, "must not contain control characters")
    .meta({ description, examples: [example] });

/** An id. Only its length is checked, so that a malformed id in a path gets 404, as an unknown one does. */
export const id = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({ description, examples: [example] });

export const OrganizationId = id(
  "Id of an organization, the tenant that owns keys, conversations and memories.",
  "org_06e3tqz8m1k4v9x2c7d0",
);
export const KeyId = id(
  "Id of an API key. It is not the key's secret, and cannot authenticate a request.",
  "key_06e3tqz8m1k4v9x2c7d0",
);
/** Fields with this schema are named `key_id`: what a key can do, a member can do, too. */
export const ActorId = id("Id of the API key, or of the member, that did it.", "key_06e3tqz8m1k4v9x2c7d0");
export const ConversationId = id("Id of a conversation.", "conv_06e3tqz8m1k4v9x2c7d0");
export const MessageId = id("Id of a message.", "msg_06e3tqz8m1k4v9x2c7d0");
export const MemoryId = id("Id of a memory.", "mem_06e3tqz8m1k4v9x2c7d0");
export const ChunkId = id(
  "Id of a chunk: several neighboring messages, or a part of a memory, which semantic search finds by one vector.",
  "chk_2k7d9x4c6e0v1m8q3t5z",
);
export const RecallId = id(
  "Id of a receipt of recall: what a search or a context answered.",
  "rcl_06e3tqz8m1k4v9x2c7d0",
);
export const ContextId = id("Id of the stable part of a context.", "ctx_06e3tqz8m1k4v9x2c7d0");
export const OperationId = id(
  "Id of an operation: work that continues after the response, such as a deletion or an import.",
  "op_06e3tqz8m1k4v9x2c7d0",
);

const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");
const YEAR_9999_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** An ISO 8601 timestamp. Its year must have four digits in UTC too, so that timestamps sort as text. */
export const timestamp = (description: string) =>
  z.iso
    .datetime({ offset: true, abort: true })
    .refine(
      (text) => Date.parse(text) >= YEAR_0_MS && Date.parse(text) <= YEAR_9999_MS,
      "must have a year from 0000 to 9999 in UTC",
    )
    .meta({ description, examples: ["2026-11-02T09:30:00.000Z"] });

/** A moment of the past: a time, or a message. */
export const AsOf = z
  .union([
    timestamp("Time."),
    z
      .string()
      .regex(
        /^conv_[0-9a-z]{1,40}:[1-9]\d{0,7}$/,
        "must be a time, or the id of a conversation, `:` and a sequence number",
      )
      .meta({ examples: ["conv_06e3tqz8m1k4v9x2c7d0:17"] }),
  ])
  .meta({
    description:
      "Answer as of a moment of the past, with what was stored by then: a time, or a message as the id of its conversation, `:` and its sequence number, for the moment at which this message was stored. What was deleted since stays deleted. What was changed since is returned as it is today, and has `edited_since`.",
    examples: ["2026-11-02T09:30:00.000Z"],
  });

export const SORT_AS_OF = "must be `created_at` with `as_of`";

/** Only in answers as of a moment. */
export const EditedSince = z.literal(true).optional().meta({
  description:
    "Present only with `as_of`, if the item was changed after that moment. Its fields are those of today, because earlier ones are not kept.",
});

/** Of a conversation or memory. */
export const ExpiresAt = timestamp(
  "Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it does not expire.",
);

export const AgentId = shortText(
  "Your own id for the agent that the conversation or memory belongs to.",
  "support-bot",
);
export const UserId = shortText(
  "Your own id for the user that the conversation or memory belongs to.",
  "user_4711",
);

export const Shared = z.boolean().meta({
  description:
    "Whether every user of the organization can read it beside their own. What is shared belongs to no user, and only a key that is bound to no user can change it.",
});

/** The same of a new item. */
export const NewShared = optionalOrNull(
  Shared.meta({
    description:
      "`true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.",
  }),
);

export const SHARED_OF_USER = {
  path: ["shared"],
  message: "must not be `true` with `user_id`: what is shared belongs to no user",
};

/** Whether an item is not both shared and of a user. */
export const hasOneReader = ({
  shared,
  user_id,
}: {
  shared?: boolean | undefined;
  user_id?: string | null | undefined;
}): boolean => shared !== true || user_id === undefined || user_id === null;

/** `own`: what is not shared. `shared`: what is. */
export const VISIBILITIES = ["own", "shared"] as const;
export const Visibility = z.enum(VISIBILITIES);
export type Visibility = z.infer<typeof Visibility>;

export const Tag = shortText("Label to filter by. At most 256 characters.", "billing");
export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .meta({
    description: "Labels to filter by, returned in the order in which you sent them. At most 64.",
    examples: [["billing", "refund"]],
  });

/** Used instead of `z.record`, which copies every field and takes about a microsecond per field. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const Metadata = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= METADATA_BYTES_MAX, {
    message: `must be at most ${METADATA_BYTES_MAX.toLocaleString("en-US")} bytes as JSON`,
  })
  .meta({
    description:
      "Your own data: any JSON object, returned exactly as it was sent. At most 16,384 bytes as JSON.",
    examples: [{ ticket: "T-1029", priority: 2 }],
  })
  .openapi("Metadata", { type: "object", additionalProperties: {} });

export const RunId = shortText("Your own id for the run of the agent that asked.", "run_29");

/** Request field of operations whose answers can be recorded. */
export const RecordRecall = z
  .union([
    z.boolean(),
    z.strictObject({
      run_id: RunId.optional(),
      metadata: Metadata.optional().meta({
        description: "Your own data: any JSON object, which the receipt has as `metadata`.",
        examples: [{ step: 3 }],
      }),
    }),
  ])
  .default(false)
  .meta({
    description:
      "Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`.",
    examples: [true],
  });

/** Response field of the same operations. */
export const RecordedAs = RecallId.nullable().optional().meta({
  description:
    "Present only with `record`: id of the receipt, which is stored durably. Null if none was kept, because nothing is stored for the user any more, or because `conversation_id` is not a conversation that the key can read.",
});

type MetadataScalars = Record<string, string | number | boolean>;

const isMetadataScalars = (value: unknown): value is MetadataScalars =>
  isJsonObject(value) &&
  Object.values(value).every((item) => ["string", "number", "boolean"].includes(typeof item));

const MetadataFilter = z
  .custom<MetadataScalars>(isMetadataScalars, "must be an object of strings, numbers and booleans")
  .refine((value) => Object.keys(value).length <= METADATA_FILTER_KEYS_MAX, {
    message: `must have at most ${METADATA_FILTER_KEYS_MAX} values`,
  })
  .refine((value) => Object.keys(value).every((key) => key.length <= TEXT_CHARACTERS_MAX), {
    message: `each key must have at most ${TEXT_CHARACTERS_MAX} characters`,
  })
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= METADATA_BYTES_MAX, {
    message: `must be at most ${METADATA_BYTES_MAX.toLocaleString("en-US")} bytes as JSON`,
  });

const METADATA_FILTER = {
  type: "object" as const,
  additionalProperties: { type: ["string", "number", "boolean"] as ("string" | "number" | "boolean")[] },
  maxProperties: METADATA_FILTER_KEYS_MAX,
};

/** Filter by metadata in a JSON body. */
export const MetadataValues = MetadataFilter.meta({
  description:
    "Only conversations whose `metadata` has all of these keys with these values at its top level. At most 16 keys.",
  examples: [{ ticket: "T-1029" }],
}).openapi(METADATA_FILTER);

/** Keywords of JSON Schema for a string that holds JSON. They are missing in the types of the library. */
const JSON_CONTENT: object = { contentMediaType: "application/json", contentSchema: METADATA_FILTER };

/** Filter by metadata in a query string, as JSON. An MCP tool takes the object itself, whose schema is the content's. */
export const MetadataQuery = z
  .string()
  .max(4_096)
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: "custom", message: "must be a JSON object of strings, numbers and booleans" });
      return z.NEVER;
    }
  })
  .pipe(MetadataFilter)
  .openapi({
    type: "string",
    maxLength: 4_096,
    ...JSON_CONTENT,
    description:
      'A JSON object such as `{"ticket":"T-1029"}`: only conversations whose `metadata` has all of its keys with the same values at the top level. At most 16 keys.',
    examples: ['{"ticket":"T-1029"}'],
  });

/** A required whole number in a query string. Add `.optional()` or `.default(n)` to let callers omit it. */
export const integerQuery = (minimum: number, maximum: number, description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .openapi({ type: "integer", minimum, maximum, description });

export const booleanQuery = (description: string) =>
  z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .openapi({ type: "boolean", description });

/** A query parameter that may be repeated: `tags_any=a&tags_any=b`. */
export const repeatedQuery = <Item extends z.ZodType<unknown, string>>(
  item: Item,
  maximum: number,
  description: string,
) =>
  z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(item).max(maximum),
    )
    .openapi({ type: "array", items: { type: "string" }, maxItems: maximum, description });

/** The parameter of a list of these. */
export const visibilityQuery = (items: string) =>
  repeatedQuery(
    Visibility,
    VISIBILITIES.length,
    `Only ${items} that are not shared (\`own\`), or only shared ones (\`shared\`). Default: all that the key can read.`,
  ).openapi({ items: { type: "string", enum: [...VISIBILITIES] } });

export const Cursor = z.string().min(1).max(1_024).meta({
  description:
    "`next_cursor` of the previous page. All other parameters must be the same as for that page. Default: the first page.",
});

export const PageLimit = integerQuery(
  1,
  PAGE_ITEMS_MAX,
  "Maximum number of items per page; a page may hold fewer. Default 20.",
);

export const IncludeTotal = booleanQuery(
  "Whether to return `total`, the number of matching items on all pages. Default `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by tags or metadata, or more than 50,000 with another filter.",
);

export const ExactOwner = booleanQuery(
  "Whether an `agent_id` or `user_id` that you leave out means none, or that of the key, instead of any. Default `false`. With `external_id`, the list then has the one item that creating it would find, or none.",
);

const FORGET =
  "`true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default `false`.";

/** Query parameter of a deletion that holds. */
export const ForgetQuery = z.strictObject({ forget: booleanQuery(FORGET).optional() });

/** The same in a body. */
export const Forget = z.boolean().default(false).meta({ description: FORGET });

export const count = (description: string) => z.int().min(0).meta({ description });

/** For descriptions of lists: why a page may hold fewer items than `limit`. */
export const PAGE_BOUNDS =
  "A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields and array items. A single item above these limits is returned on a page of its own.";

/** For descriptions of lists with filters: why a page may be empty without being the last. */
export const SCAN_BOUNDS =
  "A page may even be empty without being the last: to find matching items, one request reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null.";

/** The same for lists of rows that are not conversations or memories. */
export const ROW_SCAN_BOUNDS =
  "With a filter, a page may hold fewer items than `limit`, or none, without being the last: one request reads at most 50,000 items to find matching ones. Continue until `next_cursor` is null.";

export const CountedWhole = z.boolean().meta({
  description:
    "Whether all matching items were counted. `false` if counting would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the deletion may delete more than they say.",
});

/** In the counts of a dry run. */
export const HeldCount = count(
  "Number of items that match the filter and are under legal hold. They would not be deleted.",
);

export const pageFields = <Item extends z.ZodType>(item: Item) => ({
  items: z.array(item).meta({ description: "Items of this page, in the order that the operation states." }),
  next_cursor: z.string().nullable().meta({ description: "Cursor of the next page; null on the last page." }),
});

export const page = <Item extends z.ZodType>(item: Item, name: string) =>
  z.strictObject(pageFields(item)).meta({ description: "One page of a list." }).openapi(name);

/** A page of a list that can count its items. */
export const countedPage = <Item extends z.ZodType>(item: Item, name: string) =>
  z
    .strictObject({
      ...pageFields(item),
      total: count(
        "Number of matching items on all pages. Present only with `include_total=true`. Null if counting would read too many items.",
      )
        .nullable()
        .optional(),
    })
    .meta({ description: "One page of a list." })
    .openapi(name);

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .meta({
    description:
      "A string of your choice that makes it safe to send the same request again within 24 hours. The repeat has no second effect. It returns the result of the first request, with the header `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422; white space and the order of fields make no difference. The same string sent with another API key, or to another API operation, is a separate idempotency key.",
    examples: ["5f0c2d9e-6a52-4a86-9b7e-0d1f6f1f3a11"],
  });
export const IdempotencyHeaders = z.object({ "idempotency-key": IdempotencyKey.optional() });

export const IfMatchHeaders = z.object({
  "if-match": z
    .string()
    .optional()
    .meta({
      description:
        'The `ETag` that you received with the item. If the item has changed since, the request fails with 412 and changes nothing. With several, separated by commas, the item must have one of them; `*` matches any version. A proxy may have made the `ETag` weak (`W/"7"`). Default: no check.',
      examples: ['"7"'],
    }),
});

type HeadersObject = Record<string, { description: string; schema: { type: "string"; enum?: string[] } }>;
export const requestIdHeader: HeadersObject = {
  "x-request-id": {
    schema: { type: "string" },
    description: "Id of the request, which is also in the log of the service.",
  },
};
export const replayHeaders: HeadersObject = {
  ...requestIdHeader,
  "Idempotent-Replayed": {
    schema: { type: "string", enum: ["true"] },
    description:
      "Present if an earlier request with the same idempotency key had this result, and this request had no effect.",
  },
};
export const entityHeaders: HeadersObject = {
  ...requestIdHeader,
  ETag: {
    schema: { type: "string" },
    description:
      "Version of the item. Send it as `If-Match` to update or delete the item only if it has not changed since.",
  },
};

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { "application/json": { schema } },
});

export const jsonAnswer = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: HeadersObject = requestIdHeader,
) => ({ description, headers, content: { "application/json": { schema } } });

/** Codes of the errors that every operation with an API key can return. */
export const keyProblems = [
  "unauthenticated",
  "forbidden",
  "host_not_allowed",
  "rate_limited",
  "internal",
  "unavailable",
] as const;
/** Codes of the errors that every operation with an API key that stores or deletes something can return. */
export const writeProblems = [...keyProblems, "insufficient_storage"] as const;
/** Codes of the errors that every operation with a JSON body can return. */
export const bodyProblems = [
  "validation_failed",
  "invalid_json",
  "payload_too_large",
  "unsupported_media_type",
] as const;

const PARTS_TYPES: ["array", "object"] = ["array", "object"];
/** A message or a memory as a framework represents it. */
export const parts = ({ noun, example }: { noun: string; example: unknown[] }) =>
  z
    .custom<unknown[] | Record<string, unknown>>(
      (value) => typeof value === "object" && value !== null,
      "must be an array or an object",
    )
    .refine(
      (value) => utf8Bytes(JSON.stringify(value)) <= PARTS_BYTES_MAX,
      `must be at most ${PARTS_BYTES_MAX.toLocaleString("en-US")} bytes as JSON`,
    )
    .meta({
      description: `The ${noun} as your framework represents it: any JSON array or object, returned exactly as it was sent. At most 500,000 bytes as JSON. Not searched.`,
      examples: [example],
    })
    .openapi({ type: PARTS_TYPES, items: {}, additionalProperties: {} });
const NULLABLE_PARTS = { type: [...PARTS_TYPES, "null"] as ("array" | "object" | "null")[] };
export const nullableParts = (of: { noun: string; example: unknown[] }) =>
  parts(of).nullable().openapi(NULLABLE_PARTS);
export const optionalParts = (of: { noun: string; example: unknown[] }) =>
  optionalOrNull(parts(of)).openapi(NULLABLE_PARTS);

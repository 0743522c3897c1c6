import { z } from "@hono/zod-openapi";
import {
  METADATA_BYTES_MAX,
  METADATA_FILTER_KEYS_MAX,
  PAGE_ITEMS_MAX,
  TAGS_MAX,
  TEXT_CHARACTERS_MAX,
  WRITE_BYTES_MAX,
} from "./limits.ts";

export const SCOPES = ["read", "write", "search", "delete", "admin"] as const;
export const Scope = z
  .enum(SCOPES)
  .meta({
    description:
      "`read`: get and list. `write`: create and update. `search`: search. `delete`: delete. `admin`: manage keys and the organization, export and import, and read audit events and usage.",
  })
  .openapi("Scope");
export type Scope = z.infer<typeof Scope>;

/** The security requirement of an operation: a key with `scope`. */
export const requires = <S extends Scope>(scope: S) => [{ apiKey: [scope] }];

export const requiresAdminToken = [{ adminToken: [] as string[] }];

export const requiresNothing = [{}];

/** Sets of MCP tools. A client chooses sets, so that a model does not pay for tools that it does not use. */
export const TOOL_SETS = ["conversations", "memories", "thoughts"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

/**
 * Maps fields of a tool's result to the operation's response. A value is a path (`memory.id`), a text with
 * the field of the span to return (null for all of it), or the fields of each item in the list of that name.
 */
export interface ToolFields {
  [name: string]: string | [text: string, span: string] | ToolFields;
}

/** How an operation is presented as an MCP tool, where that differs from its contract. */
export interface McpMarker {
  set: ToolSet;
  /** Default: the operation's id in snake_case, its summary and its description. */
  name?: string;
  title?: string;
  description?: string;
  /** For a POST that only reads. A GET is always read-only. */
  read_only?: true;
  /** For a POST whose repetition changes nothing. */
  idempotent?: true;
  /** The tool's arguments, each with the name of the operation's field. Default: all fields. */
  takes?: Record<string, string>;
  /** The fields of the result. Default: all fields. */
  gives?: ToolFields;
  /** Defaults for arguments that limit the size of the result. */
  defaults?: Record<string, number>;
  /**
   * Arguments to leave out, and the result fields that only they produce. They serve programs, and a model
   * should not pay to read them.
   */
  omits?: readonly string[];
}

/** Makes an operation one or more MCP tools. */
export const mcpTools = (...markers: McpMarker[]) => ({ "x-mcp": markers });

/** Arguments or fields that keep the operation's names. */
export const asNamed = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name]));

const encoder = new TextEncoder();
export const utf8Bytes = (text: string): number => encoder.encode(text).byteLength;

/** The limit of one write as text, counted like `WRITE_BYTES_MAX`. */
export const WRITE_SIZE = `${WRITE_BYTES_MAX.toLocaleString("en")} bytes (content as UTF-8, everything else as JSON)`;

// Without flags, so that the pattern means the same in the OpenAPI document.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses
const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A short text: 1 to 256 characters, no control characters. */
export const shortText = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .regex(NO_CONTROL_CHARACTERS, "must not contain control characters")
    .meta({ description, examples: [example] });

/** An id in a path or filter. Its form is not checked: an unknown id is reported as not found. */
export const id = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .meta({ description, examples: [example] });

export const OrganizationId = id("Id of an organization.", "org_06e3tqz8m1k4v9x2c7d0");
export const KeyId = id("Id of a key, not its secret.", "key_06e3tqz8m1k4v9x2c7d0");
export const ConversationId = id("Id of a conversation.", "conv_06e3tqz8m1k4v9x2c7d0");
export const MessageId = id("Id of a message.", "msg_06e3tqz8m1k4v9x2c7d0");
export const MemoryId = id("Id of a memory.", "mem_06e3tqz8m1k4v9x2c7d0");
export const ChunkId = id(
  "Id of a chunk: a window of messages or a part of a memory, with one vector.",
  "chk_2k7d9x4c6e0v1m8q3t5z",
);
export const OperationId = id("Id of an operation.", "op_06e3tqz8m1k4v9x2c7d0");

const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");
const YEAR_9999_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** A timestamp whose year has four digits, also in UTC. */
export const timestamp = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .refine(
      (text) => Date.parse(text) >= YEAR_0_MS && Date.parse(text) <= YEAR_9999_MS,
      "must have a year from 0000 to 9999 in UTC",
    )
    .meta({ description, examples: ["2026-11-02T09:30:00.000Z"] });

export const AgentId = shortText(
  "Your own id for the agent that the conversation or memory belongs to.",
  "support-bot",
);
export const UserId = shortText("Your own id for the user that the conversation is with.", "user_4711");
export const Tag = shortText("Label to filter by.", "billing");
export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .meta({
    description: "Labels to filter by, in the given order. At most 64.",
    examples: [["billing", "refund"]],
  });

/** Whether a JSON value is an object. `z.record` would copy each field, at a microsecond each. */
const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const Metadata = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= METADATA_BYTES_MAX, {
    message: `must be at most ${METADATA_BYTES_MAX} bytes as JSON`,
  })
  .meta({
    description:
      "Your own data: any JSON object, returned exactly as it was sent. At most 16,384 bytes as JSON.",
    examples: [{ ticket: "T-1029", priority: 2 }],
  })
  .openapi("Metadata", { type: "object", additionalProperties: {} });

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
    message: `must be at most ${METADATA_BYTES_MAX} bytes as JSON`,
  });

/** Filter by values at the top level of metadata. */
export const MetadataValues = MetadataFilter.meta({
  description:
    "Only conversations whose metadata has all of these values at the top level. At most 16 values.",
  examples: [{ ticket: "T-1029" }],
}).openapi({
  type: "object",
  additionalProperties: { type: ["string", "number", "boolean"] },
  maxProperties: METADATA_FILTER_KEYS_MAX,
});

/** The same filter as JSON in a query string. */
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
    description:
      'Only conversations whose metadata has all of these values at the top level, as a JSON object: `{"ticket":"T-1029"}`. At most 16 values.',
    example: '{"ticket":"T-1029"}',
  });

/** A whole number in a query string. Add `.optional()` or `.default(n)` where needed. */
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

export const Cursor = z.string().min(1).max(1_024).meta({
  description: "`next_cursor` of the previous page. All other parameters must stay the same.",
});

export const PageLimit = integerQuery(
  1,
  PAGE_ITEMS_MAX,
  "Maximum number of items per page; a page may hold fewer. Default 20.",
);

export const IncludeTotal = booleanQuery(
  "Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 50,000 items.",
);
/** For lists with filters by tags or metadata. */
export const IncludeFilteredTotal = booleanQuery(
  "Whether to return `total`, the number of all matching items. Default `false`. `total` is null if counting would read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter.",
);

export const count = (description: string) => z.int().min(0).meta({ description });

/** Explains in descriptions why a page may hold fewer items than `limit`. */
export const PAGE_BOUNDS =
  "A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger.";

/** Explains in descriptions why a page of a filtered list may be empty without being the last. */
export const SCAN_BOUNDS =
  "A page may even be empty without being the last, because one request reads at most 4,000 items with a filter by tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null.";

export const CountedWhole = z.boolean().meta({
  description:
    "Whether everything was counted. `false` if a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and a deletion may find more.",
});

export const page = <Item extends z.ZodType>(item: Item, name: string) =>
  z
    .strictObject({
      items: z.array(item).meta({ description: "Items of the page, in the order of the list." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Cursor of the next page; null on the last page." }),
      total: count(
        "Number of all matching items. Present only with `include_total=true`. Null if counting would read too many items.",
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
      "Makes it safe to repeat the request, for 24 hours. A repeat has no second effect, and returns the result of the first request with `Idempotent-Replayed: true`. A different request with the same idempotency key fails with 422. Each API key and operation has its own idempotency keys.",
    examples: ["5f0c2d9e-6a52-4a86-9b7e-0d1f6f1f3a11"],
  });
export const IdempotencyHeaders = z.object({ "idempotency-key": IdempotencyKey.optional() });

export const IfMatchHeaders = z.object({
  "if-match": z
    .string()
    .optional()
    .meta({
      description: "Proceed only if the current version has this `ETag`; otherwise 412.",
      examples: ['"7"'],
    }),
});

type HeadersObject = Record<string, { description: string; schema: { type: "string"; enum?: string[] } }>;
const requestIdHeader: HeadersObject = {
  "x-request-id": { schema: { type: "string" }, description: "Id of the request." },
};
export const replayHeaders: HeadersObject = {
  ...requestIdHeader,
  "Idempotent-Replayed": {
    schema: { type: "string", enum: ["true"] },
    description: "Present if the request repeats an earlier one with the same idempotency key.",
  },
};
export const entityHeaders: HeadersObject = {
  ...requestIdHeader,
  ETag: { schema: { type: "string" }, description: "Version of the item, for `If-Match`." },
};

/** A required JSON body. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true as const,
  content: { "application/json": { schema } },
});

export const jsonAnswer = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  headers: HeadersObject = requestIdHeader,
) => ({ description, headers, content: { "application/json": { schema } } });

/** Failures of every operation that requires a key. */
export const keyProblems = [
  "unauthenticated",
  "forbidden",
  "rate_limited",
  "internal",
  "unavailable",
] as const;
/** Failures of every operation with a JSON body. */
export const bodyProblems = [
  "validation_failed",
  "invalid_json",
  "payload_too_large",
  "unsupported_media_type",
] as const;

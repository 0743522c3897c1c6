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
      "`read` gets and lists, `write` creates and changes, `search` searches, `delete` deletes, `admin` manages keys and the organization.",
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
export const WRITE_SIZE = `${WRITE_BYTES_MAX.toLocaleString("en")} bytes (content as UTF-8, all else as JSON)`;

// Without flags, so that the pattern means the same in the OpenAPI document.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it refuses
const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** A short text: 1 to 256 characters, no control characters. */
export const shortText = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .regex(NO_CONTROL_CHARACTERS, "control characters are not allowed")
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
  "Id of a chunk, a part of a memory or a window of messages, with one vector.",
  "chk_2k7d9x4c6e0v1m8q3t5z",
);
export const OperationId = id("Id of an operation.", "op_06e3tqz8m1k4v9x2c7d0");

const YEAR_0_MS = Date.parse("0000-01-01T00:00:00Z");
const YEAR_9999_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** A timestamp whose year has four digits, also in UTC. */
export const timestamp = (description: string) =>
  z.iso
    .datetime({ offset: true })
    .refine((text) => Date.parse(text) >= YEAR_0_MS && Date.parse(text) <= YEAR_9999_MS, "out of range")
    .meta({ description, examples: ["2026-11-02T09:30:00.000Z"] });

export const AgentId = shortText(
  "The agent that the conversation belongs to, as you name it.",
  "support-bot",
);
export const UserId = shortText("The person that the conversation is with, as you name them.", "user_4711");
export const Tag = shortText("A label to filter by.", "billing");
export const Tags = z
  .array(Tag)
  .max(TAGS_MAX)
  .meta({
    description: "Labels to filter by, in the order given; at most 64.",
    examples: [["billing", "refund"]],
  });

/** Whether a JSON value is an object. `z.record` would copy each field, at a microsecond each. */
const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const Metadata = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= METADATA_BYTES_MAX, {
    message: `at most ${METADATA_BYTES_MAX} bytes as JSON`,
  })
  .meta({
    description: "Your own data: any JSON object up to 16,384 bytes, kept exactly.",
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
    message: `at most ${METADATA_FILTER_KEYS_MAX} values`,
  })
  .refine((value) => Object.keys(value).every((key) => key.length <= TEXT_CHARACTERS_MAX), {
    message: `a key has at most ${TEXT_CHARACTERS_MAX} characters`,
  })
  .refine((value) => utf8Bytes(JSON.stringify(value)) <= METADATA_BYTES_MAX, {
    message: `at most ${METADATA_BYTES_MAX} bytes as JSON`,
  });

/** Filter by values at the top level of metadata. */
export const MetadataValues = MetadataFilter.meta({
  description: "Only conversations whose metadata has all these values at the top level. At most 16 values.",
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
      'Only conversations whose metadata has all these values at the top level, as JSON: `{"ticket":"T-1029"}`. At most 16 values.',
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
  description: "`next_cursor` of the page before, with all other parameters as they were.",
});

export const PageLimit = integerQuery(1, PAGE_ITEMS_MAX, "Most items of a page; it may hold fewer.");

export const IncludeTotal = booleanQuery("Count all matching items too. Costs a scan; off by default.");
/** For lists with filters that no index covers. */
export const IncludeBoundedTotal = booleanQuery(
  "Count all matching items too; off by default. `total` is null when the service would have to read more than 4,000 items with a filter by tags or metadata, or 50,000 with another filter.",
);

export const count = (description: string) => z.int().min(0).meta({ description });

/** Explains in descriptions why a page may hold fewer items than `limit`. */
export const PAGE_BOUNDS =
  "A page may hold fewer items than `limit`: its JSON stays under 2 MB, and its metadata and parts under 50,000 fields and items, unless a single item is larger.";

/** Explains in descriptions why a page of a filtered list may be empty without being the last. */
export const SCAN_BOUNDS =
  "It may hold none and not be the last: one request reads at most 4,000 items with a filter by tags or metadata, 50,000 otherwise. Go on until `next_cursor` is null.";

const Total = count("How many items match in all; only with `include_total=true`.");

export const CountedWhole = z.boolean().meta({
  description:
    "Whether all were counted. `false` when a dry run would read more than 100,000 items with a filter by tags or metadata, or 1,250,000 otherwise: then the counts are of the oldest, and a deletion may find more.",
});

export const page = <Item extends z.ZodType>(item: Item, name: string) => pageWith(item, name, Total);

/** A page of a list with filters that no index covers. One request reads a bounded part of the list. */
export const filteredPage = <Item extends z.ZodType>(item: Item, name: string) =>
  pageWith(
    item,
    name,
    count(
      "How many items match in all; only with `include_total=true`. Null when too many items would have to be read to count them.",
    ).nullable(),
  );

const pageWith = <Item extends z.ZodType, Count extends z.ZodType>(item: Item, name: string, total: Count) =>
  z
    .strictObject({
      items: z.array(item).meta({ description: "The items of this page, in the list's order." }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: "Pass it as the cursor for the next page; null at the end." }),
      total: total.optional(),
    })
    .meta({ description: "A page of a list." })
    .openapi(name);

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .meta({
    description:
      "Makes a repeated request safe: kept 24 hours for this key and operation. The same request again answers alike with `Idempotent-Replayed: true`; another body is refused with 422.",
    examples: ["5f0c2d9e-6a52-4a86-9b7e-0d1f6f1f3a11"],
  });
export const IdempotencyHeaders = z.object({ "idempotency-key": IdempotencyKey.optional() });

export const IfMatchHeaders = z.object({
  "if-match": z
    .string()
    .optional()
    .meta({
      description: "Act only if it still has this `ETag`; otherwise 412.",
      examples: ['"7"'],
    }),
});

type HeadersObject = Record<string, { description: string; schema: { type: "string"; enum?: string[] } }>;
const requestIdHeader: HeadersObject = {
  "x-request-id": { schema: { type: "string" }, description: "Names this request." },
};
export const replayHeaders: HeadersObject = {
  ...requestIdHeader,
  "Idempotent-Replayed": {
    schema: { type: "string", enum: ["true"] },
    description: "Present when an earlier request with this idempotency key is answered again.",
  },
};
export const entityHeaders: HeadersObject = {
  ...requestIdHeader,
  ETag: { schema: { type: "string" }, description: "Its version, for `If-Match`." },
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

import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  ChunkId,
  CountedWhole,
  Cursor,
  count,
  entityHeaders,
  filteredPage,
  IdempotencyHeaders,
  IfMatchHeaders,
  IncludeBoundedTotal,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MemoryId,
  Metadata,
  MetadataQuery,
  MetadataValues,
  PAGE_BOUNDS,
  PageLimit,
  repeatedQuery,
  replayHeaders,
  requires,
  SCAN_BOUNDS,
  shortText,
  Tag,
  Tags,
  timestamp,
  utf8Bytes,
  WRITE_SIZE,
} from "./common.ts";
import {
  CAPTURE_MEMORIES_MAX,
  CONTENT_BYTES_MAX,
  SUMMARY_CHARACTERS_MAX,
  TAGS_MAX,
  TEXT_CHARACTERS_MAX,
} from "./limits.ts";
import { memoryTools } from "./memory-tools.ts";
import { Operation } from "./operations.ts";
import { problems } from "./problem.ts";

/** Add, never rename. */
export const MEMORY_KINDS = ["note", "summary"] as const;
export const MemoryKind = z
  .enum(MEMORY_KINDS)
  .meta({ description: "`note`: what somebody decided to remember. `summary`: of what was said elsewhere." })
  .openapi("MemoryKind");
export type MemoryKind = z.infer<typeof MemoryKind>;
/**
 * A filter by kind. Repeats the enum, because some clients read a reference with its own description as any
 * value.
 */
export const OfKind = z.enum(MEMORY_KINDS).optional().meta({ description: "Only memories of this kind." });

const Content = z
  .string()
  .min(1)
  .refine((text) => utf8Bytes(text) <= CONTENT_BYTES_MAX, `at most ${CONTENT_BYTES_MAX} bytes as UTF-8`)
  .meta({
    description:
      "What to remember, in Markdown or plain text, kept byte for byte: 1 to 1,000,000 bytes as UTF-8.",
    examples: ["Maria prefers refunds to her card, never store credit."],
  })
  // A text has at most as many characters as bytes.
  .openapi({ maxLength: CONTENT_BYTES_MAX });
export const MemorySource = shortText("Where it comes from, as you name it.", "slack");
const Summary = z
  .string()
  .max(SUMMARY_CHARACTERS_MAX)
  .meta({
    description: "What it says in short; at most 1,000 characters.",
    examples: ["Maria wants refunds to her card."],
  });
const CreatedAt = timestamp("When it was captured; yours for notes that you bring along.");

export const Memory = z
  .strictObject({
    id: MemoryId,
    kind: MemoryKind,
    content: Content,
    source: MemorySource.nullable(),
    agent_id: AgentId.nullable(),
    tags: Tags,
    summary: Summary.nullable(),
    metadata: Metadata,
    enriched_by: z
      .string()
      .max(TEXT_CHARACTERS_MAX)
      .nullable()
      .meta({
        description:
          "The model that wrote what you did not of tags and summary; `engram/extractive-1` takes them from the text by rule. Null while nothing is written so.",
        examples: ["@cf/meta/llama-3.1-8b-instruct-fast"],
      }),
    content_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description: "SHA-256 of the content as UTF-8, in hex. No two memories of one agent have the same.",
        examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
      }),
    created_at: CreatedAt,
    updated_at: timestamp("When it was last captured or changed."),
  })
  .openapi("Memory");
export type Memory = z.infer<typeof Memory>;

export const NewMemory = z
  .strictObject({
    content: Content,
    kind: MemoryKind.default("note"),
    source: MemorySource.optional(),
    agent_id: AgentId.optional().meta({
      description: "The agent that it belongs to. A key bound to an agent sets its own; another is refused.",
    }),
    tags: Tags.optional(),
    summary: Summary.optional(),
    metadata: Metadata.optional(),
    created_at: CreatedAt.optional().meta({
      description: "When it was captured, to the millisecond; now by default.",
    }),
  })
  .openapi("NewMemory", {
    example: {
      content: "Maria prefers refunds to her card, never store credit.",
      agent_id: "support-bot",
      tags: ["customer", "refunds"],
    },
  });
export type NewMemory = z.infer<typeof NewMemory>;

const Wait = z.literal("indexed").optional().meta({
  description:
    "Answer once meaning can find it, which takes seconds; after 25 seconds in any case, and of many when 25 are indexed. Its chunks tell what is indexed.",
});

export const createMemory = createRoute({
  operationId: "createMemory",
  ...memoryTools.createMemory,
  method: "post",
  path: "/v1/memories",
  tags: ["Memories"],
  summary: "Capture a memory",
  description:
    "Stores a note verbatim. When the agent has a memory of exactly this content already, that one is answered with 200: its `updated_at` is now, all else of it stays, and nothing is embedded again. Tags and summary that you do not give are written by a text model soon after, if one is configured, and never over yours. Found by its words at once, by its meaning within seconds.",
  security: requires("write"),
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z.strictObject({ ...NewMemory.shape, wait: Wait }).openapi("CreateMemoryBody", {
        example: {
          content: "Maria prefers refunds to her card, never store credit.",
          agent_id: "support-bot",
          tags: ["customer", "refunds"],
        },
      }),
    ),
  },
  responses: {
    200: jsonAnswer("The memory that had this content already.", Memory, {
      ...replayHeaders,
      ...entityHeaders,
    }),
    201: jsonAnswer("The new memory.", Memory, { ...replayHeaders, ...entityHeaders }),
    ...problems(...bodyProblems, "not_found", "idempotency_mismatch", ...keyProblems),
  },
});

export const CapturedMemories = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: MemoryId,
          created: z.boolean().meta({ description: "Whether it is new; false where its content was there." }),
        }),
      )
      .meta({ description: "One for each memory of the request, in its order." }),
  })
  .openapi("CapturedMemories");
export type CapturedMemories = z.infer<typeof CapturedMemories>;

export const createMemories = createRoute({
  operationId: "createMemories",
  method: "post",
  path: "/v1/memories/bulk",
  tags: ["Memories"],
  summary: "Capture many memories",
  description: `Stores up to 1,000 memories, all or none, each as a single capture would. Content that the request repeats is stored once. Together they hold at most ${WRITE_SIZE}; beyond it, 413 and nothing is stored.`,
  security: requires("write"),
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z
        .strictObject({
          memories: z
            .array(NewMemory)
            .min(1)
            .max(CAPTURE_MEMORIES_MAX)
            .meta({ description: `What to remember; 1 to 1,000, together at most ${WRITE_SIZE}.` }),
          wait: Wait,
        })
        .openapi("CreateMemoriesBody", {
          example: { memories: [{ content: "Refunds over 100 euros need a second pair of eyes." }] },
        }),
    ),
  },
  responses: {
    200: jsonAnswer("What was captured.", CapturedMemories, replayHeaders),
    ...problems(...bodyProblems, "idempotency_mismatch", ...keyProblems),
  },
});

const filters = {
  agent_id: AgentId.optional().meta({ description: "Only memories of this agent." }),
  kind: OfKind,
  source: MemorySource.optional().meta({ description: "Only memories from this source." }),
};

export const listMemories = createRoute({
  operationId: "listMemories",
  ...memoryTools.listMemories,
  method: "get",
  path: "/v1/memories",
  tags: ["Memories"],
  summary: "List memories",
  description: `Lists memories page by page, each whole. All filters must hold. ${PAGE_BOUNDS} ${SCAN_BOUNDS} One that is captured or changed meanwhile may be missed or met; no other is skipped or repeated.`,
  security: requires("read"),
  request: {
    query: z.strictObject({
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeBoundedTotal.optional(),
      ...filters,
      tags_any: repeatedQuery(Tag, TAGS_MAX, "Only memories with at least one of these tags.").optional(),
      tags_all: repeatedQuery(Tag, TAGS_MAX, "Only memories with all of these tags.").optional(),
      created_after: timestamp("Only memories captured at this moment or later.").optional(),
      created_before: timestamp("Only memories captured before this moment.").optional(),
      metadata: MetadataQuery.optional().openapi({
        description:
          "Only memories whose metadata has all these values at the top level, as JSON. At most 16 values.",
      }),
      sort: z
        .enum(["created_at", "updated_at"])
        .default("created_at")
        .meta({ description: "What to order by." }),
      order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Rising or falling." }),
    }),
  },
  responses: {
    200: jsonAnswer("A page of memories.", filteredPage(Memory, "MemoryPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ memory_id: MemoryId });
const offset = (description: string) => count(`${description}, in UTF-16 units, as JavaScript counts.`);

export const MemoryChunk = z
  .strictObject({
    id: ChunkId,
    ordinal: count("Its place among the chunks, from 0."),
    start: offset("Where it begins in the content, behind what it repeats of the one before"),
    end: offset("Where it ends, and the next begins"),
    overlap_start: offset("Where what is embedded begins: up to 64 tokens before `start`"),
    indexed: z.boolean().meta({ description: "Whether its vector is in, so that its meaning can be found." }),
  })
  .meta({ description: "A part of a memory with one vector. Together they are the whole content." })
  .openapi("MemoryChunk");
export type MemoryChunk = z.infer<typeof MemoryChunk>;

export const getMemory = createRoute({
  operationId: "getMemory",
  ...memoryTools.getMemory,
  method: "get",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Get a memory with its chunks",
  description: "Answers a memory whole, and the chunks that its meaning is found by.",
  security: requires("read"),
  request: { params },
  responses: {
    200: jsonAnswer(
      "The memory and its chunks.",
      z
        .strictObject({
          ...Memory.shape,
          chunks: z.array(MemoryChunk).meta({ description: "Its chunks, in order." }),
        })
        .openapi("MemoryWithChunks"),
      entityHeaders,
    ),
    ...problems("not_found", ...keyProblems),
  },
});

export const UpdateMemoryBody = z
  .strictObject({
    content: Content.optional().meta({ description: "The content anew; it is chunked and embedded again." }),
    source: MemorySource.nullable().optional(),
    tags: Tags.optional().meta({ description: "All tags anew; they replace the old ones." }),
    summary: Summary.nullable().optional(),
    metadata: Metadata.optional().meta({ description: "All metadata anew; it replaces the old." }),
  })
  .refine((body) => Object.keys(body).length > 0, "name at least one field to change")
  .openapi("UpdateMemoryBody", { minProperties: 1, example: { tags: ["customer", "refunds", "card"] } });

export const updateMemory = createRoute({
  operationId: "updateMemory",
  ...memoryTools.updateMemory,
  method: "patch",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Update a memory",
  description:
    "Changes what is named; all else stays. With the content goes what a text model wrote of it: its tags and summary, and `enriched_by`. With `If-Match`, only if nothing changed since. Content that another memory of the agent has is refused with 409.",
  security: requires("write"),
  request: { params, headers: IfMatchHeaders, body: jsonBody(UpdateMemoryBody) },
  responses: {
    200: jsonAnswer("The memory as it is now.", Memory, entityHeaders),
    ...problems(...bodyProblems, "not_found", "content_conflict", "precondition_failed", ...keyProblems),
  },
});

export const deleteMemory = createRoute({
  operationId: "deleteMemory",
  ...memoryTools.deleteMemory,
  method: "delete",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Delete a memory",
  description:
    "Hides the memory at once, from every answer; row, keyword index and vectors are then purged. Cannot be undone. The same content can be captured again, as a new memory.",
  security: requires("delete"),
  request: { params, headers: IfMatchHeaders },
  responses: {
    202: jsonAnswer("The receipt, filled in as the purge goes on.", Operation),
    ...problems("not_found", "precondition_failed", ...keyProblems),
  },
});

const conditions = {
  ...filters,
  tags_any: Tags.min(1).optional().meta({ description: "Only memories with at least one of these tags." }),
  tags_all: Tags.min(1).optional().meta({ description: "Only memories with all of these tags." }),
  created_after: timestamp("Only memories captured at this moment or later.").optional(),
  created_before: timestamp("Only memories captured before this moment.").optional(),
  metadata: MetadataValues.refine((value) => Object.keys(value).length > 0, "name at least one value")
    .meta({
      description: "Only memories whose metadata has all these values at the top level. At most 16 values.",
    })
    .openapi({ minProperties: 1 })
    .optional(),
};

export const DeleteMemoriesBody = z
  .strictObject({
    filter: z
      .strictObject(conditions)
      .refine((filter) => Object.keys(filter).length > 0, "name at least one condition")
      .meta({ description: "Which memories to delete. All conditions must hold; one at least." })
      .openapi({ minProperties: 1 })
      .optional(),
    all: z
      .literal(true)
      .optional()
      .meta({ description: "Instead of a filter: every memory that the key may see." }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: "Only count what would be deleted. Ask this first." }),
  })
  .refine(
    ({ filter, all }) => (all === undefined) !== (filter === undefined),
    "name either a `filter` or `all`",
  )
  .openapi("DeleteMemoriesBody", { example: { filter: { agent_id: "support-bot" }, dry_run: true } });

export const MemoriesCounted = z
  .strictObject({ memories: count("Memories that would be deleted now."), complete: CountedWhole })
  .openapi("MemoriesCounted");
export type MemoriesCounted = z.infer<typeof MemoriesCounted>;

export const deleteMemories = createRoute({
  operationId: "deleteMemories",
  method: "post",
  path: "/v1/memories/delete",
  tags: ["Memories"],
  summary: "Delete memories by a filter, or all",
  description:
    "Hides every memory that the filter finds, such as all of an agent, or all that the key may see: up to 1,000 with the answer, further ones up to 1,000 at a step soon after, oldest first. A step reads at most 4,000 memories with a filter by tags or metadata, 50,000 otherwise. Those captured later are spared. Rows, keyword index and vectors are then purged in steps. `cancelOperation` calls off what is not hidden yet; what is hidden cannot be brought back.",
  security: requires("delete"),
  request: { headers: IdempotencyHeaders, body: jsonBody(DeleteMemoriesBody) },
  responses: {
    200: jsonAnswer("How many would be deleted, for a dry run. None was.", MemoriesCounted),
    202: jsonAnswer("The receipt, filled in as the deletion goes on.", Operation, replayHeaders),
    ...problems(...bodyProblems, "idempotency_mismatch", ...keyProblems),
  },
});

export const EnrichMemoriesBody = z
  .strictObject({
    filter: z
      .strictObject(conditions)
      .default({})
      .meta({ description: "Which memories; all that the key may see by default." }),
  })
  .openapi("EnrichMemoriesBody", { example: { filter: { source: "slack" } } });

export const enrichMemories = createRoute({
  operationId: "enrichMemories",
  method: "post",
  path: "/v1/memories/enrich",
  tags: ["Memories"],
  summary: "Have memories described",
  description:
    "Has the text model write tags and summaries that nobody gave and that it has not written, in two passes: the first finds which tags fit the most of them, the second chooses from these where they fit and writes. Memories are described 5,000 at a time, or 4,000 with a filter by tags or metadata, oldest first, each time with both passes. Tags and summaries that people gave stay. A memory that waits for its description since it was captured or changed gets it now, and is not counted; nor is one that another enrichment is at.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(EnrichMemoriesBody) },
  responses: {
    202: jsonAnswer("How far it is, filled in as it goes on.", Operation, replayHeaders),
    ...problems(...bodyProblems, "idempotency_mismatch", ...keyProblems),
  },
});

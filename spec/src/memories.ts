import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  AsOf,
  bodyProblems,
  ChunkId,
  ConversationId,
  CountedWhole,
  Cursor,
  count,
  countedPage,
  ExactOwner,
  ExpiresAt,
  entityHeaders,
  Forget,
  ForgetQuery,
  HeldCount,
  hasOneReader,
  IdempotencyHeaders,
  IfMatchHeaders,
  IncludeTotal,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MemoryId,
  MessageId,
  Metadata,
  MetadataQuery,
  MetadataValues,
  nullableParts,
  PAGE_BOUNDS,
  PageLimit,
  page,
  repeatedQuery,
  replayHeaders,
  requires,
  SCAN_BOUNDS,
  SHARED_OF_USER,
  Shared,
  SORT_AS_OF,
  sdkExample,
  sdkMethod,
  shortText,
  Tag,
  Tags,
  timestamp,
  UserId,
  visibilityQuery,
  writeProblems,
} from "./common.ts";
import { TAGS_MAX, TEXT_CHARACTERS_MAX } from "./limits.ts";
import {
  CANNOT_HOLD,
  CapturedAt,
  canHold,
  MemoryContent,
  MemoryExternalId,
  MemorySummary,
  ofMemory,
  Supersedes,
  validity,
} from "./memory-fields.ts";
import { memoryTools } from "./memory-tools.ts";
import { DeleteMemoriesOperation, DeleteMemoryOperation, EnrichMemoriesOperation } from "./operations.ts";
import { problems } from "./problem.ts";
import { newSources, Sources } from "./sources.ts";

/** Stored in databases and used by clients: add kinds, never rename one. */
export const MEMORY_KINDS = ["note", "summary"] as const;
export const MemoryKind = z
  .enum(MEMORY_KINDS)
  .meta({
    description:
      "`note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation.",
  })
  .openapi("MemoryKind");
export type MemoryKind = z.infer<typeof MemoryKind>;
/**
 * Filter by kind. Repeats the enum instead of using `MemoryKind`: some OpenAPI tools ignore a `$ref` that has a
 * description of its own, and then accept any value.
 */
export const OfKind = z.enum(MEMORY_KINDS).optional().meta({ description: "Only memories of this kind." });

export const MemorySource = shortText("Your own name for the source of the memory.", "slack");

export const Memory = z
  .strictObject({
    id: MemoryId,
    kind: MemoryKind,
    content: MemoryContent,
    parts: nullableParts(ofMemory),
    sources: Sources,
    source: MemorySource.nullable(),
    agent_id: AgentId.nullable(),
    user_id: UserId.nullable(),
    shared: Shared,
    external_id: MemoryExternalId.nullable(),
    tags: Tags,
    summary: MemorySummary.nullable(),
    metadata: Metadata,
    ...validity,
    supersedes: Supersedes.nullable(),
    superseded_by: MemoryId.nullable().meta({
      description:
        "Memory that replaced this one: the last that was captured with this one as `supersedes`. It stays when that memory is deleted.",
    }),
    enriched_by: z
      .string()
      .max(TEXT_CHARACTERS_MAX)
      .nullable()
      .meta({
        description:
          "Text model that wrote the tags or the summary because you gave none; null if no model wrote any. `engram/extractive-1` is not a model: it means that the service extracted them from the content by fixed rules.",
        examples: ["@cf/meta/llama-3.1-8b-instruct-fast"],
      }),
    content_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({
        description:
          "SHA-256 of the content as UTF-8, in hex. Unique among the memories of an agent and user that have no `external_id`.",
        examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
      }),
    created_at: CapturedAt,
    updated_at: timestamp(
      "Time when the memory was last changed, or when its content was last captured again.",
    ),
    expires_at: ExpiresAt.nullable(),
  })
  .openapi("Memory");
export type Memory = z.infer<typeof Memory>;

const filters = {
  agent_id: AgentId.optional().meta({ description: "Only memories of this agent." }),
  user_id: UserId.optional().meta({
    description: "Only memories of this user. Memories without a user do not match.",
  }),
  kind: OfKind,
  source: MemorySource.optional().meta({ description: "Only memories from this source." }),
};

export const listMemories = createRoute({
  operationId: "listMemories",
  ...sdkExample(`
    const preferences = engram.memories.list({ agent_id: "support-bot", tags_any: ["refunds"] });
    for await (const { content, created_at } of preferences) console.log(created_at, content);
  `),
  ...memoryTools.listMemories,
  method: "get",
  path: "/v1/memories",
  tags: ["Memories"],
  summary: "List memories",
  description: `Returns a page of memories with their full content, most recently captured first unless \`sort\` and \`order\` say otherwise. All filters must match. ${PAGE_BOUNDS} ${SCAN_BOUNDS} A memory that is captured or changed between two of your requests for pages may be skipped or repeated. All others are returned exactly once.`,
  security: requires("read"),
  request: {
    query: z
      .strictObject({
        limit: PageLimit.optional(),
        cursor: Cursor.optional(),
        include_total: IncludeTotal.optional(),
        ...filters,
        visibility: visibilityQuery("memories").optional(),
        external_id: MemoryExternalId.optional().meta({
          description: "Only memories with this `external_id`.",
        }),
        exact_owner: ExactOwner.optional(),
        source_conversation_id: ConversationId.optional().meta({
          description: "Only memories that cite a message of this conversation, also one that is deleted.",
        }),
        source_message_id: MessageId.optional().meta({
          description: "Only memories that cite this message, also if it is deleted.",
        }),
        tags_any: repeatedQuery(Tag, TAGS_MAX, "Only memories with at least one of these tags.").optional(),
        tags_all: repeatedQuery(Tag, TAGS_MAX, "Only memories with all of these tags.").optional(),
        created_after: timestamp("Only memories captured at or after this time.").optional(),
        created_before: timestamp("Only memories captured before this time.").optional(),
        valid_at: timestamp(
          "Only memories that hold at this time: from `valid_from` until before `valid_until`, where a missing one sets no bound.",
        ).optional(),
        occurred_after: timestamp("Only memories with an `occurred_at` at or after this time.").optional(),
        occurred_before: timestamp("Only memories with an `occurred_at` before this time.").optional(),
        metadata: MetadataQuery.optional().openapi({
          description:
            'A JSON object such as `{"topic":"refunds"}`: only memories whose `metadata` has all of its keys with the same values at the top level. At most 16 keys.',
        }),
        sort: z
          .enum(["created_at", "updated_at"])
          .default("created_at")
          .meta({ description: "Field to sort by." }),
        order: z.enum(["asc", "desc"]).default("desc").meta({ description: "Sort order." }),
        as_of: AsOf.optional().meta({
          description:
            "Answer as of a moment of the past: the memories that were stored by then, each in the version of then, and filtered by it. A time, or a message as the id of its conversation, `:` and its sequence number. What was deleted since stays deleted, and the sources are those of today.",
        }),
      })
      .refine(({ as_of, sort }) => as_of === undefined || sort === "created_at", {
        path: ["sort"],
        message: SORT_AS_OF,
      }),
  },
  responses: {
    200: jsonAnswer("A page of memories.", countedPage(Memory, "MemoryPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ memory_id: MemoryId });
const offset = (description: string) =>
  count(`${description}. Counted in UTF-16 code units, as in JavaScript strings.`);

export const MemoryChunk = z
  .strictObject({
    id: ChunkId,
    ordinal: count("Position among the chunks, from 0."),
    start: offset("Start in the content, after the overlap with the previous chunk"),
    end: offset("End in the content (exclusive), where the next chunk starts"),
    overlap_start: offset(
      "Start of the text that the vector is computed from. It is up to 64 tokens before `start`, so that it overlaps the previous chunk",
    ),
    indexed: z.boolean().meta({
      description: "Whether the vector of the chunk is stored, so that semantic search can find the chunk.",
    }),
  })
  .meta({
    description:
      "A part of a memory, which semantic search finds by one vector. The chunks of a memory together are its whole content.",
  })
  .openapi("MemoryChunk");
export type MemoryChunk = z.infer<typeof MemoryChunk>;

export const getMemory = createRoute({
  operationId: "getMemory",
  ...sdkExample(`
    const { content, summary, chunks } = await engram.memories.get(memory.id);
    console.log(content, summary, chunks.every(({ indexed }) => indexed));
  `),
  ...memoryTools.getMemory,
  method: "get",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Get a memory with its chunks",
  description: "Returns a memory with its full content, and the chunks by which semantic search finds it.",
  security: requires("read"),
  request: { params, query: z.strictObject({ as_of: AsOf.optional() }) },
  responses: {
    200: jsonAnswer(
      "The memory and its chunks.",
      z
        .strictObject({
          ...Memory.shape,
          chunks: z.array(MemoryChunk).meta({ description: "Chunks of the memory, in order." }),
        })
        .openapi("MemoryWithChunks"),
      entityHeaders,
    ),
    ...problems("validation_failed", "not_found", ...keyProblems),
  },
});

export const MemoryVersion = z
  .strictObject({
    version: z.int().min(1).meta({
      description:
        "Number of the version. It increases with each change, but not by one: capturing the same content again also increases it, and keeps no earlier version.",
    }),
    ...Memory.omit({
      ...{
        id: true,
        agent_id: true,
        shared: true,
        external_id: true,
        updated_at: true,
        sources: true,
        expires_at: true,
      },
    }).shape,
    key_id: ActorId.nullable().meta({
      description:
        "Key of the request that stored this version. Null if the text model in `enriched_by` wrote it, or if it was stored by a release without versions.",
    }),
    stored_at: timestamp("Time when this version was stored."),
    replaced_at: timestamp(
      "Time when the next version was stored. Null for the current version, which is the memory as it is now.",
    ).nullable(),
  })
  .meta({
    description:
      "A memory as it was from `stored_at` until `replaced_at`. Each version has all of its fields but `sources`, `shared` and `expires_at`, which only the memory itself has.",
  })
  .openapi("MemoryVersion");
export type MemoryVersion = z.infer<typeof MemoryVersion>;

export const listMemoryVersions = createRoute({
  operationId: "listMemoryVersions",
  ...sdkMethod({ method: "memories.listVersions" }),
  ...sdkExample(`
    for await (const { content, stored_at } of engram.memories.listVersions(memory.id))
      console.log(stored_at, content);
  `),
  method: "get",
  path: "/v1/memories/{memory_id}/versions",
  tags: ["Memories"],
  summary: "List the versions of a memory",
  description: `Returns a page of the versions of a memory, newest first. The first one is the memory as it is now. Every change keeps the version before it: an update, a replacement by \`putMemory\`, tags or a summary by a text model, and the end of a memory that another one supersedes. A request that changes nothing keeps none. Whoever can read the memory can read all its versions. They are removed with the memory. ${PAGE_BOUNDS}`,
  security: requires("read"),
  request: {
    params,
    query: z.strictObject({ limit: PageLimit.optional(), cursor: Cursor.optional() }),
  },
  responses: {
    200: jsonAnswer("A page of versions.", page(MemoryVersion, "MemoryVersionPage")),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

export const UpdateMemoryBody = z
  .strictObject({
    content: MemoryContent.min(1).optional().meta({
      description: "New content, which is chunked and embedded again. At least one character.",
    }),
    user_id: UserId.optional().meta({
      description:
        "User of a memory that has none. A memory of another user stays as it is: the request fails with 409.",
    }),
    shared: Shared.optional().meta({
      description:
        "Whether every user of the organization can read the memory. Only a key that is bound to no user can share; any other gets 403. A memory with a user cannot be shared: the request fails with 409.",
    }),
    sources: newSources(
      "Messages that the memory was derived from, which replace all of the old.",
    ).optional(),
    source: MemorySource.nullable().optional(),
    tags: Tags.optional().meta({ description: "New tags, which replace all of the old." }),
    summary: MemorySummary.nullable().optional(),
    metadata: Metadata.optional().meta({ description: "New metadata, which replaces all of the old." }),
    valid_from: validity.valid_from.optional(),
    valid_until: validity.valid_until.optional(),
    occurred_at: validity.occurred_at.optional(),
    expires_at: ExpiresAt.nullable().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .refine(canHold, CANNOT_HOLD)
  .refine(hasOneReader, SHARED_OF_USER)
  .openapi("UpdateMemoryBody", { minProperties: 1, example: { tags: ["customer", "refunds", "card"] } });

export const updateMemory = createRoute({
  operationId: "updateMemory",
  ...sdkExample(`
    const { etag } = await engram.memories.get(memory.id).withResponse();
    await engram.memories.update(memory.id, { tags: ["refunds", "card"] }, { ifMatch: etag });
  `),
  ...memoryTools.updateMemory,
  method: "patch",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Update a memory",
  description:
    "Changes the given fields; omitted fields stay unchanged. The memory as it was before is kept as an earlier version, which `listMemoryVersions` returns. New content removes the tags and the summary that a text model wrote for the old content, and sets `enriched_by` to null. With `If-Match`, nothing is changed if the memory has a newer version than that `ETag`. If the agent and user have another memory with the content, the request fails with 409. If the memory would get content or a user that was deleted with `forget`, too.",
  security: requires("write"),
  request: { params, headers: IfMatchHeaders, body: jsonBody(UpdateMemoryBody) },
  responses: {
    200: jsonAnswer("The updated memory.", Memory, entityHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "held",
      "content_conflict",
      "external_id_conflict",
      "forgotten",
      "user_conflict",
      "precondition_failed",
      ...writeProblems,
    ),
  },
});

export const deleteMemory = createRoute({
  operationId: "deleteMemory",
  ...sdkExample(`
    await engram.memories.delete(memory.id);
  `),
  ...memoryTools.deleteMemory,
  method: "delete",
  path: "/v1/memories/{memory_id}",
  tags: ["Memories"],
  summary: "Delete a memory",
  description:
    "Deletes a memory. It is excluded from every response at once. Its database row, earlier versions, keyword index entries and vectors are then removed for good, in the background. A deletion cannot be undone. The same content can be captured again, as a new memory. With `forget`, neither the content nor the external id is stored again for the agent and the user, nor the memory by an import: `listTombstones` says how.",
  security: requires("delete"),
  request: { params, query: ForgetQuery, headers: IfMatchHeaders },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see when rows and vectors are removed.",
      DeleteMemoryOperation,
    ),
    ...problems("validation_failed", "not_found", "held", "precondition_failed", ...writeProblems),
  },
});

const conditions = {
  ...filters,
  tags_any: Tags.min(1).optional().meta({ description: "Only memories with at least one of these tags." }),
  tags_all: Tags.min(1).optional().meta({ description: "Only memories with all of these tags." }),
  created_after: timestamp("Only memories captured at or after this time.").optional(),
  created_before: timestamp("Only memories captured before this time.").optional(),
  metadata: MetadataValues.refine((value) => Object.keys(value).length > 0, "must have at least one value")
    .meta({
      description:
        "Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.",
    })
    .openapi({ minProperties: 1 })
    .optional(),
};

export const DeleteMemoriesBody = z
  .strictObject({
    filter: z
      .strictObject(conditions)
      .refine((filter) => Object.keys(filter).length > 0, "must have at least one condition")
      .meta({ description: "Memories to delete. All conditions must match; at least one is required." })
      .openapi({ minProperties: 1 })
      .optional(),
    all: z
      .literal(true)
      .optional()
      .meta({ description: "Instead of a filter: delete every memory that the key can change." }),
    dry_run: z.boolean().default(false).meta({
      description:
        "`true`: delete nothing, and return the number of memories that would be deleted. Recommended before every deletion. Default `false`.",
    }),
    forget: Forget,
  })
  .refine(
    ({ filter, all }) => (all === undefined) !== (filter === undefined),
    "must have either `filter` or `all`",
  )
  .openapi("DeleteMemoriesBody", { example: { filter: { agent_id: "support-bot" }, dry_run: true } });
export type DeleteMemoriesBody = z.infer<typeof DeleteMemoriesBody>;

export const MemoriesCounted = z
  .strictObject({
    memories: count("Number of memories that would be deleted now."),
    held: HeldCount,
    complete: CountedWhole,
  })
  .openapi("MemoriesCounted");
export type MemoriesCounted = z.infer<typeof MemoriesCounted>;

export const deleteMemories = createRoute({
  operationId: "deleteMemories",
  ...sdkMethod({ method: "memories.deleteMany" }),
  ...sdkExample(`
    const receipt = await engram.memories.deleteMany({ agent_id: "support-bot" });
  `),
  method: "post",
  path: "/v1/memories/delete",
  tags: ["Memories"],
  summary: "Delete memories by filter, or all",
  description:
    "Deletes every memory that matches the filter, or with `all` every memory that the key can change. A deleted memory is excluded from every response. Up to 1,000 memories are deleted before the request returns. The others follow in the background, oldest first, in steps of up to 1,000. One step reads at most 4,000 memories with a filter by tags or metadata, or 50,000 otherwise. Memories captured after the request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards. `cancelOperation` stops the steps that have not begun; it cannot restore memories that are already deleted.",
  security: requires("delete"),
  request: { headers: IdempotencyHeaders, body: jsonBody(DeleteMemoriesBody) },
  responses: {
    200: jsonAnswer("Counts of a dry run. Nothing was deleted.", MemoriesCounted),
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed.",
      DeleteMemoriesOperation,
      replayHeaders,
    ),
    ...problems(...bodyProblems, "idempotency_mismatch", ...writeProblems),
  },
});

export const EnrichMemoriesBody = z
  .strictObject({
    filter: z.strictObject(conditions).default({}).meta({
      description: "Memories to enrich. All conditions must match. Default: all that the key can change.",
    }),
  })
  .openapi("EnrichMemoriesBody", { example: { filter: { source: "slack" } } });

export const enrichMemories = createRoute({
  operationId: "enrichMemories",
  ...sdkMethod({ takes: "filter" }),
  ...sdkExample(`
    const { id } = await engram.memories.enrich({ source: "slack" });
  `),
  method: "post",
  path: "/v1/memories/enrich",
  tags: ["Memories"],
  summary: "Enrich memories with tags and summaries",
  description:
    "Has the text model of the service write the tags and summaries that memories lack. Tags and summaries that you gave never change. Those that an earlier text model wrote are replaced; those of the current one are kept. If the service has no text model, the request fails with 503. The work has two passes. In the first, the model suggests tags for each memory, and nothing is stored. In the second, it writes tags and summaries. It can choose from the 50 most frequent tags of the first pass, so that memories about one topic get the same tag. Memories go through both passes in groups of 5,000, or 4,000 with a filter by tags or metadata, oldest first. `progress` does not count memories that are queued for enrichment already: those captured or changed shortly before, and those of another `enrichMemories` operation.",
  security: requires("write"),
  request: { headers: IdempotencyHeaders, body: jsonBody(EnrichMemoriesBody) },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the enrichment. Get it again with `getOperation` to see its progress.",
      EnrichMemoriesOperation,
      replayHeaders,
    ),
    ...problems(...bodyProblems, "idempotency_mismatch", ...writeProblems),
  },
});

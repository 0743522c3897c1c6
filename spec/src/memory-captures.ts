import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  ExpiresAt,
  entityHeaders,
  hasOneReader,
  IdempotencyHeaders,
  IfMatchHeaders,
  jsonAnswer,
  jsonBody,
  MemoryId,
  Metadata,
  NewShared,
  optionalOrNull,
  optionalParts,
  replayHeaders,
  requires,
  SHARED_OF_USER,
  sdkExample,
  sdkMethod,
  Tags,
  UserId,
  WRITE_SIZE,
  writeProblems,
} from "./common.ts";
import {
  CAPTURE_MEMORIES_MAX,
  CONFLICT_CONTENT_BYTES_MAX,
  CONFLICTS_COMPARED_MAX,
  POSSIBLE_CONFLICTS_MAX,
} from "./limits.ts";
import { Memory, MemoryKind, MemorySource } from "./memories.ts";
import {
  CANNOT_HOLD,
  CapturedAt,
  canHold,
  MemoryContent,
  MemoryExternalId,
  MemorySummary,
  OccurredAt,
  ofMemory,
  Supersedes,
  ValidFrom,
  ValidUntil,
} from "./memory-fields.ts";
import { memoryTools } from "./memory-tools.ts";
import { problems } from "./problem.ts";
import { newSources } from "./sources.ts";

const fields = {
  content: MemoryContent,
  parts: optionalParts(ofMemory),
  sources: newSources("Messages that the memory was derived from.").optional(),
  kind: MemoryKind.default("note"),
  source: optionalOrNull(MemorySource),
  agent_id: optionalOrNull(AgentId).meta({
    description:
      "Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects any other with 403.",
  }),
  user_id: optionalOrNull(UserId).meta({
    description:
      "Your own id for the user that the memory belongs to. A key bound to a user sets that user, and rejects any other with 403.",
  }),
  shared: NewShared,
  external_id: optionalOrNull(MemoryExternalId).meta({
    description:
      "Your own id for the memory, unique among the memories of its agent and user. Its content may occur in other memories. If it is stored already with this content, that memory is returned; with other content, the request fails with 409. `putMemory` replaces it.",
  }),
  tags: Tags.optional(),
  summary: optionalOrNull(MemorySummary),
  metadata: Metadata.optional(),
  valid_from: optionalOrNull(ValidFrom),
  valid_until: optionalOrNull(ValidUntil),
  occurred_at: optionalOrNull(OccurredAt),
  expires_at: optionalOrNull(ExpiresAt),
  supersedes: optionalOrNull(
    Supersedes.meta({
      description:
        "Id of a memory of the same agent and user that this one replaces. It ends in the same transaction, at `valid_from` (then by default now) unless it has ended before, and names this one in `superseded_by`. Without such a memory, the request fails with 404, and if the new content is stored already, with 409. Nothing is stored then.",
    }),
  ),
  created_at: CapturedAt.optional().meta({
    description:
      "Time when the memory was captured, with millisecond precision. Set it for a memory from the past. Default: now.",
  }),
};
const example = {
  content: "Maria prefers refunds to her card, never store credit.",
  user_id: "user_4711",
  tags: ["refunds"],
};

const hasContent = ({ content, parts }: { content: string; parts?: unknown }): boolean =>
  content !== "" || parts !== undefined;
const NO_CONTENT = { path: ["content"], message: "must not be empty without `parts`" };

export const NewMemory = z
  .strictObject(fields)
  .refine(hasContent, NO_CONTENT)
  .refine(canHold, CANNOT_HOLD)
  .refine(hasOneReader, SHARED_OF_USER)
  .openapi("NewMemory", { example });
export type NewMemory = z.infer<typeof NewMemory>;

const Wait = z.literal("indexed").optional().meta({
  description:
    "`indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed. Default: respond without waiting.",
});

const CheckConflicts = z.boolean().default(false).meta({
  description: `Whether to return \`possible_conflicts\`. Then the request also reads other memories of the agent and user. Default \`false\`.`,
});

export const CapturedMemory = z
  .strictObject({
    ...Memory.shape,
    possible_conflicts: z
      .array(MemoryId)
      .max(POSSIBLE_CONFLICTS_MAX)
      .optional()
      .meta({
        description: `Only with \`check_conflicts\`: memories of the same agent and user that may contradict this one, newest first. They have similar words, and another number, date, URL or e-mail address, or only one of the two is negated. They are candidates, found by fixed rules: both may be true. At most ${POSSIBLE_CONFLICTS_MAX}, among the ${CONFLICTS_COMPARED_MAX} newest that hold and have at most ${CONFLICT_CONTENT_BYTES_MAX.toLocaleString("en-US")} bytes. Empty if there are none, or if this memory is longer.`,
      }),
  })
  .openapi("CapturedMemory");
export type CapturedMemory = z.infer<typeof CapturedMemory>;

export const createMemory = createRoute({
  operationId: "createMemory",
  ...sdkExample(`
    const { id } = await engram.memories.create({
      content: "Maria prefers refunds to her card.",
      user_id: "maria",
      agent_id: "support-bot",
      tags: ["refunds"],
    });
  `),
  ...memoryTools.createMemory,
  method: "post",
  path: "/v1/memories",
  tags: ["Memories"],
  summary: "Capture a memory",
  description:
    "Stores a memory verbatim. If the agent and user have a memory with exactly this content, that one is returned with 200: its `updated_at` is set to now, and nothing else of it changes. If the service has a text model, the model writes the tags and the summary that you do not give, soon after the response. It never replaces yours. Keyword search finds the memory at once, semantic search within seconds.",
  security: requires("write"),
  request: {
    headers: IdempotencyHeaders,
    body: jsonBody(
      z
        .strictObject({ ...fields, check_conflicts: CheckConflicts, wait: Wait })
        .refine(hasContent, NO_CONTENT)
        .refine(canHold, CANNOT_HOLD)
        .refine(hasOneReader, SHARED_OF_USER)
        .openapi("CreateMemoryBody", { example }),
    ),
  },
  responses: {
    200: jsonAnswer("The existing memory with this content.", CapturedMemory, {
      ...replayHeaders,
      ...entityHeaders,
    }),
    201: jsonAnswer("The new memory.", CapturedMemory, { ...replayHeaders, ...entityHeaders }),
    ...problems(
      ...bodyProblems,
      "not_found",
      "held",
      "content_conflict",
      "external_id_conflict",
      "forgotten",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

export const PutMemoryBody = z
  .strictObject({
    ...fields,
    external_id: MemoryExternalId.meta({
      description:
        "Your own id for the memory, unique among the memories of its agent and user. Any other memory may have the same content.",
    }),
    wait: Wait,
  })
  .refine(hasContent, NO_CONTENT)
  .refine(canHold, CANNOT_HOLD)
  .refine(hasOneReader, SHARED_OF_USER)
  .openapi("PutMemoryBody", { example: { ...example, external_id: "refunds" } });

export const putMemory = createRoute({
  operationId: "putMemory",
  ...sdkExample(`
    const diet = { external_id: "diet", user_id: "maria" };
    await engram.memories.put({ ...diet, content: "Allergic to walnuts." });
    const { content } = await engram.memories.put({ ...diet, content: "Allergic to walnuts and peanuts." });
    console.log(content); // Allergic to walnuts and peanuts.
  `),
  method: "put",
  path: "/v1/memories",
  tags: ["Memories"],
  summary: "Create or replace a memory",
  description:
    "Stores a memory under your own id. If the agent and user have a memory with this `external_id`, all its fields are replaced; one that you leave out gets its default. Its `id`, its `superseded_by` and, unless you send them, its `created_at` and `supersedes` stay. The memory as it was before is kept as an earlier version. Sending the same request again changes nothing but `updated_at`, so it needs no idempotency key. The path names no memory, because your id is unique only together with the agent and the user in the body. With `If-Match`, nothing is stored if there is no such memory, or it has a newer version than that `ETag`.",
  security: requires("write"),
  request: { headers: IfMatchHeaders, body: jsonBody(PutMemoryBody) },
  responses: {
    200: jsonAnswer("The replaced memory.", Memory, entityHeaders),
    201: jsonAnswer("The new memory.", Memory, entityHeaders),
    ...problems(...bodyProblems, "not_found", "held", "forgotten", "precondition_failed", ...writeProblems),
  },
});

export const CapturedMemories = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          id: MemoryId.nullable().meta({ description: "Id of the memory; null if it was skipped." }),
          created: z.boolean().meta({
            description: "Whether the memory is new; `false` if its content was stored already, or skipped.",
          }),
          skipped: z.literal("forgotten").optional().meta({
            description:
              "`forgotten`: the memory or its user was deleted with `forget`, so it was not stored. Absent otherwise.",
          }),
        }),
      )
      .meta({ description: "One item for each memory of the request, in the same order." }),
  })
  .openapi("CapturedMemories");
export type CapturedMemories = z.infer<typeof CapturedMemories>;

export const createMemories = createRoute({
  operationId: "createMemories",
  ...sdkMethod({ method: "memories.createMany" }),
  ...sdkExample(`
    const { items } = await engram.memories.createMany({
      memories: [{ content: "Refunds take three days." }, { content: "Refunds over 100 euros need a second look." }],
    });
    console.log(items.filter(({ created }) => created).length);
  `),
  method: "post",
  path: "/v1/memories/bulk",
  tags: ["Memories"],
  summary: "Capture memories in bulk",
  description: `Stores up to 1,000 memories, all or none, each in the same way as a single capture. Only those that were deleted with \`forget\` are skipped, and their items say so. Content that occurs several times in the request is stored once. One bulk capture holds at most ${WRITE_SIZE}; a larger one fails with 413 and stores nothing.`,
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
            .meta({ description: `Memories to store: 1 to 1,000, and in total at most ${WRITE_SIZE}.` }),
          wait: Wait,
        })
        .openapi("CreateMemoriesBody", {
          example: { memories: [{ content: "Refunds over 100 euros need a second pair of eyes." }] },
        }),
    ),
  },
  responses: {
    200: jsonAnswer("Ids of the memories.", CapturedMemories, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "held",
      "content_conflict",
      "external_id_conflict",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

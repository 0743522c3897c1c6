import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  bodyProblems,
  ConversationId,
  Cursor,
  count,
  isJsonObject,
  jsonAnswer,
  jsonBody,
  keyProblems,
  Metadata,
  PageLimit,
  page,
  RecallId,
  RunId,
  requires,
  sdkExample,
  sdkMethod,
  shortText,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { RECALL_DAYS, RECALL_ITEMS_MAX } from "./limits.ts";
import { sequence } from "./messages.ts";
import { problems } from "./problem.ts";
import { SearchAnswer } from "./search.ts";

/** Operations whose answers can be recorded. Stored in databases and used by clients: add some, never rename one. */
export const RECALLED_OPERATIONS = ["search", "searchMemories", "getContext"] as const;
export type RecalledOperation = (typeof RECALLED_OPERATIONS)[number];

/** The lists of an answer, in the order of the text of a context. */
export const RECALLED_PARTS = ["memories", "results", "summaries", "messages"] as const;
export type RecalledPart = (typeof RECALLED_PARTS)[number];

export const ItemId = z
  .string()
  .regex(/^(msg|mem)_[0-9a-z]{20}$/, "must be the id of a message or a memory")
  .meta({
    description: "Id of the message or memory. It stays when the item is deleted.",
    examples: ["msg_06e3tqz8m1k4v9x2c7d0"],
  });

const offset = (description: string) =>
  count(`Only of an item that was cut: ${description} in its content, in UTF-16 code units.`).optional();

export const RecalledItem = z
  .strictObject({
    type: z.enum(["message", "memory"]).meta({ description: "What the item is." }),
    id: ItemId,
    part: z.enum(RECALLED_PARTS).meta({
      description:
        "List of the answer that had the item. In a search, all are `results`. In a context, `results` are messages that the search found, `summaries` messages that a summary cites, and `messages` the newest ones of the conversation.",
    }),
    conversation_id: ConversationId.nullable().meta({
      description: "Conversation of a message; null for a memory.",
    }),
    sequence: sequence("Sequence number of a message; null for a memory.").nullable(),
    version: z.int().min(1).nullable().meta({
      description:
        "Number of the version of a memory, as in `listMemoryVersions`. Null for a message, of which no versions are kept, and for a memory that was deleted before the answer was recorded.",
    }),
    updated_at: timestamp(
      "Time of the last change to a message before the answer; null if there was none, and for a memory.",
    ).nullable(),
    hash: z
      .string()
      .regex(/^[\w-]{22}$/)
      .meta({
        description:
          "Keyed hash of the content that was returned: of the part, if the item was cut, and of the sentences that cite it, if only a summary had the message. It is the first half of HMAC-SHA-256 in base64url, computed with the same secret of the organization as the hashes of tombstones. It tells whether the content is still the same, and cannot be turned back into it.",
        examples: ["Zk3v0h2pJwQmX1cY7dR9bA"],
      }),
    score: z.number().nullable().meta({
      description:
        "Score of the item in the search, to six digits. Null for a neighbor of a match, and in a context.",
    }),
    relevance: z.number().min(0).max(1).nullable().meta({
      description:
        "`relevance` of the result with the item, to six digits. Null if the search did not find it.",
    }),
    content_start: offset("start of the returned part"),
    content_end: offset("end of the returned part"),
  })
  .meta({ description: "An item of an answer, without its content." })
  .openapi("RecalledItem");
export type RecalledItem = z.infer<typeof RecalledItem>;

export const Rules = z.int().min(1).meta({
  description:
    "Version of the rules by which the service ranks, cuts and lays out. It increases with every release that changes them.",
});
export const Models = z.strictObject({
  embedding: z.string().meta({
    description: "Model of the vectors.",
    examples: ["@cf/baai/bge-base-en-v1.5"],
  }),
  reranking: z.string().nullable().meta({
    description: "Model that ordered the results again; null without `rerank`.",
  }),
});

/** The request body of the recorded operation. */
export const RecalledRequest = z
  .custom<Record<string, unknown>>(isJsonObject, "must be an object")
  .meta({
    description:
      "Body of the request: the query, the filters and all other fields with their defaults, except `record`. So a receipt has the text of its query.",
    examples: [{ query: "When was the refund sent?", user_id: "user_4711" }],
  })
  .openapi({ type: "object", additionalProperties: {} });

const Outcome = shortText("What came of the answer, in your own words.", "answered");

export const Recall = z
  .strictObject({
    id: RecallId,
    operation: z.enum(RECALLED_OPERATIONS).meta({ description: "Operation whose answer was recorded." }),
    request: RecalledRequest,
    agent_id: AgentId.nullable().meta({
      description: "Agent of the request: that of the key, of the filter, or of `conversation_id`.",
    }),
    user_id: UserId.nullable().meta({
      description:
        "User of the request: that of the key, of the filter, or of `conversation_id`. The receipt is deleted with the user.",
    }),
    key: z
      .strictObject({
        id: ActorId,
        agent_id: AgentId.nullable().meta({ description: "Agent that the key was bound to." }),
        user_id: UserId.nullable().meta({ description: "User that the key was bound to." }),
      })
      .meta({ description: "Key of the request." }),
    run_id: RunId.nullable(),
    metadata: Metadata,
    items: z.array(RecalledItem).max(RECALL_ITEMS_MAX).meta({
      description: "Every item of the answer, in its order: results as they rank, messages by sequence.",
    }),
    layout: z
      .array(
        z.strictObject({
          part: z.enum(RECALLED_PARTS).meta({ description: "List of the answer." }),
          items: count("Number of its items."),
          tokens: count("Tokens of the list, as the answer stated them."),
          omitted: count("Number of items or results that did not fit into the budget of tokens or bytes."),
          below_min_relevance: count("Number of results that the floor `min_relevance` left out."),
        }),
      )
      .max(RECALLED_PARTS.length)
      .meta({
        description: "The lists of the answer in order: what each cost, and what was left out of it.",
      }),
    tokens: count("Tokens of the whole answer, as it stated them."),
    degraded: SearchAnswer.shape.degraded,
    pending: SearchAnswer.shape.pending,
    models: Models.meta({ description: "Models of the search." }),
    rules: Rules,
    used: z.array(ItemId).max(RECALL_ITEMS_MAX).nullable().meta({
      description: "Ids of the items that were used, as `updateRecall` noted them. Null until then.",
    }),
    outcome: Outcome.nullable().meta({
      description: "What came of the answer, as `updateRecall` noted it. Null until then.",
    }),
    noted_at: timestamp("Time of the last note; null until then.").nullable(),
    created_at: timestamp("Time when the answer was recorded."),
    expires_at: timestamp(`Time when the receipt is deleted, ${RECALL_DAYS} days after \`created_at\`.`),
  })
  .meta({
    description:
      "A receipt of recall: what a search or a context answered. It has ids and hashes of the items, and the query, but no content.",
  })
  .openapi("Recall");
export type Recall = z.infer<typeof Recall>;

const KEPT = `Receipts are kept for ${RECALL_DAYS} days. A key that is bound to an agent or a user gets only those of keys with the same binding.`;

export const listRecalls = createRoute({
  operationId: "listRecalls",
  ...sdkExample(`
    // Which answers had this message?
    for await (const { id, created_at } of engram.recalls.list({ item_id: message.id })) console.log(id, created_at);
  `),
  method: "get",
  path: "/v1/recalls",
  tags: ["Recalls"],
  summary: "List receipts of recall",
  description: `Returns a page of receipts of recall, newest first. All filters must match. ${KEPT} A page may hold fewer receipts than \`limit\`, or none, without being the last: it ends before its JSON exceeds 2 MB, and one request reads at most 10,000 receipts to find matching ones. Continue until \`next_cursor\` is null.`,
  security: requires("search"),
  request: {
    query: z.strictObject({
      user_id: UserId.optional().meta({ description: "Only receipts of this user." }),
      run_id: RunId.optional().meta({ description: "Only receipts of this run." }),
      item_id: ItemId.optional().meta({
        description: "Only receipts of answers that had this message or memory, also one that is deleted.",
      }),
      conversation_id: ConversationId.optional().meta({
        description:
          "Only receipts of answers that had a message of this conversation, also one that is deleted.",
      }),
      created_after: timestamp("Only receipts recorded at or after this time.").optional(),
      created_before: timestamp("Only receipts recorded before this time.").optional(),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of receipts.", page(Recall, "RecallPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ recall_id: RecallId });

export const getRecall = createRoute({
  operationId: "getRecall",
  ...sdkExample(`
    const { recall_id } = await engram.search({ query: "When was the refund sent?", record: true });
    if (recall_id) console.log((await engram.recalls.get(recall_id)).items);
  `),
  method: "get",
  path: "/v1/recalls/{recall_id}",
  tags: ["Recalls"],
  summary: "Get a receipt of recall",
  description: `Returns what a search or a context with \`record\` answered: the request, every item with its version and a keyed hash of its content, scores, what was left out, the models and the rules. ${KEPT}`,
  security: requires("search"),
  request: { params },
  responses: { 200: jsonAnswer("The receipt.", Recall), ...problems("not_found", ...keyProblems) },
});

export const UpdateRecallBody = z
  .strictObject({
    used: z.array(ItemId).max(RECALL_ITEMS_MAX).optional().meta({
      description: "Ids of the items of the receipt that were used. They replace those noted before.",
    }),
    outcome: Outcome.nullable().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .openapi("UpdateRecallBody", {
    minProperties: 1,
    example: { outcome: "answered" },
  });
export type UpdateRecallBody = z.infer<typeof UpdateRecallBody>;

export const updateRecall = createRoute({
  operationId: "updateRecall",
  ...sdkExample(`
    const { recall_id, results } = await engram.memories.search({ query: "How does Maria want refunds?", record: true });
    const used = results.slice(0, 1).map(({ memory }) => memory.id);
    if (recall_id) await engram.recalls.update(recall_id, { used, outcome: "answered" });
  `),
  method: "patch",
  path: "/v1/recalls/{recall_id}",
  tags: ["Recalls"],
  summary: "Note what came of an answer",
  description:
    "Notes which items of an answer were used, and what came of it. Fields that you leave out stay unchanged. An id that the receipt does not have fails with 400. Nothing else of a receipt can be changed.",
  security: requires("search"),
  request: { params, body: jsonBody(UpdateRecallBody) },
  responses: {
    200: jsonAnswer("The receipt.", Recall),
    ...problems(...bodyProblems, "not_found", ...writeProblems),
  },
});

/** Why an answer differs. Used by clients: add causes, never rename one. */
export const REPLAY_CAUSES = [
  "deleted",
  "forgotten",
  "edited",
  "newer",
  "reembedded",
  "rules_changed",
  "degraded",
  "indexed",
  "others_changed",
] as const;
const ReplayCause = z.enum(REPLAY_CAUSES);
export type ReplayCause = z.infer<typeof ReplayCause>;

export const ReplayDifference = z
  .strictObject({
    change: z.enum(["missing", "added", "changed", "moved"]).meta({
      description:
        "`missing`: only the receipt has the item. `added`: only the new answer has it. `changed`: both have it, with different content, or cut differently. `moved`: both have it with the same content, but in another order among the items of both.",
    }),
    cause: ReplayCause.meta({
      description:
        "Why. What happened to the item itself comes first: it was `deleted`, deleted with `forgotten` as its tombstone says, `edited` (content, tags, metadata or times), or is `newer` than the receipt. Otherwise what concerns the whole search: `rules_changed`, `reembedded` (another embedding model), `degraded` (one of the two searches could not take everything into account) or `indexed` (semantic search has found more since, which the receipt counts as `pending`). Otherwise, the item gave way to an item with one of the first four causes, and has its cause. `others_changed` is left: items that neither answer has were stored, changed or deleted, and scores depend on how frequent words are.",
    }),
    before: RecalledItem.optional(),
    now: RecalledItem.optional(),
  })
  .meta({
    description:
      "An item that differs, and why: `before` in the receipt, unless it was added, and `now` in the new answer, unless it is missing.",
  })
  .openapi("ReplayDifference");
export type ReplayDifference = z.infer<typeof ReplayDifference>;

export const Replay = z
  .strictObject({
    recall_id: RecallId,
    same: z.boolean().meta({
      description:
        "Whether the new answer has the same items, with the same content, in the same order. Scores may differ.",
    }),
    differences: z
      .array(ReplayDifference)
      .max(2 * RECALL_ITEMS_MAX)
      .meta({ description: "What differs: first items of the receipt in its order, then added ones." }),
    degraded: SearchAnswer.shape.degraded,
    models: Models.meta({ description: "Models of the new search." }),
    rules: Rules,
    replayed_at: timestamp("Time of the new search."),
  })
  .meta({ description: "The same request again, compared with its receipt. It has no content." })
  .openapi("Replay");
export type Replay = z.infer<typeof Replay>;

export const replayRecall = createRoute({
  operationId: "replayRecall",
  ...sdkMethod({ repeatable: true }),
  ...sdkExample(`
    const [recall] = await engram.recalls.list().toArray({ max: 1 });
    if (recall) {
      const { same, differences } = await engram.recalls.replay(recall.id);
      for (const { change, cause, before, now } of differences) console.log(change, cause, (before ?? now)?.id);
      console.log(same);
    }
  `),
  method: "post",
  path: "/v1/recalls/{recall_id}/replay",
  tags: ["Recalls"],
  summary: "Replay a recall",
  description:
    "Sends the recorded request again, with the same binding to an agent and a user, and answers that the answer is the same, or each difference with its cause. Memories are those that held when it was recorded. Nothing is recorded. It counts as a search.",
  security: requires("search"),
  request: { params },
  responses: {
    200: jsonAnswer("The comparison.", Replay),
    ...problems("not_found", ...keyProblems),
  },
});

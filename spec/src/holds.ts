import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  AgentId,
  bodyProblems,
  Cursor,
  count,
  IdempotencyHeaders,
  id,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MetadataValues,
  PageLimit,
  page,
  replayHeaders,
  requires,
  sdkExample,
  sdkMethod,
  shortText,
  Tags,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { HOLD_ITEMS_MAX, HOLDS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

export const HoldId = id("Id of a legal hold.", "hold_06e3tqz8m1k4v9x2c7d0");

const HOLD_STATUSES = ["active", "lifted"] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

const Reason = shortText(
  "Why the hold exists, such as the number of a case. At most 256 characters.",
  "Case 2026-114",
);

const ItemIds = z
  .array(id("Id of a conversation or memory.", "conv_06e3tqz8m1k4v9x2c7d0"))
  .min(1)
  .max(HOLD_ITEMS_MAX);

export const HoldFilter = z
  .strictObject({
    corpus: z.enum(["conversations", "memories"]).optional().meta({
      description: "Only conversations, or only memories. Default: both.",
    }),
    agent_id: AgentId.optional().meta({ description: "Only items of this agent." }),
    user_id: UserId.optional().meta({ description: "Only items of this user." }),
    tags_any: Tags.min(1).optional().meta({ description: "Only items with at least one of these tags." }),
    tags_all: Tags.min(1).optional().meta({ description: "Only items with all of these tags." }),
    metadata: MetadataValues.refine((value) => Object.keys(value).length > 0, "must have at least one value")
      .openapi({ minProperties: 1 })
      .optional(),
    created_after: timestamp("Only items created at or after this time.").optional(),
    created_before: timestamp("Only items created before this time.").optional(),
  })
  .meta({
    description:
      "Conversations and memories that are held, also those that are stored later. All conditions must match. An empty filter holds everything.",
  })
  .openapi("HoldFilter");
export type HoldFilter = z.infer<typeof HoldFilter>;

const fields = {
  id: HoldId,
  status: z.enum(HOLD_STATUSES).meta({ description: "`active` until the hold is lifted." }),
  reason: Reason,
  filter: z.union([HoldFilter, z.null()]).meta({ description: "What is held; null if the hold names ids." }),
  item_count: count("Number of ids that the hold names; null if it has a filter.").nullable(),
  created_at: timestamp("Time from which it holds."),
  created_by: ActorId,
  lifted_at: timestamp("Time when it was lifted; null while it is active.").nullable(),
  lifted_by: ActorId.nullable().meta({
    description: "Id of the API key, or of the member, that lifted it; null while it is active.",
  }),
};

export const Hold = z
  .strictObject(fields)
  .meta({
    description:
      "A legal hold. While it is active, nothing that it holds is deleted, edited or removed for good, by anybody.",
  })
  .openapi("Hold");
export type Hold = z.infer<typeof Hold>;

export const HoldDetails = z
  .strictObject({
    ...fields,
    ids: z
      .union([ItemIds, z.null()])
      .meta({ description: "The ids that it names; null if it has a filter." }),
    conversations: count("Number of conversations that it holds now. 0 once it is lifted."),
    memories: count("Number of memories that it holds now. 0 once it is lifted."),
    complete: z.boolean().meta({
      description:
        "Whether all items were counted. `false`: there are more than one request reads, and the numbers are of the first ones.",
    }),
  })
  .meta({ description: "A legal hold with what it holds." })
  .openapi("HoldDetails");
export type HoldDetails = z.infer<typeof HoldDetails>;

export const CreateHoldBody = z
  .strictObject({
    reason: Reason,
    ids: ItemIds.optional().meta({
      description: `Ids of the conversations and memories to hold, at most ${HOLD_ITEMS_MAX.toLocaleString("en-US")}.`,
    }),
    filter: HoldFilter.optional(),
  })
  .refine(
    ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
    "must have either `ids` or `filter`",
  )
  .openapi("CreateHoldBody", { example: { reason: "Case 2026-114", filter: { user_id: "user_4711" } } });
export type CreateHoldBody = z.infer<typeof CreateHoldBody>;

export const createHold = createRoute({
  operationId: "createHold",
  ...sdkExample(`
    const hold = await engram.holds.create({ reason: "Case 2026-114", filter: { user_id: "user_4711" } });
    await engram.holds.lift(hold.id);
  `),
  method: "post",
  path: "/v1/holds",
  tags: ["Holds"],
  summary: "Create a legal hold",
  description: `Holds conversations and memories: from now on, nothing deletes or edits them, and nothing that was deleted shortly before is removed for good. Such requests fail with 409 \`held\`. Deletions by a filter skip what is held and say how many items that were; the deletion of a user waits for the holds. Messages can still be added to a held conversation, and everything can be read, searched and exported. An item can be under several holds. An organization has at most ${HOLDS_MAX} active holds. The hold is recorded as an audit event.`,
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateHoldBody) },
  responses: {
    201: jsonAnswer("The hold.", Hold, replayHeaders),
    ...problems(...bodyProblems, "not_found", "too_many_holds", "idempotency_mismatch", ...writeProblems),
  },
});

export const listHolds = createRoute({
  operationId: "listHolds",
  ...sdkExample(`
    for await (const { id, reason } of engram.holds.list({ status: "active" })) console.log(id, reason);
  `),
  method: "get",
  path: "/v1/holds",
  tags: ["Holds"],
  summary: "List legal holds",
  description:
    "Returns a page of legal holds, newest first. Holds are never deleted, only lifted: they are deleted with the organization.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      status: z
        .enum(HOLD_STATUSES)
        .optional()
        .meta({ description: "Only active holds, or only lifted ones. Default: both." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of holds.", page(Hold, "HoldPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

const params = z.object({ hold_id: HoldId });

export const getHold = createRoute({
  operationId: "getHold",
  ...sdkExample(`
    const { id } = await engram.holds.create({ reason: "Case 2026-114", ids: [conversation.id] });
    const { conversations, memories } = await engram.holds.get(id);
    await engram.holds.lift(id);
  `),
  method: "get",
  path: "/v1/holds/{hold_id}",
  tags: ["Holds"],
  summary: "Get a legal hold",
  description:
    "Returns a legal hold with the ids that it names, and how many conversations and memories it holds now.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The hold.", HoldDetails), ...problems("not_found", ...keyProblems) },
});

export const liftHold = createRoute({
  operationId: "liftHold",
  ...sdkMethod({ method: "holds.lift", repeatable: true }),
  ...sdkExample(`
    const { id } = await engram.holds.create({ reason: "Case 2026-114", ids: [conversation.id] });
    await engram.holds.lift(id);
  `),
  method: "post",
  path: "/v1/holds/{hold_id}/lift",
  tags: ["Holds"],
  summary: "Lift a legal hold",
  description:
    "Ends a legal hold. What no other hold holds can be edited and deleted again, and deletions of users that waited for it continue in the background. The lift is recorded as an audit event. Lifting a hold again returns it unchanged.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The lifted hold.", Hold), ...problems("not_found", ...writeProblems) },
});

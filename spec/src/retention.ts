import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentId,
  bodyProblems,
  CountedWhole,
  count,
  HeldCount,
  IdempotencyHeaders,
  id,
  jsonAnswer,
  jsonBody,
  keyProblems,
  MetadataValues,
  OperationId,
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
import { RECALL_DAYS, RETENTION_DAYS_MAX, RETENTION_RULES_MAX, RETENTION_SAMPLES_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

export const RetentionRuleId = id("Id of a rule of retention.", "ret_06e3tqz8m1k4v9x2c7d0");

/** Stored in databases and used by clients: add kinds, never rename one. */
export const RETENTION_KINDS = [
  "conversations",
  "memories",
  "events",
  "usage",
  "audit_events",
  "recalls",
] as const;
const Kind = z.enum(RETENTION_KINDS).meta({
  description: `What the rule deletes. \`events\`: the event log, which never keeps more than seven days. \`recalls\`: receipts of recall, which are never kept for more than ${RECALL_DAYS} days. \`usage\`: whole days of it.`,
});
export type RetentionKind = z.infer<typeof Kind>;

/** Times of conversations and memories. */
export const RETENTION_TIMES = ["created_at", "updated_at", "last_message_at"] as const;
const By = z.enum(RETENTION_TIMES).meta({
  description:
    "Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from its `created_at`.",
});
export type RetentionTime = z.infer<typeof By>;

const Name = shortText("Your own name for the rule.", "Support chats");
const Days = z
  .int()
  .min(1)
  .max(RETENTION_DAYS_MAX)
  .meta({
    description: "Age in days of 24 hours from which items are deleted.",
    examples: [365],
  });
const DryRun = z.boolean().meta({
  description: "`true`: the rule only counts what it would delete, in `matched`, and deletes nothing.",
});

const Filter = z
  .strictObject({
    agent_id: AgentId.optional().meta({ description: "Only those of this agent." }),
    user_id: UserId.optional().meta({ description: "Only those of this user." }),
    tags_any: Tags.min(1).optional().meta({ description: "Only those with at least one of these tags." }),
    tags_all: Tags.min(1).optional().meta({ description: "Only those with all of these tags." }),
    metadata: MetadataValues.refine((value) => Object.keys(value).length > 0, "must have at least one value")
      .meta({
        description:
          "Only those whose `metadata` has all of these keys with these values at its top level. At most 16 keys.",
      })
      .openapi({ minProperties: 1 })
      .optional(),
  })
  .meta({
    description:
      "Which conversations or memories the rule is about. All conditions must match; without any, it is about all.",
  });

export const RetentionRule = z
  .strictObject({
    id: RetentionRuleId,
    name: Name,
    kind: Kind,
    older_than_days: Days,
    by: By,
    filter: Filter,
    dry_run: DryRun,
    matched: count(
      "Number of items that the rule matched when it was last applied; a lower bound if counting would have read too many. Null if it was not applied yet.",
    ).nullable(),
    operation_id: OperationId.nullable().meta({
      description:
        "Id of the last deletion of conversations or memories by the rule. Null if there was none yet, and for other kinds, whose deletion has no operation.",
    }),
    created_at: timestamp("Time when the rule was created."),
    updated_at: timestamp("Time of the last change of the rule by a request."),
    applied_at: timestamp("Time when the rule was last applied; null if it was not applied yet.").nullable(),
  })
  .meta({ description: "What is deleted at which age." })
  .openapi("RetentionRule");
export type RetentionRule = z.infer<typeof RetentionRule>;

const fields = {
  kind: Kind,
  older_than_days: Days,
  by: By.default("created_at").meta({
    description:
      "Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from its `created_at`. Default `created_at`, the only one of kinds other than `conversations` and `memories`.",
  }),
  filter: Filter.default({}),
};

/** Whether the kind has that time. */
const hasTime = ({ kind, by }: { kind: RetentionKind; by: RetentionTime }): boolean =>
  by === "created_at" || kind === "conversations" || (kind === "memories" && by === "updated_at");
const NO_TIME = { path: ["by"], message: "is not a time of items of this `kind`" };
const canFilter = ({ kind, filter }: { kind: RetentionKind; filter: object }): boolean =>
  kind === "conversations" || kind === "memories" || Object.keys(filter).length === 0;
const NO_FILTER = {
  path: ["filter"],
  message: "must be empty unless `kind` is `conversations` or `memories`",
};

export const CreateRetentionRuleBody = z
  .strictObject({
    name: Name,
    ...fields,
    dry_run: DryRun.default(false).meta({
      description:
        "`true`: the rule only counts what it would delete, in `matched`, and deletes nothing. Default `false`.",
    }),
  })
  .refine(hasTime, NO_TIME)
  .refine(canFilter, NO_FILTER)
  .openapi("CreateRetentionRuleBody", {
    example: {
      name: "Support chats",
      kind: "conversations",
      older_than_days: 365,
      by: "last_message_at",
      filter: { tags_any: ["support"] },
      dry_run: true,
    },
  });
export type CreateRetentionRuleBody = z.infer<typeof CreateRetentionRuleBody>;

export const createRetentionRule = createRoute({
  operationId: "createRetentionRule",
  ...sdkMethod({ method: "retention.create" }),
  ...sdkExample(`
    const { id } = await engram.retention.create({
      name: "Support chats",
      kind: "conversations",
      older_than_days: 365,
      by: "last_message_at",
      filter: { tags_any: ["support"] },
    });
  `),
  method: "post",
  path: "/v1/retention",
  tags: ["Retention"],
  summary: "Create a rule of retention",
  description: `Creates a rule, which the service usually applies for the first time within a few minutes, and later if many organizations have something due, which then take turns: what is older is then deleted. Use \`previewRetentionRule\` before, or \`dry_run\`. A rule of conversations or memories is applied again each hour, any other each day. The conversations or memories that it matches are deleted by an ordinary operation with a receipt, as \`deleteConversations\` and \`deleteMemories\` do, which names the rule. If nothing matches, there is no operation, unless a list is too long to know that before. While one still finds what to delete, the rule begins no other. Everything else is removed in the steps of the service's periodic work, without an operation. Each application that deletes something has the audit event \`retention.applied\`. Of audit events, only those that are in the chain are deleted, oldest first, and never the newest of it. An organization has at most ${RETENTION_RULES_MAX} rules.`,
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateRetentionRuleBody) },
  responses: {
    201: jsonAnswer("The new rule.", RetentionRule, replayHeaders),
    ...problems(
      ...bodyProblems,
      "not_found",
      "too_many_retention_rules",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

export const listRetentionRules = createRoute({
  operationId: "listRetentionRules",
  ...sdkMethod({ method: "retention.list" }),
  ...sdkExample(`
    const { items } = await engram.retention.list();
    for (const { name, kind, older_than_days, matched } of items) console.log(name, kind, older_than_days, matched);
  `),
  method: "get",
  path: "/v1/retention",
  tags: ["Retention"],
  summary: "List the rules of retention",
  description: `Returns all rules of the organization, at most ${RETENTION_RULES_MAX}, oldest first.`,
  security: requires("admin"),
  responses: {
    200: jsonAnswer(
      "The rules.",
      z
        .strictObject({ items: z.array(RetentionRule).meta({ description: "The rules, oldest first." }) })
        .meta({ description: "The rules of retention of an organization." })
        .openapi("RetentionRuleList"),
    ),
    ...problems(...keyProblems),
  },
});

const params = z.object({ rule_id: RetentionRuleId });

export const getRetentionRule = createRoute({
  operationId: "getRetentionRule",
  ...sdkMethod({ method: "retention.get" }),
  ...sdkExample(`
    const { id } = await engram.retention.create({ name: "Usage", kind: "usage", older_than_days: 365 });
    const { matched, applied_at } = await engram.retention.get(id);
  `),
  method: "get",
  path: "/v1/retention/{rule_id}",
  tags: ["Retention"],
  summary: "Get a rule of retention",
  description: "Returns a rule, with how many items it matched when it was last applied.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The rule.", RetentionRule), ...problems("not_found", ...keyProblems) },
});

export const UpdateRetentionRuleBody = z
  .strictObject({
    name: Name.optional(),
    older_than_days: Days.optional(),
    dry_run: DryRun.optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "must have at least one field to change")
  .openapi("UpdateRetentionRuleBody", { minProperties: 1, example: { dry_run: false } });
export type UpdateRetentionRuleBody = z.infer<typeof UpdateRetentionRuleBody>;

export const updateRetentionRule = createRoute({
  operationId: "updateRetentionRule",
  ...sdkMethod({ method: "retention.update" }),
  ...sdkExample(`
    const rule = { name: "Old notes", kind: "memories", older_than_days: 730, dry_run: true } as const;
    const { id } = await engram.retention.create(rule);
    await engram.retention.update(id, { dry_run: false });
  `),
  method: "patch",
  path: "/v1/retention/{rule_id}",
  tags: ["Retention"],
  summary: "Update a rule of retention",
  description:
    "Changes the given fields; omitted fields stay unchanged. The rule is usually applied again within a few minutes. What a rule is about (`kind`, `by`, `filter`) never changes: create another rule in its place.",
  security: requires("admin"),
  request: { params, body: jsonBody(UpdateRetentionRuleBody) },
  responses: {
    200: jsonAnswer("The updated rule.", RetentionRule),
    ...problems(...bodyProblems, "not_found", ...writeProblems),
  },
});

export const deleteRetentionRule = createRoute({
  operationId: "deleteRetentionRule",
  ...sdkMethod({ method: "retention.delete" }),
  ...sdkExample(`
    const { id } = await engram.retention.create({ name: "Usage", kind: "usage", older_than_days: 365 });
    await engram.retention.delete(id);
  `),
  method: "delete",
  path: "/v1/retention/{rule_id}",
  tags: ["Retention"],
  summary: "Delete a rule of retention",
  description:
    "Deletes a rule, which is not applied again. A deletion that it has begun goes on; `cancelOperation` stops it.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The deleted rule.", RetentionRule),
    ...problems("not_found", ...writeProblems),
  },
});

export const PreviewRetentionRuleBody = z
  .strictObject(fields)
  .refine(hasTime, NO_TIME)
  .refine(canFilter, NO_FILTER)
  .openapi("PreviewRetentionRuleBody", { example: { kind: "conversations", older_than_days: 365 } });
export type PreviewRetentionRuleBody = z.infer<typeof PreviewRetentionRuleBody>;

export const RetentionPreview = z
  .strictObject({
    matched: count("Number of items that a rule with these fields would delete now."),
    held: HeldCount,
    complete: CountedWhole,
    samples: z
      .array(z.string())
      .max(RETENTION_SAMPLES_MAX)
      .meta({
        description: `Ids of up to ${RETENTION_SAMPLES_MAX} of them, oldest first. Of \`usage\`, its days; of \`events\`, their sequences.`,
        examples: [["conv_06e3tqz8m1k4v9x2c7d0"]],
      }),
  })
  .meta({ description: "What a rule would delete now." })
  .openapi("RetentionPreview");
export type RetentionPreview = z.infer<typeof RetentionPreview>;

export const previewRetentionRule = createRoute({
  operationId: "previewRetentionRule",
  ...sdkMethod({ method: "retention.preview", repeatable: true }),
  ...sdkExample(`
    const { matched, samples } = await engram.retention.preview({ kind: "conversations", older_than_days: 365 });
    console.log(matched, samples);
  `),
  method: "post",
  path: "/v1/retention/preview",
  tags: ["Retention"],
  summary: "Preview a rule of retention",
  description:
    "Counts what a rule with these fields would delete now, and returns some of it. Changes nothing.",
  security: requires("admin"),
  request: { body: jsonBody(PreviewRetentionRuleBody) },
  responses: {
    200: jsonAnswer("What the rule would delete.", RetentionPreview),
    ...problems(...bodyProblems, ...keyProblems),
  },
});

import { createRoute, z } from "@hono/zod-openapi";
import {
  ActorId,
  Cursor,
  count,
  jsonAnswer,
  keyProblems,
  PageLimit,
  page,
  ROW_SCAN_BOUNDS,
  repeatedQuery,
  requires,
  sdkExample,
  UserId,
} from "./common.ts";
import { problems } from "./problem.ts";

const day = (description: string) => z.iso.date().meta({ description, examples: ["2026-11-02"] });

export const Usage = z
  .strictObject({
    day: day("Day in UTC."),
    key_id: ActorId.nullable().meta({
      description:
        "Id of the key or the member; null for work that belongs to no request, such as indexing that the service repeats in the background.",
    }),
    requests: count(
      "Number of requests with the key, including rejected ones. A request to the MCP endpoint `/mcp` counts once, however many tools it calls. A frame that a client sends over a socket counts as a request, except the first of each socket, `ping`, and an `ack` that the service does not wait for.",
    ),
    messages: count(
      "Number of new messages and memories, including those stored by a fork or an import. Items that were already stored do not count again: messages with a known external id, memories with the same content, repeats of a request with the same idempotency key, and lines that an earlier import stored.",
    ),
    message_bytes: count(
      "Number of bytes of content stored, as UTF-8: of the items that `messages` counts, and of messages and memories whose content was changed.",
    ),
    searches: count("Number of successful searches of conversations and memories."),
    errors: count(
      "Number of requests that were answered with a problem (a status of 400 or more). A failed MCP tool call counts as one.",
    ),
    embeddings: count(
      "Number of texts for which the embedding model computed a vector: chunks of messages and memories each time they are indexed, and queries of hybrid and semantic searches, except those whose vector the service still has from an earlier search of the same organization. Texts that a text model reads to write tags and summaries do not count.",
    ),
  })
  .meta({ description: "Usage of one key on one day." })
  .openapi("Usage");
export type Usage = z.infer<typeof Usage>;

/** What usage can be grouped by, in the order in which items are sorted. */
export const USAGE_DIMENSIONS = ["day", "key", "operation", "tool", "user"] as const;
export const UsageDimension = z.enum(USAGE_DIMENSIONS);
export type UsageDimension = z.infer<typeof UsageDimension>;

const sum = count("Sum.");

export const UsageGroup = z
  .strictObject({
    day: z.iso.date().optional().meta({ description: "Day in UTC." }),
    key_id: z.string().nullable().optional().meta({ description: "As in `Usage`." }),
    operation: z.string().nullable().optional().meta({
      description:
        "Operation id, `mcp`, `openEventSocket`, or `socketFrame` for frames of clients; null for work of no request.",
    }),
    tool: z.string().nullable().optional().meta({ description: "MCP tool; null without one." }),
    user_id: UserId.nullable().optional().meta({
      description:
        "User that the key is bound to. Null for keys that are bound to no user, whatever user their requests name, and for work of no request.",
    }),
    requests: count("Sum. By `operation` or `tool`, each MCP tool call counts too."),
    messages: sum,
    message_bytes: sum,
    searches: sum,
    errors: sum,
    embeddings: sum,
  })
  .meta({ description: "Sum of usage, with the dimensions in `group_by`." })
  .openapi("UsageGroup");
export type UsageGroup = z.infer<typeof UsageGroup>;

export const listUsage = createRoute({
  operationId: "listUsage",
  ...sdkExample(`
    for await (const { day, key_id, requests } of engram.usage.list()) console.log(day, key_id, requests);
  `),
  method: "get",
  path: "/v1/usage",
  tags: ["Usage"],
  summary: "List usage",
  description: `Returns a page of usage, newest day first. A day without usage has no item. The counts are for monitoring, not for billing. They are kept in memory and stored within about a minute, or later while the database is down. They are lost if the process ends before, and may be stored twice if the database does not confirm a write. Usage is deleted with the organization. ${ROW_SCAN_BOUNDS} With \`group_by\`, items are sums, sorted by day, key, operation, tool and user, over at most 20,000 keys and days. More fail with 400.`,
  security: requires("admin"),
  request: {
    query: z.strictObject({
      from: day("First day to return, in UTC.").optional(),
      to: day("Last day to return, in UTC.").optional(),
      key_id: ActorId.optional().openapi({ description: "Only usage of this key or member." }),
      group_by: repeatedQuery(
        UsageDimension,
        USAGE_DIMENSIONS.length,
        "Dimensions of the sums to return. Repeat the parameter for several. Default: the usage of each key on each day.",
      )
        .openapi({ items: { type: "string", enum: [...USAGE_DIMENSIONS] } })
        .optional(),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of usage.", page(z.union([Usage, UsageGroup]), "UsagePage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

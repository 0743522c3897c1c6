import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  count,
  IncludeTotal,
  jsonAnswer,
  KeyId,
  keyProblems,
  PageLimit,
  page,
  ROW_SCAN_BOUNDS,
  requires,
} from "./common.ts";
import { problems } from "./problem.ts";

const day = (description: string) => z.iso.date().meta({ description, examples: ["2026-11-02"] });

export const Usage = z
  .strictObject({
    day: day("Day in UTC."),
    key_id: KeyId.nullable().meta({
      description:
        "Id of the key; null for work that belongs to no request, such as indexing that the service repeats in the background.",
    }),
    requests: count(
      "Number of requests with the key, including rejected ones. A request to the MCP endpoint `/mcp` counts once, however many tools it calls.",
    ),
    messages: count(
      "Number of new messages and memories, including those stored by a fork or an import. Items that were already stored do not count again: messages with a known external id, memories with the same content, repeats of a request with the same idempotency key, and lines that an earlier import stored.",
    ),
    message_bytes: count(
      "Number of bytes of content stored, as UTF-8: of the items that `messages` counts, and of messages and memories whose content was changed.",
    ),
    searches: count("Number of successful searches of conversations and memories."),
    embeddings: count(
      "Number of texts for which the embedding model computed a vector: chunks of messages and memories each time they are indexed, and queries of hybrid and semantic searches, except those whose vector the service still has from an earlier search of the same organization. Texts that a text model reads to write tags and summaries do not count.",
    ),
  })
  .meta({ description: "Usage of one key on one day." })
  .openapi("Usage");
export type Usage = z.infer<typeof Usage>;

export const listUsage = createRoute({
  operationId: "listUsage",
  method: "get",
  path: "/v1/usage",
  tags: ["Usage"],
  summary: "List usage by day and key",
  description: `Returns a page of usage by day and key, newest day first. A day without usage has no item. The counts are for monitoring, not for billing. They are kept in memory and stored within about a minute, or later while the database is down. Counts that a process has not stored when it ends are lost, and counts may be stored twice if the database does not confirm a write. For exact numbers of messages and memories, count the stored data. Usage is deleted with the organization. ${ROW_SCAN_BOUNDS}`,
  security: requires("admin"),
  request: {
    query: z.strictObject({
      from: day("First day to return, in UTC.").optional(),
      to: day("Last day to return, in UTC.").optional(),
      key_id: KeyId.optional().openapi({ description: "Only usage of this key." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
      include_total: IncludeTotal.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of usage.", page(Usage, "UsagePage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

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
  requires,
} from "./common.ts";
import { problems } from "./problem.ts";

const day = (description: string) => z.iso.date().meta({ description, examples: ["2026-11-02"] });

export const Usage = z
  .strictObject({
    day: day("Day in UTC."),
    key_id: KeyId.nullable().meta({
      description: "Id of the key; null for work without a key, such as indexing by the sweep.",
    }),
    requests: count(
      "Number of requests with the key, including rejected ones. A request to `/mcp` counts once, whatever tools it calls.",
    ),
    messages: count(
      "Number of messages and memories stored, including those by a fork or an import. What was stored already does not count again: by its external id, by the content of a memory, by a repeat with an idempotency key, or by an earlier import.",
    ),
    message_bytes: count(
      "UTF-8 bytes of content stored: of these messages and memories, and of those whose content was changed.",
    ),
    searches: count("Number of searches answered, of conversations and of memories."),
    embeddings: count(
      "Number of texts embedded: chunks of messages and memories whenever they are indexed, and queries of hybrid and semantic searches. Text that a text model reads does not count.",
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
  description:
    "Returns a page of usage by day and key, newest day first. A day without usage has no item. For monitoring, not for billing: counts are kept in memory and stored within about a minute, or later while the database is down. Counts that a Worker has not stored when it ends are lost, and a write with an unknown outcome may count twice. To count messages and memories exactly, count the stored data. Usage is deleted with the organization.",
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

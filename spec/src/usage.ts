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
    day: day("The day, in UTC."),
    key_id: KeyId.nullable().meta({
      description:
        "The key that asked for it; null for work that no key asked for, such as indexing by the sweep.",
    }),
    requests: count(
      "Requests made with the key, refused ones too. A request to `/mcp` is one, whatever tools it calls.",
    ),
    messages: count(
      "Messages stored, by a fork or an import too, and memories captured, each as one. What was there already, by its external id, by its content as a memory, by a repeat under an idempotency key or by an earlier import, does not count again.",
    ),
    message_bytes: count(
      "UTF-8 bytes of content stored: of those messages and memories, and of those whose content was changed.",
    ),
    searches: count("Searches answered, of conversations and of memories."),
    embeddings: count(
      "Texts embedded: chunks of messages and of memories as they are indexed, anew too, and queries that are searched by meaning. What a text model reads of memories is not counted.",
    ),
  })
  .meta({ description: "What a key was used for on one day." })
  .openapi("Usage");
export type Usage = z.infer<typeof Usage>;

export const listUsage = createRoute({
  operationId: "listUsage",
  method: "get",
  path: "/v1/usage",
  tags: ["Usage"],
  summary: "List usage by day and key",
  description:
    "Lists what each key was used for on each day, the newest day first; a day without use has no item. It is for watching, not for billing: the service counts in memory and adds to the list within about a minute, or later while its database is down; what a Worker has not written when it ends is not counted, and a write whose outcome stayed unknown may count twice. Messages and memories can always be counted exactly from the data. Goes when the organization is deleted.",
  security: requires("admin"),
  request: {
    query: z.strictObject({
      from: day("Only this day and later ones, in UTC.").optional(),
      to: day("Only this day and earlier ones, in UTC.").optional(),
      key_id: KeyId.optional().openapi({ description: "Only what this key asked for." }),
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

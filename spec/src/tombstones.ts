import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  count,
  id,
  jsonAnswer,
  keyProblems,
  OperationId,
  PageLimit,
  page,
  requires,
  sdkExample,
  timestamp,
  writeProblems,
} from "./common.ts";
import { problems } from "./problem.ts";

export const TombstoneId = id("Id of a tombstone.", "tomb_06e3tqz8m1k4v9x2c7d0");

/** Stored in databases and used by clients: add kinds, never rename one. */
export const TOMBSTONE_KINDS = [
  "message",
  "conversation",
  "conversations",
  "memory",
  "memories",
  "user",
] as const;
export type TombstoneKind = (typeof TOMBSTONE_KINDS)[number];

export const Tombstone = z
  .strictObject({
    id: TombstoneId,
    kind: z.enum(TOMBSTONE_KINDS).meta({
      description:
        "What the deletion deleted: one item, all that matched a filter (`conversations`, `memories`), or a user with all its data.",
    }),
    operation_id: OperationId.meta({
      description: "Id of the deletion. Its operation names the deleted item or user.",
    }),
    conversations: count("Number of conversations deleted so far. They are refused with their messages."),
    messages: count("Number of messages deleted so far, with those of the conversations."),
    memories: count("Number of memories deleted so far."),
    created_at: timestamp("Time of the deletion."),
  })
  .meta({
    description:
      "What a deletion with `forget` leaves behind: hashes of ids, external ids and, for memories, contents, computed with a secret of the organization. It has no text, and no hash can be turned back into one.",
  })
  .openapi("Tombstone");
export type Tombstone = z.infer<typeof Tombstone>;

export const listTombstones = createRoute({
  operationId: "listTombstones",
  ...sdkExample(`
    for await (const { kind, memories, created_at } of engram.tombstones.list()) console.log(kind, memories, created_at);
  `),
  method: "get",
  path: "/v1/tombstones",
  tags: ["Tombstones"],
  summary: "List tombstones",
  description:
    "Returns a page of tombstones, newest first. A deletion with `forget`, and each deletion of a user, leaves one. While it exists, nothing that was deleted is stored again: captures, appends and forks of it fail with 409 `forgotten`, and imports and bulk captures skip it.",
  security: requires("admin"),
  request: { query: z.strictObject({ limit: PageLimit.optional(), cursor: Cursor.optional() }) },
  responses: {
    200: jsonAnswer("A page of tombstones.", page(Tombstone, "TombstonePage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

export const deleteTombstone = createRoute({
  operationId: "deleteTombstone",
  ...sdkExample(`
    const receipt = await engram.memories.delete(memory.id, { forget: true });
    const [tombstone] = await engram.tombstones.list().toArray({ max: 1 });
    if (tombstone?.operation_id === receipt.id) await engram.tombstones.delete(tombstone.id);
  `),
  method: "delete",
  path: "/v1/tombstones/{tombstone_id}",
  tags: ["Tombstones"],
  summary: "Delete a tombstone",
  description:
    "Allows again, from the next request on, all that the deletion refused: the user, and every item that the deletion deleted. It restores nothing: what was deleted stays deleted until it is captured or imported again. Steps of the deletion that have not begun still delete, but refuse nothing any more. Hashes are removed in the background. An item that another tombstone covers stays refused.",
  security: requires("admin"),
  request: { params: z.object({ tombstone_id: TombstoneId }) },
  responses: {
    200: jsonAnswer("The deleted tombstone.", Tombstone),
    ...problems("not_found", ...writeProblems),
  },
});

import { createRoute, z } from "@hono/zod-openapi";
import {
  Cursor,
  count,
  jsonAnswer,
  keyProblems,
  PageLimit,
  page,
  requires,
  sdkExample,
  timestamp,
  UserId,
  writeProblems,
} from "./common.ts";
import { USER_ITEMS_COUNTED_MAX } from "./limits.ts";
import { DeleteUserOperation } from "./operations.ts";
import { problems } from "./problem.ts";

const UNCOUNTED = `Null if there are more than ${USER_ITEMS_COUNTED_MAX.toLocaleString("en-US")}.`;

export const User = z
  .strictObject({
    id: UserId,
    conversation_count: count(`Number of conversations with the user. ${UNCOUNTED}`).nullable(),
    memory_count: count(`Number of memories of the user. ${UNCOUNTED}`).nullable(),
    first_seen_at: timestamp(
      "Time when the earliest conversation or memory of the user was created. Null if there is none, and while the 100 earliest are being deleted.",
    ).nullable(),
    last_seen_at: timestamp(
      "Time when a conversation or memory of the user was last created or changed. Null if there is none, and while the 100 newest are being deleted.",
    ).nullable(),
  })
  .meta({
    description: "A user: the `user_id` of conversations and memories. Nothing else is stored of users.",
  })
  .openapi("User");
export type User = z.infer<typeof User>;

export const listUsers = createRoute({
  operationId: "listUsers",
  ...sdkExample(`
    for await (const { id, memory_count } of engram.users.list()) console.log(id, memory_count);
  `),
  method: "get",
  path: "/v1/users",
  tags: ["Users"],
  summary: "List users",
  description:
    "Returns a page of the users of the organization's conversations and memories, ordered by id. A key that is bound to an agent or a user cannot list users.",
  security: requires("read"),
  request: { query: z.strictObject({ limit: PageLimit.optional(), cursor: Cursor.optional() }) },
  responses: {
    200: jsonAnswer("A page of users.", page(User, "UserPage")),
    ...problems("validation_failed", "invalid_cursor", ...keyProblems),
  },
});

export const getUser = createRoute({
  operationId: "getUser",
  ...sdkExample(`
    const { conversation_count, last_seen_at } = await engram.users.get("user_4711");
  `),
  method: "get",
  path: "/v1/users/{user_id}",
  tags: ["Users"],
  summary: "Get a user",
  description:
    "Returns what is stored of a user. A user without conversations and memories has none to count: there is no 404 for it. A key that is bound to an agent or a user cannot get users.",
  security: requires("read"),
  request: { params: z.object({ user_id: UserId }) },
  responses: {
    200: jsonAnswer("The user.", User),
    ...problems("not_found", ...keyProblems),
  },
});

export const deleteUser = createRoute({
  operationId: "deleteUser",
  ...sdkExample(`
    const { id } = await engram.users.delete("jon");
    console.log((await engram.operations.get(id)).type); // delete_user
  `),
  method: "delete",
  path: "/v1/users/{user_id}",
  tags: ["Users"],
  summary: "Delete the data of a user",
  description:
    "Deletes all conversations with a user, and all memories, receipts of recall and evaluations of the user. A key that is bound to an agent deletes only those of its agent. The first 1,000 conversations and 1,000 memories are deleted before the request returns; the others follow in the background. The deletion holds: it leaves a tombstone, and from then on nothing is stored for the user, nor any of the deleted items for another. Captures, new conversations and forks fail with 409 `forgotten`, and imports and bulk captures skip them. To let the user come back, delete the tombstone, which allows all of it again. The tombstone of a key that is bound to an agent refuses the user only for the agent. Keys that are bound to the user stay valid: revoke them first. A deleted item is excluded from every response. Rows, keyword index entries and vectors are removed for good afterwards, and the operation reports when. If there is nothing to delete, the operation says so. The operation and its audit event keep the id of the user.",
  security: requires("delete"),
  request: { params: z.object({ user_id: UserId }) },
  responses: {
    202: jsonAnswer(
      "The operation that tracks the deletion. Get it again with `getOperation` to see its progress, and when rows and vectors are removed.",
      DeleteUserOperation,
    ),
    ...problems("not_found", ...writeProblems),
  },
});

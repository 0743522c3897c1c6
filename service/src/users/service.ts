import type { OperationOf, User } from "@engram/spec";
import { beginDeletion } from "../deletions/service.ts";
import { ApiError } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { ownerConditions } from "../platform/batch.ts";
import { userFor } from "../platform/bindings.ts";
import { type CursorScope, fromCursor, isId, PAGE_ITEMS_DEFAULT, toPage } from "../platform/cursors.ts";
import { userName } from "../tombstones/hashes.ts";
import { selectUser, selectUsers } from "./queries.ts";

/** @throws {ApiError} `forbidden` for a key bound to an agent or a user, `invalid_cursor`. */
export async function listUsers(
  caller: KeyCaller,
  input: { limit: number | undefined; cursor: string | undefined },
): Promise<{ items: User[]; next_cursor: string | null }> {
  const { principal } = caller;
  assertUnbound(caller);
  const scope: CursorScope = { list: "users", owner: principal, parameters: null };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const afterId = (await fromCursor(scope, input.cursor, isId)) ?? "";
  const { organizationId } = principal;
  const users = await selectUsers(caller.db, { organizationId, afterId, limit: limit + 1 });
  return toPage(scope, users, { limit, positionOf: ({ id }) => id });
}

/**
 * A user without conversations and memories has no counts.
 *
 * @throws {ApiError} `forbidden` for a key bound to an agent or a user.
 */
export async function getUser(caller: KeyCaller, id: string): Promise<User> {
  assertUnbound(caller);
  return selectUser(caller.db, caller.principal.organizationId, id);
}

function assertUnbound({ principal }: KeyCaller): void {
  if (ownerConditions(principal).length > 0)
    throw new ApiError("forbidden", "This key is bound to an agent or a user. Use a key that is not.");
}

/**
 * Deletes the conversations with a user and the memories of the user. Nothing is stored for the user any more until the
 * tombstone is deleted.
 *
 * @throws {ApiError} `forbidden` for another user than that of the key.
 */
export async function deleteUser(caller: KeyCaller, id: string): Promise<OperationOf<"delete_user">> {
  userFor(caller.principal, id);
  const { answer } = await beginDeletion(
    caller,
    {
      type: "delete_user",
      action: "user.deleted",
      targetId: id,
      filter: { user_id: id, corpora: ["conversations", "memories"] },
      forgets: { kind: "user", names: [userName(caller.principal.agentId, id)] },
    },
    null,
  );
  return answer;
}

import type { Memory } from "@engram/spec";
import { isReadable, type Owner } from "../platform/batch.ts";
import { assertThat, row, type Statement, sql } from "../platform/sql.ts";

/** What tombstones know a memory by. */
export type StoredIdentity = Pick<Memory, "id" | "agent_id" | "user_id" | "external_id" | "content_hash">;

export const identityById = (owner: Owner, id: string): Statement<StoredIdentity | null> =>
  row(
    sql`SELECT id, agent_id, user_id, memory_external_id AS external_id, content_hash FROM conversations
         WHERE organization_id = ${owner.organizationId} AND id = ${id} AND deleted_at_ms IS NULL
           AND kind <> 'conversation' AND ${isReadable(owner)}`,
    (identity: StoredIdentity) => identity,
  );

/** Fails the batch with `item_changed` if the content or the user has changed since. Nothing else of it can change. */
export const assertSameIdentity = (
  organizationId: string,
  id: string,
  { user_id, content_hash }: StoredIdentity,
): Statement<void> =>
  assertThat(
    "item_changed",
    sql`NOT EXISTS (SELECT 1 FROM conversations
                     WHERE organization_id = ${organizationId} AND id = ${id}
                       AND (user_id IS NOT ${user_id} OR content_hash IS NOT ${content_hash}))`,
  );

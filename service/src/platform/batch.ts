import type { Role } from "@engram/spec";
import type { Principal } from "./principal.ts";
import {
  and,
  assertThat,
  given,
  joined,
  nothing,
  onlyRow,
  rows,
  type Sql,
  type Statement,
  sql,
} from "./sql.ts";

export interface Owner {
  organizationId: string;
  /** The only agent whose data is accessible; null for all agents. */
  agentId: string | null;
  /** The only user whose data is accessible, beside what is shared; null for all users. */
  userId: string | null;
}

/** In place of a user where work on an item has one, if the item is shared. No user has this id. */
export const SHARED_USER = "";

/** All data of the organization, as for a key that is bound to no agent and no user. */
export const wholeOrganization = (organizationId: string): Owner => ({
  organizationId,
  agentId: null,
  userId: null,
});

/** Conditions that a row belongs to the agent and the user. `table` is its alias with a dot; empty for none. */
export const ownerConditions = (
  { agentId, userId }: Omit<Owner, "organizationId">,
  table: Sql = sql``,
): Sql[] => [
  ...given(agentId, (id) => sql`${table}agent_id = ${id}`),
  ...given(userId, (id) => sql`${table}user_id = ${id}`),
];

/**
 * Whether a row belongs to the agent and the user. For what only its owner can read, such as operations and receipts.
 * Conversations and memories have {@link isReadable} and {@link isWritable}.
 */
export const isOwned = (owner: Omit<Owner, "organizationId">, table?: Sql): Sql =>
  and(ownerConditions(owner, table));

/** Whether a conversation or memory belongs to the user or is shared. */
export const isOfReader = (userId: string, table: Sql = sql``): Sql =>
  sql`(${table}user_id = ${userId} OR ${table}shared = 1)`;

/** Conditions that the owner may read a conversation or memory: its own, and those shared with all users. */
export const readableConditions = (
  { agentId, userId }: Omit<Owner, "organizationId">,
  table: Sql = sql``,
): Sql[] => [
  ...ownerConditions({ agentId, userId: null }, table),
  ...given(userId, (id) => isOfReader(id, table)),
];

/** Whether the owner may read a conversation or memory. */
export const isReadable = (owner: Omit<Owner, "organizationId">, table?: Sql): Sql =>
  and(readableConditions(owner, table));

/** Conditions that the owner may change a conversation or memory. A shared one belongs to no user. */
export const writableConditions = ownerConditions;

/** Whether the owner may change a conversation or memory. */
export const isWritable = isOwned;

/** Conditions of a request that reads conversations and memories, and of one that changes them. */
export const ACCESS = { read: readableConditions, write: writableConditions };
export type Access = keyof typeof ACCESS;

/** Whether a row has exactly this agent and this user. Null means none. Suits the indexes by external id. */
export const isExactlyOwned = (
  { agentId, userId }: Omit<Owner, "organizationId">,
  table: Sql = sql``,
): Sql => sql`
  coalesce(${table}agent_id, '') = ${agentId ?? ""} AND coalesce(${table}user_id, '') = ${userId ?? ""}`;

/** Maximum size of a list. D1 limits a bound value to 2,000,000 bytes. */
const LIST_BYTES_MAX = 1_500_000;

const encoder = new TextEncoder();

interface KeyAt {
  organizationId: string;
  keyId: string;
  /** Null for a request with the key itself. Absent in sockets that an earlier version has opened. */
  grantId: string | null;
  /** Role of a member as the request has read it. Null for a key. Absent as `grantId` can be. */
  role: Role | null;
  nowMs: number;
}

/** The valid keys, as `k`. Reads the organization too, because deleting it does not change the rows of its keys. */
export const validKeys = ({ organizationId, nowMs }: Pick<KeyAt, "organizationId" | "nowMs">): Sql => sql`
  FROM api_keys AS k
  JOIN organizations AS o ON o.id = k.organization_id AND o.deleted_at_ms IS NULL
 WHERE k.organization_id = ${organizationId} AND k.revoked_at_ms IS NULL
   AND (k.expires_at_ms IS NULL OR k.expires_at_ms > ${nowMs})`;

/** The grants that have not ended by themselves, as `g`. Their keys must be checked, too. */
const validGrants = ({ organizationId, nowMs }: Pick<KeyAt, "organizationId" | "nowMs">): Sql => sql`
  FROM grants AS g WHERE g.organization_id = ${organizationId} AND g.expires_at_ms > ${nowMs}`;

/** The valid keys, as `k`, that are the caller's: none if the caller's grant has ended, or a member's role is another one. */
const keyOf = (key: KeyAt): Sql => sql`
  ${validKeys(key)} AND k.id = ${key.keyId}
  ${joined([sql``, ...given(key.role, (role) => sql`AND k.role = ${role}`), ...given(key.grantId, (id) => sql`AND EXISTS (SELECT 1 ${validGrants(key)} AND g.id = ${id})`)], sql` `)}`;

const keyIsActive = (key: KeyAt): Sql => sql`EXISTS (SELECT 1 ${keyOf(key)})`;

/**
 * Those of the keys, members and grants that are valid, by id, and for a member also with the role that they have now, as
 * {@link roleCredentialOf} names it.
 */
export const activeCredentials = ({
  credentials,
  ...at
}: Pick<KeyAt, "organizationId" | "nowMs"> & { credentials: string[] }) => {
  const ids = credentials.map((credential) => credential.split(" ")[0]);
  const listed = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return rows(
    sql`SELECT k.id, coalesce(k.role, '') AS role ${validKeys(at)} AND k.id IN ${listed}
         UNION ALL
        SELECT g.id, (SELECT coalesce(k.role, '') ${validKeys(at)} AND k.id = g.key_id) ${validGrants(at)} AND g.id IN ${listed}`,
    ({ id, role }: { id: string; role: string | null }) => (role === null ? [] : [id, `${id} ${role}`]),
  );
};

/** Fails the batch if the key is revoked or expired, or its organization is deleted. */
export const assertKeyActive = (key: KeyAt): Statement<void> =>
  assertThat("unauthenticated", keyIsActive(key));

/**
 * Fails the batch like `assertKeyActive`, and with `tombstones_unknown` if the organization has had its first tombstone
 * since `tombstoneKey` was read as null. For a batch that stores items: one that checks no hashes stores nothing once
 * there is a tombstone. It reads the same rows as `assertKeyActive`.
 */
export const assertMayStore = ({ tombstoneKey, ...key }: KeyAt & Pick<Principal, "tombstoneKey">) =>
  tombstoneKey !== null
    ? assertKeyActive(key)
    : nothing(sql`
        INSERT INTO assertions (unauthenticated, tombstones_unknown)
        SELECT iif(has_none IS NULL, TRUE, NULL), iif(has_none IS NULL, NULL, TRUE)
          FROM (SELECT (SELECT o.tombstone_key IS NULL ${keyOf(key)}) AS has_none)
         WHERE has_none IS NOT TRUE`);

/** Whether the key is valid. Unlike `assertKeyActive`, this writes nothing and does not fail the batch. */
export const activeKey = (key: KeyAt): Statement<boolean> =>
  onlyRow(
    sql`SELECT ${keyIsActive(key)} AS is_active`,
    ({ is_active }: { is_active: 0 | 1 }) => is_active === 1,
  );

/**
 * Fails the batch with `not_found` unless the owner may read the conversation or memory, and with `shared_read_only` if it
 * may not change it: then it is shared, and the key is bound to a user.
 */
const assertContainerWritable =
  (kind: Sql) =>
  (owner: Owner, id: string): Statement<void> => {
    const container = sql`
      FROM conversations
     WHERE organization_id = ${owner.organizationId} AND id = ${id} AND deleted_at_ms IS NULL AND kind ${kind}`;
    if (owner.userId === null)
      return assertThat("not_found", sql`EXISTS (SELECT 1 ${container} AND ${isWritable(owner)})`);
    return nothing(sql`
      INSERT INTO assertions (not_found, shared_read_only)
      SELECT iif(writable IS NULL, TRUE, NULL), iif(writable IS NULL, NULL, TRUE)
        FROM (SELECT (SELECT (${isWritable(owner)}) IS TRUE ${container} AND ${isReadable(owner)}) AS writable)
       WHERE writable IS NOT TRUE`);
  };

export const assertConversationWritable = assertContainerWritable(sql`= 'conversation'`);
export const assertMemoryWritable = assertContainerWritable(sql`<> 'conversation'`);

/** Converts the items to JSON arrays, each short enough to be one bound value, unless a single item is longer. */
export function toJsonLists(items: unknown[]): string[] {
  const lists: string[] = [];
  let list: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const json = JSON.stringify(item);
    const size = encoder.encode(json).byteLength + 1;
    if (bytes + size > LIST_BYTES_MAX && list.length > 0) {
      lists.push(`[${list.join(",")}]`);
      list = [];
      bytes = 0;
    }
    list.push(json);
    bytes += size;
  }
  if (list.length > 0) lists.push(`[${list.join(",")}]`);
  return lists;
}

export const toTimestamp = (ms: number): string => new Date(ms).toISOString();
export const toTimestampOrNull = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));

/**
 * Whether work of an organization in the background takes no new lease, because the organization is about to move. Costs
 * one step in an index.
 */
export const isDraining = (organizationId: Sql, nowMs: number): Sql => sql`
  EXISTS (SELECT 1 FROM moves AS m
           WHERE m.organization_id = ${organizationId} AND m.completed_at_ms IS NULL AND m.drains_until_ms > ${nowMs})`;

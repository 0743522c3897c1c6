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
  /** The only user whose data is accessible; null for all users. */
  userId: string | null;
}

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

/** Whether a row belongs to the agent and the user. */
export const isOwned = (owner: Omit<Owner, "organizationId">, table?: Sql): Sql =>
  and(ownerConditions(owner, table));

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

const assertContainerExists = (kind: Sql) => (owner: Owner, id: string) =>
  assertThat(
    "not_found",
    sql`EXISTS (SELECT 1 FROM conversations
                 WHERE organization_id = ${owner.organizationId} AND id = ${id} AND deleted_at_ms IS NULL AND kind ${kind}
                   AND ${isOwned(owner)})`,
  );

export const assertConversationExists = assertContainerExists(sql`= 'conversation'`);
export const assertMemoryExists = assertContainerExists(sql`<> 'conversation'`);

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

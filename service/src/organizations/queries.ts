import type { ListedOrganization, OnSourceDeleted, Organization } from "@engram/spec";
import { deletedHoldsOf } from "../holds/queries.ts";
import { isOrganizationDeletion } from "../operations/queries.ts";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { deletedIdempotencyKeys } from "../platform/idempotency-queries.ts";
import { type Round, roundRobin } from "../platform/round-robin.ts";
import {
  assertThat,
  batch,
  changes,
  nothing,
  onlyRow,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  type Statements,
  sql,
} from "../platform/sql.ts";
import { liftedTombstonesOf } from "../tombstones/queries.ts";

type Residence = Pick<Organization, "place" | "jurisdiction" | "location">;

interface OrganizationRow {
  id: string;
  name: string;
  created_at_ms: number;
  deleted_at_ms: number | null;
}

interface CountersRow {
  conversation_count: number;
  message_count: number;
  on_source_deleted: OnSourceDeleted;
}

/** The setting of a new organization, and of one whose rows are purged. */
export const ON_SOURCE_DELETED_DEFAULT: OnSourceDeleted = "flag";

/** @param input `number`: null for the next one of D1. */
export const insertedOrganization = (input: {
  id: string;
  name: string;
  number: number | null;
  nowMs: number;
}) =>
  ({
    organization: nothing(sql`
      INSERT INTO organizations (number, id, name, created_at_ms)
      VALUES (${input.number}, ${input.id}, ${input.name}, ${input.nowMs})`),
    counters: nothing(sql`
      INSERT INTO organization_counters (organization_id, number)
      SELECT id, number FROM organizations WHERE id = ${input.id}`),
  }) satisfies Statements;

/**
 * A number that D1 gives to no other organization. An organization in a cell has it too, because words are indexed under
 * it, and the organization may move to D1.
 */
export const reservedNumber = (id: string) =>
  ({
    number: onlyRow(
      sql`INSERT INTO organizations (id, name, created_at_ms) VALUES (${id}, '', 0) RETURNING number`,
      ({ number }: { number: number }) => number,
    ),
    deleted: nothing(sql`DELETE FROM organizations WHERE id = ${id}`),
  }) satisfies Statements;

/** Lists an organization that is in a cell. */
export const listedInCell = (
  input: { id: string; name: string; number: number | null; nowMs: number },
  { jurisdiction, location }: Residence,
): Statement<void> =>
  nothing(sql`
    INSERT INTO organizations (number, id, name, created_at_ms, place, jurisdiction, location)
    VALUES (${input.number}, ${input.id}, ${input.name}, ${input.nowMs}, 'cell', ${jurisdiction}, ${location})`);

/** What a cell reports of its organization. */
export interface Report {
  deletedAtMs: number | null;
  operationId: string | null;
  size: Size;
}

/** What a sweep of a cell measures. */
export interface Measured {
  sizeBytes: number;
  sweptAtMs: number;
}

/** Null if there is no organization, and the deletion of none that the purge has removed. */
export async function selectReport(db: D1Database, organizationId: string): Promise<Report | null> {
  const { state, sizes } = await batch(db, {
    state: row(
      sql`SELECT deleted_at_ms, operation_id FROM organizations WHERE id = ${organizationId}
           UNION ALL
          -- Reads no operation as long as the organization exists.
          SELECT created_at_ms, o.id
            FROM (SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId}))
           CROSS JOIN operations AS o
           WHERE organization_id = ${organizationId} AND type = 'delete_organization' AND canceled_at_ms IS NULL`,
      (found: { deleted_at_ms: number | null; operation_id: string | null }) => found,
    ),
    sizes: sizesOf([organizationId]),
  });
  const [{ id: _, ...size } = { id: "" }] = sizes;
  return state && { deletedAtMs: state.deleted_at_ms, operationId: state.operation_id, size: size as Size };
}

/**
 * Resolves to the number of organizations that it has updated. Keeps the last deletion, also a canceled one, by which the
 * operator finds the operation.
 */
export const updatedReport = (
  id: string,
  { deletedAtMs, operationId, size }: Report,
  measured: Measured | null,
): Statement<number> =>
  changes(sql`
    UPDATE organizations
       SET deleted_at_ms = ${deletedAtMs}, operation_id = coalesce(${operationId}, operation_id),
           report = json_set(${JSON.stringify(size)},
             '$.size_bytes', coalesce(${measured?.sizeBytes ?? null}, report ->> 'size_bytes'),
             '$.swept_at_ms', coalesce(${measured?.sweptAtMs ?? null}, report ->> 'swept_at_ms'))
     WHERE id = ${id} AND place = 'cell'`);

export async function selectOrganization(
  db: D1Database,
  { id, withDeleted }: { id: string; withDeleted: boolean },
): Promise<Omit<Organization, keyof Residence> | null> {
  const { organization, counters } = await batch(db, {
    organization: row(
      sql`SELECT id, name, created_at_ms, deleted_at_ms FROM organizations
           WHERE id = ${id} AND (${withDeleted} OR deleted_at_ms IS NULL)`,
      (organization: OrganizationRow) => organization,
    ),
    counters: row(
      sql`SELECT conversation_count, message_count, on_source_deleted FROM organization_counters WHERE organization_id = ${id}`,
      (counters: CountersRow) => counters,
    ),
  });
  if (organization === null) return null;
  return {
    id: organization.id,
    name: organization.name,
    on_source_deleted: counters?.on_source_deleted ?? ON_SOURCE_DELETED_DEFAULT,
    conversation_count: counters?.conversation_count ?? 0,
    message_count: counters?.message_count ?? 0,
    created_at: toTimestamp(organization.created_at_ms),
    deleted_at: toTimestampOrNull(organization.deleted_at_ms),
  };
}

/** An organization of a page, with its position. */
interface ListedRow extends OrganizationRow, Residence, OrganizationPosition {
  /** JSON of {@link Size}; null unless the organization is in a cell, which has reported it. */
  report: string | null;
}

export type OrganizationSort = "created_at" | "place" | "size_bytes" | "message_count" | "last_active_on";

export interface OrganizationPosition {
  /** What the list is sorted by. Organizations with equal values are in the order of their numbers. */
  value: number | string;
  number: number;
}

/** Values of organizations, `o`. The report of a cell counts more than D1, which has no rows of it. */
const SORTED: Record<Exclude<OrganizationSort, "created_at">, Sql> = {
  place: sql`coalesce(o.place, 'd1')`,
  size_bytes: sql`coalesce(o.report ->> 'size_bytes', -1)`,
  message_count: sql`coalesce(o.report ->> 'message_count',
    (SELECT message_count FROM organization_counters WHERE organization_id = o.id), 0)`,
  last_active_on: sql`coalesce(o.report ->> 'last_active_on',
    (SELECT max(day) FROM usage WHERE organization_id = o.id), '')`,
};

/** Reads only the page if it is sorted by time, and otherwise all organizations. */
export function selectOrganizations(
  db: D1Database,
  {
    sort,
    order,
    after,
    limit,
  }: {
    sort: OrganizationSort;
    order: "asc" | "desc";
    after: OrganizationPosition | null;
    limit: number;
  },
): Promise<ListedRow[]> {
  const [follows, direction] = order === "asc" ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`];
  // Numbers are in the order in which organizations were created.
  const isByTime = sort === "created_at";
  const value = isByTime ? sql`o.number` : SORTED[sort];
  const by = isByTime ? sql`number ${direction}` : sql`value ${direction}, number ${direction}`;
  let rest = sql`TRUE`;
  if (after !== null)
    rest = isByTime
      ? sql`number ${follows} ${after.number}`
      : sql`(value, number) ${follows} (${after.value}, ${after.number})`;
  return run(
    db,
    rows(
      sql`SELECT * FROM (
            SELECT number, id, name, created_at_ms, deleted_at_ms, coalesce(place, 'd1') AS place, jurisdiction, location,
                   report, ${value} AS value
              FROM organizations AS o)
           WHERE ${rest} ORDER BY ${by} LIMIT ${limit}`,
      (row: ListedRow) => row,
    ),
  );
}

/** What is counted of an organization. The counts are null once the purge has removed them. */
export interface Size {
  conversation_count: number | null;
  message_count: number | null;
  memory_count: number | null;
  on_source_deleted: OnSourceDeleted | null;
  last_active_on: string | null;
  /** In the report of a cell. */
  size_bytes?: number | null;
  swept_at_ms?: number | null;
}

/** The sizes of organizations whose rows are in this database: one step each in two indexes. */
export const sizesOf = (ids: readonly string[]): Statement<(Size & { id: string })[]> =>
  rows(
    sql`SELECT listed.value AS id, c.conversation_count, c.message_count, c.memory_count, c.on_source_deleted,
               (SELECT max(day) FROM usage WHERE organization_id = listed.value) AS last_active_on
          FROM json_each(${JSON.stringify(ids)}) AS listed
          LEFT JOIN organization_counters AS c ON c.organization_id = listed.value`,
    (row: Size & { id: string }) => row,
  );

/** Adds to each organization what is counted of it. */
export async function withSizes(
  db: D1Database,
  organizations: readonly ListedRow[],
): Promise<ListedOrganization[]> {
  const here = organizations.filter(({ place }) => place === "d1");
  const sizes = await run(db, sizesOf(here.map(({ id }) => id)));
  const counted = new Map(sizes.map(({ id, ...size }) => [id, size]));
  return organizations.map((row) => {
    const { id, name, place, jurisdiction, location, report, created_at_ms, deleted_at_ms } = row;
    const size = report === null ? counted.get(id) : (JSON.parse(report) as Size);
    return {
      id,
      name,
      ...{ place, jurisdiction, location },
      on_source_deleted: size?.on_source_deleted ?? ON_SOURCE_DELETED_DEFAULT,
      conversation_count: size?.conversation_count ?? 0,
      message_count: size?.message_count ?? 0,
      memory_count: size?.memory_count ?? 0,
      size_bytes: size?.size_bytes ?? null,
      last_active_on: size?.last_active_on ?? null,
      created_at: toTimestamp(created_at_ms),
      deleted_at: toTimestampOrNull(deleted_at_ms),
    };
  });
}

export const updatedSettings = (id: string, onSourceDeleted: OnSourceDeleted): Statement<void> =>
  nothing(sql`
    UPDATE organization_counters SET on_source_deleted = ${onSourceDeleted} WHERE organization_id = ${id}`);

export const assertOrganizationExists = (id: string): Statement<void> =>
  assertThat(
    "not_found",
    sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${id} AND deleted_at_ms IS NULL)`,
  );

interface Deletion {
  id: string;
  operationId: string;
}

/** From then on, no key of the organization is active. */
export const softDeletedOrganization = ({ id, operationId }: Deletion, nowMs: number): Statement<void> =>
  nothing(sql`
    UPDATE organizations SET deleted_at_ms = ${nowMs}, operation_id = ${operationId}
     WHERE id = ${id} AND deleted_at_ms IS NULL`);

export function selectDeletedOrganizations(
  db: D1Database,
  input: { limit: number; round: Round },
): Promise<Deletion[]> {
  const deleted = sql`deleted_at_ms IS NOT NULL AND organizations.place IS NULL`;
  const queue = {
    table: sql`organizations`,
    key: sql`id`,
    all: deleted,
    // One without conversations that waits for its archives to be removed would take all steps of a sweep.
    waits: (organization: Sql) => sql`${deleted}
      AND (EXISTS (SELECT 1 FROM conversations AS c WHERE c.organization_id = ${organization})
           OR NOT EXISTS (SELECT 1 FROM archives AS a
                           WHERE a.organization_id = ${organization} AND a.deleted_at_ms IS NOT NULL))`,
    order: sql`id`,
  };
  return run(
    db,
    rows(
      sql`${roundRobin(queue, input.round)}
          SELECT o.id, o.operation_id FROM line CROSS JOIN organizations AS o ON o.number = line.id
           ORDER BY turn LIMIT ${input.limit}`,
      (row: { id: string; operation_id: string }) => ({ id: row.id, operationId: row.operation_id }),
    ),
  );
}

/** Does nothing if the deletion was canceled. */
export async function deleteOrganizationRows(
  db: D1Database,
  { id, operationId, nowMs }: Deletion & { nowMs: number },
): Promise<void> {
  const ofDeleted = sql`organization_id = ${id} AND ${isOrganizationDeletion(id, operationId)}`;
  await batch(db, {
    idempotencyKeys: deletedIdempotencyKeys(ofDeleted, nowMs),
    // Keeps the audit events of this deletion, also of the holds that it overrode, and of earlier canceled ones. The rows in `operations`, which
    // record when the data was deleted, are kept too.
    auditEvents: nothing(sql`
      DELETE FROM audit_events
       WHERE action NOT IN ('organization.deleted', 'organization.restored')
         AND NOT (action = 'hold.lifted' AND operation_id IS ${operationId}) AND ${ofDeleted}`),
    holds: deletedHoldsOf(ofDeleted),
    events: nothing(sql`DELETE FROM events WHERE ${ofDeleted}`),
    contextHeads: nothing(sql`DELETE FROM context_heads WHERE ${ofDeleted}`),
    webhooks: nothing(sql`DELETE FROM webhooks WHERE ${ofDeleted}`),
    webhookDeliveries: nothing(sql`DELETE FROM webhook_deliveries WHERE ${ofDeleted}`),
    // There may be many hashes. Without the secret, which is deleted here too, they say nothing.
    tombstones: liftedTombstonesOf(ofDeleted, nowMs),
    retentionRules: nothing(sql`DELETE FROM retention_rules WHERE ${ofDeleted}`),
    auditStarts: nothing(sql`DELETE FROM audit_starts WHERE ${ofDeleted}`),
    evaluations: nothing(sql`DELETE FROM evaluations WHERE ${ofDeleted}`),
    grants: nothing(sql`DELETE FROM grants WHERE ${ofDeleted}`),
    oauthRecords: nothing(sql`DELETE FROM oauth_records WHERE ${ofDeleted}`),
    usage: nothing(sql`DELETE FROM usage WHERE ${ofDeleted}`),
    counters: nothing(sql`DELETE FROM organization_counters WHERE ${ofDeleted}`),
    // The statements on `api_keys` and `organizations` read no other tables, because no query joins these two
    // with the tables of the data.
    keys: nothing(sql`
      DELETE FROM api_keys WHERE organization_id = ${id}
         AND EXISTS (SELECT 1 FROM organizations WHERE id = ${id} AND operation_id = ${operationId})`),
    organization: nothing(sql`DELETE FROM organizations WHERE id = ${id} AND operation_id = ${operationId}`),
    operation: nothing(sql`
      UPDATE operations SET rows_deleted_at_ms = ${nowMs}, done = total
       WHERE id = ${operationId} AND ${ofDeleted}`),
  });
}

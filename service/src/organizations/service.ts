import {
  type ApiKeyWithSecret,
  type Jurisdiction,
  type ListedOrganization,
  type LocationHint,
  type OnSourceDeleted,
  type OperationOf,
  type Organization,
  type Place,
  SCOPES,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError, notFound } from "../errors.ts";
import { assertNoHolds, hasHolds, overriddenHoldIds, overriddenHolds } from "../holds/queries.ts";
import { refusingWithHolds } from "../holds/service.ts";
import type { Invocation, KeyCaller, OperatorCaller } from "../invocation.ts";
import { insertedKey } from "../keys/queries.ts";
import { mintKey } from "../keys/service.ts";
import { insertedDeletion } from "../operations/queries.ts";
import { assertKeyActive, wholeOrganization } from "../platform/batch.ts";
import {
  type CursorScope,
  fromCursor,
  isId,
  isWhole,
  PAGE_ITEMS_DEFAULT,
  toPage,
} from "../platform/cursors.ts";
import { refuseSecretAgain, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import type { Residence } from "../platform/objects.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import { batch, run, sql } from "../platform/sql.ts";
import * as queries from "./queries.ts";

const FIRST_KEY_NAME = "first key";

/**
 * Creates an organization and its first key, which has every scope.
 *
 * @throws {ApiError} `secret_already_shown` for a repeated request, `validation_failed` for a residence that the deployment
 *   does not have.
 */
export async function createOrganization(
  invocation: Invocation,
  input: { name: string } & WantedResidence,
  idempotency: IdempotentRequest | null,
): Promise<{ organization: Organization; key: ApiKeyWithSecret }> {
  const residence = toResidence(invocation, input);
  const { place } = residence;
  const id = createId(invocation.runtime, "org");
  const { row, key } = await mintKey(invocation.runtime, {
    organizationId: id,
    name: FIRST_KEY_NAME,
    scopes: SCOPES,
    agentId: null,
    userId: null,
    expiresAt: null,
  });
  const organization: Organization = {
    id,
    name: input.name,
    on_source_deleted: queries.ON_SOURCE_DELETED_DEFAULT,
    ...residence,
    conversation_count: 0,
    message_count: 0,
    created_at: new Date(row.createdAtMs).toISOString(),
    deleted_at: null,
  };
  const number =
    place === "cell" ? (await batch(invocation.directory, queries.reservedNumber(id))).number : null;
  const created = { id, name: input.name, number, nowMs: row.createdAtMs };
  const statements = {
    organization: queries.insertedOrganization(created),
    key: insertedKey(row),
    audit: auditEvent(invocation, null, {
      organizationId: id,
      action: "key.created",
      targetId: row.id,
      nowMs: row.createdAtMs,
    }),
    event: recordedEvent("key.created", { organizationId: id, subjectId: row.id, nowMs: row.createdAtMs }),
  };
  if (place === "cell") {
    invocation.caches.places.know(id, residence, row.createdAtMs);
    // First the cell. If the directory never gets to list it, nobody knows of it, and the cell erases itself.
    await batch(invocation.at(id).db, statements);
  }
  const { answer } = await runIdempotent(invocation.directory, idempotency, {
    statements: place === "cell" ? queries.listedInCell(created, residence) : statements,
    answer: sql`json_object('id', ${id})`,
    read: (stored: { id: string }, results) =>
      results === null ? refuseSecretAgain(stored) : { organization, key },
  });
  return answer;
}

/** What a request says of where an organization is to be. */
interface WantedResidence {
  place: Place | undefined;
  jurisdiction?: Jurisdiction | null | undefined;
  location?: LocationHint | null | undefined;
}

/** @throws {ApiError} `validation_failed` for one that contradicts itself, or that the deployment does not have. */
function toResidence(
  { defaultPlace, hasJurisdiction }: Invocation,
  { place, jurisdiction = null, location = null }: WantedResidence,
): Residence {
  if (jurisdiction !== null && location !== null)
    throw refuse("location", "A jurisdiction has no location. Leave `location` or `jurisdiction` out.");
  const field = jurisdiction !== null ? "jurisdiction" : location !== null ? "location" : null;
  if (field !== null && place === "d1")
    throw refuse(field, `Only a cell has a \`${field}\`. Leave it out, or set \`place\` to \`cell\`.`);
  const residence = {
    place: place ?? (field === null ? defaultPlace : "cell") ?? "d1",
    jurisdiction,
    location,
  };
  if (residence.place === "cell" && defaultPlace === undefined) {
    if (field !== null) throw refuse(field, `This deployment has no cells. Leave \`${field}\` out.`);
    throw refuse("place", "This deployment has no cells. Leave `place` out, or set it to `d1`.");
  }
  if (jurisdiction !== null && !hasJurisdiction(jurisdiction))
    throw refuse(
      "jurisdiction",
      "The runtime of this deployment has no jurisdictions. Leave `jurisdiction` out.",
    );
  return residence;
}

const refuse = (path: string, message: string): ApiError =>
  new ApiError("validation_failed", message, { errors: [{ path, message }] });

/** Lists all organizations. @throws {ApiError} `invalid_cursor`. */
export async function listOrganizations(
  { directory: db }: OperatorCaller,
  input: {
    limit?: number | undefined;
    cursor?: string | undefined;
    sort: queries.OrganizationSort;
    order: "asc" | "desc";
  },
): Promise<{ items: ListedOrganization[]; next_cursor: string | null }> {
  const { sort, order } = input;
  // No organization has an empty id: the list is that of the operator.
  const scope: CursorScope = {
    list: "organizations",
    owner: wholeOrganization(""),
    parameters: [sort, order],
  };
  const limit = input.limit ?? PAGE_ITEMS_DEFAULT;
  const after = await fromCursor(scope, input.cursor, isPosition);
  const page = await queries.selectOrganizations(db, { sort, order, after, limit: limit + 1 });
  const { items, next_cursor } = await toPage(scope, page, {
    limit,
    positionOf: ({ value, number }): queries.OrganizationPosition => ({ value, number }),
  });
  return { items: await queries.withSizes(db, items), next_cursor };
}

function isPosition(position: unknown): position is queries.OrganizationPosition {
  const { value, number } = (position ?? {}) as Partial<queries.OrganizationPosition>;
  return isWhole(number) && (isWhole(value) || isId(value));
}

/** The database of an organization. That of a key checks the key in each call. */
const homeOf = (caller: KeyCaller | OperatorCaller, id: string): Invocation =>
  caller.kind === "key" ? caller : caller.at(id);

/** @throws {ApiError} `not_found`. */
export async function getOrganization(
  caller: KeyCaller | OperatorCaller,
  input: { id: string; withDeleted: boolean },
): Promise<Organization> {
  const organization = await queries.selectOrganization(homeOf(caller, input.id).db, input);
  if (organization === null) throw notFound("organization");
  return { ...organization, ...(await caller.residenceOf(input.id)) };
}

/** @throws {ApiError} `not_found`. */
export async function updateOrganization(
  caller: KeyCaller,
  input: { id: string; onSourceDeleted: OnSourceDeleted },
): Promise<Organization> {
  const { db, principal, runtime } = caller;
  const nowMs = runtime.nowMs();
  await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    updated: queries.updatedSettings(input.id, input.onSourceDeleted),
    event: auditEvent(caller, principal, {
      organizationId: input.id,
      action: "organization.updated",
      targetId: input.id,
      nowMs,
    }),
  });
  return getOrganization(caller, { id: input.id, withDeleted: false });
}

/**
 * Soft-deletes an organization, which ends its keys. The sweep, a periodic background run, removes its data.
 *
 * @param force whether to delete it although it has active holds, which only the operator can. They are lifted.
 * @throws {ApiError} `not_found`, `held`, `forbidden` for a member who is no owner, and for a key with `force`.
 */
export async function deleteOrganization(
  caller: KeyCaller | OperatorCaller,
  { id, force }: { id: string; force: boolean },
): Promise<OperationOf<"delete_organization">> {
  const { principal } = caller;
  if (force && principal !== null)
    throw new ApiError("forbidden", "Only the holder of the admin token can override legal holds.");
  if (principal?.role && principal.role !== "owner")
    throw new ApiError("forbidden", "Only an owner, or a key, can delete the organization.");
  const nowMs = caller.runtime.nowMs();
  const operationId = createId(caller.runtime, "op");
  const { db } = homeOf(caller, id);
  const statements = {
    key: principal && assertKeyActive({ ...principal, nowMs }),
    exists: queries.assertOrganizationExists(id),
    noHolds: force ? null : assertNoHolds(id),
    overridden: force
      ? [
          auditEvent(
            caller,
            principal,
            { organizationId: id, action: "hold.lifted", targetId: id, operationId, nowMs },
            hasHolds(id),
          ),
          overriddenHolds(id, { operationId, nowMs }),
        ]
      : null,
    // Other isolates may have the keys in their caches, but every database call of a request checks this row.
    deleted: queries.softDeletedOrganization({ id, operationId }, nowMs),
    event: auditEvent(caller, principal, {
      organizationId: id,
      action: "organization.deleted",
      targetId: id,
      operationId,
      nowMs,
    }),
    operation: insertedDeletion({
      owner: wholeOrganization(id),
      id: operationId,
      type: "delete_organization",
      targetId: id,
      conversationId: null,
      nowMs,
      rowsDeletedAtMs: null,
      holdIds: overriddenHoldIds(id, operationId),
    }),
  };
  const { operation } = await refusingWithHolds(db, id, () => batch(db, statements));
  await reportDeletion(caller.at(id), id);
  caller.caches.principals.forget((principal) => principal.organizationId === id);
  // No key can read an event of the deletion. Their sockets and streams end.
  caller.wakeListeners([id]);
  return operation;
}

/**
 * Reports an organization in a cell to the directory: its size, and whether it is being deleted. If this fails, the next
 * sweep of the cell does it.
 *
 * @param home with the database of the organization.
 */
export async function reportDeletion(home: Invocation, id: string): Promise<void> {
  try {
    if ((await home.placeOf(id)) === "cell") await report(home, id);
  } catch (error) {
    home.log.error("not reported", error);
  }
}

/**
 * Reports an organization in a cell. Resolves to whether the directory lists it.
 *
 * @param measured what only the cell knows. Without it, what it has last reported stays.
 */
export async function report(
  home: Invocation,
  id: string,
  measured: queries.Measured | null = null,
): Promise<boolean> {
  const reported = await queries.selectReport(home.db, id);
  return reported !== null && (await run(home.directory, queries.updatedReport(id, reported, measured))) > 0;
}

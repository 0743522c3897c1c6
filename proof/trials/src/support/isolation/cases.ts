import type { Operation } from "./operations.ts";
import { isSeenBy } from "./owners.ts";
import { nameOf, type Way } from "./requester.ts";
import { IDS, type Kind, type Slot } from "./slots.ts";
import { mayCall, type Tenant, variantsOf } from "./tenants.ts";

/** Kinds of names. One tenant's use must not prevent another tenant's use of the same name. */
const TAKEN_FIRST: ReadonlySet<Kind> = new Set([
  "idempotency_key",
  "given_id",
  "external_id",
  "agent_id",
  "user_id",
  "tag",
  "name",
  "source",
  "content",
  "metadata",
]);

const SAME = "in the same organization";

const isId = (kind: Kind): boolean => IDS.some((id) => id === kind);

/** The ways in which an operation accepts these slots. A tool takes no headers and not every field. */
export const waysOf = ({ tools }: Operation, filled: Case["filled"] = []): Way[] => [
  "rest",
  ...tools.filter(({ argumentFor }) =>
    filled.every(
      ({ slot, kind }) =>
        slot.at !== "headers" &&
        argumentFor(slot.names[0] ?? "") !== null &&
        // In semantic mode, every word matches something of the attacker's.
        (kind !== "word" || argumentFor("mode") !== null),
    ),
  ),
];

/** A victim's value in one slot of a request, or in all slots that take an id. */
export interface Case {
  operation: Operation;
  way: Way;
  variant: string;
  filled: { slot: Slot; kind: Kind }[];
  /** The relation between attacker and victim. */
  relation: string;
  pairs: [attacker: Tenant, victim: Tenant][];
}

/**
 * Every operation, in every way, with every kind of value in every slot that takes one, by every sort of key.
 */
export function listCases(operations: readonly Operation[], tenants: readonly Tenant[]): Case[] {
  return operations.flatMap((operation) => {
    const single = operation.slots.flatMap((slot) => slot.kinds.map((kind) => [{ slot, kind }]));
    const ids = operation.slots.flatMap((slot) =>
      slot.kinds.slice(0, 1).flatMap((kind) => (isId(kind) ? [{ slot, kind }] : [])),
    );
    const fillings = ids.length > 1 ? [...single, ids] : single;
    return fillings.flatMap((filled) =>
      [...pairsByRelation(operation, filled, tenants)].flatMap(([relation, pairs]) =>
        waysOf(operation, filled).flatMap((way) =>
          variantsOf(operation).map((variant) => ({ operation, way, variant, filled, relation, pairs })),
        ),
      ),
    );
  });
}

function pairsByRelation(
  operation: Operation,
  filled: Case["filled"],
  tenants: readonly Tenant[],
): Map<string, Case["pairs"]> {
  const isShared = filled.some(({ kind }) => kind === "organization_id");
  const taken = filled.filter((one) => isTakenFirst(operation, one)).map(({ kind }) => kind);
  // A key that is bound to one agent or user can name no other.
  const canTake = (victim: Tenant) =>
    mayCall(victim, operation) &&
    (victim.agent === null || !taken.includes("agent_id")) &&
    (victim.user === null || !taken.includes("user_id"));
  const pairs = tenants
    .filter((attacker) => mayCall(attacker, operation))
    .flatMap((attacker) =>
      tenants
        .filter((victim) => !isSeenBy(victim, attacker) && (taken.length === 0 || canTake(victim)))
        // An organization is visible to the keys of its agents and users.
        .filter((victim) => !isShared || victim.organization !== attacker.organization)
        .map((victim): [Tenant, Tenant] => [attacker, victim]),
    );
  return Map.groupBy(pairs, ([attacker, victim]) => {
    const whose = ({ agent, user }: Tenant) =>
      agent === null && user === null ? "an organization" : "an agent or a user";
    const where = attacker.organization === victim.organization ? SAME : "elsewhere";
    return `${whose(attacker)}'s key on what ${whose(victim)} has ${where}`;
  });
}

export function describeCase({ operation, way, variant, filled, relation }: Case): string {
  const what = filled.map(({ slot, kind }) => `${kind} as ${slot.names.join(".")}`).join(" and ");
  const how = [nameOf(way), variant, relation].filter((text) => text !== "").join(", ");
  return `${operation.id} (${how}) with ${what}`;
}

/** Whether the victim must use a name before the attacker does. */
export const isTakenFirst = (operation: Operation, { slot, kind }: Case["filled"][number]): boolean =>
  isGiven(operation, slot) && TAKEN_FIRST.has(kind);

/** Whether a slot's value is written, not searched for. */
export const isGiven = (operation: Operation, { names }: Slot): boolean =>
  isWrite(operation) && !names.includes("filter");

export const isWrite = ({ scopes }: Operation): boolean =>
  scopes?.some((scope) => scope !== "read" && scope !== "search") ?? true;

import {
  type CreateRetentionRuleBody,
  type PreviewRetentionRuleBody,
  RETENTION_RULES_MAX,
  RETENTION_SAMPLES_MAX,
  type RetentionPreview,
  type RetentionRule,
  type UpdateRetentionRuleBody,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { deleteDue, previewDue } from "../deletions/service.ts";
import { notFound } from "../errors.ts";
import type { ConversationFilter } from "../filters/queries.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { assertKeyActive, toTimestamp } from "../platform/batch.ts";
import { type Idempotent, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { batch, sql } from "../platform/sql.ts";
import * as records from "./records-queries.ts";
import * as queries from "./rules-queries.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time for which a run claims a rule. After it, another run applies the rule, if the first has died. */
const CLAIM_MS = 300_000;

/** @throws {ApiError} `too_many_retention_rules`, `not_found` if a request is repeated after the rule was deleted. */
export async function createRetentionRule(
  caller: KeyCaller,
  input: CreateRetentionRuleBody,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<RetentionRule>> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const ref = { organizationId, id: createId(runtime, "ret") };
  const nowMs = runtime.nowMs();
  return runIdempotent(db, idempotency, {
    statements: {
      key: assertKeyActive({ ...principal, nowMs }),
      room: queries.assertRoomForRule(organizationId, RETENTION_RULES_MAX),
      rule: queries.insertedRule(ref, input, nowMs),
      audit: auditEvent(caller, principal, {
        ...{ organizationId, action: "retention.created", targetId: ref.id, nowMs },
      }),
    },
    answer: sql`json_object('id', ${ref.id})`,
    read: async (stored: { id: string }, results) =>
      results?.rule ?? (await getRetentionRule(caller, stored.id)),
  });
}

export const listRetentionRules = ({ db, principal }: KeyCaller): Promise<RetentionRule[]> =>
  queries.selectRules(db, principal.organizationId);

/** @throws {ApiError} `not_found`. */
export const getRetentionRule = async ({ db, principal }: KeyCaller, id: string): Promise<RetentionRule> =>
  found(await queries.selectRule(db, { organizationId: principal.organizationId, id }));

/** @throws {ApiError} `not_found`. */
export const updateRetentionRule = (
  caller: KeyCaller,
  id: string,
  input: UpdateRetentionRuleBody,
): Promise<RetentionRule> =>
  change(caller, id, "retention.updated", (ref, nowMs) => queries.updatedRule(ref, input, nowMs));

/** @throws {ApiError} `not_found`. */
export const deleteRetentionRule = (caller: KeyCaller, id: string): Promise<RetentionRule> =>
  change(caller, id, "retention.deleted", queries.deletedRule);

/** Runs a change with its audit event. */
async function change(
  caller: KeyCaller,
  id: string,
  action: "retention.updated" | "retention.deleted",
  toStatement: (ref: queries.RuleRef, nowMs: number) => ReturnType<typeof queries.deletedRule>,
): Promise<RetentionRule> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const ref = { organizationId, id };
  const nowMs = runtime.nowMs();
  const { rule } = await batch(db, {
    key: assertKeyActive({ ...principal, nowMs }),
    audit: auditEvent(
      caller,
      principal,
      { organizationId, action, targetId: id, nowMs },
      queries.ruleExists(ref),
    ),
    rule: toStatement(ref, nowMs),
  });
  return found(rule);
}

function found(rule: RetentionRule | null): RetentionRule {
  if (rule === null) throw notFound("rule of retention");
  return rule;
}

export const previewRetentionRule = (
  caller: KeyCaller,
  rule: PreviewRetentionRuleBody,
): Promise<RetentionPreview> => preview(caller, caller.principal.organizationId, rule, RETENTION_SAMPLES_MAX);

type Matching = Pick<RetentionRule, "kind" | "older_than_days" | "by" | "filter">;

const beforeOf = ({ older_than_days }: Matching, nowMs: number): number => nowMs - older_than_days * DAY_MS;

async function preview(
  invocation: Invocation,
  organizationId: string,
  rule: Matching,
  samples: number,
): Promise<RetentionPreview> {
  const { db, limits, runtime } = invocation;
  const { kind } = rule;
  const nowMs = runtime.nowMs();
  if (kind === "conversations" || kind === "memories")
    return previewDue(invocation, { organizationId, corpus: kind, filter: filterOf(rule, nowMs), samples });
  const due = { organizationId, beforeMs: beforeOf(rule, nowMs), limit: limits.scannedRows };
  const { matched, labels } = await batch(db, {
    matched: records.countedRecords(kind, due),
    labels: samples === 0 ? null : records.sampledRecords(kind, due, samples),
  });
  return { matched, held: 0, complete: matched < due.limit, samples: labels ?? [] };
}

const BOUNDS = {
  created_at: "created_before",
  updated_at: "updated_before",
  last_message_at: "last_message_before",
} as const;

/** The filter of the conversations or memories that a rule deletes now. */
const filterOf = (rule: Matching, nowMs: number): ConversationFilter => ({
  ...rule.filter,
  [BOUNDS[rule.by]]: toTimestamp(Math.max(0, beforeOf(rule, nowMs))),
});

/** Applies the rules that are due, at most `limit`. Resolves to their number. If it is `limit`, more may be left. */
export async function applyRetentionRules(invocation: Invocation, limit: number): Promise<number> {
  const { db, limits, runtime } = invocation;
  const nowMs = runtime.nowMs();
  const claimed = await queries.claimRules(db, {
    ...{ nowMs, untilMs: nowMs + CLAIM_MS, limit, rowsMax: limits.retentionSharedRules },
  });
  for (const claim of claimed) {
    try {
      await apply(invocation, claim);
    } catch (error) {
      // The rule was changed or deleted meanwhile. A changed one is due again.
      if (error instanceof PreconditionFailed && error.code === "item_changed") continue;
      const { organizationId, id } = claim;
      invocation.log.error("rule of retention failed", error, {
        organization_id: organizationId,
        rule_id: id,
      });
    }
  }
  return claimed.length;
}

/** If this fails, the rule is due again at the end of its claim. */
async function apply(invocation: Invocation, claim: queries.ClaimedRule): Promise<void> {
  const { db, runtime } = invocation;
  const { organizationId, rule } = claim;
  const { kind } = rule;
  const isOfItems = kind === "conversations" || kind === "memories";
  if (!isOfItems && !rule.dry_run) return deleteRecords(invocation, claim, kind);
  const { matched, complete } = await preview(invocation, organizationId, rule, 0);
  const nowMs = runtime.nowMs();
  const applied = (operationId: string | null) =>
    queries.appliedRule(claim, {
      ...{ matched, operationId, nowMs, nextMs: nowMs + (isOfItems ? HOUR_MS : DAY_MS) },
    });
  // What matches may come after what the preview read: the deletion reads the whole list.
  if (!isOfItems || rule.dry_run || (matched === 0 && complete)) {
    await batch(db, [queries.assertClaimed(claim), applied(null)]);
    return;
  }
  await deleteDue(invocation, {
    organizationId,
    corpus: kind,
    filter: filterOf(rule, nowMs),
    event: { action: "retention.applied", targetId: rule.id },
    retentionRuleId: rule.id,
    guard: queries.assertClaimed(claim),
    noted: applied,
  });
}

/** Deletes a number of rows. If more are left, the rule is due again at once. */
async function deleteRecords(
  invocation: Invocation,
  claim: queries.ClaimedRule,
  kind: records.RecordKind,
): Promise<void> {
  const { db, limits, runtime } = invocation;
  const { organizationId, rule } = claim;
  const nowMs = runtime.nowMs();
  const due = { organizationId, beforeMs: beforeOf(rule, nowMs), limit: limits.retentionRuleRows };
  const event = { organizationId, action: "retention.applied", targetId: rule.id, nowMs } as const;
  await batch(db, {
    claimed: queries.assertClaimed(claim),
    event: auditEvent(invocation, null, event, records.hasRecords(kind, due)),
    deletion: records.deletedRecords(kind, due),
    // The statement before is the deletion.
    applied: queries.appliedRule(claim, {
      ...{ matched: sql`changes()`, operationId: null, nowMs },
      nextMs: sql`iif(changes() < ${due.limit}, ${nowMs + DAY_MS}, ${nowMs})`,
    }),
  });
}

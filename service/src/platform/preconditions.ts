/**
 * Names of the conditions that a batch of statements can require. Each name is a column with a constraint in the table
 * `assertions`. If a condition is not met, the batch inserts a row that violates the constraint, and so fails.
 */
export const PRECONDITION_CODES = [
  "content_conflict",
  "conversation_full",
  "email_conflict",
  "external_id_conflict",
  "forgotten",
  "held",
  "idempotency_mismatch",
  "import_raced",
  "item_changed",
  "lease_lost",
  "lines_missing",
  "not_cancelable",
  "not_found",
  "operation_ended",
  "precondition_failed",
  "repair_queued",
  "replay",
  "sequence_conflict",
  "shared_read_only",
  "source_changed",
  "tombstones_unknown",
  "too_many_archives",
  "too_many_evaluations",
  "too_many_holds",
  "too_many_messages",
  "too_many_retention_rules",
  "too_many_webhooks",
  "unauthenticated",
  "user_conflict",
] as const;
export type PreconditionCode = (typeof PRECONDITION_CODES)[number];

/** Versions of which an item must have one. `any`: the item must exist. Null: no condition. */
export type ExpectedVersions = readonly number[] | "any" | null;

/** A condition of a batch is not met. The batch wrote nothing. */
export class PreconditionFailed extends Error {
  readonly code: PreconditionCode;

  constructor(code: PreconditionCode, cause: unknown) {
    super(code, { cause });
    this.name = "PreconditionFailed";
    this.code = code;
  }
}

/** Converts D1's error for a violated constraint. Returns any other error unchanged. */
export function toPreconditionFailed(error: unknown): unknown {
  const [, name] = /CHECK constraint failed: refused:(\w+)/.exec(String(error)) ?? [];
  const code = PRECONDITION_CODES.find((known) => known === name);
  return code === undefined ? error : new PreconditionFailed(code, error);
}

import type { Readiness } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Invocation } from "../invocation.ts";
import { MIGRATIONS } from "../platform/generated/migrations.ts";
import { hasMigration } from "./queries.ts";

/** The newest file in migrations/, which the database must have for this version of the service. */
export const MIGRATION = MIGRATIONS.at(-1)?.name ?? "";

const RETRY_AFTER_SECONDS = 10;

/** @throws {ApiError} `unavailable` when the database cannot be reached or lacks the newest migration. */
export async function getReadiness(invocation: Invocation): Promise<Readiness> {
  const migrated = await hasMigration(invocation.db, MIGRATION).catch((cause: unknown) => {
    throw unavailable("The database does not respond, or was never migrated.", cause);
  });
  if (!migrated)
    throw unavailable(`The database lacks the migration ${MIGRATION}. Apply the migrations of this version.`);
  return { status: "ready", migration: MIGRATION };
}

const unavailable = (detail: string, cause?: unknown): ApiError =>
  new ApiError("unavailable", detail, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

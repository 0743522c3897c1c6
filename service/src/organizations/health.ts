import type { OrganizationHealth } from "@engram/spec";
import { notFound } from "../errors.ts";
import type { CellState, OperatorCaller } from "../invocation.ts";
import { toTimestampOrNull } from "../platform/batch.ts";
import { withTimeout } from "../platform/calls.ts";
import { DatabaseTimeout } from "../platform/deadlines.ts";
import { run } from "../platform/sql.ts";
import { databaseState, lastReport } from "./health-queries.ts";

/**
 * Also for an organization whose cell does not respond.
 *
 * @throws {ApiError} `not_found`.
 */
export async function getHealth(caller: OperatorCaller, id: string): Promise<OrganizationHealth> {
  const reported = await run(caller.directory, lastReport(id));
  if (reported === null) throw notFound("organization");
  const place = await caller.placeOf(id);
  const [state, cell] = await Promise.all([readState(caller, id), readCell(caller, id)]);
  const { found, failure } = state;
  return {
    organization_id: id,
    place,
    reachable: found !== null,
    failure,
    migration: found?.migration ?? null,
    size_bytes: cell?.sizeBytes ?? reported.size_bytes ?? null,
    work: found?.work ?? null,
    oldest_due_at: toTimestampOrNull(found?.oldestDueMs ?? null),
    next_sweep_at: toTimestampOrNull(cell?.sweepMs ?? null),
    last_sweep_at: toTimestampOrNull(reported.swept_at_ms ?? null),
  };
}

async function readState(caller: OperatorCaller, id: string) {
  try {
    return { found: await run(caller.at(id).db, databaseState(id)), failure: null };
  } catch (error) {
    caller.log.error("organization not reached", error, { organization_id: id });
    return { found: null, failure: failureOf(error) };
  }
}

/** Null for an organization in D1, a cell that does not respond, and one of the version before, which cannot tell. */
async function readCell(caller: OperatorCaller, id: string): Promise<CellState | null> {
  try {
    const cell = await caller.cellOf(id);
    return cell && (await withTimeout(cell.state(), caller.limits.databaseReadMs));
  } catch {
    return null;
  }
}

function failureOf(error: unknown): OrganizationHealth["failure"] {
  if (error instanceof DatabaseTimeout) return "timeout";
  const { cause } = error as Error;
  const { overloaded, durableObjectReset, retryable } = (cause ?? error) as Partial<Record<string, boolean>>;
  if (overloaded) return "overloaded";
  return durableObjectReset || retryable ? "reset" : "other";
}

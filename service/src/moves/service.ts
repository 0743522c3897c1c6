import type { OperationOf, Place } from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import { refuseWithHolds } from "../holds/service.ts";
import type { Invocation, OperatorCaller } from "../invocation.ts";
import * as queries from "../operations/moves-queries.ts";
import { wakeMove } from "../operations/service.ts";
import { createId } from "../platform/ids.ts";
import { batch, run } from "../platform/sql.ts";

type MoveOperation = OperationOf<"move_organization">;

/** Moves that one sweep has continued. Each cell continues its own, unless a call to begin it was lost. */
const SWEEP_MOVES = 100;

/** Time after which the sweep allows writes again. Cells do so themselves, unless they fail. */
const FROZEN_MS = 10_000;

/**
 * Begins to move an organization between D1 and a cell. Its cell does it. If it is there already, the move has ended.
 *
 * @throws {ApiError} `not_found`, `organization_moving`, `held` for one with an active hold, `validation_failed` for a cell where there are none, and if
 *   it would leave its jurisdiction.
 */
export async function moveOrganization(
  caller: OperatorCaller,
  input: { id: string; place: Place },
): Promise<MoveOperation> {
  const { directory, runtime } = caller;
  if (input.place === "cell" && caller.defaultPlace === undefined)
    throw refuse("This deployment has no cells.");
  const { organization, running } = await batch(directory, {
    organization: queries.movable(input.id),
    running: queries.runningMove(input.id),
  });
  if (organization === null) throw notFound("organization");
  if (input.place === "d1" && organization.jurisdiction !== null)
    throw refuse(
      `The organization is in the jurisdiction \`${organization.jurisdiction}\`, in which D1 is not.`,
    );
  if (running?.place === input.place && running.canceled_at_ms === null)
    return queries.toMoveOperation(running);
  if (running !== null)
    throw new ApiError(
      "organization_moving",
      `The organization is moving already: see the operation ${running.id}.`,
    );
  // A hold that is created later cancels the move.
  await refuseWithHolds(caller.at(input.id).db, input.id);
  const total = await run(caller.at(input.id).db, queries.messageCount(input.id));
  const move = await run(
    directory,
    queries.insertedMove({
      id: createId(runtime, "op"),
      organizationId: input.id,
      place: input.place,
      total,
      nowMs: runtime.nowMs(),
    }),
  );
  // Another request was first.
  if (move === null) return moveOrganization(caller, input);
  if (move.completed_at_ms !== null) return queries.toMoveOperation(move);
  caller.caches.places.forget(input.id);
  await wakeMove(caller, input.id);
  return queries.toMoveOperation(move);
}

const refuse = (message: string): ApiError =>
  new ApiError("validation_failed", message, { errors: [{ path: "place", message }] });

/** Continues the moves of all organizations. Part of the sweep of D1. */
export async function continueMoves(invocation: Invocation): Promise<void> {
  if (invocation.db !== invocation.directory) return;
  await run(invocation.db, queries.thawed(invocation.runtime.nowMs() - FROZEN_MS));
  for (const id of await run(invocation.db, queries.movingOrganizations(SWEEP_MOVES)))
    await wakeMove(invocation, id);
}

import type { Place } from "@engram/spec";
import type { Model } from "../model/model.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";

/** Lets the model follow the moves that D1 has recorded, and checks that the directory does. @throws {Violation} */
export function followMoves(world: World, { organizations }: Model): void {
  const { cells, database } = world;
  if (cells === null) return;
  for (const organization of organizations) {
    const { id } = organization;
    // A move to where the organization is already has not begun.
    const moves = database.select<{
      place: Place;
      moved_at_ms: number | null;
      canceled_at_ms: number | null;
    }>(
      `SELECT place, moved_at_ms, canceled_at_ms FROM moves
        WHERE organization_id = ?1 AND completed_at_ms IS NOT created_at_ms ORDER BY moved_at_ms`,
      id,
    );
    if (moves.length === 0) continue;
    organization.hasMoved = true;
    organization.place =
      moves.findLast(({ moved_at_ms }) => moved_at_ms !== null)?.place ?? organization.place;
    const both = moves.some((move) => move.moved_at_ms !== null && move.canceled_at_ms !== null);
    expect(!both, "moves", () => `a canceled move of ${id} has moved it`);
    const listed = world.placeOf(id);
    expect(
      listed === null || listed === organization.place,
      "moves",
      () => `${id} has moved to ${organization.place}, and D1 lists it in ${listed}`,
    );
  }
}

/** The organizations that are moving. */
export const movingIn = (directory: Database): string[] =>
  directory
    .select<{ organization_id: string }>("SELECT organization_id FROM moves WHERE completed_at_ms IS NULL")
    .map(({ organization_id }) => organization_id);

/**
 * Organizations of which a database has rows that do not count: copies that may not be complete, or what was left and is
 * being removed.
 */
export function copiesIn(world: World, { organizations }: Model, database: Database): string[] {
  return organizations.flatMap(({ id, hasMoved }) =>
    hasMoved && isElsewhere(world, id, database) ? id : [],
  );
}

function isElsewhere(world: World, id: string, database: Database): boolean {
  return (world.placeOf(id) === "cell") === (database === world.database);
}

/** Organizations that have ever begun to move. */
export const movedEver = ({ organizations }: Model): string[] =>
  organizations.flatMap(({ id, hasMoved }) => (hasMoved ? id : []));

/** Checks what is left of moves when no work is left. @throws {Violation} */
export function checkMoves(world: World, model: Model): void {
  for (const database of world.databases) {
    const [trigger] = database.select<{ name: string }>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'trigger' AND name LIKE 'moving!_%' ESCAPE '!'",
    );
    expect(trigger === undefined, "moves", () => `${trigger?.name} is left`);
    const [noted] = database.select("SELECT * FROM moved_rows LIMIT 1");
    expect(noted === undefined, "moves", () => `${JSON.stringify(noted)} is noted, and nothing moves`);
    const [running] = database.select(
      "SELECT * FROM moves WHERE completed_at_ms IS NULL OR phase <> 'ended'",
    );
    expect(running === undefined, "moves", () => `${JSON.stringify(running)} has not ended`);
  }
  for (const { id, place, shown, isCanceled, organization } of model.moves) {
    const [stored] = world.database.select<{ moved_at_ms: number | null; canceled_at_ms: number | null }>(
      "SELECT moved_at_ms, canceled_at_ms FROM moves WHERE id = ?1 AND organization_id = ?2 AND place = ?3",
      ...[id, organization.id, place],
    );
    const movedAt = stored?.moved_at_ms == null ? null : new Date(stored.moved_at_ms).toISOString();
    expect(
      stored !== undefined &&
        (shown.moved_at === null || shown.moved_at === movedAt) &&
        (!isCanceled || stored.canceled_at_ms !== null),
      "moves",
      () => `${id} was answered as ${JSON.stringify(shown)}, and is ${JSON.stringify(stored)}`,
    );
  }
}

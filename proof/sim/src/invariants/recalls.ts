import { createdAtOf } from "../../../../service/src/platform/ids.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

/** Checks that no receipt of recall is left of a user whose deletion has removed all rows. @throws {Violation} */
export function checkRecalls(database: Database): void {
  const left = database.select<{ id: string; created_at_ms: number }>(
    `SELECT r.id, o.created_at_ms FROM recalls AS r
       JOIN operations AS o ON o.organization_id = r.organization_id AND o.type = 'delete_user'
            AND o.target_id = r.of_user_id AND o.rows_deleted_at_ms IS NOT NULL
      WHERE coalesce(o.agent_id = r.of_agent_id, o.agent_id IS NULL)`,
  );
  const outlived = left.find(({ id, created_at_ms }) => createdAtOf(id) < created_at_ms);
  expect(outlived === undefined, "deleted", () => `${outlived?.id} outlives its user`);
}

import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

/** A user's deletion has ended although an item that it covered is there. */
const LEFT_OF_USER = `
  SELECT o.id AS operation, c.id FROM operations AS o
    JOIN conversations AS c ON c.organization_id = o.organization_id AND c.user_id = o.target_id
                           AND c.row_key <= o.last_row_key AND c.deleted_at_ms IS NULL
                           AND (o.agent_id IS NULL OR c.agent_id = o.agent_id)
   WHERE o.type = 'delete_user' AND o.completed_at_ms IS NOT NULL AND o.canceled_at_ms IS NULL`;

/** Checks that nothing was lost while it was held, and that the deletion of a user deletes all in the end. @throws {Violation} */
export function checkHeld(database: Database): void {
  const [lost] = database.select("SELECT * FROM lost");
  expect(lost === undefined, "held", () => `lost while it was held: ${JSON.stringify(lost)}`);
  const [left] = database.select(LEFT_OF_USER);
  expect(left === undefined, "erased", () => JSON.stringify(left));
}

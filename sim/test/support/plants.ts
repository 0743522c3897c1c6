import type { Rewrite } from "../../src/ports/database.ts";

/** A bug, as a change to the SQL that the service runs. */
export interface Plant {
  name: string;
  /** The invariants of which one must tell. */
  violates: string[];
  /** What the service's statement says, and what the bug says instead. Both bind the same values. */
  from: string;
  to: string;
  /** Further words that the statement must hold. */
  where?: string;
}

/** The five that the simulator must find, and one for each further invariant. */
export const PLANTS: Plant[] = [
  {
    name: "drop a WHERE",
    violates: ["isolation"],
    where: "MESSAGE",
    from: "WHERE c.organization_id = ?1 AND c.id = ?2 AND c.deleted_at_ms IS NULL\n                    AND (?3",
    to: "WHERE c.id = ?2 AND c.deleted_at_ms IS NULL AND ?1 = ?1\n                    AND (?3",
  },
  {
    name: "forget the job",
    violates: ["indexed or queued"],
    from: "FROM messages\n        WHERE organization_id = ?1 AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) > 0",
    to: "FROM messages\n        WHERE organization_id = ?1 AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) < 0",
  },
];

/** Plants a bug; tells whether its statement ran at all. */
export function plant({ from, to, where = "" }: Plant): { rewrite: Rewrite; wasMet: () => boolean } {
  let isMet = false;
  const rewrite: Rewrite = (sql) => {
    if (!sql.includes(from) || !sql.includes(where)) return sql;
    isMet = true;
    return sql.replaceAll(from, to);
  };
  return { rewrite, wasMet: () => isMet };
}

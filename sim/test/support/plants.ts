import type { Rewrite } from "../../src/ports/database.ts";

/** A bug, as a change to the SQL that the service runs. */
export interface Plant {
  name: string;
  /** The invariant that must tell. */
  violates: string;
  /** What one of the service's statements says, and what the bug says instead. */
  from: string | RegExp;
  to: string;
}

/** The bugs that a simulator of such a service must find. */
export const BUGS: Plant[] = [
  {
    name: "drop a WHERE",
    violates: "isolation",
    from: /WHERE c\.organization_id = \?1 (AND c\.id = \?2 AND c\.deleted_at_ms IS NULL AND c\.kind = 'conversation'\s+AND \(\?3 IS NULL)/,
    to: "WHERE ?1 = ?1 $1",
  },
  {
    name: "forget the job",
    violates: "indexed or queued",
    from: "AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) > 0",
    to: "AND id IN (SELECT value FROM json_each(?3)) HAVING count(*) < 0",
  },
  {
    name: "give a sequence twice",
    violates: "sequences",
    from: /c\.last_sequence \+ row_number/g,
    to: `coalesce((SELECT max(n.sequence) FROM messages AS n
                    WHERE n.organization_id = ?1 AND n.conversation_id = ?2), 0) + row_number`,
  },
  {
    name: "delete before the store confirms",
    violates: "receipts",
    from: "UPDATE vector_deletions SET sent_at_ms = ?2, due_at_ms = ?3 WHERE",
    to: "DELETE FROM vector_deletions WHERE ?2 < ?3 AND",
  },
  {
    name: "retry without idempotency",
    violates: "once",
    from: "'refused:replay' WHERE EXISTS",
    to: "'refused:replay' WHERE 0 AND EXISTS",
  },
];

/** Likewise for memories. */
export const MEMORY_BUGS: Plant[] = [
  {
    name: "take another organization's for the memory with this content",
    violates: "isolation",
    from: /conversations AS c ON c\.organization_id = \?1 (AND c\.deleted_at_ms IS NULL\s+AND coalesce)/g,
    to: "conversations AS c ON TRUE $1",
  },
  {
    name: "let a model write over the tags that a person gave",
    violates: "described",
    from: "CASE WHEN authored & 1 THEN tags ELSE ?4 END",
    to: "?4",
  },
  {
    name: "offer the model the tags of another organization",
    violates: "described",
    from: /c\.organization_id = \?1 (AND c\.deleted_at_ms IS NULL AND c\.kind <> 'conversation' AND (?:\?2 IS NULL|c\.agent_id = \?2) AND \?3 IS NULL)/,
    to: "?1 = ?1 $1",
  },
  {
    name: "forget the job of new content",
    violates: "vectors",
    from: "SELECT ?1, ?2, m.sequence, m.sequence, ?4 FROM messages AS m WHERE",
    to: "SELECT ?1, ?2, m.sequence, m.sequence, ?4 FROM messages AS m WHERE ?2 NOT LIKE 'mem_%' AND",
  },
  {
    name: "show a deleted memory",
    violates: "deleted",
    from: /c\.deleted_at_ms IS NULL (AND c\.kind <> 'conversation' AND c\.id = \?2)/,
    to: "TRUE $1",
  },
  {
    name: "take another agent's for the memory with this content",
    violates: "once",
    from: /AND coalesce\(c\.agent_id, ''\) = coalesce\(new\.value ->> 'agent_id', ''\)/g,
    to: "",
  },
];

/** Likewise for what an agent's key sees, and for what is called off. */
export const AGENT_AND_CANCEL_BUGS: Plant[] = [
  {
    name: "show an agent's key what is nobody's",
    violates: "isolation",
    from: /c\.agent_id = (\?\d+)/g,
    to: "coalesce(c.agent_id, $1) = $1",
  },
  {
    name: "lose what waited when a repair is called off",
    violates: "indexed or queued",
    from: "AND operation_id IS NOT NULL AND attempts = 0",
    to: "AND attempts = 0",
  },
  {
    name: "never end a backfill that was called off",
    violates: "healing",
    from: "WHERE type = 'enrich_memories' AND completed_at_ms IS NULL",
    to: "WHERE type = 'enrich_memories' AND completed_at_ms IS NULL AND canceled_at_ms IS NULL",
  },
  {
    name: "call off a captured memory's description with a backfill",
    violates: "described",
    from: "SET due_at_ms = excluded.due_at_ms, attempts = 0 WHERE operation_id IS NULL",
    to: "SET due_at_ms = excluded.due_at_ms, attempts = 0, operation_id = excluded.operation_id, pass = 1 WHERE operation_id IS NULL",
  },
  {
    name: "go on hiding what was called off",
    violates: "receipts",
    from: /(EXISTS \(SELECT 1 FROM operations\s+WHERE organization_id = \?1 AND id = \?\d+) AND filter IS NOT NULL\)/g,
    to: "$1)",
  },
];

/** Likewise for forks. */
export const FORK_BUGS: Plant[] = [
  {
    name: "drop a message of a fork",
    violates: "durable",
    from: /(FROM json_each\(\?4\) AS new\s+CROSS JOIN conversations AS f ON )/,
    to: "$1new.key <> 1 AND ",
  },
  {
    name: "forget the job of a fork",
    violates: "indexed or queued",
    from: /(SELECT \?1, \?2, 1, last_sequence, \?3 FROM conversations\s+WHERE organization_id = \?1 AND id = \?2 AND message_count) > 0/,
    to: "$1 < 0",
  },
  {
    name: "fork what was edited with the words it had before",
    violates: "words",
    from: "WHERE messages <> ?4 OR changes <> ?5",
    to: "WHERE messages <> ?4 AND changes <> ?5",
  },
];

/** Likewise for imports of many requests. */
export const IMPORT_BUGS: Plant[] = [
  {
    name: "take lines of an import that was called off",
    violates: "imports",
    from: "AND (canceled_at_ms IS NOT NULL OR (completed_at_ms IS NOT NULL AND done < ?4))",
    to: "AND (canceled_at_ms IS NULL AND completed_at_ms IS NOT NULL AND done < ?4)",
  },
  {
    name: "count lines that a part repeats back",
    violates: "imports",
    from: "SET done = max(done, ?4)",
    to: "SET done = ?4",
  },
];

/** Likewise for what comes back when an organization's deletion is called off. */
export const RESTORATION_BUGS: Plant[] = [
  {
    name: "bring an organization back without its keys",
    violates: "keys",
    from: "revoked_by = NULL WHERE organization_id = ?1",
    to: "revoked_by = NULL WHERE 0 AND organization_id = ?1",
  },
  {
    name: "count what was hidden before a deletion was called off",
    violates: "counters",
    from: /(WHERE c\.number IN \([^)]+LIMIT \?2\)\)\s+)(WHERE organization_id = \?1 AND EXISTS)/,
    to: "$1WHERE 0 AND organization_id = ?1 AND EXISTS",
  },
];

/** What each further invariant is there for. */
export const FURTHER_BUGS: Plant[] = [
  {
    name: "keep what was said but for blanks at its end",
    violates: "verbatim",
    from: "new.value ->> 'content', new.value ->> 'encoding'",
    to: "rtrim(new.value ->> 'content'), new.value ->> 'encoding'",
  },
  {
    name: "lose the first message of a page",
    violates: "durable",
    from: "AND m.sequence BETWEEN ?4 AND ?5",
    to: "AND m.sequence BETWEEN ?4 + 1 AND ?5",
  },
  {
    name: "show what was deleted",
    violates: "deleted",
    from: /c\.deleted_at_ms IS NULL (AND c\.kind = 'conversation'\s+AND \(\?3 IS NULL OR c\.agent_id = \?3\) AND m\.sequence)/,
    to: "TRUE $1",
  },
  {
    name: "leave the vectors of a deleted conversation",
    violates: "receipts",
    from: "SELECT k.organization_id, k.vector_id, k.conversation_id, gone.value ->> 'operationId', 0, ?3 FROM json_each(?1) AS gone",
    to: "SELECT k.organization_id, k.vector_id, k.conversation_id, gone.value ->> 'operationId', 0, ?3 FROM (SELECT key, value FROM json_each(?1) WHERE 0) AS gone",
  },
  {
    name: "leave the vector of a window that has grown",
    violates: "vectors",
    from: "SELECT ?1, value ->> 'vector_id', ?3, ?4, ?4 FROM json_each(?2)",
    to: "SELECT ?1, value ->> 'vector_id', ?3, ?4, ?4 FROM json_each(?2) WHERE 0",
  },
  {
    name: "leave the words of a deleted message",
    violates: "words",
    from: /DELETE FROM message_words WHERE (rowid IN \(SELECT m\.number FROM messages AS m WHERE .* m\.id = \?3\))/,
    to: "DELETE FROM message_words WHERE 0 AND $1",
  },
  {
    name: "take words in and not find them",
    violates: "findable",
    from: "WHERE term = word.value LIMIT",
    to: "WHERE term = word.value || 'x' LIMIT",
  },
  {
    name: "count twice",
    violates: "counters",
    from: "conversations.message_count + ?3 * n.messages",
    to: "conversations.message_count + 2 * ?3 * n.messages",
  },
  {
    name: "let a revoked key go on",
    violates: "keys",
    from: /(SELECT EXISTS [\s\S]+) AND revoked_at_ms IS NULL/,
    to: "$1",
  },
  {
    name: "pay no heed to If-Match",
    violates: "versions",
    from: "'refused:precondition_failed' WHERE",
    to: "'refused:precondition_failed' WHERE 0 AND",
  },
  {
    name: "begin a page with the last of the one before",
    violates: "lists",
    from: /\((c\.\w+, c\.id)\) ([<>]) (\(\?\d+ ->> 0, \?\d+ ->> 1\))/g,
    to: "($1) $2= $3",
  },
  {
    name: "write usage of an organization that is gone",
    violates: "deleted",
    from: "WHERE EXISTS (SELECT 1 FROM organization_counters WHERE organization_id = new.value ->> 'organization_id')",
    to: "WHERE TRUE",
  },
  {
    name: "leave a job alone for ever",
    violates: "healing",
    from: /attempts < 10 AND due_at_ms <= \?1/g,
    to: "attempts < 0 AND due_at_ms <= ?1",
  },
];

/** Plants a bug; tells whether the statement that it changes was run. */
export function plant({ from, to }: Plant): { rewrite: Rewrite; isMet: () => boolean } {
  let isMet = false;
  const rewrite: Rewrite = (sql) => {
    const changed = sql.replace(from, to);
    isMet ||= changed !== sql;
    return changed;
  };
  return { rewrite, isMet: () => isMet };
}

import type { Mutation } from "../../src/simulate.ts";

/** A mutation, as a change to the SQL that the service runs. */
export interface SqlMutation {
  name: string;
  /** The invariant that must fail. */
  violates: string;
  /** A part of one of the service's statements, and its replacement. */
  from: string | RegExp;
  to: string;
}

/** A mutation of what no statement says, as a change to the service's code. */
export type CodeMutation = SqlMutation & { isOfCode: true };

/** Mutations that a simulator of such a service must find. */
export const MUTATIONS: SqlMutation[] = [
  {
    name: "forget the job",
    violates: "indexed or queued",
    from: "SELECT min(sequence) AS first",
    to: "SELECT NULL AS first",
  },
  {
    name: "drop a WHERE",
    violates: "isolation",
    from: /WHERE c\.organization_id = \?1 (AND c\.id = \?2\s+AND c\.deleted_at_ms IS NULL AND c\.kind = 'conversation'\s+AND)/,
    to: "WHERE ?1 = ?1 $1",
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
    from: /UPDATE vector_deletions SET sent_at_ms = \?1, due_at_ms = \?2\s+WHERE/,
    to: "DELETE FROM vector_deletions WHERE ?1 < ?2 AND",
  },
  {
    name: "retry without idempotency",
    violates: "once",
    from: "(replay) SELECT TRUE WHERE",
    to: "(replay) SELECT TRUE WHERE 0 AND",
  },
];

/** Mutations of memories. */
export const MEMORY_MUTATIONS: SqlMutation[] = [
  {
    name: "take another organization's for the memory with this content",
    violates: "isolation",
    from: /(conversations AS c\s+WHERE)\s+c\.organization_id = (\?\d+) (AND c\.deleted_at_ms IS NULL\s+AND coalesce)/g,
    to: "$1 $2 = $2 $3",
  },
  {
    name: "let a model write over the tags that a person gave",
    violates: "described",
    from: "CASE WHEN c.authored & 1 THEN c.tags ELSE written.tags END",
    to: "written.tags",
  },
  {
    name: "offer the model the tags of another organization",
    violates: "described",
    from: /c\.organization_id = (\?1) (AND c\.deleted_at_ms IS NULL AND c\.kind <> 'conversation'(?: AND c\.(?:agent|user)_id = \?\d)*\s+ORDER BY c\.created_at_ms DESC, c\.id DESC)/,
    to: "$1 = $1 $2",
  },
  {
    name: "forget the job of new content",
    violates: "vectors",
    from: "SELECT m.sequence AS first, m.sequence AS last FROM messages AS m WHERE",
    to: "SELECT m.sequence AS first, m.sequence AS last FROM messages AS m WHERE ?2 NOT LIKE 'mem_%' AND",
  },
  {
    name: "show a deleted memory",
    violates: "deleted",
    from: /c\.deleted_at_ms IS NULL (AND c\.kind <> 'conversation'\s+AND c\.id = \?2)/,
    to: "TRUE $1",
  },
  {
    name: "keep a deleted memory in the stable part of a context",
    violates: "deleted",
    from: /(AS c ON c\.organization_id = \?\d+ AND c\.id = named\.value[\s\S]+?)AND c\.deleted_at_ms IS NULL/,
    to: "$1",
  },
  {
    name: "search in an excluded conversation",
    violates: "excluded",
    from: /c\.id <> (\?\d+) AND c\.external_id IS NOT (\?\d+)/g,
    to: "$1 = $2",
  },
  {
    name: "keep no version of a memory",
    violates: "history",
    from: /^\s*INSERT INTO memory_versions[\s\S]+$/,
    to: "$& LIMIT 0",
  },
  {
    name: "keep a version without its content",
    violates: "history",
    from: /CASE WHEN c\.content_hash <> \?\d+ THEN m\.content END/,
    to: "NULL",
  },
  {
    name: "skip a version between two pages",
    violates: "history",
    from: /AND v\.version < (\?\d+)(\s+ORDER BY v\.version DESC)/,
    to: "AND v.version < $1 - 1$2",
  },
  {
    name: "supersede a memory without an end",
    violates: "validity",
    from: "valid_until_ms = min(coalesce(c.valid_until_ms, ending.until_ms), ending.until_ms),",
    to: "",
  },
  {
    name: "answer as of a moment with the memory of today",
    violates: "moments",
    from: /coalesce\(p\.changed_at_ms > \d+, FALSE\)/g,
    to: "FALSE",
  },
  {
    name: "show as of a moment what was said later",
    violates: "moments",
    from: /\(m\.stored_at_ms <= \d+ OR/g,
    to: "(TRUE OR",
  },
  {
    name: "take another agent's for the memory with this content",
    violates: "once",
    from: /AND coalesce\(c\.agent_id, ''\) = coalesce\(new\.value ->> 'agent_id', ''\)/g,
    to: "",
  },
];

/** Mutations of summaries. */
export const SUMMARY_MUTATIONS: SqlMutation[] = [
  {
    name: "keep the summary of a message that is edited or deleted",
    violates: "summaries",
    from: /(DELETE FROM summaries\s+WHERE) (\(organization_id, conversation_id, level, from_sequence\) IN\s+\(SELECT s\.organization_id, s\.conversation_id, s\.level, s\.from_sequence\s+FROM \(SELECT)/,
    to: "$1 0 AND $2",
  },
  {
    name: "queue no segment that is full",
    violates: "summaries",
    from: /(FROM wanted\s+WHERE) due_at_ms IS NOT NULL/,
    to: "$1 0",
  },
  {
    name: "keep the summaries of a purged conversation",
    violates: "summaries",
    from: /(DELETE FROM summary_jobs\s+WHERE) (\(organization_id, conversation_id\) IN)/,
    to: "$1 0 AND $2",
  },
];

/** Mutations of the access of agents' keys, and of canceled operations. */
export const AGENT_AND_CANCEL_MUTATIONS: SqlMutation[] = [
  {
    name: "show an agent's key what has no agent",
    violates: "isolation",
    from: /c\.agent_id = (\?\d+)/g,
    to: "coalesce(c.agent_id, $1) = $1",
  },
  {
    name: "show a user's key what has no user",
    violates: "isolation",
    from: /c\.user_id = (\?\d+)/g,
    to: "coalesce(c.user_id, $1) = $1",
  },
  {
    name: "show users what is not shared",
    violates: "isolation",
    from: /c\.user_id = (\?\d+) OR c\.shared = 1/g,
    to: "c.user_id = $1 OR c.user_id IS NULL",
  },
  {
    name: "let users change what is shared",
    violates: "isolation",
    from: /SELECT \(SELECT \(user_id = (\?\d+)\) IS TRUE/,
    to: "SELECT (SELECT $1 = $1",
  },
  {
    name: "list entities for users that are no longer shared",
    violates: "entities",
    from: /(DELETE FROM entity_conversations[\s\S]+FROM \(SELECT c\.row_key, c\.agent_id[\s\S]+)$/,
    to: "$1 AND FALSE",
  },
  {
    name: "keep the vectors of what is no longer shared",
    violates: "vectors",
    from: "SELECT 1 AS first, c.last_sequence AS last",
    to: "SELECT NULL AS first, c.last_sequence AS last",
  },
  {
    name: "take another user's for the memory with this content",
    violates: "once",
    from: /AND coalesce\(c\.user_id, ''\) = coalesce\(new\.value ->> 'user_id', ''\)/g,
    to: "",
  },
  {
    name: "lose queued jobs when a repair is canceled",
    violates: "indexed or queued",
    from: "AND operation_id IS NOT NULL AND attempts = 0",
    to: "AND attempts = 0",
  },
  {
    name: "never end a canceled backfill",
    violates: "healing",
    from: "WHERE type = 'enrich_memories' AND completed_at_ms IS NULL",
    to: "WHERE type = 'enrich_memories' AND completed_at_ms IS NULL AND canceled_at_ms IS NULL",
  },
  {
    name: "cancel the description of a captured memory with a backfill",
    violates: "described",
    from: "SET due_at_ms = excluded.due_at_ms, attempts = 0 WHERE operation_id IS NULL",
    to: "SET due_at_ms = excluded.due_at_ms, attempts = 0, operation_id = excluded.operation_id, pass = 1 WHERE operation_id IS NULL",
  },
  {
    name: "continue a canceled deletion",
    violates: "counters",
    from: /(EXISTS \(SELECT 1 FROM operations\s+WHERE organization_id = \?\d+ AND id = \?\d+) AND filter = (\?\d+)\)/g,
    to: "$1 AND $2 = $2)",
  },
];

/** Mutations of forks. */
export const FORK_MUTATIONS: SqlMutation[] = [
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
    from: /(WHERE messages <> \?\d+) OR (changes <> \?\d+)/,
    to: "$1 AND $2",
  },
];

/** Mutations of imports of several requests. */
export const IMPORT_MUTATIONS: SqlMutation[] = [
  {
    name: "accept lines of a canceled import",
    violates: "imports",
    from: /AND \(canceled_at_ms IS NOT NULL\s+OR \(completed_at_ms IS NOT NULL AND done < (\?\d+)\)\)/,
    to: "AND (canceled_at_ms IS NULL AND completed_at_ms IS NOT NULL AND done < $1)",
  },
  {
    name: "count lines that a part repeats back",
    violates: "imports",
    from: /SET done = max\(done, (\?\d+)\)/,
    to: "SET done = $1",
  },
];

/** Mutations of the restoration after a canceled deletion of an organization. */
export const RESTORATION_MUTATIONS: SqlMutation[] = [
  {
    name: "leave an organization deleted when its deletion is canceled",
    violates: "keys",
    from: /UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL\s+WHERE id = \?1/,
    to: "UPDATE organizations SET deleted_at_ms = NULL, operation_id = NULL WHERE 0 AND id = ?1",
  },
  {
    name: "count what was soft-deleted before a deletion was canceled",
    violates: "counters",
    from: /(WHERE c\.row_key IN \([^)]+LIMIT \(\?\d+ \+ 0\)\)\)\s+WHERE) (organization_id = \?\d+ AND\s+EXISTS)/,
    to: "$1 0 AND $2",
  },
];

/** Mutations for each further invariant. */
export const FURTHER_MUTATIONS: SqlMutation[] = [
  {
    name: "keep the mentions of a deleted message",
    violates: "entities",
    from: /DELETE FROM message_entities\s+WHERE/,
    to: "DELETE FROM message_entities WHERE FALSE AND",
  },
  {
    name: "keep the text of a deleted message in a source",
    violates: "sources",
    from: "SET state = 'changing', quote = NULL, text_start = NULL, text_end = NULL",
    to: "SET state = 'changing'",
  },
  {
    name: "keep what was said but for blanks at its end",
    violates: "verbatim",
    from: "new.value ->> 'content', new.value ->> 'encoding'",
    to: "rtrim(new.value ->> 'content'), new.value ->> 'encoding'",
  },
  {
    name: "lose the first message of a page",
    violates: "durable",
    from: /AND m\.sequence BETWEEN (\?\d+) AND/,
    to: "AND m.sequence BETWEEN $1 + 1 AND",
  },
  {
    name: "show what was deleted",
    violates: "deleted",
    from: /c\.deleted_at_ms IS NULL(\s+AND c\.kind = 'conversation'\s+AND (?:TRUE|c\.agent_id = \?\d+) AND m\.sequence)/,
    to: "TRUE$1",
  },
  {
    name: "leave the vectors of a deleted conversation",
    violates: "receipts",
    from: /(gone\.value ->> 'operationId', 0, \?1\s+FROM )json_each\(\?2\) AS gone/,
    to: "$1(SELECT key, value FROM json_each(?2) WHERE 0) AS gone",
  },
  {
    name: "close a receipt without the items that another deletion marked first",
    violates: "receipts",
    from: /o\.rowid <= operations\.overlaps_until/g,
    to: "0",
  },
  {
    name: "leave the vector of a window that has grown",
    violates: "vectors",
    from: /SELECT value ->> 'organization_id', value ->> 'vector_id', value ->> 'conversation_id', \?\d, \?\d\s+FROM json_each\(\?\d\)/,
    to: "$& WHERE 0",
  },
  {
    name: "leave the words of a deleted message",
    violates: "words",
    from: /DELETE FROM message_words WHERE (rowid IN \(SELECT m\.row_key\s+FROM messages AS m\s+WHERE[^)]+ m\.id = \?3\))/,
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
    from: "conversations.message_count + n.messages",
    to: "conversations.message_count + 2 * n.messages",
  },
  {
    name: "keep the time of a last message that is deleted",
    violates: "counters",
    from: / AND m\.id <> \?\d+(\s+ORDER BY m\.sequence DESC LIMIT 1)/,
    to: "$1",
  },
  {
    name: "let a revoked key go on",
    violates: "keys",
    from: /(SELECT\s+EXISTS [\s\S]+) AND k\.revoked_at_ms IS NULL/,
    to: "$1",
  },
  {
    name: "pay no heed to If-Match",
    violates: "versions",
    from: "(precondition_failed) SELECT TRUE WHERE",
    to: "(precondition_failed) SELECT TRUE WHERE 0 AND",
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
    from: /attempts < 10 (AND due_at_ms <= \?\d+)/g,
    to: "attempts < 0 $1",
  },
];

/** Mutations of deletions that hold. */
export const TOMBSTONE_MUTATIONS: SqlMutation[] = [
  {
    name: "store what a tombstone refuses",
    violates: "forgotten",
    from: "(forgotten) SELECT TRUE WHERE",
    to: "(forgotten) SELECT TRUE WHERE 0 AND",
  },
  {
    name: "store without a look at the first tombstone",
    violates: "forgotten",
    from: "SELECT o.tombstone_key IS NULL",
    to: "SELECT TRUE",
  },
  {
    name: "purge messages without their ids",
    violates: "forgotten",
    from: "t.id = purged.value ->> 'tombstoneId'",
    to: "t.id = ''",
  },
];

/** Mutations of legal holds and of what expires. */
export const HOLD_MUTATIONS: CodeMutation[] = [
  {
    name: "delete by a filter what is held",
    violates: "held",
    from: /ofRequest, sql`NOT \$\{isHeld\w*\(organizationId\)\}`/,
    to: "ofRequest, sql`TRUE`",
    isOfCode: true,
  },
  {
    name: "purge what is held",
    violates: "held",
    from: /noted: notedHeld\(roundRobin\(.+\)\),([\s\S]+?)WHERE NOT \$\{isHeldAnywhere\(sql`c`\)\}([\s\S]+?)WHERE \$\{isHeldAnywhere\(sql`c`\)\}\)`/,
    to: "noted: changes(sql`SELECT 1`),$1$2WHERE FALSE)`",
    isOfCode: true,
  },
  {
    name: "never sweep what has expired",
    violates: "healing",
    from: /(var isExpired = \(corpus, until\) => sql`)/,
    to: "$1 FALSE AND",
    isOfCode: true,
  },
  {
    name: "forget only what was not held when it was read",
    violates: "erased",
    from: /AND \$\{activeHolds\(organizationId\)\} = \$\{picked\.holds\}/,
    to: "",
    isOfCode: true,
  },
  {
    name: "go over a list again that has rows which are not purged",
    violates: "counters",
    from: /gone\.operation_id = \$\{operation\}\.id/,
    to: "FALSE",
    isOfCode: true,
  },
];

export const RECALL_MUTATIONS: SqlMutation[] = [
  {
    name: "keep the receipts of a deleted user",
    violates: "deleted",
    from: "SET recalls_until = (SELECT max(r.id)",
    to: "SET recalls_until = (SELECT nullif(max(r.id), max(r.id))",
  },
  {
    name: "miss a deletion in a replay",
    violates: "replays",
    from: /(AS listed\s+CROSS JOIN [^;]+?AND c\.id = (?:listed\.value|m\.conversation_id)\s+)AND c\.deleted_at_ms IS NULL/,
    to: "$1",
  },
  {
    name: "store no receipt",
    violates: "recalls",
    from: /INSERT INTO recalls[\s\S]+$/,
    to: "$& LIMIT 0",
  },
  {
    name: "show a bound key the receipts of others",
    violates: "isolation",
    from: /recalls\.(agent|user)_id = (\?\d+)/g,
    to: "coalesce(recalls.$1_id, $2) = $2",
  },
];

export const GRANT_MUTATIONS: SqlMutation[] = [
  {
    name: "accept a token whose key was revoked",
    violates: "grants",
    from: /k\.revoked_at_ms IS NULL(?=[\s\S]* AS g\b)|(?<= AS g\b[\s\S]*)k\.revoked_at_ms IS NULL/g,
    to: "TRUE",
  },
  {
    name: "let a grant do what its key may not do any more",
    violates: "grants",
    from: /k\.scopes(, k\.agent_id[\s\S]+g\.scopes AS grant_scopes)/,
    to: "g.scopes$1",
  },
  {
    name: "accept a token from the cache after its grant was deleted",
    violates: "grants",
    from: /AND EXISTS \(SELECT 1\s+FROM grants AS g WHERE g\.organization_id = (\?\d+) AND g\.expires_at_ms > (\?\d+)\s+AND g\.id = (\?\d+)\)/g,
    to: "AND $1 = $1 AND $2 = $2 AND $3 = $3",
  },
  {
    name: "let the second of two refreshes write over the first",
    violates: "grants",
    from: /(UPDATE oauth_records[\s\S]+WHERE key = \?\d+ AND) version = (\?\d+)/,
    to: "$1 $2 = $2",
  },
  {
    name: "store the token of a grant that was deleted meanwhile",
    violates: "grants",
    from: /(INSERT OR REPLACE INTO oauth_records[\s\S]+)EXISTS \(SELECT 1 FROM grants WHERE organization_id = (\?\d+) AND id = (\?\d+)\)/,
    to: "$1$2 = $2 AND $3 = $3",
  },
  {
    name: "leave the client out of an audit event",
    violates: "audit",
    from: "action, key_id, client_id, client_name, operation_id, request_id",
    to: "action, key_id, client_name, client_id, operation_id, request_id",
  },
];

export const EVENT_MUTATIONS: SqlMutation[] = [
  {
    name: "append without an event",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+FROM messages WHERE[\s\S]+)HAVING count\(\*\) > 0/,
    to: "$1HAVING 0",
  },
  {
    name: "delete messages without an event",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+FROM messages AS m[\s\S]+)HAVING count\(\*\) > 0/,
    to: "$1HAVING 0",
  },
  {
    name: "write the event of an append twice",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+CROSS JOIN) (\([\s\S]+FROM messages WHERE[\s\S]+count\(\*\) > 0\)) AS changed/,
    to: "$1 (SELECT * FROM $2 UNION ALL SELECT * FROM $2) AS changed",
  },
  {
    name: "end an operation without an event",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+CROSS JOIN organization_counters AS o ON o\.organization_id = changed\.organization_id)\s+WHERE TRUE/,
    to: "$1 WHERE 0",
  },
  {
    name: "write the event of an operation again",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+FROM operations WHERE[\s\S]+) AND canceled_at_ms IS NULL/,
    to: "$1",
  },
  {
    name: "delete by a filter without events",
    violates: "events",
    from: /(INSERT INTO events[\s\S]+WITH scan[\s\S]+c\.operation_id = )/,
    to: "$1NULL AND c.operation_id = ",
  },
  {
    name: "write an event of an organization that is gone",
    violates: "events",
    from: "CROSS JOIN organization_counters AS o ON o.organization_id = changed.organization_id",
    to: "",
  },
  {
    name: "give a reader an event again",
    violates: "events",
    from: /(LEFT JOIN conversations AS c[\s\S]+AND e\.sequence) > /,
    to: "$1 >= ",
  },
  {
    name: "skip an event for a reader",
    violates: "events",
    from: /(LEFT JOIN conversations AS c[\s\S]+AND e\.sequence) > /,
    to: "$1 > 1 + ",
  },
  {
    name: "keep the events of a deleted organization",
    violates: "deleted",
    from: /DELETE FROM events WHERE (organization_id = \?\d+ AND\s+EXISTS)/,
    to: "DELETE FROM events WHERE 0 AND $1",
  },
];

/** Mutations of cells. */
export const CELL_MUTATIONS: (SqlMutation | CodeMutation)[] = [
  {
    name: "look in D1 for what is in a cell",
    violates: "keys",
    from: "SELECT coalesce(place, 'd1') AS place, jurisdiction",
    to: "SELECT 'd1' AS place, jurisdiction",
  },
  {
    name: "plan no sweep after a write",
    violates: "healing",
    from: '!("error" in outcome) && !areReads(statements)',
    to: "false",
    isOfCode: true,
  },
  {
    name: "leave a sweep that is planned for tomorrow there after a write",
    violates: "healing",
    from: "this.#plannedMs <= atMs",
    to: "this.#plannedMs > 0",
    isOfCode: true,
  },
  {
    name: "erase a cell before its receipt is in the directory",
    violates: "receipts",
    from: /await (batch\(directory, \[\n[\s\S]+?\n {2}\]\));/,
    to: "void $1.catch(() => {});",
    isOfCode: true,
  },
  {
    name: "erase a cell without its receipt",
    violates: "receipts",
    from: /INSERT OR REPLACE INTO operations[\s\S]+$/,
    to: "$& LIMIT 0",
  },
  {
    name: "leave more than the receipt of a deleted organization",
    violates: "places",
    from: "type = 'delete_organization'`",
    to: "TRUE`",
    isOfCode: true,
  },
  {
    name: "keep what a stale place brings back after its erasure",
    violates: "healing",
    from: "if (migrate(state.storage))",
    to: "if (migrate(state.storage) && false)",
    isOfCode: true,
  },
  {
    name: "keep the cell of an organization that the directory does not list",
    violates: "healing",
    from: "isUnused && !isListed",
    to: "isUnused && isListed",
    isOfCode: true,
  },
  {
    name: "confirm a deletion in a cell while a write is on its way",
    violates: "vectors",
    from: "deleteConfirmMs : indexLeaseMs",
    to: "deleteConfirmMs : 0",
    isOfCode: true,
  },
  {
    name: "report nothing to the directory",
    violates: "reports",
    from: /(UPDATE organizations\s+SET deleted_at_ms = [\s\S]+ report = [\s\S]+WHERE)/,
    to: "$1 0 AND",
  },
  {
    name: "forget a deletion that was canceled",
    violates: "receipts",
    from: /operation_id = coalesce\((\?\d+), operation_id\), report =/,
    to: "operation_id = $1, report =",
  },
];

/** Mutations of moves between D1 and cells. */
export const MOVE_MUTATIONS: (SqlMutation | CodeMutation)[] = [
  {
    name: "note no change of a conversation that moves",
    violates: "healing",
    from: /COPIED\.includes\((\w+)\) \?/,
    to: 'COPIED.includes($1) && !($1.name === "conversations" && name === "UPDATE") ?',
    isOfCode: true,
  },
  {
    name: "move messages without their words",
    violates: "findable",
    from: "after: insertedWordsOf(moving.id, indexed)",
    to: "after: null",
    isOfCode: true,
  },
  {
    name: "leave the events behind",
    violates: "events",
    from: '{ name: "events", key: ["sequence"] },',
    to: "",
    isOfCode: true,
  },
  {
    name: "leave the old rows in D1",
    violates: "places",
    from: /if \(!await removeFromD1\(moving\)\) return \{ afterMs: 0 \};(\s+await moving\.write\(moving\.invocation\.directory, \[\s+endedHere)/,
    to: "$1",
    isOfCode: true,
  },
  {
    name: "leave the triggers of a move",
    violates: "moves",
    from: "droppedTriggers({ id, organizationId }),",
    to: "",
    isOfCode: true,
  },
];

/** Applies a mutation, and reports whether the changed statement was run, or the code was changed. */
export function applyMutation(mutation: SqlMutation | CodeMutation): {
  change: Mutation;
  isReached: () => boolean;
} {
  let isReached = false;
  const rewrite = (text: string): string => {
    const changed = text.replace(mutation.from, mutation.to);
    isReached ||= changed !== text;
    return changed;
  };
  const change = "isOfCode" in mutation ? { rewriteCode: rewrite } : { rewrite };
  return { change, isReached: () => isReached };
}

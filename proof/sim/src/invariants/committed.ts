import type { Model } from "../model/model.ts";
import { type Database, OF_VERSION } from "../ports/database.ts";
import { expect } from "../violation.ts";
import { EVENTS_FIND_NOTHING } from "./events.ts";

/** SQL for the start of the last window that begins at or before a sequence. */
const windowAt = (sequence: string): string => `((${sequence} - 1) / 3 * 3 + 1)`;

/** SQL for a conversation's last sequence at its creation. A fork continues after its copied messages. */
const bornAt = (rowKey: string): string =>
  `coalesce((SELECT b.last_sequence FROM births AS b WHERE b.row_key = ${rowKey}), 0)`;

/** Invariants of every committed state, each with statements that select violations. */
const FIND_NOTHING: Record<string, readonly string[]> = {
  sequences: [
    // Of all sequences ever assigned, including those of deleted messages.
    `SELECT row_key >> 24 AS conversation, ${bornAt("ledger.row_key >> 24")} AS born, count(*) AS given,
            count(DISTINCT sequence) AS different, min(sequence) AS first, max(sequence) AS last
       FROM ledger WHERE change = 'insert' AND sequence > ${bornAt("ledger.row_key >> 24")} GROUP BY 1
     HAVING given <> different OR first <> born + 1 OR last <> born + given`,
    // Copies keep their sequence.
    `SELECT row_key >> 24 AS conversation, sequence FROM ledger WHERE change = 'insert'
      GROUP BY row_key HAVING count(*) > 1`,
    `SELECT c.id, c.last_sequence FROM conversations AS c
      WHERE c.last_sequence <>
            max(${bornAt("c.row_key")}, coalesce((SELECT max(sequence) FROM ledger
                                             WHERE change = 'insert' AND row_key >> 24 = c.row_key), 0))`,
  ],
  isolation: [
    `SELECT m.id FROM messages AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24
      WHERE m.organization_id <> c.organization_id OR m.conversation_id <> c.id
         OR m.row_key <> c.row_key << 24 | m.sequence`,
  ],
  "indexed or queued": [
    // For each window of a message (5 messages, starting at every third), a job covers it or its vector is
    // stored.
    `WITH place AS (
       SELECT m.organization_id, m.conversation_id, m.id, m.sequence, window.value AS window
         FROM messages AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24
        CROSS JOIN json_each(json_array(${windowAt("m.sequence")}, ${windowAt("max(1, m.sequence - 2)")})) AS window
        WHERE c.deleted_at_ms IS NULL)
     SELECT id, sequence, window FROM place
      -- A window whose messages all stand in the one before has no vector.
      WHERE (window = 1 OR EXISTS (SELECT 1 FROM messages AS m
                                    WHERE m.organization_id = place.organization_id
                                      AND m.conversation_id = place.conversation_id
                                      AND m.sequence BETWEEN window + 2 AND window + 4))
        AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                         WHERE j.organization_id = place.organization_id
                           AND j.conversation_id = place.conversation_id
                           AND window BETWEEN ${windowAt("max(1, j.from_sequence - 2)")} AND ${windowAt("j.to_sequence")})
        AND NOT EXISTS (SELECT 1 FROM conversation_chunks AS k
                         WHERE k.organization_id = place.organization_id
                           AND k.conversation_id = place.conversation_id AND k.window_start = window
                           AND place.sequence BETWEEN k.start_sequence AND k.end_sequence
                           AND k.indexed_at_ms IS NOT NULL)`,
  ],
  counters: [
    `SELECT c.id, c.message_count, c.term_count, count(m.row_key) AS messages, sum(m.term_count) AS tokens
       FROM conversations AS c LEFT JOIN messages AS m ON m.row_key >> 24 = c.row_key
      WHERE c.deleted_at_ms IS NULL GROUP BY c.row_key
     HAVING c.message_count <> messages OR c.term_count <> coalesce(tokens, 0)`,
    `SELECT c.id, c.last_message_at_ms FROM conversations AS c
      WHERE c.deleted_at_ms IS NULL AND c.kind = 'conversation'
        AND c.last_message_at_ms <> coalesce(
              (SELECT m.created_at_ms FROM messages AS m WHERE m.row_key >> 24 = c.row_key
                ORDER BY m.sequence DESC LIMIT 1), c.created_at_ms)`,
    `SELECT o.organization_id, o.conversation_count, o.message_count, count(c.id) AS conversations,
            sum(c.message_count) AS messages, sum(c.term_count) AS tokens, o.term_count
       FROM organization_counters AS o
       JOIN organizations AS whole ON whole.id = o.organization_id AND whole.deleted_at_ms IS NULL
       LEFT JOIN conversations AS c ON c.organization_id = o.organization_id AND c.deleted_at_ms IS NULL
                                   AND c.kind = 'conversation'
      GROUP BY o.organization_id
     HAVING o.conversation_count <> conversations OR o.message_count <> coalesce(messages, 0)
         OR o.term_count <> coalesce(tokens, 0)`,
    `SELECT o.organization_id, o.memory_count, o.memory_term_count, count(c.id) AS memories,
            sum(c.term_count) AS tokens
       FROM organization_counters AS o
       JOIN organizations AS whole ON whole.id = o.organization_id AND whole.deleted_at_ms IS NULL
       LEFT JOIN conversations AS c ON c.organization_id = o.organization_id AND c.deleted_at_ms IS NULL
                                   AND c.kind <> 'conversation'
      GROUP BY o.organization_id
     HAVING o.memory_count <> memories OR o.memory_term_count <> coalesce(tokens, 0)`,
  ],
  receipts: [
    // A deletion by filter soft-deletes what its progress says, and only what it has counted.
    `SELECT o.id, o.done, o.total FROM operations AS o
      WHERE o.type IN ('delete_memories', 'delete_conversations', 'delete_user')
        AND (o.done > o.total OR o.done < (SELECT count(*) FROM conversations AS c
                                            WHERE c.organization_id = o.organization_id AND c.operation_id = o.id))`,
  ],
  once: [
    // Compares the stored content, not its hash.
    `SELECT c.organization_id, c.agent_id, c.user_id, min(c.id) AS one, max(c.id) AS other
       FROM conversations AS c JOIN messages AS m ON m.row_key = (c.row_key << 24) + 1
      WHERE c.kind <> 'conversation' AND c.deleted_at_ms IS NULL AND c.memory_external_id IS NULL
      GROUP BY c.organization_id, coalesce(c.agent_id, ''), coalesce(c.user_id, ''), m.content HAVING count(*) > 1`,
  ],
  history: [
    // Every change has kept the version before it, with its content, and nothing else is kept.
    `SELECT c.id, r.version AS replaced, v.version AS kept, r.content_hash, v.content_hash AS kept_hash
       FROM conversations AS c
       JOIN (SELECT row_key, version FROM replaced
              UNION SELECT c.row_key, v.version FROM memory_versions AS v
                      JOIN conversations AS c ON c.organization_id = v.organization_id AND c.id = v.memory_id) AS known
         ON known.row_key = c.row_key
       LEFT JOIN replaced AS r ON r.row_key = known.row_key AND r.version = known.version
       LEFT JOIN memory_versions AS v
         ON v.organization_id = c.organization_id AND v.memory_id = c.id AND v.version = known.version
      WHERE c.deleted_at_ms IS NULL
        AND (v.version IS NULL OR r.version IS NULL
             OR (${OF_VERSION.map((column) => `v.${column}`)}) IS NOT (${OF_VERSION.map((column) => `r.${column}`)})
             OR v.stored_at_ms > v.replaced_at_ms
             OR r.content IS NOT coalesce(
                  v.content,
                  (SELECT s.content FROM memory_versions AS s
                    WHERE s.organization_id = c.organization_id AND s.memory_id = c.id
                      AND s.content_hash = v.content_hash AND s.content IS NOT NULL),
                  (SELECT m.content FROM messages AS m
                    WHERE m.row_key = (c.row_key << 24) + 1 AND c.content_hash = v.content_hash)))`,
    // It is removed with the memory.
    `SELECT v.memory_id, v.version FROM memory_versions AS v
      WHERE NOT EXISTS (SELECT 1 FROM conversations AS c
                         WHERE c.organization_id = v.organization_id AND c.id = v.memory_id)`,
  ],
  sources: [
    // Only a live message has a source that is not deleted, and no source has text of a deleted one.
    `SELECT s.*, m.id, c.deleted_at_ms FROM memory_sources AS s
       LEFT JOIN messages AS m ON m.organization_id = s.organization_id AND m.id = s.message_id
       LEFT JOIN conversations AS c ON c.row_key = m.row_key >> 24
      WHERE s.state = 'changing'
         OR (s.state <> 'deleted' AND (m.id IS NULL OR c.deleted_at_ms IS NOT NULL OR m.sequence <> s.sequence))
         OR (s.state = 'deleted' AND s.is_quote_held = 0 AND (s.quote IS NOT NULL OR s.text_start IS NOT NULL))
         OR (s.state = 'intact' AND m.content_encoding IS NOT 'gzip+base64' AND instr(m.content, s.quote) = 0)`,
    `SELECT s.* FROM memory_sources AS s
       JOIN conversations AS memory ON memory.organization_id = s.organization_id AND memory.id = s.memory_id
       JOIN conversations AS c ON c.organization_id = s.organization_id AND c.id = s.conversation_id
      WHERE c.user_id IS NOT NULL AND c.user_id IS NOT memory.user_id`,
    `SELECT s.memory_id FROM memory_sources AS s LEFT JOIN conversations AS memory
         ON memory.organization_id = s.organization_id AND memory.id = s.memory_id
      WHERE memory.id IS NULL OR memory.source_bytes = 0`,
  ],
  summaries: [
    // Each sentence is text of the messages that it cites, which its summary covers.
    `SELECT s.conversation_id, s.level, s.from_sequence, s.to_sequence, sentence.value, m.content
       FROM summaries AS s
       JOIN conversations AS c ON c.organization_id = s.organization_id AND c.id = s.conversation_id
                              AND c.deleted_at_ms IS NULL
      CROSS JOIN json_each(s.sentences) AS sentence CROSS JOIN json_each(sentence.value, '$.cites') AS cite
       LEFT JOIN messages AS m ON m.organization_id = s.organization_id AND m.id = cite.value ->> 'message_id'
      WHERE m.id IS NULL OR m.conversation_id <> s.conversation_id OR m.sequence <> cite.value ->> 'sequence'
         OR m.sequence NOT BETWEEN s.from_sequence AND s.to_sequence
         OR (m.content_encoding IS NOT 'gzip+base64' AND instr(sentence.value, '\\u0000') = 0
             AND instr(m.content, sentence.value ->> 'text') = 0)`,
    // Those of one level do not overlap.
    `SELECT s.conversation_id, s.level, s.from_sequence, s.to_sequence, o.from_sequence FROM summaries AS s
       JOIN summaries AS o ON o.organization_id = s.organization_id AND o.conversation_id = s.conversation_id
            AND o.level = s.level AND o.from_sequence > s.from_sequence AND o.from_sequence <= s.to_sequence`,
    // A message that an import has added is summarized once it is indexed.
    `SELECT s.conversation_id, s.from_sequence, s.to_sequence, s.source_count FROM summaries AS s
       JOIN conversations AS c ON c.organization_id = s.organization_id AND c.id = s.conversation_id
                              AND c.deleted_at_ms IS NULL
      WHERE s.level = 1 AND s.is_full = 1
        AND s.source_count <> (SELECT count(*) FROM messages AS m
                                WHERE m.row_key >> 24 = c.row_key
                                  AND m.sequence BETWEEN s.from_sequence AND s.to_sequence)
        AND NOT EXISTS (SELECT 1 FROM index_jobs AS j
                         WHERE j.organization_id = s.organization_id AND j.conversation_id = s.conversation_id)
        AND NOT EXISTS (SELECT 1 FROM summary_jobs AS j
                         WHERE j.organization_id = s.organization_id AND j.conversation_id = s.conversation_id)`,
    // They are removed with their conversation.
    ...["summaries", "summary_jobs"].map(
      (table) => `SELECT s.conversation_id FROM ${table} AS s
        WHERE NOT EXISTS (SELECT 1 FROM conversations AS c
                           WHERE c.organization_id = s.organization_id AND c.id = s.conversation_id)`,
    ),
  ],
  events: EVENTS_FIND_NOTHING,
};

/** Statements that read what the simulator has recorded of a database. */
const IS_RECORDED = /\b(ledger|births|replaced)\b/;

function findNothing(database: Database, isRecorded: boolean): void {
  for (const [invariant, statements] of Object.entries(FIND_NOTHING))
    for (const sql of statements) {
      if (IS_RECORDED.test(sql) !== isRecorded) continue;
      const [row] = database.select(sql);
      expect(row === undefined, invariant, () => JSON.stringify(row));
    }
}

/** Check the invariants of every committed state. @throws {Violation} */
export const checkCommitted = (database: Database): void => findNothing(database, false);

/** Checks the invariants that need the record of all that was ever in a database. @throws {Violation} */
export function checkRecorded(database: Database, model: Model): void {
  findNothing(database, true);
  // A message with an external id may be stored again after its deletion. It is stored once per fork,
  // including a fork of an empty conversation.
  const forks = model.organizations.flatMap(({ conversations }) =>
    conversations.flatMap(({ id, origin }) => (origin === null || id === null ? [] : id)),
  );
  const repeated = database.select<{ marker: number; stored: number; live: number }>(
    `SELECT marker, sum(change = 'insert') AS stored, sum(CASE change WHEN 'insert' THEN 1 ELSE -1 END) AS live
       FROM ledger
      GROUP BY marker, CASE WHEN row_key >> 24 IN (SELECT row_key FROM births)
                              OR conversation_id IN (SELECT value FROM json_each(?1)) THEN row_key >> 24 END
     HAVING stored > 1`,
    JSON.stringify(forks),
  );
  for (const { marker, live } of repeated) {
    const canComeAgain =
      model.messages.get(marker)?.[0]?.sent.external_id !== undefined ||
      (model.memories.get(marker)?.landing ?? null) !== null;
    const isAgain = live <= 1 && canComeAgain;
    expect(isAgain, "once", () => `message ${marker} is stored again`);
  }
}

-- An append writes fewer rows. The previous version of the service stores and finds idempotency keys as before, with
-- the day 0, where this version looks too. It cannot index or purge chunks, which this version does again.

-- Expired keys are together at the start, without an index of their own.
CREATE TABLE idempotency_keys_by_day (
  expires_day INTEGER NOT NULL DEFAULT 0, -- days since the epoch
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL DEFAULT '{}', -- ids and numbers of the stored response, never content or secrets
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (expires_day, organization_id, key_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys_by_day
  (expires_day, organization_id, key_id, operation, idempotency_key, request_hash, result, expires_at_ms)
SELECT expires_at_ms / 86400000, organization_id, key_id, operation, idempotency_key, request_hash, result, expires_at_ms
  FROM idempotency_keys;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_by_day RENAME TO idempotency_keys;

-- Without AUTOINCREMENT, which writes a row for each id. The index of due jobs has no condition on the attempts, which
-- would rewrite it with each attempt.
CREATE TABLE index_jobs_of_ranges (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  from_sequence INTEGER NOT NULL,
  to_sequence INTEGER NOT NULL,
  rebuild_words INTEGER NOT NULL DEFAULT 0 CHECK (rebuild_words IN (0, 1)),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at_ms INTEGER NOT NULL, -- earliest time of the next attempt, 9007199254740991 after the last one
  quiet_until_ms INTEGER, -- NULL for a job that does not wait for further appends
  lease_id TEXT,
  lease_until_ms INTEGER,
  last_error TEXT,
  last_error_at_ms INTEGER,
  operation_id TEXT
) STRICT;
INSERT INTO index_jobs_of_ranges
  (id, organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, attempts, due_at_ms, lease_id,
   lease_until_ms, last_error, last_error_at_ms, operation_id)
SELECT id, organization_id, conversation_id, from_sequence, to_sequence, rebuild_words, attempts,
       CASE WHEN attempts < 10 THEN due_at_ms ELSE 9007199254740991 END, lease_id, lease_until_ms, last_error,
       last_error_at_ms, operation_id
  FROM index_jobs;
DROP TABLE index_jobs;
ALTER TABLE index_jobs_of_ranges RENAME TO index_jobs;
CREATE INDEX index_jobs_by_conversation ON index_jobs (organization_id, conversation_id);
CREATE INDEX index_jobs_by_due ON index_jobs (organization_id, due_at_ms);
CREATE INDEX index_jobs_by_operation ON index_jobs (operation_id) WHERE operation_id IS NOT NULL AND attempts < 10;
CREATE INDEX index_jobs_given_up ON index_jobs (operation_id, conversation_id) WHERE operation_id IS NOT NULL AND attempts >= 10;

-- Rows in the order of their conversations and windows, without an index for it.
CREATE TABLE chunks_of_windows (
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  window_start INTEGER NOT NULL,
  id TEXT NOT NULL,
  vector_id TEXT NOT NULL,
  start_sequence INTEGER NOT NULL,
  end_sequence INTEGER NOT NULL,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL, -- hash of the embedded text
  indexed_at_ms INTEGER, -- NULL until the vector is stored
  ordinal INTEGER,
  text_start INTEGER,
  text_end INTEGER,
  overlap_start INTEGER, -- start of the embedded text
  PRIMARY KEY (organization_id, conversation_id, window_start, id)
) STRICT, WITHOUT ROWID;
INSERT INTO chunks_of_windows
  (organization_id, conversation_id, window_start, id, vector_id, start_sequence, end_sequence, model, text_hash,
   indexed_at_ms, ordinal, text_start, text_end, overlap_start)
SELECT organization_id, conversation_id, window_start, id, vector_id, start_sequence, end_sequence, model, text_hash,
       indexed_at_ms, ordinal, text_start, text_end, overlap_start
  FROM conversation_chunks;
DROP TABLE conversation_chunks;
ALTER TABLE chunks_of_windows RENAME TO conversation_chunks;
CREATE INDEX conversation_chunks_by_model ON conversation_chunks (organization_id, model);

-- Keyword index, derived from messages. Each term starts with the number of its organization, as in 17~deploy.
CREATE VIRTUAL TABLE message_words USING fts5(
  body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~'"
);
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
-- Merges a segment once 1 % of it is deleted, so that deleted terms leave the file.
INSERT INTO message_words (message_words, rank) VALUES ('deletemerge', 1);
CREATE VIRTUAL TABLE message_postings USING fts5vocab('message_words', 'instance');

-- Phrase index of messages that repeat words. message_words holds a term of a message 32 times at most, with the token ~
-- in place of omitted terms. This table holds the terms around each omission in order, so that phrases are found.
-- A row is a piece of a message: messages.row_key << 9 | index of the piece.
CREATE VIRTUAL TABLE message_phrases USING fts5(
  body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~'"
);
INSERT INTO message_phrases (message_phrases, rank) VALUES ('secure-delete', 1);
INSERT INTO message_phrases (message_phrases, rank) VALUES ('deletemerge', 1);

-- Messages whose words are not in the keyword index yet. A write of much text stores its messages first, and inserts
-- their words afterwards in several short transactions, so that other requests wait for none of them.
CREATE TABLE late_words (
  organization_id TEXT NOT NULL,
  row_key INTEGER NOT NULL, -- messages.row_key
  due_at_ms INTEGER NOT NULL, -- when the sweep inserts the words, unless the write did
  PRIMARY KEY (organization_id, row_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX late_words_by_due ON late_words (due_at_ms);

-- Chunks with their vectors, in the order of conversations and windows.
CREATE TABLE conversation_chunks (
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  window_start INTEGER NOT NULL, -- sequence at which the window of the chunk starts
  id TEXT NOT NULL,
  vector_id TEXT NOT NULL,
  start_sequence INTEGER NOT NULL, -- first and last message of the chunk
  end_sequence INTEGER NOT NULL,
  model TEXT NOT NULL, -- the embedding model
  text_hash TEXT NOT NULL, -- hash of the embedded text
  indexed_at_ms INTEGER, -- NULL until the vector is stored
  -- Place in the content of a memory, in UTF-16 units, so that a search does not split the memory again. NULL for chunks
  -- of conversations.
  ordinal INTEGER,
  text_start INTEGER,
  text_end INTEGER,
  overlap_start INTEGER, -- start of the embedded text
  PRIMARY KEY (organization_id, conversation_id, window_start, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_chunks_by_model ON conversation_chunks (organization_id, model);

-- Ranges of messages to index. A job fails after ten attempts, and then waits for a repair. No AUTOINCREMENT, which
-- writes a row for each id.
CREATE TABLE index_jobs (
  id INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  from_sequence INTEGER NOT NULL,
  to_sequence INTEGER NOT NULL,
  rebuild_words INTEGER NOT NULL DEFAULT 0 CHECK (rebuild_words IN (0, 1)), -- 1 also rebuilds the keyword index
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at_ms INTEGER NOT NULL, -- earliest time of the next attempt, 9007199254740991 after the last one
  quiet_until_ms INTEGER, -- NULL for a job that does not wait for further appends
  lease_id TEXT, -- the run that indexes now
  lease_until_ms INTEGER,
  last_error TEXT, -- in our words, because the response of a model may repeat content
  last_error_at_ms INTEGER,
  operation_id TEXT -- the operation that the row belongs to
) STRICT;
CREATE INDEX index_jobs_by_conversation ON index_jobs (organization_id, conversation_id);
-- Without a condition on the attempts, which would rewrite it with each attempt.
CREATE INDEX index_jobs_by_due ON index_jobs (organization_id, due_at_ms);
-- Jobs of a repair that still run, and jobs that it gave up. Its progress counts both.
CREATE INDEX index_jobs_by_operation ON index_jobs (operation_id) WHERE operation_id IS NOT NULL AND attempts < 10;
CREATE INDEX index_jobs_given_up ON index_jobs (operation_id, conversation_id) WHERE operation_id IS NOT NULL AND attempts >= 10;

-- Vectors to delete from the vector store, until it confirms that they are gone.
CREATE TABLE vector_deletions (
  organization_id TEXT NOT NULL,
  vector_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  queued_at_ms INTEGER NOT NULL, -- 0 for a vector that was written after the deletion of its chunk
  due_at_ms INTEGER NOT NULL, -- earliest time of the next attempt
  sent_at_ms INTEGER, -- time of the last request that the vector store accepted
  operation_id TEXT, -- the operation that the row belongs to
  asked_at_ms INTEGER, -- time of the last request that the vector store did not confirm. It may still carry it out
  PRIMARY KEY (organization_id, vector_id)
) STRICT;
CREATE INDEX vector_deletions_by_operation ON vector_deletions (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX vector_deletions_by_due ON vector_deletions (organization_id, due_at_ms);
-- Whether a vector of a conversation was queued before its receipt is one seek.
CREATE INDEX vector_deletions_by_conversation ON vector_deletions (organization_id, conversation_id, queued_at_ms);
-- Vectors that were written after their chunk was deleted, with no operation that names them.
CREATE INDEX vector_deletions_late ON vector_deletions (organization_id) WHERE queued_at_ms = 0 AND operation_id IS NULL;

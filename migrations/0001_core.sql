-- Directory: the owners of the data and their keys. The tables below never join to it.

CREATE TABLE organizations (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER,
  operation_id TEXT -- the deletion of this row
) STRICT;
CREATE INDEX organizations_deleted ON organizations (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;

CREATE TABLE api_keys (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  secret_hash TEXT NOT NULL UNIQUE, -- SHA-256 in hex. No salt, because the secret is random
  scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array'),
  agent_id TEXT,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  rotated_to TEXT,
  PRIMARY KEY (organization_id, id)
) STRICT;

-- Data of each organization. Rows of two organizations are never joined.

CREATE TABLE organization_counters (
  organization_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE, -- organizations.number, the prefix of each term in the keyword index
  conversation_count INTEGER NOT NULL DEFAULT 0,
  message_count INTEGER NOT NULL DEFAULT 0,
  token_count INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE conversations (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused, because it is the high part of messages.number
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  external_id TEXT,
  title TEXT,
  agent_id TEXT,
  user_id TEXT,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_type(metadata) = 'object'),
  message_count INTEGER NOT NULL DEFAULT 0,
  token_count INTEGER NOT NULL DEFAULT 0,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER,
  operation_id TEXT, -- the deletion of this row
  UNIQUE (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX conversations_by_external_id ON conversations (organization_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at_ms IS NULL;
CREATE INDEX conversations_by_created ON conversations (organization_id, created_at_ms, id);
CREATE INDEX conversations_by_updated ON conversations (organization_id, updated_at_ms, id);
CREATE INDEX conversations_deleted ON conversations (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;

CREATE TABLE messages (
  number INTEGER PRIMARY KEY, -- conversations.number << 24 | sequence, the rowid in the keyword index
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence BETWEEN 1 AND 16777215),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
  content TEXT NOT NULL,
  content_encoding TEXT CHECK (content_encoding IN ('raw', 'gzip+base64')), -- NULL is raw
  content_bytes INTEGER NOT NULL, -- size of the original content in UTF-8
  name TEXT,
  tool_call_id TEXT,
  tool_name TEXT,
  metadata TEXT CHECK (json_type(metadata) = 'object'), -- NULL is empty
  parts TEXT,
  external_id TEXT,
  external_digest TEXT, -- digest of the message as first sent with this external_id
  token_count INTEGER NOT NULL, -- postings in the keyword index
  created_at_ms INTEGER NOT NULL,
  stored_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER,
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, conversation_id, sequence)
) STRICT;
CREATE UNIQUE INDEX messages_by_external_id ON messages (organization_id, conversation_id, external_id)
  WHERE external_id IS NOT NULL;

-- Keyword index, derived from messages. Each term starts with the number of its organization, as in 17~deploy.
CREATE VIRTUAL TABLE message_words USING fts5(
  body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~'"
);
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
-- Merges a segment once 1 % of it is deleted, so that deleted terms leave the file.
INSERT INTO message_words (message_words, rank) VALUES ('deletemerge', 1);
CREATE VIRTUAL TABLE message_postings USING fts5vocab('message_words', 'instance');

CREATE TABLE conversation_chunks (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  vector_id TEXT NOT NULL,
  window_start INTEGER NOT NULL,
  start_sequence INTEGER NOT NULL,
  end_sequence INTEGER NOT NULL,
  model TEXT NOT NULL,
  text_hash TEXT NOT NULL, -- hash of the embedded text
  indexed_at_ms INTEGER, -- NULL until the vector is stored
  PRIMARY KEY (organization_id, id)
) STRICT;
CREATE INDEX conversation_chunks_by_window ON conversation_chunks (organization_id, conversation_id, window_start);
CREATE INDEX conversation_chunks_by_model ON conversation_chunks (organization_id, model);

CREATE TABLE index_jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  from_sequence INTEGER NOT NULL,
  to_sequence INTEGER NOT NULL,
  rebuild_words INTEGER NOT NULL DEFAULT 0 CHECK (rebuild_words IN (0, 1)),
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at_ms INTEGER NOT NULL, -- earliest time of the next attempt
  lease_id TEXT,
  lease_until_ms INTEGER,
  last_error TEXT,
  last_error_at_ms INTEGER
) STRICT;
CREATE INDEX index_jobs_by_conversation ON index_jobs (organization_id, conversation_id);
CREATE INDEX index_jobs_by_due ON index_jobs (due_at_ms);

CREATE TABLE vector_deletions (
  organization_id TEXT NOT NULL,
  vector_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  queued_at_ms INTEGER NOT NULL, -- 0 for a vector that was written after the deletion of its chunk
  due_at_ms INTEGER NOT NULL,
  sent_at_ms INTEGER,
  PRIMARY KEY (organization_id, vector_id)
) STRICT;
CREATE INDEX vector_deletions_by_due ON vector_deletions (due_at_ms);
CREATE INDEX vector_deletions_by_conversation ON vector_deletions (organization_id, conversation_id);

CREATE TABLE operations (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('delete_organization', 'delete_conversation', 'delete_message')),
  target_id TEXT NOT NULL,
  conversation_id TEXT, -- the purge waits for the vectors of this conversation, or of the organization if NULL
  agent_id TEXT,
  created_at_ms INTEGER NOT NULL,
  rows_deleted_at_ms INTEGER,
  vectors_deleted_at_ms INTEGER,
  PRIMARY KEY (organization_id, id)
) STRICT;
CREATE INDEX operations_running ON operations (rows_deleted_at_ms) WHERE vectors_deleted_at_ms IS NULL;

CREATE TABLE idempotency_keys (
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL DEFAULT '{}', -- ids and numbers of the stored response, never content or secrets
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation, idempotency_key)
) STRICT;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at_ms);

-- Replaced by migration 0019, with the trigger that it had in databases of the first versions.
CREATE TABLE refusals (code TEXT NOT NULL) STRICT;

-- A memory is stored as a conversation of one message, so that it shares the code of messages.
ALTER TABLE conversations ADD COLUMN kind TEXT NOT NULL DEFAULT 'conversation'
  CHECK (kind IN ('conversation', 'note', 'summary'));
ALTER TABLE conversations ADD COLUMN source TEXT;
ALTER TABLE conversations ADD COLUMN summary TEXT;
ALTER TABLE conversations ADD COLUMN content_hash TEXT; -- SHA-256 in hex. NULL for a conversation
-- Content is unique per agent, and among memories without an agent. Agent ids are never empty.
CREATE UNIQUE INDEX memories_by_content ON conversations (organization_id, coalesce(agent_id, ''), content_hash)
  WHERE content_hash IS NOT NULL AND deleted_at_ms IS NULL;

-- Lists of conversations and of memories each read only their own rows.
DROP INDEX conversations_by_created;
DROP INDEX conversations_by_updated;
CREATE INDEX conversations_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX conversations_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX memories_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind <> 'conversation';
CREATE INDEX memories_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind <> 'conversation';

-- Counters of memories for keyword scores. The other counters are of conversations.
ALTER TABLE organization_counters ADD COLUMN memory_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organization_counters ADD COLUMN memory_token_count INTEGER NOT NULL DEFAULT 0;

-- Tags and summary from a text model. It never replaces those that a person set.
ALTER TABLE conversations ADD COLUMN authored INTEGER NOT NULL DEFAULT 0; -- set by a person, as bits: 1 tags, 2 summary
ALTER TABLE conversations ADD COLUMN enriched_by TEXT; -- name of the text model. NULL until it has run
CREATE TABLE enrichment_jobs (
  organization_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  operation_id TEXT, -- the backfill that queued this row
  pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)), -- 1 to draft tags, 2 to write tags and summary, 3 done
  draft TEXT CHECK (json_type(draft) = 'array'), -- tags of the first pass, the vocabulary of the second
  due_at_ms INTEGER, -- earliest time of the next attempt. NULL while there is nothing to do
  attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, memory_id)
) STRICT;
CREATE INDEX enrichment_jobs_by_due ON enrichment_jobs (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX enrichment_jobs_by_operation ON enrichment_jobs (operation_id) WHERE operation_id IS NOT NULL;

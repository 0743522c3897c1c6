-- A memory is kept as a conversation of one message, so that whatever holds for messages holds for it.
ALTER TABLE conversations ADD COLUMN kind TEXT NOT NULL DEFAULT 'conversation'
  CHECK (kind IN ('conversation', 'note', 'summary'));
ALTER TABLE conversations ADD COLUMN source TEXT;
ALTER TABLE conversations ADD COLUMN summary TEXT;
ALTER TABLE conversations ADD COLUMN content_hash TEXT; -- SHA-256 in hex; NULL for a conversation
-- One agent, or none, has a content once. Agent ids are never empty.
CREATE UNIQUE INDEX memories_by_content ON conversations (organization_id, coalesce(agent_id, ''), content_hash)
  WHERE content_hash IS NOT NULL AND deleted_at_ms IS NULL;

-- Neither list reads past rows of the other.
DROP INDEX conversations_by_created;
DROP INDEX conversations_by_updated;
CREATE INDEX conversations_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX conversations_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX memories_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind <> 'conversation';
CREATE INDEX memories_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind <> 'conversation';

-- What the keyword index is scored by; the other counters are of conversations.
ALTER TABLE organization_counters ADD COLUMN memory_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organization_counters ADD COLUMN memory_token_count INTEGER NOT NULL DEFAULT 0;

-- Tags and summary that a text model wrote; whose a person's are is never written over.
ALTER TABLE conversations ADD COLUMN authored INTEGER NOT NULL DEFAULT 0; -- bits: 1 tags, 2 summary
ALTER TABLE conversations ADD COLUMN enriched_by TEXT; -- the model; NULL until it has
CREATE TABLE enrichment_jobs (
  organization_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  operation_id TEXT, -- of a backfill
  pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)), -- 1 to draft tags, 2 to write tags and summary, 3 done
  draft TEXT CHECK (json_type(draft) = 'array'), -- tags of the first pass: the vocabulary of the second
  due_at_ms INTEGER, -- not before; NULL while there is nothing to do
  attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, memory_id)
) STRICT;
CREATE INDEX enrichment_jobs_by_due ON enrichment_jobs (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX enrichment_jobs_by_operation ON enrichment_jobs (operation_id) WHERE operation_id IS NOT NULL;

-- When a memory holds, and which memory it replaced or was replaced by. NULL for a conversation.
ALTER TABLE conversations ADD COLUMN valid_from_ms INTEGER;
ALTER TABLE conversations ADD COLUMN valid_until_ms INTEGER;
ALTER TABLE conversations ADD COLUMN occurred_at_ms INTEGER;
ALTER TABLE conversations ADD COLUMN supersedes TEXT;
ALTER TABLE conversations ADD COLUMN superseded_by TEXT;
-- The key that stored this version of a memory, and the time. A text model has no key. Both are NULL if the memory was
-- last changed before these columns existed.
ALTER TABLE conversations ADD COLUMN changed_by TEXT;
ALTER TABLE conversations ADD COLUMN changed_at_ms INTEGER;
-- Tells a search whether any memory of the organization may not hold.
CREATE INDEX memories_with_validity ON conversations (organization_id)
  WHERE valid_from_ms IS NOT NULL OR valid_until_ms IS NOT NULL;

-- Earlier versions of memories. Each is the memory as it was before a change, and is removed with the memory.
CREATE TABLE memory_versions (
  organization_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  version INTEGER NOT NULL, -- the last that the row of the memory had before the change
  kind TEXT NOT NULL,
  source TEXT,
  user_id TEXT,
  tags TEXT NOT NULL,
  summary TEXT,
  metadata TEXT NOT NULL,
  valid_from_ms INTEGER,
  valid_until_ms INTEGER,
  occurred_at_ms INTEGER,
  supersedes TEXT,
  superseded_by TEXT,
  enriched_by TEXT,
  content_hash TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  authored INTEGER NOT NULL, -- as in conversations
  content TEXT, -- NULL if the memory or another version has the content of this hash
  content_encoding TEXT,
  content_bytes INTEGER NOT NULL,
  parts TEXT,
  changed_by TEXT,
  stored_at_ms INTEGER NOT NULL,
  replaced_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX memory_versions_newest_first ON memory_versions (organization_id, memory_id, version DESC);
CREATE INDEX memory_versions_by_time ON memory_versions (organization_id, memory_id, replaced_at_ms, version);
CREATE INDEX memory_versions_by_content ON memory_versions (organization_id, memory_id, content_hash)
  WHERE content IS NOT NULL;

-- Number of earlier versions of memories that a deletion has removed.
ALTER TABLE operations ADD COLUMN versions_deleted INTEGER NOT NULL DEFAULT 0;

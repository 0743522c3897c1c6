-- Work that goes on for long: how far it is, what is left of it, and whether it was called off.
CREATE TABLE new_operations (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  conversation_id TEXT, -- whose vectors it waits for; NULL for those of the whole organization, or of its conversations
  agent_id TEXT,
  filter TEXT, -- which conversations are still to be hidden; NULL once none are
  last_number INTEGER, -- of a conversation that is; later ones are not
  done INTEGER, -- conversations; NULL where all is done in one step
  total INTEGER,
  created_at_ms INTEGER NOT NULL,
  canceled_at_ms INTEGER,
  rows_deleted_at_ms INTEGER,
  vectors_deleted_at_ms INTEGER,
  completed_at_ms INTEGER,
  PRIMARY KEY (organization_id, id)
) STRICT;
INSERT INTO new_operations
  (organization_id, id, type, target_id, conversation_id, agent_id, created_at_ms, rows_deleted_at_ms,
   vectors_deleted_at_ms, completed_at_ms)
SELECT organization_id, id, type, target_id, conversation_id, agent_id, created_at_ms, rows_deleted_at_ms,
       vectors_deleted_at_ms, max(rows_deleted_at_ms, vectors_deleted_at_ms)
  FROM operations;
DROP TABLE operations;
ALTER TABLE new_operations RENAME TO operations;
CREATE INDEX operations_running ON operations (type) WHERE completed_at_ms IS NULL;

-- Of the operation that it belongs to.
ALTER TABLE index_jobs ADD COLUMN operation_id TEXT;
ALTER TABLE vector_deletions ADD COLUMN operation_id TEXT;
CREATE INDEX index_jobs_by_operation ON index_jobs (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX vector_deletions_by_operation ON vector_deletions (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX conversations_by_operation ON conversations (operation_id) WHERE operation_id IS NOT NULL;

-- Long-running operations: their progress, the work that remains, and whether they were canceled.
CREATE TABLE new_operations (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  conversation_id TEXT, -- the purge waits for the vectors of this conversation, or of the organization if NULL
  agent_id TEXT,
  filter TEXT, -- conversations left to soft-delete. NULL once none are left
  last_number INTEGER, -- the newest conversation that the operation covers
  done INTEGER, -- number of conversations. NULL for an operation of one step
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

-- The operation that the row belongs to.
ALTER TABLE index_jobs ADD COLUMN operation_id TEXT;
ALTER TABLE vector_deletions ADD COLUMN operation_id TEXT;
CREATE INDEX index_jobs_by_operation ON index_jobs (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX vector_deletions_by_operation ON vector_deletions (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX conversations_by_operation ON conversations (operation_id) WHERE operation_id IS NOT NULL;

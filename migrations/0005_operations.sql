-- Long-running operations: their progress, the work that remains, and whether they were canceled.
CREATE TABLE operations (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  conversation_id TEXT, -- the purge waits for the vectors of this conversation, or of the organization if NULL
  agent_id TEXT, -- the agent that the key of the operation is bound to
  filter TEXT, -- conversations left to process. NULL once none are left
  last_row_key INTEGER, -- conversations.row_key of the newest conversation that the operation covers
  done INTEGER, -- number of conversations. NULL for an operation of one step
  total INTEGER,
  created_at_ms INTEGER NOT NULL,
  canceled_at_ms INTEGER,
  rows_deleted_at_ms INTEGER, -- this and the next one are of deletions
  vectors_deleted_at_ms INTEGER,
  completed_at_ms INTEGER,
  filter_position TEXT CHECK (json_type(filter_position) = 'array'), -- created_at_ms and id of the conversation from which a deletion by filter continues
  failed INTEGER NOT NULL DEFAULT 0, -- items that were given up. A repair that has any has failed
  user_id TEXT, -- the user that the key of the operation is bound to
  PRIMARY KEY (organization_id, id)
) STRICT;
-- Unfinished operations of each organization, oldest first. Imports wait for their caller for days.
CREATE INDEX operations_running ON operations (organization_id) WHERE completed_at_ms IS NULL AND type <> 'import';
CREATE INDEX operations_importing ON operations (created_at_ms) WHERE completed_at_ms IS NULL AND type = 'import';
CREATE INDEX operations_hiding ON operations (organization_id) WHERE filter IS NOT NULL;
CREATE INDEX operations_repairing ON operations (organization_id, target_id)
  WHERE type = 'repair_index' AND completed_at_ms IS NULL;

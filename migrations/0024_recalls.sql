-- Receipts of recall: what a search or a context answered, without content. The id begins with the time of the answer.
CREATE TABLE recalls (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  operation TEXT NOT NULL,
  key_id TEXT NOT NULL,
  agent_id TEXT, -- this and the next one are those that the key was bound to
  user_id TEXT,
  of_agent_id TEXT, -- this and the next one are those of the request. The receipt is deleted with the user
  of_user_id TEXT,
  run_id TEXT,
  answer TEXT NOT NULL, -- the items, their layout, and by which models and rules they were found
  versions TEXT NOT NULL, -- versions of memories, and times of the last change to messages, by id
  request TEXT NOT NULL,
  metadata TEXT NOT NULL,
  used TEXT, -- this and the next two are notes of the caller
  outcome TEXT,
  noted_at_ms INTEGER,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
-- A receipt without a user costs one row, as it is in no other index.
CREATE INDEX recalls_of_users ON recalls (organization_id, of_user_id, id) WHERE of_user_id IS NOT NULL;

-- Of a deletion of a user: the newest receipt that it deletes. NULL once none is left.
ALTER TABLE operations ADD COLUMN recalls_until TEXT;
ALTER TABLE operations ADD COLUMN recalls_deleted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX operations_deleting_recalls ON operations (organization_id, target_id) WHERE recalls_until IS NOT NULL;

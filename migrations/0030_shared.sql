-- Whether every user of the organization can read a conversation or memory beside their own. It then belongs to no user.
ALTER TABLE conversations ADD COLUMN shared INTEGER NOT NULL DEFAULT 0
  CHECK (shared IN (0, 1) AND (shared = 0 OR user_id IS NULL));
-- The list of a user is read from the rows of the user and the shared ones, each in order.
CREATE INDEX conversations_shared_by_created ON conversations (organization_id, created_at_ms, id)
  WHERE kind = 'conversation' AND shared = 1;
CREATE INDEX conversations_shared_by_updated ON conversations (organization_id, updated_at_ms, id)
  WHERE kind = 'conversation' AND shared = 1;
CREATE INDEX memories_shared_by_created ON conversations (organization_id, created_at_ms, id)
  WHERE kind <> 'conversation' AND shared = 1;
CREATE INDEX memories_shared_by_updated ON conversations (organization_id, updated_at_ms, id)
  WHERE kind <> 'conversation' AND shared = 1;
-- What a key that is bound to a user can read and not write.
ALTER TABLE assertions ADD COLUMN shared_read_only INTEGER
  CONSTRAINT "refused:shared_read_only" CHECK (shared_read_only IS NULL);

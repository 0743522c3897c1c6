-- The hold that keeps a conversation or memory that is due: it has expired, or is soft-deleted. The sweep notes it, and reads
-- no such row again until the hold is lifted. NULL for all others.
ALTER TABLE conversations ADD COLUMN held_by TEXT;
CREATE INDEX conversations_held ON conversations (organization_id, held_by) WHERE held_by IS NOT NULL;

-- The rows that no hold keeps come first.
DROP INDEX conversations_deleted;
CREATE INDEX conversations_deleted ON conversations (organization_id, held_by, deleted_at_ms)
  WHERE deleted_at_ms IS NOT NULL;
DROP INDEX conversations_by_operation;
CREATE INDEX conversations_by_operation ON conversations (operation_id, held_by) WHERE operation_id IS NOT NULL;

-- Only the rows that no hold keeps.
DROP INDEX conversations_by_expiry;
CREATE INDEX conversations_by_expiry ON conversations (organization_id, expires_at_ms, id)
  WHERE kind = 'conversation' AND expires_at_ms IS NOT NULL AND held_by IS NULL;
DROP INDEX memories_by_expiry;
CREATE INDEX memories_by_expiry ON conversations (organization_id, expires_at_ms, id)
  WHERE kind <> 'conversation' AND expires_at_ms IS NOT NULL AND held_by IS NULL;

-- 1 from the lift of a hold until no row names it any more.
ALTER TABLE holds ADD COLUMN is_releasing INTEGER NOT NULL DEFAULT 0;
CREATE INDEX holds_releasing ON holds (organization_id) WHERE is_releasing = 1;

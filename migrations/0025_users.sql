-- Memories, keys and operations of a user.
ALTER TABLE api_keys ADD COLUMN user_id TEXT; -- the only user whose data the key can access. NULL for all
ALTER TABLE operations ADD COLUMN user_id TEXT; -- the user that the key of the operation is bound to

-- Unique for an agent and a user. conversations.external_id is unique in the organization, so a memory has its own column.
ALTER TABLE conversations ADD COLUMN memory_external_id TEXT;
CREATE UNIQUE INDEX memories_by_external_id
  ON conversations (organization_id, memory_external_id, coalesce(agent_id, ''), coalesce(user_id, ''))
  WHERE memory_external_id IS NOT NULL AND deleted_at_ms IS NULL;

-- Content is unique for an agent and a user, among memories without an external id. The previous version of the service
-- finds memories by the first three columns.
DROP INDEX memories_by_content;
CREATE UNIQUE INDEX memories_by_content
  ON conversations (organization_id, coalesce(agent_id, ''), content_hash, coalesce(user_id, ''), coalesce(memory_external_id, ''))
  WHERE content_hash IS NOT NULL AND deleted_at_ms IS NULL;

-- The users of an organization, and how many conversations and memories each has.
CREATE INDEX conversations_of_users ON conversations (organization_id, user_id, kind)
  WHERE user_id IS NOT NULL AND deleted_at_ms IS NULL;

-- A list filtered by user reads only matching rows.
CREATE INDEX memories_of_user_by_created ON conversations (organization_id, user_id, created_at_ms, id)
  WHERE kind <> 'conversation' AND user_id IS NOT NULL;
CREATE INDEX memories_of_user_by_updated ON conversations (organization_id, user_id, updated_at_ms, id)
  WHERE kind <> 'conversation' AND user_id IS NOT NULL;

ALTER TABLE assertions ADD COLUMN user_conflict INTEGER CONSTRAINT "refused:user_conflict" CHECK (user_conflict IS NULL);

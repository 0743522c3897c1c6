-- A list filtered by agent or user reads only matching rows.
-- Of two equally good indexes SQLite takes the one created last. A user has fewer rows than an agent.
CREATE INDEX conversations_of_agent_by_created ON conversations (organization_id, agent_id, created_at_ms, id)
  WHERE kind = 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX conversations_of_agent_by_updated ON conversations (organization_id, agent_id, updated_at_ms, id)
  WHERE kind = 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX conversations_of_user_by_created ON conversations (organization_id, user_id, created_at_ms, id)
  WHERE kind = 'conversation' AND user_id IS NOT NULL;
CREATE INDEX conversations_of_user_by_updated ON conversations (organization_id, user_id, updated_at_ms, id)
  WHERE kind = 'conversation' AND user_id IS NOT NULL;
CREATE INDEX memories_of_agent_by_created ON conversations (organization_id, agent_id, created_at_ms, id)
  WHERE kind <> 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX memories_of_agent_by_updated ON conversations (organization_id, agent_id, updated_at_ms, id)
  WHERE kind <> 'conversation' AND agent_id IS NOT NULL;

-- A list of an agent's or a user's reads its own rows, however many of others lie between them.
-- Of two that serve alike SQLite takes the one that was made last: a user has less than an agent.
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

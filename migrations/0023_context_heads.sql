-- What the stable part of a context holds: ids, places and hashes, and no text. A row is never changed but for its expiry.
CREATE TABLE context_heads (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  request_hash TEXT NOT NULL, -- of the id, the agent and user of the key, and what the context was asked for
  conversation_id TEXT NOT NULL, -- empty if no messages are in it
  user_id TEXT NOT NULL, -- of the request or key, if memories are in it, otherwise empty
  blocks TEXT NOT NULL, -- JSON, see service/src/contexts/heads-queries.ts
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX context_heads_of_conversation ON context_heads (organization_id, conversation_id);
CREATE INDEX context_heads_of_user ON context_heads (organization_id, user_id);
CREATE INDEX context_heads_expired ON context_heads (expires_at_ms);

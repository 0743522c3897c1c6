-- Usage of each key per day, counted in memory and written after the response. For monitoring, not for billing.
CREATE TABLE usage (
  organization_id TEXT NOT NULL,
  day TEXT NOT NULL, -- in UTC, as in 2026-11-02
  key_id TEXT NOT NULL, -- empty for background work of no key
  requests INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  message_bytes INTEGER NOT NULL,
  searches INTEGER NOT NULL,
  embeddings INTEGER NOT NULL,
  -- The counts by operation and MCP tool, as JSON. NULL if all are of no known operation. A row for each operation would
  -- cost a write of its own.
  operations TEXT,
  PRIMARY KEY (organization_id, day, key_id)
) STRICT, WITHOUT ROWID;

-- Changes of keys and deletions, written in the transaction of the change. No content, names or secrets.
CREATE TABLE audit_events (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT, -- the acting key. NULL is the operator
  target_id TEXT NOT NULL,
  operation_id TEXT, -- the deletion, for an event of one
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT;

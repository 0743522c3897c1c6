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

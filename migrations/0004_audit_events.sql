-- Who did what to keys, and who deleted what: written with it, in one transaction. No content, names or secrets.
CREATE TABLE audit_events (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  action TEXT NOT NULL,
  key_id TEXT, -- whose holder did it; NULL is the operator
  target_id TEXT NOT NULL,
  operation_id TEXT, -- of a deletion
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT;

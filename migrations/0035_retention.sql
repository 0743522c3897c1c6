-- The time from which the sweep deletes a conversation or memory. NULL if it does not expire. The indexes also have rows
-- that are soft-deleted, because a step of a deletion reads those that it has just marked.
ALTER TABLE conversations ADD COLUMN expires_at_ms INTEGER;
CREATE INDEX conversations_by_expiry ON conversations (organization_id, expires_at_ms, id)
  WHERE kind = 'conversation' AND expires_at_ms IS NOT NULL;
CREATE INDEX memories_by_expiry ON conversations (organization_id, expires_at_ms, id)
  WHERE kind <> 'conversation' AND expires_at_ms IS NOT NULL;

-- The rule that began a deletion. NULL if a key did, and for what has expired.
ALTER TABLE operations ADD COLUMN retention_rule_id TEXT;

-- What is deleted at which age.
CREATE TABLE retention_rules (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  older_than_days INTEGER NOT NULL,
  by_time TEXT NOT NULL, -- the time by which the age counts
  filter TEXT NOT NULL CHECK (json_type(filter) = 'object'),
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  matched INTEGER, -- of the last application. NULL before the first
  operation_id TEXT, -- the last deletion
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  applied_at_ms INTEGER,
  next_run_at_ms INTEGER NOT NULL, -- a run that applies the rule sets it to a time of its own
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retention_rules_by_run ON retention_rules (next_run_at_ms);

-- The end of what was deleted from the chain of audit events, from which its hashes go on. No row while nothing was.
CREATE TABLE audit_starts (
  organization_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

ALTER TABLE assertions ADD COLUMN too_many_retention_rules INTEGER
  CONSTRAINT "refused:too_many_retention_rules" CHECK (too_many_retention_rules IS NULL);

-- The event log: a row for each change of an organization, written in the transaction of the change. Ids and numbers,
-- never content or names. Old rows are deleted from the start, but never the newest, which holds the last sequence.
CREATE TABLE events (
  organization_id TEXT NOT NULL,
  sequence INTEGER NOT NULL, -- 1, 2, 3 in each organization, without gaps
  type TEXT NOT NULL,
  subject_id TEXT NOT NULL, -- the conversation, memory, operation or key that the type names
  first_sequence INTEGER, -- of the messages that changed. NULL for other events
  last_sequence INTEGER,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, sequence)
) STRICT, WITHOUT ROWID;

-- Ids of audit events had the prefix that events have now. They keep their order, by which they are listed.
UPDATE audit_events SET id = 'aud_' || substr(id, 5) WHERE substr(id, 1, 4) = 'evt_';

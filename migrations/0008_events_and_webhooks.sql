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

-- URLs that get the events of an organization. What is delivered is read from the table of events by a position, so an
-- event adds no row.
CREATE TABLE webhooks (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  types TEXT, -- JSON array of event types. NULL for all
  disabled_reason TEXT CHECK (disabled_reason IN ('requested', 'gone', 'failing')), -- NULL while enabled
  secret TEXT NOT NULL, -- encrypted
  previous_secret TEXT, -- encrypted, and used until previous_until_ms
  previous_until_ms INTEGER,
  position INTEGER NOT NULL, -- sequence of the last event that was delivered or set aside
  attempts INTEGER NOT NULL DEFAULT 0, -- failed ones, of the event after the position
  next_attempt_at_ms INTEGER, -- NULL if no attempt failed
  failing_since_ms INTEGER, -- time of the first failure since the last success
  lease_id TEXT, -- the run that delivers now
  lease_until_ms INTEGER,
  tests INTEGER NOT NULL DEFAULT 0, -- in the minute from tests_from_ms
  tests_from_ms INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;

-- A row exists only for an event with a failed attempt: one that fails in its turn, was set aside, or was delivered
-- later. Only the newest rows are kept.
CREATE TABLE webhook_deliveries (
  organization_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER, -- NULL after the last attempt, and for an event in its turn, whose webhook has it
  attempt_log TEXT NOT NULL DEFAULT '[]', -- JSON array of the last attempts
  delivered_at_ms INTEGER, -- NULL until it succeeds
  PRIMARY KEY (organization_id, webhook_id, sequence)
) STRICT, WITHOUT ROWID;

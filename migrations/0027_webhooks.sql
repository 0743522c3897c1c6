-- URLs that get the events of an organization. What is delivered is read from the table of events by a position, so an
-- event adds no row. A row of deliveries exists only for an event that could not be delivered in its turn.
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
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_deliveries (
  organization_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER, -- NULL after the last attempt
  PRIMARY KEY (organization_id, webhook_id, sequence)
) STRICT, WITHOUT ROWID;

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
  PRIMARY KEY (organization_id, day, key_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE api_keys ADD COLUMN last_used_at_ms INTEGER; -- precise to one minute

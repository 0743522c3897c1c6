-- What each key was used for, by day: added up in memory and written behind the answers, for watching.
CREATE TABLE usage (
  organization_id TEXT NOT NULL,
  day TEXT NOT NULL, -- of UTC: 2026-11-02
  key_id TEXT NOT NULL, -- empty for work that no key asked for
  requests INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  message_bytes INTEGER NOT NULL,
  searches INTEGER NOT NULL,
  embeddings INTEGER NOT NULL,
  PRIMARY KEY (organization_id, day, key_id)
) STRICT, WITHOUT ROWID;

ALTER TABLE api_keys ADD COLUMN last_used_at_ms INTEGER; -- to the minute

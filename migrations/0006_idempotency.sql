-- Requests with an idempotency key, and what they stored. Expired keys are together at the start, without an index of
-- their own.
CREATE TABLE idempotency_keys (
  expires_day INTEGER NOT NULL, -- days since the epoch
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL, -- the API key
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL DEFAULT '{}', -- ids and numbers of the stored response, never content or secrets
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (expires_day, organization_id, key_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;

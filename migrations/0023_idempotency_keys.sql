-- Rows in the order of the primary key, without an index of their own for it: a key costs one row written less.
-- The previous version of the service stores and finds keys in this table as before. Only its sweep cannot forget
-- expired ones, which the next version does.
CREATE TABLE idempotency_keys_by_name (
  organization_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL DEFAULT '{}', -- ids and numbers of the stored response, never content or secrets
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, key_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
INSERT INTO idempotency_keys_by_name
  (organization_id, key_id, operation, idempotency_key, request_hash, result, expires_at_ms)
SELECT organization_id, key_id, operation, idempotency_key, request_hash, result, expires_at_ms FROM idempotency_keys;
DROP TABLE idempotency_keys;
ALTER TABLE idempotency_keys_by_name RENAME TO idempotency_keys;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at_ms);

ALTER TABLE audit_events ADD COLUMN request_id TEXT; -- NULL for background work

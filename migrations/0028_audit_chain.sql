-- Audit events form a chain in each organization. number and hash are NULL until the sweep adds the event to it.
ALTER TABLE audit_events ADD COLUMN number INTEGER; -- 1 for the first
ALTER TABLE audit_events ADD COLUMN hash TEXT; -- of the event and of the hash of the one before, see service/src/audit/chain.ts
CREATE UNIQUE INDEX audit_events_by_number ON audit_events (organization_id, number) WHERE number IS NOT NULL;
CREATE INDEX audit_events_unchained ON audit_events (organization_id, id) WHERE number IS NULL;

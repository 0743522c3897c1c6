-- The audit events of a request. Background work has none.
CREATE INDEX audit_events_by_request ON audit_events (organization_id, request_id, id) WHERE request_id IS NOT NULL;
-- A conversation without messages is sorted by the time when it was created.
UPDATE conversations SET last_message_at_ms = created_at_ms WHERE kind = 'conversation' AND message_count = 0;

-- One schedule of attempts for the events of a webhook. Later events wait for a failed one, and after the last attempt the
-- webhook is paused.
ALTER TABLE webhooks ADD COLUMN enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1));
ALTER TABLE webhooks ADD COLUMN paused_reason TEXT CHECK (paused_reason IN ('gone', 'failing')); -- NULL unless paused
-- Sequence of the last event that was deleted from the log before it was sent. NULL if none was.
ALTER TABLE webhooks ADD COLUMN missed_up_to INTEGER;
UPDATE webhooks SET enabled = disabled_reason IS NOT 'requested', paused_reason = nullif(disabled_reason, 'requested');
ALTER TABLE webhooks DROP COLUMN disabled_reason;

-- An event that was set aside with attempts left takes its place in the order again, and those after it are sent again.
UPDATE webhooks SET attempts = 0, next_attempt_at_ms = NULL, position = min(position, coalesce(
  (SELECT min(d.sequence) - 1 FROM webhook_deliveries AS d
    WHERE d.organization_id = webhooks.organization_id AND d.webhook_id = webhooks.id
      AND d.next_attempt_at_ms IS NOT NULL), position));

-- The webhook has the attempts and the next one of the event after its position. A row without delivered_at_ms is of
-- that event, or of one that was skipped.
ALTER TABLE webhook_deliveries DROP COLUMN attempts;
ALTER TABLE webhook_deliveries DROP COLUMN next_attempt_at_ms;

UPDATE audit_events SET action = 'webhook.paused' WHERE action = 'webhook.disabled';

-- A row of deliveries also exists for an event that was delivered after a failed attempt, and for one that fails in its
-- turn. It then has no next attempt of its own, because the webhook has it. Only the newest rows are kept.
ALTER TABLE webhook_deliveries ADD COLUMN attempt_log TEXT NOT NULL DEFAULT '[]'; -- JSON array of the last attempts
ALTER TABLE webhook_deliveries ADD COLUMN delivered_at_ms INTEGER; -- NULL until it succeeds
ALTER TABLE assertions ADD COLUMN too_many_webhooks INTEGER CONSTRAINT "refused:too_many_webhooks" CHECK (too_many_webhooks IS NULL);

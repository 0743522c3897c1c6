-- The deletion of an organization that revoked a key. Canceling that deletion restores these keys only.
ALTER TABLE api_keys ADD COLUMN revoked_by TEXT; -- the operation. NULL for a key that was revoked individually
-- Backfill for deletions that still run: each wrote one time to the organization and its keys.
UPDATE api_keys
   SET revoked_by = (SELECT o.operation_id FROM organizations AS o
                      WHERE o.id = api_keys.organization_id AND o.deleted_at_ms = api_keys.revoked_at_ms)
 WHERE revoked_at_ms IS NOT NULL;

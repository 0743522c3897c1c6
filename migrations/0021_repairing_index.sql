-- Databases to which an early text of migration 0012 was applied lack this index.
CREATE INDEX IF NOT EXISTS operations_repairing ON operations (organization_id, target_id)
  WHERE type = 'repair_index' AND completed_at_ms IS NULL;

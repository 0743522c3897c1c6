-- Time of the last change to title, tags or metadata. NULL if there was none, or if it was before this migration.
ALTER TABLE conversations ADD COLUMN edited_at_ms INTEGER;

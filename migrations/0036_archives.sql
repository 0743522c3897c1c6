-- Archives: copies of all lines of an organization in an object store.
CREATE TABLE archives (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  position TEXT CHECK (json_type(position) = 'object'), -- the last line that a part has. NULL once all are written
  part_count INTEGER NOT NULL DEFAULT 0,
  conversation_count INTEGER NOT NULL DEFAULT 0, -- this and the next four are the lines of the parts
  message_count INTEGER NOT NULL DEFAULT 0,
  memory_count INTEGER NOT NULL DEFAULT 0,
  version_count INTEGER NOT NULL DEFAULT 0,
  recall_count INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  stored_bytes INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  completed_at_ms INTEGER,
  expires_at_ms INTEGER,
  deleted_at_ms INTEGER, -- the sweep removes the objects, then the rows
  writing_until_ms INTEGER, -- until then, a run that has begun a part may store an object. NULL if none has
  PRIMARY KEY (organization_id, id)
) STRICT;
CREATE INDEX archives_writing ON archives (organization_id) WHERE completed_at_ms IS NULL AND deleted_at_ms IS NULL;
CREATE INDEX archives_deleted ON archives (organization_id) WHERE deleted_at_ms IS NOT NULL;
CREATE INDEX archives_expiring ON archives (expires_at_ms) WHERE expires_at_ms IS NOT NULL AND deleted_at_ms IS NULL;

-- The digest is part of the name of the object, so that two runs that write the same part cannot overwrite each other.
CREATE TABLE archive_parts (
  organization_id TEXT NOT NULL,
  archive_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (organization_id, archive_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE archive_schedules (
  organization_id TEXT PRIMARY KEY,
  every_days INTEGER NOT NULL,
  keep_days INTEGER,
  next_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX archive_schedules_due ON archive_schedules (next_at_ms);

ALTER TABLE assertions ADD COLUMN too_many_archives INTEGER
  CONSTRAINT "refused:too_many_archives" CHECK (too_many_archives IS NULL);

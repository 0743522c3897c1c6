-- Deletions that hold: what was deleted with forget is refused until its tombstone is lifted.

-- 32 random bytes in hex, with which the hashes of tombstones are computed. NULL until the first such deletion. Deleted
-- with the organization, and with it the meaning of every hash.
ALTER TABLE organizations ADD COLUMN tombstone_key TEXT;

-- One for each deletion. Its id has the characters of the id of the operation.
CREATE TABLE tombstones (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  conversation_count INTEGER NOT NULL DEFAULT 0, -- this and the next two are of the deleted items
  message_count INTEGER NOT NULL DEFAULT 0,
  memory_count INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  lifted_at_ms INTEGER, -- NULL while it holds. The sweep deletes the hashes of a lifted one, and then its row
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_lifted ON tombstones (lifted_at_ms) WHERE lifted_at_ms IS NOT NULL;

-- HMAC-SHA-256 of ids, external ids, contents of memories and users. No text, and no name of anybody.
CREATE TABLE tombstone_hashes (
  organization_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  tombstone_id TEXT NOT NULL,
  PRIMARY KEY (organization_id, hash, tombstone_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_hashes_of_tombstone ON tombstone_hashes (organization_id, tombstone_id);

ALTER TABLE assertions ADD COLUMN forgotten INTEGER CONSTRAINT "refused:forgotten" CHECK (forgotten IS NULL);
ALTER TABLE assertions ADD COLUMN tombstones_unknown INTEGER
  CONSTRAINT "refused:tombstones_unknown" CHECK (tombstones_unknown IS NULL);
ALTER TABLE assertions ADD COLUMN item_changed INTEGER CONSTRAINT "refused:item_changed" CHECK (item_changed IS NULL);

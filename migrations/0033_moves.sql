-- Moves of organizations between this database and a cell. The rows of this database say how far a move is. In a cell that
-- an organization leaves, the row of its move says the same to the triggers there.
CREATE TABLE moves (
  id TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL,
  -- Where the organization moves to.
  place TEXT NOT NULL CHECK (place IN ('d1', 'cell')),
  -- copying: the rows are copied. frozen: nothing can be written, for the last changes. removing: the organization has moved,
  -- and its old rows are removed. canceling: it stays, and the copies are removed. ended.
  phase TEXT NOT NULL CHECK (phase IN ('copying', 'frozen', 'removing', 'canceling', 'ended')),
  -- Runs of the cell, which makes the move. A late write of an earlier run is refused.
  attempt INTEGER NOT NULL DEFAULT 0,
  -- Messages.
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  frozen_at_ms INTEGER,
  moved_at_ms INTEGER,
  canceled_at_ms INTEGER,
  completed_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX moves_running ON moves (organization_id) WHERE completed_at_ms IS NULL;
-- Rows that have changed since a move began. Triggers insert them, which exist as long as a move.
CREATE TABLE moved_rows (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  organization_id TEXT NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL CHECK (json_type(key) = 'array')
) STRICT;
CREATE INDEX moved_rows_of_organization ON moved_rows (organization_id, number);
-- Keys of organizations that have moved to a cell, because the secrets of old keys do not name their organization.
CREATE TABLE moved_keys (
  secret_hash TEXT PRIMARY KEY,
  organization_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX moved_keys_of_organization ON moved_keys (organization_id);

-- Legal holds. What an active one holds is not deleted, edited or purged. Holds are lifted, and deleted only with the
-- organization.
CREATE TABLE holds (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  created_by TEXT NOT NULL, -- id of the key or member
  lifted_at_ms INTEGER, -- NULL while it is active
  lifted_by TEXT,
  overridden_by TEXT, -- the deletion of the organization that lifted it
  has_ids INTEGER NOT NULL, -- 1 if it names the items in hold_items, 0 if the following columns are its filter
  corpus TEXT CHECK (corpus IN ('conversations', 'memories')), -- this and the following are NULL without a condition
  agent_id TEXT,
  user_id TEXT,
  tags_any TEXT CHECK (json_type(tags_any) = 'array'),
  tags_all TEXT CHECK (json_type(tags_all) = 'array'),
  metadata TEXT CHECK (json_type(metadata) = 'object'),
  created_after_ms INTEGER,
  created_before_ms INTEGER,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX holds_active ON holds (organization_id) WHERE lifted_at_ms IS NULL;

-- Conversations and memories that a hold names.
CREATE TABLE hold_items (
  organization_id TEXT NOT NULL,
  hold_id TEXT NOT NULL,
  item_id TEXT NOT NULL,
  PRIMARY KEY (organization_id, hold_id, item_id)
) STRICT, WITHOUT ROWID;

-- Items that a deletion by a filter did not delete because of holds, and the ids of these holds as JSON. Of the deletion
-- of an organization, the ids are those of the holds that it lifted.
ALTER TABLE operations ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN hold_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_type(hold_ids) = 'array');
-- The deletion of a user waits until a hold is lifted. Sweeps leave it out until then.
ALTER TABLE operations ADD COLUMN waits_for_hold INTEGER NOT NULL DEFAULT 0;
CREATE INDEX operations_waiting_for_hold ON operations (organization_id) WHERE waits_for_hold = 1;

-- A quotation that the message no longer has, of a memory that was held when the message lost it. It is removed once no
-- hold holds the memory.
ALTER TABLE memory_sources ADD COLUMN is_quote_held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memory_sources_with_held_quotes ON memory_sources (organization_id) WHERE is_quote_held = 1;

ALTER TABLE assertions ADD COLUMN held INTEGER CONSTRAINT "refused:held" CHECK (held IS NULL);
ALTER TABLE assertions ADD COLUMN too_many_holds INTEGER CONSTRAINT "refused:too_many_holds" CHECK (too_many_holds IS NULL);

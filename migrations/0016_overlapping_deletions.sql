-- Rowid of the newest operation when a deletion by a filter had no item left to mark. Its receipt waits for what these
-- operations had marked first.
ALTER TABLE operations ADD COLUMN overlaps_until INTEGER;

-- The rules that split texts into words have changed. The sweep queues all conversations and memories that were stored
-- before, in the order of their row keys, and indexing computes their words again. Until then, searches find them by
-- the words of the earlier rules. No row when nothing is left.
CREATE TABLE keyword_index_rebuild (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  next_row_key INTEGER NOT NULL, -- conversations.row_key
  last_row_key INTEGER -- NULL until the first sweep: until then, a Worker with the earlier rules may still store some
) STRICT;
INSERT INTO keyword_index_rebuild (id, next_row_key) SELECT 1, 0 WHERE EXISTS (SELECT 1 FROM conversations);

-- 1 in a job that rebuilds the keyword index only. The vectors are as they should be.
ALTER TABLE index_jobs ADD COLUMN keeps_vectors INTEGER NOT NULL DEFAULT 0 CHECK (keeps_vectors IN (0, 1));
CREATE INDEX index_jobs_of_rebuild ON index_jobs (id) WHERE keeps_vectors = 1;

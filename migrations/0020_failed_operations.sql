-- Items of an operation that were given up. A repair that has any has failed.
ALTER TABLE operations ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
-- Jobs that a repair gave up, counted for its progress and when it completes.
CREATE INDEX index_jobs_given_up ON index_jobs (operation_id, conversation_id)
  WHERE operation_id IS NOT NULL AND attempts >= 10;

-- Memories for which a text model writes tags and a summary. It never replaces those that a person set.
CREATE TABLE enrichment_jobs (
  organization_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  operation_id TEXT, -- the backfill that queued this row
  pass INTEGER NOT NULL CHECK (pass IN (1, 2, 3)), -- 1 to draft tags, 2 to write tags and summary, 3 done
  draft TEXT CHECK (json_type(draft) = 'array'), -- tags of the first pass, the vocabulary of the second
  due_at_ms INTEGER, -- earliest time of the next attempt. NULL while there is nothing to do
  attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, memory_id)
) STRICT;
CREATE INDEX enrichment_jobs_by_due ON enrichment_jobs (organization_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
-- Each state of a job is one seek, so that the end of a pass does not read all jobs of a backfill.
CREATE INDEX enrichment_jobs_by_operation ON enrichment_jobs (operation_id, pass, due_at_ms) WHERE operation_id IS NOT NULL;

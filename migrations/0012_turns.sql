-- The sweep serves organizations in turn. It reads every queue by organization, oldest first.
DROP INDEX vector_deletions_by_due;
CREATE INDEX vector_deletions_by_due ON vector_deletions (organization_id, due_at_ms);
DROP INDEX index_jobs_by_due;
CREATE INDEX index_jobs_by_due ON index_jobs (organization_id, due_at_ms) WHERE attempts < 10; -- after ten attempts a job waits for a repair
DROP INDEX conversations_deleted;
CREATE INDEX conversations_deleted ON conversations (organization_id, deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;
DROP INDEX organizations_deleted;
CREATE INDEX organizations_deleted ON organizations (id) WHERE deleted_at_ms IS NOT NULL;
DROP INDEX enrichment_jobs_by_due;
CREATE INDEX enrichment_jobs_by_due ON enrichment_jobs (organization_id, due_at_ms) WHERE due_at_ms IS NOT NULL;
-- Each state of a job is one seek, so that the end of a pass does not read all jobs of a backfill.
DROP INDEX enrichment_jobs_by_operation;
CREATE INDEX enrichment_jobs_by_operation ON enrichment_jobs (operation_id, pass, due_at_ms) WHERE operation_id IS NOT NULL;

-- Whether a vector of a conversation was queued before its receipt is one seek.
DROP INDEX vector_deletions_by_conversation;
CREATE INDEX vector_deletions_by_conversation ON vector_deletions (organization_id, conversation_id, queued_at_ms);
-- Vectors that were written after their chunk was deleted, with no operation that names them.
CREATE INDEX vector_deletions_late ON vector_deletions (organization_id) WHERE queued_at_ms = 0 AND operation_id IS NULL;
-- Jobs of a repair that still run, without those that were given up.
DROP INDEX index_jobs_by_operation;
CREATE INDEX index_jobs_by_operation ON index_jobs (operation_id) WHERE operation_id IS NOT NULL AND attempts < 10;
-- Unfinished operations of each organization, oldest first. Imports wait for their caller for days.
DROP INDEX operations_running;
CREATE INDEX operations_running ON operations (organization_id) WHERE completed_at_ms IS NULL AND type <> 'import';
CREATE INDEX operations_importing ON operations (created_at_ms) WHERE completed_at_ms IS NULL AND type = 'import';
CREATE INDEX operations_hiding ON operations (organization_id) WHERE filter IS NOT NULL;
CREATE INDEX operations_repairing ON operations (organization_id, target_id)
  WHERE type = 'repair_index' AND completed_at_ms IS NULL;
-- An import ends when it is canceled. Before, the sweep ended it.
UPDATE operations SET completed_at_ms = canceled_at_ms
 WHERE type = 'import' AND canceled_at_ms IS NOT NULL AND completed_at_ms IS NULL;

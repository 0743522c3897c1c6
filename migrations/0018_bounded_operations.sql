-- The deletion of an organization ends its keys by the state of the organization. Before, it revoked each of them.
-- A later migration drops the column, because the Worker of the version before still writes it during a deployment.
UPDATE api_keys SET revoked_at_ms = NULL, revoked_by = NULL WHERE revoked_by IS NOT NULL;
-- A backfill queues at most 5,000 memories at a time. Before, it queued all of them, and canceling it took them all in
-- one statement. Memories of such a backfill are now described one by one like captured ones, and it ends.
DELETE FROM enrichment_jobs
 WHERE pass = 3 AND operation_id IN (SELECT operation_id FROM enrichment_jobs
                                      WHERE operation_id IS NOT NULL GROUP BY operation_id HAVING count(*) > 5000);
UPDATE enrichment_jobs SET operation_id = NULL, pass = 2, draft = NULL, due_at_ms = coalesce(due_at_ms, 0)
 WHERE operation_id IN (SELECT operation_id FROM enrichment_jobs
                         WHERE operation_id IS NOT NULL GROUP BY operation_id HAVING count(*) > 5000);

-- Earlier versions stored the answer of a model, which may repeat content. A failed job stays marked as failed.
UPDATE index_jobs SET last_error = 'earlier_failure' WHERE last_error IS NOT NULL;
-- Failed jobs were left when their messages were deleted. A job fails after ten attempts.
DELETE FROM index_jobs
 WHERE attempts >= 10
   AND NOT EXISTS (SELECT 1 FROM messages AS m
                    WHERE m.organization_id = index_jobs.organization_id
                      AND m.conversation_id = index_jobs.conversation_id
                      AND m.sequence BETWEEN index_jobs.from_sequence AND index_jobs.to_sequence);

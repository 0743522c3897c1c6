-- Earlier versions kept what a model answered, which may repeat a text. A failed job stays marked as one.
UPDATE index_jobs SET last_error = 'earlier_failure' WHERE last_error IS NOT NULL;
-- Jobs that were given up stayed when their messages were deleted. Ten attempts is when a job is given up.
DELETE FROM index_jobs
 WHERE attempts >= 10
   AND NOT EXISTS (SELECT 1 FROM messages AS m
                    WHERE m.organization_id = index_jobs.organization_id
                      AND m.conversation_id = index_jobs.conversation_id
                      AND m.sequence BETWEEN index_jobs.from_sequence AND index_jobs.to_sequence);

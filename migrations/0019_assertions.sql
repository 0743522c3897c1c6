-- A batch checks a precondition by inserting into its column when it does not hold. Every row violates a constraint,
-- and the error names the first one, so the whole batch fails with the name of the precondition.
CREATE TABLE assertions (
  content_conflict INTEGER CONSTRAINT "refused:content_conflict" CHECK (content_conflict IS NULL),
  conversation_full INTEGER CONSTRAINT "refused:conversation_full" CHECK (conversation_full IS NULL),
  external_id_conflict INTEGER CONSTRAINT "refused:external_id_conflict" CHECK (external_id_conflict IS NULL),
  idempotency_mismatch INTEGER CONSTRAINT "refused:idempotency_mismatch" CHECK (idempotency_mismatch IS NULL),
  import_raced INTEGER CONSTRAINT "refused:import_raced" CHECK (import_raced IS NULL),
  lease_lost INTEGER CONSTRAINT "refused:lease_lost" CHECK (lease_lost IS NULL),
  lines_missing INTEGER CONSTRAINT "refused:lines_missing" CHECK (lines_missing IS NULL),
  not_cancelable INTEGER CONSTRAINT "refused:not_cancelable" CHECK (not_cancelable IS NULL),
  not_found INTEGER CONSTRAINT "refused:not_found" CHECK (not_found IS NULL),
  operation_ended INTEGER CONSTRAINT "refused:operation_ended" CHECK (operation_ended IS NULL),
  precondition_failed INTEGER CONSTRAINT "refused:precondition_failed" CHECK (precondition_failed IS NULL),
  repair_queued INTEGER CONSTRAINT "refused:repair_queued" CHECK (repair_queued IS NULL),
  replay INTEGER CONSTRAINT "refused:replay" CHECK (replay IS NULL),
  sequence_conflict INTEGER CONSTRAINT "refused:sequence_conflict" CHECK (sequence_conflict IS NULL),
  source_changed INTEGER CONSTRAINT "refused:source_changed" CHECK (source_changed IS NULL),
  too_many_messages INTEGER CONSTRAINT "refused:too_many_messages" CHECK (too_many_messages IS NULL),
  unauthenticated INTEGER CONSTRAINT "refused:unauthenticated" CHECK (unauthenticated IS NULL),
  CONSTRAINT "refused:unknown" CHECK (FALSE)
) STRICT;

-- The previous version of the service keeps its own table while it still answers, with constraints for the trigger.
DROP TABLE refusals;
CREATE TABLE refusals (
  code TEXT NOT NULL,
  CONSTRAINT "refused:content_conflict" CHECK (code <> 'refused:content_conflict'),
  CONSTRAINT "refused:conversation_full" CHECK (code <> 'refused:conversation_full'),
  CONSTRAINT "refused:external_id_conflict" CHECK (code <> 'refused:external_id_conflict'),
  CONSTRAINT "refused:idempotency_mismatch" CHECK (code <> 'refused:idempotency_mismatch'),
  CONSTRAINT "refused:import_raced" CHECK (code <> 'refused:import_raced'),
  CONSTRAINT "refused:lease_lost" CHECK (code <> 'refused:lease_lost'),
  CONSTRAINT "refused:lines_missing" CHECK (code <> 'refused:lines_missing'),
  CONSTRAINT "refused:not_cancelable" CHECK (code <> 'refused:not_cancelable'),
  CONSTRAINT "refused:not_found" CHECK (code <> 'refused:not_found'),
  CONSTRAINT "refused:operation_ended" CHECK (code <> 'refused:operation_ended'),
  CONSTRAINT "refused:precondition_failed" CHECK (code <> 'refused:precondition_failed'),
  CONSTRAINT "refused:repair_queued" CHECK (code <> 'refused:repair_queued'),
  CONSTRAINT "refused:replay" CHECK (code <> 'refused:replay'),
  CONSTRAINT "refused:sequence_conflict" CHECK (code <> 'refused:sequence_conflict'),
  CONSTRAINT "refused:source_changed" CHECK (code <> 'refused:source_changed'),
  CONSTRAINT "refused:too_many_messages" CHECK (code <> 'refused:too_many_messages'),
  CONSTRAINT "refused:unauthenticated" CHECK (code <> 'refused:unauthenticated'),
  CONSTRAINT "refused:unknown" CHECK (FALSE)
) STRICT;

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
  user_conflict INTEGER CONSTRAINT "refused:user_conflict" CHECK (user_conflict IS NULL),
  too_many_webhooks INTEGER CONSTRAINT "refused:too_many_webhooks" CHECK (too_many_webhooks IS NULL),
  CONSTRAINT "refused:unknown" CHECK (FALSE)
) STRICT;

-- Time of the last deletion request that the vector store did not confirm. It may still carry it out.
ALTER TABLE vector_deletions ADD COLUMN asked_at_ms INTEGER;

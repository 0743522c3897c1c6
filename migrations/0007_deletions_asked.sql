-- When the vector store was last asked for a deletion that it did not say it took: it may still carry it out.
ALTER TABLE vector_deletions ADD COLUMN asked_at_ms INTEGER;

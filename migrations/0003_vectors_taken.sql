-- Recent upserts to the vector store, newest first: [vector id, time, messages, agent id]. They become visible to queries later.
ALTER TABLE organization_counters ADD COLUMN vectors_taken TEXT CHECK (json_type(vectors_taken) = 'array');

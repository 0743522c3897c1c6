-- What the vector store took last, newest first: [vector id, when, messages, agent id]. It shows them to queries later.
ALTER TABLE organization_counters ADD COLUMN vectors_taken TEXT CHECK (json_type(vectors_taken) = 'array');

-- Labelled queries: what a search should find, and how it did in its last run.
CREATE TABLE evaluations (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  operation TEXT NOT NULL,
  request TEXT NOT NULL,
  expected TEXT NOT NULL CHECK (json_type(expected) = 'array'),
  depth INTEGER NOT NULL,
  agent_id TEXT, -- this and the next one are those that the key was bound to
  user_id TEXT,
  of_agent_id TEXT, -- this and the next one are those of the request. The row is deleted with the user
  of_user_id TEXT,
  from_recall TEXT,
  last_run TEXT,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluations_of_users ON evaluations (organization_id, of_user_id) WHERE of_user_id IS NOT NULL;

ALTER TABLE assertions ADD COLUMN too_many_evaluations INTEGER
  CONSTRAINT "refused:too_many_evaluations" CHECK (too_many_evaluations IS NULL);

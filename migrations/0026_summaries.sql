-- Summaries of conversations. They are derived from messages, and deleted in the batch that changes or deletes one of them.
CREATE TABLE summaries (
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 7), -- 1 is of messages, the others are of summaries of the level below
  from_sequence INTEGER NOT NULL, -- first and last message that it covers
  to_sequence INTEGER NOT NULL,
  source_count INTEGER NOT NULL, -- messages on level 1, summaries on the others
  is_full INTEGER NOT NULL CHECK (is_full IN (0, 1)), -- 0 for the end of a conversation, which a longer summary replaces
  sentences TEXT NOT NULL CHECK (json_type(sentences) = 'array'), -- each with the messages that it cites
  model TEXT, -- NULL if the sentences are verbatim
  rules INTEGER NOT NULL, -- version of the rules that made it, see service/src/text/summaries.ts
  source_hash TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, conversation_id, level, from_sequence)
) STRICT, WITHOUT ROWID;

-- Conversations with summaries to make.
CREATE TABLE summary_jobs (
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  from_sequence INTEGER NOT NULL,
  to_sequence INTEGER NOT NULL, -- 16777215 for the end of the conversation
  is_requested INTEGER NOT NULL DEFAULT 0 CHECK (is_requested IN (0, 1)), -- 1 also summarizes an end that does not rest
  due_at_ms INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_id TEXT, -- the run that makes them now. A change of a message ends its lease
  lease_until_ms INTEGER,
  PRIMARY KEY (organization_id, conversation_id)
) STRICT;
CREATE INDEX summary_jobs_by_due ON summary_jobs (organization_id, due_at_ms);

-- Number of summaries that a deletion has removed.
ALTER TABLE operations ADD COLUMN summaries_deleted INTEGER NOT NULL DEFAULT 0;

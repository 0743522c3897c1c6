-- A memory is stored as a conversation of one message, so that it shares the code of messages.
CREATE TABLE conversations (
  row_key INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused, because it is the high part of messages.row_key
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  external_id TEXT, -- NULL for a memory, which has memory_external_id
  title TEXT,
  agent_id TEXT,
  user_id TEXT,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_type(metadata) = 'object'),
  message_count INTEGER NOT NULL DEFAULT 0,
  term_count INTEGER NOT NULL DEFAULT 0, -- postings in the keyword index
  last_sequence INTEGER NOT NULL DEFAULT 0, -- the highest that a message ever had
  version INTEGER NOT NULL DEFAULT 1,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER, -- time of the soft-delete
  operation_id TEXT, -- the deletion of this row
  kind TEXT NOT NULL DEFAULT 'conversation' CHECK (kind IN ('conversation', 'note', 'summary')),
  source TEXT, -- this and the following columns are of memories
  summary TEXT,
  content_hash TEXT, -- SHA-256 in hex. NULL for a conversation
  authored INTEGER NOT NULL DEFAULT 0, -- set by a person, as bits: 1 tags, 2 summary. A text model never replaces them
  enriched_by TEXT, -- name of the text model. NULL until it has run
  memory_external_id TEXT,
  UNIQUE (organization_id, id)
) STRICT;
-- Of two equally good indexes SQLite takes the one created last, so their order is part of the query plans.
-- An external id is unique for an agent and a user, so that a key that is bound to one cannot take or find the ids of
-- others. Ids of agents and users are never empty.
CREATE UNIQUE INDEX conversations_by_external_id
  ON conversations (organization_id, external_id, coalesce(agent_id, ''), coalesce(user_id, ''))
  WHERE external_id IS NOT NULL AND deleted_at_ms IS NULL;
CREATE INDEX conversations_by_operation ON conversations (operation_id) WHERE operation_id IS NOT NULL;
-- Lists of conversations and of memories each read only their own rows.
CREATE INDEX conversations_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX conversations_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind = 'conversation';
CREATE INDEX memories_by_created ON conversations (organization_id, created_at_ms, id) WHERE kind <> 'conversation';
CREATE INDEX memories_by_updated ON conversations (organization_id, updated_at_ms, id) WHERE kind <> 'conversation';
-- A list filtered by agent or user reads only matching rows. A user has fewer rows than an agent, so the indexes of
-- users come after those of agents.
CREATE INDEX conversations_of_agent_by_created ON conversations (organization_id, agent_id, created_at_ms, id)
  WHERE kind = 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX conversations_of_agent_by_updated ON conversations (organization_id, agent_id, updated_at_ms, id)
  WHERE kind = 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX conversations_of_user_by_created ON conversations (organization_id, user_id, created_at_ms, id)
  WHERE kind = 'conversation' AND user_id IS NOT NULL;
CREATE INDEX conversations_of_user_by_updated ON conversations (organization_id, user_id, updated_at_ms, id)
  WHERE kind = 'conversation' AND user_id IS NOT NULL;
CREATE INDEX memories_of_agent_by_created ON conversations (organization_id, agent_id, created_at_ms, id)
  WHERE kind <> 'conversation' AND agent_id IS NOT NULL;
CREATE INDEX memories_of_agent_by_updated ON conversations (organization_id, agent_id, updated_at_ms, id)
  WHERE kind <> 'conversation' AND agent_id IS NOT NULL;
-- A list sorted by message count reads the rows of its page instead of sorting all rows.
CREATE INDEX conversations_by_message_count ON conversations (organization_id, message_count, id)
  WHERE kind = 'conversation';
-- The sweep serves organizations in turn. It reads every queue by organization, oldest first.
CREATE INDEX conversations_deleted ON conversations (organization_id, deleted_at_ms) WHERE deleted_at_ms IS NOT NULL;
CREATE UNIQUE INDEX memories_by_external_id
  ON conversations (organization_id, memory_external_id, coalesce(agent_id, ''), coalesce(user_id, ''))
  WHERE memory_external_id IS NOT NULL AND deleted_at_ms IS NULL;
-- Content is unique for an agent and a user, among memories without an external id.
CREATE UNIQUE INDEX memories_by_content
  ON conversations (organization_id, coalesce(agent_id, ''), content_hash, coalesce(user_id, ''), coalesce(memory_external_id, ''))
  WHERE content_hash IS NOT NULL AND deleted_at_ms IS NULL;
-- The users of an organization, and the conversations and memories of each in the order of an export. Ids of memories
-- come after those of conversations, so either can be counted alone.
CREATE INDEX conversations_of_users ON conversations (organization_id, user_id, id)
  WHERE user_id IS NOT NULL AND deleted_at_ms IS NULL;
CREATE INDEX memories_of_user_by_created ON conversations (organization_id, user_id, created_at_ms, id)
  WHERE kind <> 'conversation' AND user_id IS NOT NULL;
CREATE INDEX memories_of_user_by_updated ON conversations (organization_id, user_id, updated_at_ms, id)
  WHERE kind <> 'conversation' AND user_id IS NOT NULL;

CREATE TABLE messages (
  row_key INTEGER PRIMARY KEY, -- conversations.row_key << 24 | sequence, the rowid in the keyword index
  organization_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence BETWEEN 1 AND 16777215),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
  content TEXT NOT NULL,
  content_encoding TEXT CHECK (content_encoding IN ('raw', 'gzip+base64')), -- NULL is raw
  content_bytes INTEGER NOT NULL, -- size of the original content in UTF-8
  name TEXT,
  tool_call_id TEXT,
  tool_name TEXT,
  metadata TEXT CHECK (json_type(metadata) = 'object'), -- NULL is empty
  parts TEXT,
  external_id TEXT,
  external_digest TEXT, -- digest of the message as first sent with this external_id
  term_count INTEGER NOT NULL, -- postings in the keyword index
  model_tokens INTEGER NOT NULL, -- what the content costs a model, see service/src/text/model-tokens.ts
  created_at_ms INTEGER NOT NULL,
  stored_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER,
  features INTEGER, -- they adjust the rank. Bits, see service/src/text/features.ts. NULL is none
  name_terms TEXT, -- terms of the name, as in the keyword index
  UNIQUE (organization_id, id),
  UNIQUE (organization_id, conversation_id, sequence)
) STRICT;
CREATE UNIQUE INDEX messages_by_external_id ON messages (organization_id, conversation_id, external_id)
  WHERE external_id IS NOT NULL;

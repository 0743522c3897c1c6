-- Entities: what the rules find in messages, such as file names, errors and dates. Derived from messages, rebuilt by a
-- repair, and deleted in the transaction that deletes or changes the message.

-- The mentions of each message that has any, in the order of the text. Names the rows below that are deleted with it.
CREATE TABLE message_entities (
  row_key INTEGER PRIMARY KEY, -- messages.row_key
  organization_id TEXT NOT NULL,
  rules INTEGER NOT NULL, -- version of the rules
  mentions TEXT NOT NULL CHECK (json_type(mentions) = 'array')
) STRICT;

-- A row for each entity that a message mentions.
CREATE TABLE entity_messages (
  organization_id TEXT NOT NULL,
  conversation_row_key INTEGER NOT NULL, -- conversations.row_key
  kind TEXT NOT NULL,
  folded TEXT NOT NULL, -- the value in lower case and without accents
  sequence INTEGER NOT NULL,
  value TEXT NOT NULL, -- as the message has it first
  mention_count INTEGER NOT NULL,
  said_at_ms INTEGER NOT NULL, -- messages.created_at_ms
  PRIMARY KEY (organization_id, conversation_row_key, kind, folded, sequence)
) STRICT, WITHOUT ROWID;

-- The conversations that mention an entity, once for each scope that may be listed.
CREATE TABLE entity_conversations (
  organization_id TEXT NOT NULL,
  scope TEXT NOT NULL, -- JSON array of the agent and the user, where null stands for all
  kind TEXT NOT NULL,
  folded TEXT NOT NULL,
  conversation_row_key INTEGER NOT NULL,
  entity_id TEXT NOT NULL,
  PRIMARY KEY (organization_id, scope, kind, folded, conversation_row_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_conversations_by_id ON entity_conversations (organization_id, entity_id)
  WHERE scope = '[null,null]';

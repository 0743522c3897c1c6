-- Directory: the owners of the data and their keys. No other table is joined to it.

CREATE TABLE organizations (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER, -- time of the soft-delete. The keys end with it
  operation_id TEXT -- the deletion of this row
) STRICT;
CREATE INDEX organizations_deleted ON organizations (id) WHERE deleted_at_ms IS NOT NULL;

CREATE TABLE api_keys (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL, -- start of the secret, which lists show
  secret_hash TEXT NOT NULL UNIQUE, -- SHA-256 in hex. No salt, because the secret is random
  scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array'),
  agent_id TEXT, -- the only agent whose data the key can access. NULL for all
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  rotated_to TEXT, -- id of the key that replaces this one
  last_used_at_ms INTEGER, -- precise to one minute
  user_id TEXT, -- the only user whose data the key can access. NULL for all
  sign_in_code_hash TEXT, -- a code is used once, for a key that lasts twelve hours. A key has one code at most
  sign_in_code_expires_at_ms INTEGER,
  PRIMARY KEY (organization_id, id)
) STRICT;

-- Data of each organization. Rows of two organizations are never joined.

CREATE TABLE organization_counters (
  organization_id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE, -- organizations.number, the prefix of each term in the keyword index
  conversation_count INTEGER NOT NULL DEFAULT 0, -- this and the next two are of conversations, without memories
  message_count INTEGER NOT NULL DEFAULT 0,
  term_count INTEGER NOT NULL DEFAULT 0, -- postings in the keyword index, for keyword scores
  recent_upserts TEXT CHECK (json_type(recent_upserts) = 'array'), -- to the vector store, which queries see later. Newest first: [vector id, time, messages, agent id]
  memory_count INTEGER NOT NULL DEFAULT 0,
  memory_term_count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Grants: what a client may do with a key, as a person has allowed over OAuth. A grant counts only while its key is valid.
CREATE TABLE grants (
  organization_id TEXT NOT NULL,
  id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL, -- this and the next one are as the page of consent showed them
  client_domain TEXT, -- NULL if nothing proves who the client is
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array'),
  agent_id TEXT, -- this and the next one narrow what the key may access
  user_id TEXT,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_expiry ON grants (expires_at_ms);

-- Records of the OAuth library, by its keys: registered clients, pages of consent, grants and access tokens. Tokens,
-- codes and secrets are in it only as hashes.
CREATE TABLE oauth_records (
  key TEXT PRIMARY KEY,
  organization_id TEXT, -- this and the next one are NULL for clients and pages of consent, which belong to nobody yet
  grant_id TEXT,
  value TEXT NOT NULL,
  metadata TEXT,
  version INTEGER NOT NULL, -- a change of a record that has changed since it was read fails
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_records_of_grants ON oauth_records (organization_id, grant_id) WHERE organization_id IS NOT NULL;
CREATE INDEX oauth_records_by_expiry ON oauth_records (expires_at_ms);

-- The client that acted with a grant.
ALTER TABLE audit_events ADD COLUMN client_id TEXT;
ALTER TABLE audit_events ADD COLUMN client_name TEXT;

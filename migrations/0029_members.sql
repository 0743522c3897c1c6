-- Members: people of an organization. A member is a row of api_keys without a secret, because all that holds for a key
-- holds for a member: it is checked in each transaction, grants and sockets end with it, and actions name its id, which
-- begins with member_ instead of key_. Its secret_hash is its id, which is no hash, and its prefix is empty.
ALTER TABLE api_keys ADD COLUMN role TEXT CHECK (role IN ('owner', 'admin', 'writer', 'reader')); -- NULL for keys
ALTER TABLE api_keys ADD COLUMN email TEXT; -- in lower case
ALTER TABLE api_keys ADD COLUMN issuer TEXT; -- the identity provider that proves who the member is, and its name for them
ALTER TABLE api_keys ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX members_by_subject ON api_keys (issuer, subject, organization_id)
 WHERE subject IS NOT NULL AND revoked_at_ms IS NULL;
CREATE UNIQUE INDEX members_by_email ON api_keys (email, organization_id)
 WHERE email IS NOT NULL AND revoked_at_ms IS NULL;
ALTER TABLE assertions ADD COLUMN email_conflict INTEGER
  CONSTRAINT "refused:email_conflict" CHECK (email_conflict IS NULL);

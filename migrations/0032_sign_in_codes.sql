-- A sign-in code of the key. It is used once, for a key that lasts twelve hours. A key has one code at most.
ALTER TABLE api_keys ADD COLUMN sign_in_code_hash TEXT;
ALTER TABLE api_keys ADD COLUMN sign_in_code_expires_at_ms INTEGER;

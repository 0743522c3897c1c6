-- Until then, work of the organization in the background takes no new lease, so that the move finds a moment without one.
ALTER TABLE moves ADD COLUMN drains_until_ms INTEGER;

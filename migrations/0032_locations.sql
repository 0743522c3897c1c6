-- Of an organization in a cell: the jurisdiction in which its objects run and store data, and the region near which they
-- were to be created. At most one of the two is set, when the organization is created, and neither changes: the same name
-- in another jurisdiction is another object.
ALTER TABLE organizations ADD COLUMN jurisdiction TEXT;
ALTER TABLE organizations ADD COLUMN location TEXT CHECK (location IS NULL OR jurisdiction IS NULL);

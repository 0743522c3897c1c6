-- Where the rows of an organization are: NULL for this database, cell for an object of its own. Of an organization in a
-- cell, this database has only its row here, by which it is found, and the rows of cell_members. What they say is never
-- trusted over the cell.
ALTER TABLE organizations ADD COLUMN place TEXT CHECK (place IN ('cell'));
-- Of an organization in a cell: its size and last activity, as the cell has last reported them.
ALTER TABLE organizations ADD COLUMN report TEXT CHECK (json_type(report) = 'object');
CREATE UNIQUE INDEX organizations_by_deletion ON organizations (operation_id) WHERE place IS NOT NULL AND operation_id IS NOT NULL;
-- The cells in which a person may be a member, by a hash of the email address or of what an identity provider calls them.
CREATE TABLE cell_members (
  person_hash TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  PRIMARY KEY (person_hash, organization_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cell_members_of_organization ON cell_members (organization_id);

-- The counts of a row by operation and MCP tool. One column of a row that is written anyway costs no further row, which
-- rows of their own for each operation would.
ALTER TABLE usage ADD COLUMN operations TEXT; -- JSON, NULL if all counts are of no known operation

-- Messages that memories cite. A row stays when its message is deleted, without the quotation.
CREATE TABLE memory_sources (
  organization_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL, -- place among the sources of the memory, from 0
  conversation_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  quote TEXT, -- part of the content, verbatim. NULL for a whole message, and once the message no longer has it
  text_start INTEGER, -- place of the quote in the content, in UTF-16 units. NULL once the message was edited
  text_end INTEGER,
  -- A batch that edits or deletes messages marks their sources as changing, and ends with the state that they get.
  state TEXT NOT NULL DEFAULT 'intact' CHECK (state IN ('intact', 'edited', 'deleted', 'changing')),
  PRIMARY KEY (organization_id, memory_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_by_conversation ON memory_sources (organization_id, conversation_id, sequence);
CREATE INDEX memory_sources_by_message ON memory_sources (organization_id, message_id);
-- Empty outside of a batch.
CREATE INDEX memory_sources_changing ON memory_sources (organization_id) WHERE state = 'changing';
-- Size of the rows of a memory in memory_sources as JSON, when it got them. With 0, none are read.
ALTER TABLE conversations ADD COLUMN source_bytes INTEGER NOT NULL DEFAULT 0;
-- What happens to memories whose sources are edited or deleted.
ALTER TABLE organization_counters ADD COLUMN on_source_deleted TEXT NOT NULL DEFAULT 'flag'
  CHECK (on_source_deleted IN ('keep', 'flag', 'delete'));
-- Memories that a deletion of messages changed.
ALTER TABLE operations ADD COLUMN memories_flagged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operations ADD COLUMN memories_deleted INTEGER NOT NULL DEFAULT 0;

-- A deletion by filter goes on behind what it has read, as JSON: created_at_ms and id of a conversation.
ALTER TABLE operations ADD COLUMN filter_position TEXT CHECK (json_type(filter_position) = 'array');

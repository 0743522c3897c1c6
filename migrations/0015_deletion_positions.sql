-- Position from which a deletion by filter continues, as JSON: created_at_ms and id of a conversation.
ALTER TABLE operations ADD COLUMN filter_position TEXT CHECK (json_type(filter_position) = 'array');

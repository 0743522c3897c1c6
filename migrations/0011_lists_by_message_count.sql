-- A list sorted by message count reads the rows of its page instead of sorting all rows.
CREATE INDEX conversations_by_message_count ON conversations (organization_id, message_count, id)
  WHERE kind = 'conversation';

-- A list of the largest conversations reads its own rows, not all of the organization to sort them.
CREATE INDEX conversations_by_message_count ON conversations (organization_id, message_count, id)
  WHERE kind = 'conversation';

-- Time of the message with the highest sequence number. The default, the lowest exact number, stands for no message.
ALTER TABLE conversations ADD COLUMN last_message_at_ms INTEGER NOT NULL DEFAULT -9007199254740991;
UPDATE conversations SET last_message_at_ms = coalesce(
  (SELECT m.created_at_ms FROM messages AS m
    WHERE m.organization_id = conversations.organization_id AND m.conversation_id = conversations.id
    ORDER BY m.sequence DESC LIMIT 1), last_message_at_ms)
 WHERE kind = 'conversation';
-- A list sorted by the last message reads the rows of its page instead of sorting all rows.
DROP INDEX conversations_by_message_count;
CREATE INDEX conversations_by_last_message ON conversations (organization_id, last_message_at_ms, id)
  WHERE kind = 'conversation';

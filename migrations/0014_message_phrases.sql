-- Phrase index of messages that repeat words. message_words holds a term of a message 32 times at most, with the token ~
-- in place of omitted terms. This table holds the terms around each omission in order, so that phrases are found.
-- A row is a piece of a message: messages.number << 9 | index of the piece.
CREATE VIRTUAL TABLE message_phrases USING fts5(
  body, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '~'"
);
INSERT INTO message_phrases (message_phrases, rank) VALUES ('secure-delete', 1);
INSERT INTO message_phrases (message_phrases, rank) VALUES ('deletemerge', 1);

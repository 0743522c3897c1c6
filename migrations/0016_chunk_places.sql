-- Offsets of a chunk in the content of its memory, in UTF-16 units, so that a search does not split the memory again.
-- NULL for chunks of conversations, and for chunks indexed before this migration until they are indexed again.
ALTER TABLE conversation_chunks ADD COLUMN ordinal INTEGER;
ALTER TABLE conversation_chunks ADD COLUMN text_start INTEGER;
ALTER TABLE conversation_chunks ADD COLUMN text_end INTEGER;
ALTER TABLE conversation_chunks ADD COLUMN overlap_start INTEGER; -- start of the embedded text

-- What search weighs beside words and meaning. NULL in rows from before, until their words are rebuilt.
ALTER TABLE messages ADD COLUMN traits INTEGER; -- bits, see service/src/text/traits.ts
ALTER TABLE messages ADD COLUMN name_words TEXT; -- of `name`, as they stand in the keyword index

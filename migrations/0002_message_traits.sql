-- Features of a message that adjust its rank. NULL in older rows until their terms are rebuilt.
ALTER TABLE messages ADD COLUMN traits INTEGER; -- bits, see service/src/text/features.ts
ALTER TABLE messages ADD COLUMN name_words TEXT; -- terms of the name, as in the keyword index

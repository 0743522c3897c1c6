-- Messages whose words are not in the keyword index yet. A write of much text stores its messages first, and inserts
-- their words afterwards in several short transactions, so that other requests wait for none of them.
CREATE TABLE late_words (
  organization_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  -- When the sweep inserts the words, unless the write did.
  due_at_ms INTEGER NOT NULL,
  PRIMARY KEY (organization_id, number)
) WITHOUT ROWID;
CREATE INDEX late_words_by_due ON late_words (due_at_ms);

import type { Invocation } from "../invocation.ts";
import { deletePhrases, insertedAtOnce, type MessageTerms } from "../keyword-index/queries.ts";
import { nothing, type Statements, sql } from "../platform/sql.ts";
import { type ContentEncoding, decodeText } from "../text/compression.ts";
import { toIndexedTerms, toNameTerms, toTermPrefix } from "../text/index-terms.ts";
import { KIND, type Row, type Value } from "./rows.ts";

/** A message with the terms of its name in the other database, and the words of its content. */
interface Indexed {
  row: Row;
  words: MessageTerms;
}

/**
 * Computes the words of messages. They cannot be copied, because the keyword index does not have the text that they were
 * made from, and they begin with the number of the organization in a database.
 */
export async function toIndexed(
  { pace, caches }: Pick<Invocation, "pace" | "caches">,
  messages: Row[],
  organizationNumber: number,
): Promise<Indexed[]> {
  const indexed: Indexed[] = [];
  for (const { [KIND]: kind, ...row } of messages) {
    const prefix = toTermPrefix(organizationNumber, kind === "conversation" ? "conversations" : "memories");
    const content = await decodeText(String(row.content), row.content_encoding as ContentEncoding | null);
    const { terms, phrases } = await pace.run(toIndexedTerms(caches.stem, prefix, content));
    const name_terms = row.name_terms === null ? null : toNameTerms(caches.stem, prefix, String(row.name));
    indexed.push({ row: { ...row, name_terms }, words: { id: String(row.id), terms, phrases } });
  }
  return indexed;
}

export const insertedWordsOf = (organizationId: string, indexed: Indexed[]): Statements =>
  insertedAtOnce(
    organizationId,
    indexed.map(({ words }) => words),
  );

/** @param rowKeys the numbers of messages. */
export function deletedWordsOf(rowKeys: Value[]): Statements {
  const numbers = sql`SELECT value AS row_key FROM json_each(${JSON.stringify(rowKeys)})`;
  return [
    nothing(sql`DELETE FROM message_words WHERE rowid IN (${numbers})`),
    nothing(deletePhrases(numbers)),
  ];
}

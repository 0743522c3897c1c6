import type { Corpus } from "@engram/spec";
import { type ConversationFilter, undeleted } from "../filters/queries.ts";
import { type Owner, readableConditions } from "../platform/batch.ts";
import {
  and,
  batch,
  joined,
  onlyRow,
  type Results,
  row,
  rows,
  run,
  type Sql,
  type Statement,
  sql,
} from "../platform/sql.ts";
import { FEATURES } from "../text/features.ts";
import { type Query, searchedWords } from "../text/query.ts";
import { conversationsOfScope, hasRoles, messagesOfScope, type SearchScope } from "./filters-queries.ts";
import type { Lengths, Postings } from "./ranking/postings.ts";

/** Maximum row keys in one list. Each takes 15 digits and a comma, and D1 limits a string to 2,000,000 bytes. */
export const LISTED_ROW_KEYS_MAX = 120_000;
const COUNTED_ROW_KEYS_MAX = 95_000;

/** The terms of a query, and the other forms that each has. */
export type SearchedTerms = Pick<Query, "terms" | "forms">;

interface TermRead {
  /**
   * Row keys of messages with the word, repeated for each occurrence. If only the newest messages were read, each
   * occurs once.
   */
  rowKeys: number[];
  /** Number of postings read, including those in messages of other agents. */
  scanned: number;
  isWhole: boolean;
}

/** The statements whose results `selectPostings` continues with. */
export const firstPostings = (scope: SearchScope, searched: SearchedTerms, postingsMax: number) => {
  const { prefixedTerms, share } = shareOut(scope, searched, postingsMax);
  return {
    totals: corpusTotals(scope.owner, scope.filter),
    postings: listedPostings(scope.owner, prefixedTerms, share + 1),
  };
};

function shareOut({ termPrefixes }: SearchScope, searched: SearchedTerms, postingsMax: number) {
  const read = [...new Set(searchedWords(searched))];
  const prefixedTerms = termPrefixes.flatMap((prefix) => read.map((term) => prefix + term));
  const share = Math.min(LISTED_ROW_KEYS_MAX, Math.floor(postingsMax / prefixedTerms.length));
  return { prefixedTerms, share, read };
}

/**
 * The row keys in one list or the other, both ascending, each as often as in the list that has it more often: a message
 * has a word and its stem for one occurrence of the word.
 */
function united(a: Float64Array, b: Float64Array): Float64Array {
  if (a.length === 0) return b;
  const all = new Float64Array(a.length + b.length);
  let size = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY];
    all[size++] = Math.min(left, right);
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return all.slice(0, size);
}

/**
 * Reads where the terms occur. A posting is one occurrence of a term in a message. Keeps at most `postingsMax`
 * postings, with an equal share for each term; what rare terms do not need is divided among the others. The index
 * returns postings oldest first. For a term with more postings than its share, the newest messages are read instead,
 * and count one posting each. At most three times `postingsMax` are read.
 *
 * The prefixes of terms leave out other organizations. For a key bound to an agent or a user, the lists contain only
 * messages of this agent or user, so that scores do not reveal which words others use. Other filters are applied later, and only to
 * messages that can be among the best, because each takes reading a row.
 */
export async function selectPostings(
  db: D1Database,
  scope: SearchScope,
  { terms, forms }: SearchedTerms,
  postingsMax: number,
  { totals, postings }: Results<ReturnType<typeof firstPostings>>,
): Promise<Postings> {
  const { owner, termPrefixes } = scope;
  const { prefixedTerms, share, read } = shareOut(scope, { terms, forms }, postingsMax);
  const all = [...prefixedTerms.keys()];
  const reads = postings.map((list): TermRead => {
    const [scanned = 0] = list;
    return { rowKeys: list.slice(2), scanned, isWhole: scanned <= share };
  });
  const unfinished = () => all.filter((index) => reads[index]?.isWhole === false);
  const termsOf = (indexes: number[]) => indexes.map((index) => prefixedTerms[index] ?? "");
  const left = () =>
    postingsMax - reads.reduce((sum, { isWhole, scanned }) => sum + (isWhole ? scanned : 0), 0);
  const exceeding = new Set(unfinished());
  const more = Math.floor(Math.min(left(), postingsMax / 2) / Math.max(1, exceeding.size));
  if (exceeding.size > 0 && more >= 2 * share) {
    const indexes = unfinished();
    const lists = await run(db, listedCounts(owner, termsOf(indexes), more + 1));
    for (const [i, index] of indexes.entries()) {
      const [scanned = 0, messages = 0] = lists[i] ?? [];
      if (scanned <= more) exceeding.delete(index);
      const isWhole = scanned <= more && messages < COUNTED_ROW_KEYS_MAX;
      if (isWhole) reads[index] = { rowKeys: repeat(lists[i]?.slice(2) ?? []), scanned, isWhole };
    }
  }
  const indexes = unfinished();
  let isWhole = true;
  if (indexes.length > 0) {
    const each = Math.floor(left() / indexes.length);
    const newest = await selectNewest(db, owner, termsOf(indexes), each);
    for (const [i, index] of indexes.entries())
      reads[index] = newest[i] ?? { rowKeys: [], scanned: 0, isWhole };
    isWhole = newest.every((read) => read.isWhole);
  }
  // The lists are not sorted if both conversations and memories were read, or if the newest messages were read first.
  const rowKeysOf = (term: string) =>
    termPrefixes.flatMap((_, at) => reads[at * read.length + read.indexOf(term)]?.rowKeys ?? []);
  const ascending = (list: number[]) =>
    termPrefixes.length > 1 || indexes.length > 0 ? Float64Array.from(list).sort() : Float64Array.from(list);
  return {
    ...(totals ?? { conversations: 0, messages: 0, tokens: 0 }),
    words: terms,
    terms: terms.map((term) =>
      (forms.get(term) ?? [])
        .map((form) => ascending(rowKeysOf(form)))
        .filter(({ length }) => length > 0)
        .reduce(united, ascending(rowKeysOf(term))),
    ),
    isPartial: exceeding.size > 0 || !isWhole,
  };
}

async function selectNewest(
  db: D1Database,
  owner: Owner,
  terms: string[],
  messagesMax: number,
): Promise<TermRead[]> {
  const reads = terms.map((): TermRead => ({ rowKeys: [], scanned: 0, isWhole: false }));
  const before = terms.map(() => Number.MAX_SAFE_INTEGER);
  for (let room = messagesMax; room > 0; room -= LISTED_ROW_KEYS_MAX) {
    const unfinished = [...terms.keys()].filter((index) => reads[index]?.isWhole === false);
    if (unfinished.length === 0) break;
    const limit = Math.min(room, LISTED_ROW_KEYS_MAX);
    const searches = unfinished.map((index) => ({ term: terms[index] ?? "", before: before[index] ?? 0 }));
    const lists = await batch(
      db,
      searches.map((search) => newestMessages(owner, search, limit)),
    );
    for (const [i, index] of unfinished.entries()) {
      const [walked = 0, oldest = 0] = lists[i] ?? [];
      const { rowKeys = [], ...read } = reads[index] ?? { scanned: 0 };
      reads[index] = {
        rowKeys: rowKeys.concat(lists[i]?.slice(2) ?? []),
        scanned: read.scanned + walked,
        isWhole: walked < limit,
      };
      before[index] = oldest;
    }
  }
  return reads;
}

const ownedBy = (owner: Owner): Sql => {
  const conditions = readableConditions(owner, sql`c.`);
  return conditions.length === 0
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM conversations AS c WHERE c.row_key = doc >> 24 AND ${and(conditions)})`;
};

/**
 * One list for each term: number of postings read, their lowest row key, then the row keys of messages of the owner.
 * A term in `limit` messages or more has only the number `limit`: counting messages takes a quarter of the time of
 * listing postings.
 */
const listedPostings = (owner: Owner, terms: string[], limit: number): Statement<number[][]> =>
  // No ORDER BY: the index returns the messages of a word in order, and sorting would take most of the time.
  rows(
    sql`SELECT CASE WHEN (SELECT count(*)
                            FROM (SELECT 1 FROM message_words WHERE message_words MATCH '"' || word.value || '"'
                                   LIMIT ${limit})) = ${limit} THEN ${String(limit)}
               ELSE (SELECT ${NUMBERS_READ} || coalesce(',' || group_concat(doc) FILTER (WHERE ${ownedBy(owner)}), '')
                       FROM (SELECT doc FROM message_postings WHERE term = word.value LIMIT ${limit})) END AS list
          FROM json_each(${JSON.stringify(terms)}) AS word`,
    toNumbers,
  );

/**
 * One list for each term: number of postings read, number of messages, then pairs of the owner's row key and
 * count.
 */
const listedCounts = (owner: Owner, terms: string[], limit: number): Statement<number[][]> =>
  rows(
    sql`SELECT (SELECT coalesce(sum(postings), 0) || ',' || count(*)
                       || coalesce(',' || group_concat(doc || ',' || postings) FILTER (WHERE ${ownedBy(owner)}), '')
                  FROM (SELECT doc, count(*) AS postings
                          FROM (SELECT doc FROM message_postings WHERE term = word.value LIMIT ${limit})
                         GROUP BY doc ORDER BY doc LIMIT ${COUNTED_ROW_KEYS_MAX})) AS list
          FROM json_each(${JSON.stringify(terms)}) AS word`,
    toNumbers,
  );

/** Number of messages read, their lowest row key, then the owner's row keys, descending. */
const newestMessages = (
  owner: Owner,
  { term, before }: { term: string; before: number },
  limit: number,
): Statement<number[]> =>
  onlyRow(
    sql`SELECT ${NUMBERS_READ} || coalesce(',' || group_concat(doc) FILTER (WHERE ${ownedBy(owner)}), '') AS list
          FROM (SELECT rowid AS doc FROM message_words
                 WHERE message_words MATCH ${`"${term}"`} AND rowid < ${before}
                 ORDER BY rowid DESC LIMIT ${limit})`,
    toNumbers,
  );

const NUMBERS_READ = sql`count(*) || ',' || coalesce(min(doc), 0)`;

const toNumbers = ({ list }: { list: string }): number[] => readNumbers(list);

function repeat(pairs: number[]): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < pairs.length; at += 2)
    for (let count = pairs[at + 1] ?? 0; count > 0; count--) numbers.push(pairs[at] ?? 0);
  return numbers;
}

/** Totals of the corpora that are searched. A memory counts as one conversation with one message. */
function corpusTotals(
  { organizationId }: Owner,
  { corpora = ["conversations"] }: ConversationFilter,
): Statement<Pick<Postings, "conversations" | "messages" | "tokens"> | null> {
  const total = (counters: Record<Corpus, Sql>) =>
    joined(
      corpora.map((corpus) => counters[corpus]),
      sql` + `,
    );
  return row(
    sql`SELECT ${total({ conversations: sql`conversation_count`, memories: sql`memory_count` })} AS conversations,
               ${total({ conversations: sql`message_count`, memories: sql`memory_count` })} AS messages,
               ${total({ conversations: sql`term_count`, memories: sql`memory_term_count` })} AS tokens
          FROM organization_counters WHERE organization_id = ${organizationId}`,
    (totals: { conversations: number; messages: number; tokens: number }) => totals,
  );
}

/** Maximum row keys in one list. Each takes 15 digits and a comma, and D1 limits the size of a string. */
const LENGTHS_MAX = 30_000;

/**
 * Reads the lengths of messages and conversations that match the filter. Each statement evaluates the conversation
 * filter once for each conversation, not for each message.
 */
export async function selectLengths(
  db: D1Database,
  scope: SearchScope,
  toRead: { messages: number[]; conversations: number[] },
): Promise<Lengths> {
  const statements = toLists(toRead).map((list) => listedLengths(scope, list));
  const lengths: Lengths = { messages: new Map(), conversations: new Map() };
  if (statements.length === 0) return lengths;
  for (const { conversations, messages } of await batch(db, statements)) {
    for (let at = 0; at < conversations.length; at += 2)
      lengths.conversations.set(conversations[at] ?? 0, conversations[at + 1] ?? 0);
    for (let at = 0; at < messages.length; at += 4)
      lengths.messages.set(messages[at] ?? 0, {
        tokens: messages[at + 1] ?? 0,
        isQuestion: messages[at + 2] !== 0,
        eligible: messages[at + 3] === 1,
      });
  }
  return lengths;
}

/**
 * For each conversation: row key and tokens. For each message: row key, tokens, question (not 0 if it is one), and 1 if
 * it matches the filter for messages.
 */
const listedLengths = (
  scope: SearchScope,
  list: string,
): Statement<{ conversations: number[]; messages: number[] }> =>
  onlyRow(
    sql`WITH conversation AS MATERIALIZED (
          SELECT c.row_key AS row_key, c.term_count AS term_count, c.kind AS kind
            FROM (SELECT DISTINCT value >> 24 AS row_key FROM json_each(${list})) AS listed
           CROSS JOIN conversations AS c ON c.row_key = listed.row_key
           WHERE ${and([undeleted(scope.owner.organizationId, scope.filter), ...conversationsOfScope(scope)])})
        SELECT (SELECT group_concat(row_key || ',' || term_count) FROM conversation) AS conversations,
               (SELECT group_concat(m.row_key || ',' || m.term_count || ',' || (coalesce(m.features, 0) & ${FEATURES.question})
                                    || ',' || (${and([...messagesOfScope(scope), ...hasRoles(scope)])}))
                  FROM json_each(${list}) AS listed
                 CROSS JOIN messages AS m ON m.row_key = listed.value AND m.organization_id = ${scope.owner.organizationId}
                 CROSS JOIN conversation AS c ON c.row_key = m.row_key >> 24) AS messages`,
    (lists: { conversations: string | null; messages: string | null }) => ({
      conversations: readNumbers(lists.conversations ?? ""),
      messages: readNumbers(lists.messages ?? ""),
    }),
  );

/**
 * Row keys as JSON arrays, ascending. A conversation is represented by the row key before that of its first message.
 */
function toLists(toRead: { messages: number[]; conversations: number[] }): string[] {
  const rowKeys = [...toRead.messages, ...toRead.conversations.map((rowKey) => rowKey * 2 ** 24)];
  const ascending = Float64Array.from(rowKeys).sort();
  return Array.from({ length: Math.ceil(ascending.length / LENGTHS_MAX) }, (_, i) =>
    JSON.stringify([...ascending.subarray(i * LENGTHS_MAX, (i + 1) * LENGTHS_MAX)]),
  );
}

/** Reads numbers separated by commas. `split` and `Number` would take three times as long. */
export function readNumbers(text: string): number[] {
  const numbers: number[] = [];
  if (text === "") return numbers;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA) {
      numbers.push(value);
      value = 0;
    } else value = value * 10 + (code - ZERO);
  }
  numbers.push(value);
  return numbers;
}

const COMMA = ",".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

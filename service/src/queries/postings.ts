import type { Corpus } from "@engram/spec";
import { TRAITS } from "../text/traits.ts";
import type { Owner } from "./batch.ts";
import { type ConversationFilter, existing, toWhere } from "./conversation-filters.ts";
import { conversationsOfScope, messagesOfScope, type SearchScope } from "./search-filters.ts";

/** How often, and in which messages, the words of a query occur in an organization. */
export interface Postings {
  /** In the searched corpora, before any filter. */
  conversations: number;
  messages: number;
  tokens: number;
  /**
   * For each query word, the numbers of the messages with it, ascending. A number is repeated for each
   * occurrence.
   */
  words: Float64Array[];
  /** Whether some word has more postings than were read. */
  isPartial: boolean;
}

const OF_AGENT = "(SELECT c.agent_id FROM conversations AS c WHERE c.number = doc >> 24) = ?3";

/**
 * Maximum numbers in one list. Each takes 15 digits and a comma, and D1 limits a string to 2,000,000 bytes.
 */
export const LISTED_NUMBERS_MAX = 120_000;
/** The same for numbers with counts. */
const COUNTED_NUMBERS_MAX = 95_000;

interface Read {
  /** Numbers of messages, repeated for each occurrence of the word. */
  numbers: number[];
  /** Postings or messages read, including those of other agents. */
  walked: number;
  /** Whether all postings of the word were read. */
  isWhole: boolean;
}

/**
 * Reads the postings of the words as one list each, usually in one call.
 *
 * Keeps at most `postingsMax` postings, in equal shares. Words over their share divide what rare words leave
 * of theirs. The index returns the postings of a word oldest first. For a word over its share, the newest
 * messages are read instead, each as one posting. That reads at most three times `postingsMax`.
 *
 * The words carry term prefixes, so the index returns nothing of another organization. For a key bound to one
 * agent, the lists contain only its own messages, so scores do not reveal words that other agents use. They
 * still depend on the total size of the corpus. The messages are not checked or filtered in any other way
 * here: that costs one row for each, and few of them matter.
 */
export async function selectPostings(
  db: D1Database,
  { owner, filter, marks }: SearchScope,
  words: string[],
  postingsMax: number,
): Promise<Postings> {
  const terms = marks.flatMap((mark) => words.map((word) => mark + word));
  const all = [...terms.keys()];
  const counters = db
    .prepare(`SELECT ${countersOf(filter)} FROM organization_counters WHERE organization_id = ?1`)
    .bind(owner.organizationId);
  const share = Math.min(LISTED_NUMBERS_MAX, Math.floor(postingsMax / terms.length));
  const [counted, found] = await db.batch<Record<string, unknown>>([
    counters,
    listPostings(db, owner, terms, share + 1),
  ]);
  const totals = { conversations: 0, messages: 0, tokens: 0, ...counted?.results[0] };
  const reads = readLists(found).map((list): Read => {
    const [walked = 0] = list;
    return { numbers: list.slice(2), walked, isWhole: walked <= share };
  });
  const open = () => all.filter((place) => reads[place]?.isWhole === false);
  const termsOf = (places: number[]) => places.map((place) => terms[place] ?? "");
  const left = () =>
    postingsMax - reads.reduce((sum, { isWhole, walked }) => sum + (isWhole ? walked : 0), 0);
  /** Words with more postings than one search reads. */
  const cut = new Set(open());
  const more = Math.floor(Math.min(left(), postingsMax / 2) / Math.max(1, cut.size));
  if (cut.size > 0 && more >= 2 * share) {
    const places = open();
    const lists = readLists(await listCounts(db, owner, termsOf(places), more + 1).all());
    for (const [i, place] of places.entries()) {
      const [walked = 0, messages = 0] = lists[i] ?? [];
      if (walked <= more) cut.delete(place);
      const isWhole = walked <= more && messages < COUNTED_NUMBERS_MAX;
      if (isWhole) reads[place] = { numbers: repeat(lists[i]?.slice(2) ?? []), walked, isWhole };
    }
  }
  const places = open();
  let isWhole = true;
  if (places.length > 0) {
    const each = Math.floor(left() / places.length);
    const newest = await selectNewest(db, owner, termsOf(places), each);
    for (const [i, place] of places.entries())
      reads[place] = newest[i] ?? { numbers: [], walked: 0, isWhole };
    isWhole = newest.every((read) => read.isWhole);
  }
  // Merging two corpora, or reading the newest first, leaves the lists unordered.
  const ofWord = (word: number) => marks.flatMap((_, at) => reads[at * words.length + word]?.numbers ?? []);
  const rising = (list: number[]) =>
    marks.length > 1 || places.length > 0 ? Float64Array.from(list).sort() : Float64Array.from(list);
  return {
    ...totals,
    words: words.map((_, word) => rising(ofWord(word))),
    isPartial: cut.size > 0 || !isWhole,
  };
}

/** The newest messages with each of these words, at most `messagesMax` of each. */
async function selectNewest(
  db: D1Database,
  owner: Owner,
  terms: string[],
  messagesMax: number,
): Promise<Read[]> {
  const reads = terms.map((): Read => ({ numbers: [], walked: 0, isWhole: false }));
  const before = terms.map(() => Number.MAX_SAFE_INTEGER);
  for (let room = messagesMax; room > 0; room -= LISTED_NUMBERS_MAX) {
    const open = [...terms.keys()].filter((place) => reads[place]?.isWhole === false);
    if (open.length === 0) break;
    const limit = Math.min(room, LISTED_NUMBERS_MAX);
    const asked = open.map((place) => ({ term: terms[place] ?? "", before: before[place] ?? 0 }));
    const lists = readLists(await listMessages(db, owner, asked, limit).all());
    for (const [i, place] of open.entries()) {
      const [walked = 0, oldest = 0] = lists[i] ?? [];
      const { numbers = [], ...read } = reads[place] ?? { walked: 0 };
      reads[place] = {
        numbers: numbers.concat(lists[i]?.slice(2) ?? []),
        walked: read.walked + walked,
        isWhole: walked < limit,
      };
      before[place] = oldest;
    }
  }
  return reads;
}

const ownOf = ({ agentId }: Owner) => (agentId === null ? "?3 IS NULL" : OF_AGENT);

/**
 * For each word one list: number of postings read, their lowest message number, then the owner's message
 * numbers.
 */
const listPostings = (db: D1Database, owner: Owner, terms: string[], limit: number): D1PreparedStatement =>
  db
    .prepare(
      // The index returns the messages of a word in order. Sorting them again would be most of the cost.
      `SELECT (SELECT count(*) || ',' || coalesce(min(doc), 0) || coalesce(',' || group_concat(doc) FILTER (WHERE ${ownOf(owner)}), '')
                 FROM (SELECT doc FROM message_postings WHERE term = word.value LIMIT ?2)) AS list
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(terms), limit, owner.agentId);

/**
 * For each word one list: number of postings read, number of messages, then pairs of the owner's message
 * number and count.
 */
const listCounts = (db: D1Database, owner: Owner, terms: string[], limit: number): D1PreparedStatement =>
  db
    .prepare(
      `SELECT (SELECT coalesce(sum(postings), 0) || ',' || count(*) || coalesce(',' || group_concat(doc || ',' || postings) FILTER (WHERE ${ownOf(owner)}), '')
                 FROM (SELECT doc, count(*) AS postings
                         FROM (SELECT doc FROM message_postings WHERE term = word.value LIMIT ?2)
                        GROUP BY doc ORDER BY doc LIMIT ${COUNTED_NUMBERS_MAX})) AS list
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(terms), limit, owner.agentId);

/**
 * For each word one list of the newest messages before a number: messages read, their lowest number, then the
 * owner's message numbers, descending.
 */
const listMessages = (
  db: D1Database,
  owner: Owner,
  words: { term: string; before: number }[],
  limit: number,
): D1PreparedStatement =>
  db
    .prepare(
      `SELECT (SELECT count(*) || ',' || coalesce(min(doc), 0) || coalesce(',' || group_concat(doc) FILTER (WHERE ${ownOf(owner)}), '')
                 FROM (SELECT rowid AS doc FROM message_words
                        WHERE message_words MATCH '"' || (word.value ->> 'term') || '"'
                          AND rowid < CAST(word.value ->> 'before' AS INTEGER)
                        ORDER BY rowid DESC LIMIT ?2)) AS list
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(words), limit, owner.agentId);

const readLists = (found: D1Result<unknown> | undefined): number[][] =>
  ((found?.results ?? []) as { list: string }[]).map(({ list }) => readNumbers(list));

/** Expands alternating numbers and counts to repeated numbers. */
function repeat(pairs: number[]): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < pairs.length; at += 2)
    for (let count = pairs[at + 1] ?? 0; count > 0; count--) numbers.push(pairs[at] ?? 0);
  return numbers;
}

/** SQL of the corpus sizes. A memory counts as a conversation of one message. */
function countersOf({ corpora = ["conversations"] }: ConversationFilter): string {
  const sum = (names: Record<Corpus, string>) => corpora.map((corpus) => names[corpus]).join(" + ");
  return `${sum({ conversations: "conversation_count", memories: "memory_count" })} AS conversations,
    ${sum({ conversations: "message_count", memories: "memory_count" })} AS messages,
    ${sum({ conversations: "token_count", memories: "memory_token_count" })} AS tokens`;
}

/** Facts about a message that scoring needs besides its postings. */
export interface MessageLength {
  /** Number of words. */
  tokens: number;
  isQuestion: boolean;
  /** Whether it passes all filters. */
  eligible: boolean;
}

/**
 * Messages and conversations by number. Those that do not exist, or that the conversation filter excludes,
 * are absent.
 */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}

/** Maximum messages and conversations in one statement: each takes 16 digits and a comma. */
const LENGTHS_MAX = 30_000;

/**
 * The lengths of these messages and conversations, and whether the filter allows them.
 *
 * Each statement evaluates the conversation filter once per conversation, however many of its messages are
 * requested.
 */
export async function selectLengths(
  db: D1Database,
  scope: SearchScope,
  asked: { messages: number[]; conversations: number[] },
): Promise<Lengths> {
  const conversations = toWhere(conversationsOfScope(scope), 3);
  const messages = toWhere(messagesOfScope(scope), 3 + conversations.binds.length);
  const statement = db.prepare(
    `WITH conversation AS MATERIALIZED (
       SELECT c.number AS number, c.token_count AS token_count, c.kind AS kind
         FROM (SELECT DISTINCT value >> 24 AS number FROM json_each(?2)) AS asked
        CROSS JOIN conversations AS c ON c.number = asked.number
        WHERE ${existing(scope.filter)} AND ${conversations.sql})
     SELECT (SELECT group_concat(number || ' ' || token_count) FROM conversation) AS conversations,
            (SELECT group_concat(m.number || ' ' || m.token_count || ' ' ||
                                 (coalesce(m.traits, 0) & ${TRAITS.question}) || ' ' || (${messages.sql}))
               FROM json_each(?2) AS asked
              CROSS JOIN messages AS m ON m.number = asked.value AND m.organization_id = ?1
              CROSS JOIN conversation AS c ON c.number = m.number >> 24) AS messages`,
  );
  const statements = toLists(asked).map((list) =>
    statement.bind(scope.owner.organizationId, list, ...conversations.binds, ...messages.binds),
  );
  const lengths: Lengths = { messages: new Map(), conversations: new Map() };
  if (statements.length === 0) return lengths;
  for (const { results } of await db.batch<LengthLists>(statements)) {
    for (const [number = 0, tokens = 0] of toRows(results[0]?.conversations ?? ""))
      lengths.conversations.set(number, tokens);
    for (const [number = 0, tokens = 0, question = 0, eligible = 0] of toRows(results[0]?.messages ?? ""))
      lengths.messages.set(number, { tokens, isQuestion: question !== 0, eligible: eligible === 1 });
  }
  return lengths;
}

interface LengthLists {
  conversations: string | null;
  messages: string | null;
}

/**
 * Message numbers as JSON lists, ascending. A conversation is represented by the number before its first
 * message.
 */
function toLists(asked: { messages: number[]; conversations: number[] }): string[] {
  const places = [...asked.messages, ...asked.conversations.map((number) => number * 2 ** 24)];
  const rising = Float64Array.from(places).sort();
  return Array.from({ length: Math.ceil(rising.length / LENGTHS_MAX) }, (_, i) =>
    JSON.stringify([...rising.subarray(i * LENGTHS_MAX, (i + 1) * LENGTHS_MAX)]),
  );
}

const toRows = (list: string): number[][] =>
  list === "" ? [] : list.split(",").map((row) => row.split(" ").map(Number));

/** Reads comma-separated whole numbers. `split` and `Number` take three times as long. */
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

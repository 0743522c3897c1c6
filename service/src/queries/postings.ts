import type { Corpus } from "@engram/spec";
import { TRAITS } from "../text/traits.ts";
import type { Owner } from "./batch.ts";
import { type ConversationFilter, existing, toWhere } from "./conversation-filters.ts";
import { conversationsOfScope, messagesOfScope, type SearchScope } from "./search-filters.ts";

/** How often the words of a query stand in an organization, and where. */
export interface Postings {
  /** Of all that is searched, before any filter. */
  conversations: number;
  messages: number;
  tokens: number;
  /** Of each word that was looked for, the numbers of the messages that hold it, rising, each as often as it does. */
  words: Float64Array[];
  /** Whether some word stands in more places than were read. */
  isPartial: boolean;
}

const OF_AGENT = "(SELECT c.agent_id FROM conversations AS c WHERE c.number = doc >> 24) = ?3";

/** Numbers in one list: 15 digits and a comma each, and D1 ends a string at 2,000,000 bytes. */
export const LISTED_NUMBERS_MAX = 120_000;
/** Likewise of numbers with counts. */
const COUNTED_NUMBERS_MAX = 95_000;

/** What was read of one word. */
interface Read {
  /** Numbers of messages, each as often as the word stands in it. */
  numbers: number[];
  /** Postings or messages, those of other agents too. */
  walked: number;
  /** Whether the word stands nowhere else. */
  isWhole: boolean;
}

/**
 * Where the words stand, as the index holds it: one list each, in one read as a rule.
 *
 * At most `postingsMax` postings are kept, in equal shares; what rare words leave of theirs is shared by the others. The
 * index yields the postings of a word from the oldest message on. Of a word with more than its share, the newest
 * messages are read instead, each as one posting. No more than three times `postingsMax` are read for that.
 *
 * The words carry marks, so that the index answers nothing of another organization's. To one agent the lists
 * name its own messages alone, so that no score tells which words others use; how much there is in all, it still
 * depends on. What they name is not checked or filtered otherwise here: that costs a row for each, and few of them matter.
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
  /** Words of which more postings than one search reads are there. */
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
  // A word of two corpora is one word, whose messages stand in no common order yet; the newest come first.
  const ofWord = (word: number) => marks.flatMap((_, at) => reads[at * words.length + word]?.numbers ?? []);
  const rising = (list: number[]) =>
    marks.length > 1 || places.length > 0 ? Float64Array.from(list).sort() : Float64Array.from(list);
  return {
    ...totals,
    words: words.map((_, word) => rising(ofWord(word))),
    isPartial: cut.size > 0 || !isWhole,
  };
}

/** The newest messages that hold these words, so many of each at most. */
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

/** One list a word: how many postings were read, their lowest number, and the numbers of the owner's. */
const listPostings = (db: D1Database, owner: Owner, terms: string[], limit: number): D1PreparedStatement =>
  db
    .prepare(
      // The index gives the messages of a word in their order; sorting them again would cost most of the read.
      `SELECT (SELECT count(*) || ',' || coalesce(min(doc), 0) || coalesce(',' || group_concat(doc) FILTER (WHERE ${ownOf(owner)}), '')
                 FROM (SELECT doc FROM message_postings WHERE term = word.value LIMIT ?2)) AS list
         FROM json_each(?1) AS word`,
    )
    .bind(JSON.stringify(terms), limit, owner.agentId);

/** Likewise: how many postings were read, in how many messages, and the numbers of the owner's with counts. */
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

/** Likewise of the newest messages before a number: how many were read, and their numbers, falling. */
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

/** Numbers with their counts, alternating, as numbers that often. */
function repeat(pairs: number[]): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < pairs.length; at += 2)
    for (let count = pairs[at + 1] ?? 0; count > 0; count--) numbers.push(pairs[at] ?? 0);
  return numbers;
}

/** How much there is to search; a memory counts as a conversation of one message. */
function countersOf({ corpora = ["conversations"] }: ConversationFilter): string {
  const sum = (names: Record<Corpus, string>) => corpora.map((corpus) => names[corpus]).join(" + ");
  return `${sum({ conversations: "conversation_count", memories: "memory_count" })} AS conversations,
    ${sum({ conversations: "message_count", memories: "memory_count" })} AS messages,
    ${sum({ conversations: "token_count", memories: "memory_token_count" })} AS tokens`;
}

/** What scoring has to know of a message beside the words of the query in it. */
export interface MessageLength {
  /** Words in it. */
  tokens: number;
  isQuestion: boolean;
  /** Whether it may match, by all filters. */
  eligible: boolean;
}

/** Messages and conversations by number; what is not there, or in a conversation that the filter leaves out, is absent. */
export interface Lengths {
  messages: Map<number, MessageLength>;
  conversations: Map<number, number>;
}

/** Messages and conversations that one statement is asked for: 16 digits and a comma each. */
const LENGTHS_MAX = 30_000;

/**
 * How long these messages and conversations are, and which of them the filter allows.
 *
 * A statement compares the filter once with each conversation, however many messages of it are asked for.
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

/** Numbers of messages as JSON lists, rising; a conversation is named by the place before its first message. */
function toLists(asked: { messages: number[]; conversations: number[] }): string[] {
  const places = [...asked.messages, ...asked.conversations.map((number) => number * 2 ** 24)];
  const rising = Float64Array.from(places).sort();
  return Array.from({ length: Math.ceil(rising.length / LENGTHS_MAX) }, (_, i) =>
    JSON.stringify([...rising.subarray(i * LENGTHS_MAX, (i + 1) * LENGTHS_MAX)]),
  );
}

const toRows = (list: string): number[][] =>
  list === "" ? [] : list.split(",").map((row) => row.split(" ").map(Number));

/** Reads comma-separated whole numbers; `split` and `Number` take three times as long. */
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

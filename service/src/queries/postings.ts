import type { Corpus } from "@engram/spec";
import { TRAITS } from "../text/traits.ts";
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
}

const OF_AGENT = "(SELECT c.agent_id FROM conversations AS c WHERE c.number = doc >> 24) = ?3";

/** A number in a list of them: 15 digits and a comma, and D1 ends a string at 2,000,000 bytes. */
const PIECE_POSTINGS = 120_000;

/**
 * Where the words stand, as the index holds it: one list each, in one read as a rule.
 *
 * The words carry marks, so that the index answers nothing of another organization's. To one agent the lists
 * name its own messages alone, so that no score tells which words others use; how much there is in all, it still
 * depends on. What they name is not checked or filtered otherwise here: that costs a row for each, and few of them matter.
 */
export async function selectPostings(
  db: D1Database,
  { owner, filter, marks }: SearchScope,
  words: string[],
): Promise<Postings> {
  const counters = db
    .prepare(`SELECT ${countersOf(filter)} FROM organization_counters WHERE organization_id = ?1`)
    .bind(owner.organizationId);
  const terms = marks.flatMap((mark) => words.map((word) => mark + word));
  const lists: number[][] = terms.map(() => []);
  let open = terms.map((_, index) => index);
  const own = owner.agentId === null ? "?3 IS NULL" : OF_AGENT;
  let totals = { conversations: 0, messages: 0, tokens: 0 };
  for (let offset = 0; open.length > 0; offset += PIECE_POSTINGS) {
    const [counted, found] = await db.batch<Record<string, unknown>>([
      counters,
      db
        .prepare(
          // The index gives the messages of a word in their order; sorting them again would cost most of the read.
          `SELECT (SELECT group_concat(doc) FROM (
                     SELECT doc FROM message_postings WHERE term = word.value AND ${own} LIMIT ${PIECE_POSTINGS} OFFSET ?2)) AS list
             FROM json_each(?1) AS word`,
        )
        .bind(JSON.stringify(open.map((index) => terms[index])), offset, owner.agentId),
    ]);
    totals = (counted?.results[0] as typeof totals | undefined) ?? totals;
    const pieces = (found?.results ?? []) as { list: string | null }[];
    open = open.filter((index, place) => {
      const before = lists[index]?.length ?? 0;
      appendNumbers(pieces[place]?.list ?? "", lists[index] ?? []);
      return (lists[index]?.length ?? 0) - before === PIECE_POSTINGS;
    });
  }
  // A word of two corpora is one word, whose messages stand in no common order yet.
  const ofWord = (word: number) => marks.flatMap((_, place) => lists[place * words.length + word] ?? []);
  const rising = (list: number[]) =>
    marks.length > 1 ? Float64Array.from(list).sort() : Float64Array.from(list);
  return { ...totals, words: words.map((_, word) => rising(ofWord(word))) };
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

/** Messages that one statement is asked for. */
const LENGTHS_MAX = 30_000;

/** How long these messages and conversations are, and which of them the filter allows. */
export async function selectLengths(
  db: D1Database,
  scope: SearchScope,
  asked: { messages: number[]; conversations: number[] },
): Promise<Lengths> {
  const { organizationId } = scope.owner;
  const conversations = toWhere(conversationsOfScope(scope), 3);
  const messages = toWhere(messagesOfScope(scope), 3 + conversations.binds.length);
  const statements = [
    db
      .prepare(
        `SELECT group_concat(c.number || ' ' || c.token_count) AS list
           FROM json_each(?2) AS asked
          CROSS JOIN conversations AS c ON c.number = asked.value AND ${existing(scope.filter)} AND ${conversations.sql}`,
      )
      .bind(organizationId, JSON.stringify(asked.conversations), ...conversations.binds),
  ];
  for (let from = 0; from < asked.messages.length; from += LENGTHS_MAX) {
    statements.push(
      db
        .prepare(
          `SELECT group_concat(m.number || ' ' || m.token_count || ' ' ||
                               (coalesce(m.traits, 0) & ${TRAITS.question}) || ' ' || (${messages.sql})) AS list
             FROM json_each(?2) AS asked
            CROSS JOIN messages AS m ON m.number = asked.value AND m.organization_id = ?1
            CROSS JOIN conversations AS c ON c.number = m.number >> 24
            WHERE ${existing(scope.filter)} AND ${conversations.sql}`,
        )
        .bind(
          organizationId,
          JSON.stringify(asked.messages.slice(from, from + LENGTHS_MAX)),
          ...conversations.binds,
          ...messages.binds,
        ),
    );
  }
  const [conversationRows, ...messageRows] = (await db.batch<{ list: string | null }>(statements)).map(
    ({ results }) => toRows(results[0]?.list ?? ""),
  );
  return {
    conversations: new Map(conversationRows?.map(([number = 0, tokens = 0]) => [number, tokens])),
    messages: new Map(
      messageRows
        .flat()
        .map(([number = 0, tokens = 0, question = 0, eligible = 0]) => [
          number,
          { tokens, isQuestion: question !== 0, eligible: eligible === 1 },
        ]),
    ),
  };
}

const toRows = (list: string): number[][] =>
  list === "" ? [] : list.split(",").map((row) => row.split(" ").map(Number));

/** Reads comma-separated whole numbers; `split` and `Number` take three times as long. */
function appendNumbers(text: string, numbers: number[]): void {
  if (text === "") return;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA) {
      numbers.push(value);
      value = 0;
    } else value = value * 10 + (code - ZERO);
  }
  numbers.push(value);
}

const COMMA = ",".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

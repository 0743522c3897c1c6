import type { MessageRole } from "@engram/spec";
import { TRAITS } from "../text/traits.ts";
import type { Owner } from "./batch.ts";
import {
  CONVERSATION_FILTER,
  type ConversationFilter,
  conversationFilterBinds,
} from "./conversation-filters.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./messages.ts";

/** What a search is narrowed to. */
export interface SearchFilter extends ConversationFilter {
  conversationId?: string | undefined;
  roles?: MessageRole[] | undefined;
  names?: string[] | undefined;
  saidAfterMs?: number | undefined;
  saidBeforeMs?: number | undefined;
  /** Words that stand one after the other in each match, all of these phrases. */
  phrases?: string[][] | undefined;
  /** Words that stand one after the other in no match, none of these phrases. */
  excluded?: string[][] | undefined;
}

/** Who searches what: the number is what the organization's words carry. */
export interface SearchScope {
  owner: Owner;
  organizationNumber: number;
  filter: SearchFilter;
}

/** The numbers of messages that an expression over the keyword index matches. */
const matching = (expression: string) =>
  `(SELECT rowid FROM message_words WHERE message_words MATCH ${expression})`;

/** Conversations over `c`: binds ?1 to ?11. Messages over `m`: ?12 to ?17. */
const CONVERSATIONS = `${CONVERSATION_FILTER} AND (?11 IS NULL OR c.id = ?11)`;
const MESSAGES = `(?12 IS NULL OR m.role IN (SELECT value FROM json_each(?12)))
  AND (?13 IS NULL OR m.created_at_ms >= ?13) AND (?14 IS NULL OR m.created_at_ms < ?14)
  AND (?15 IS NULL OR m.name IN (SELECT value FROM json_each(?15)))
  AND (?16 IS NULL OR m.number IN ${matching("?16")})
  AND (?17 IS NULL OR m.number NOT IN ${matching("?17")})`;

function filterBinds({ owner, organizationNumber, filter }: SearchScope): unknown[] {
  return [
    ...conversationFilterBinds(owner, filter),
    filter.conversationId ?? null,
    filter.roles === undefined ? null : JSON.stringify(filter.roles),
    filter.saidAfterMs ?? null,
    filter.saidBeforeMs ?? null,
    filter.names === undefined ? null : JSON.stringify(filter.names),
    toExpression(organizationNumber, filter.phrases, "AND"),
    toExpression(organizationNumber, filter.excluded, "OR"),
  ];
}

/** Phrases as FTS5 asks for them; words are letters and digits alone, so nothing in them needs escaping. */
function toExpression(
  organizationNumber: number,
  phrases: string[][] | undefined,
  operator: "AND" | "OR",
): string | null {
  if (phrases === undefined || phrases.length === 0) return null;
  const mark = (word: string) => `${organizationNumber}~${word}`;
  return phrases.map((words) => `"${words.map(mark).join(" ")}"`).join(` ${operator} `);
}

/** How often the words of a query stand in an organization, and where. */
export interface Postings {
  /** Of the whole organization. */
  conversations: number;
  messages: number;
  tokens: number;
  /** Words that were looked for, those that stand nowhere too. */
  wordCount: number;
  /** Per word of the query that occurs: messages, windows of ±2 and conversations that hold it. */
  words: Map<number, { messages: number; windows: number; conversations: number }>;
  /** The conversations that the filter allows and that hold a word. */
  found: {
    conversation: number;
    tokens: number;
    /** `eligible sequence tokens question word count word count …` per message, comma-separated, in no order. */
    packed: string;
  }[];
}

/**
 * Everything that BM25 needs for single messages, windows and conversations, in one read.
 *
 * The words carry the organization's number, so that the index answers nothing of another's. Document
 * frequencies are the organization's, whatever the filter. Packed, because a row each for 20,000 hits
 * costs more than the search (the layout that reference measurements favoured).
 */
export async function selectPostings(db: D1Database, scope: SearchScope, words: string[]): Promise<Postings> {
  const { results } = await db
    .prepare(
      `WITH word AS (SELECT key AS w, ?18 || '~' || value AS term FROM json_each(?19)),
       hit AS MATERIALIZED (
         SELECT p.doc AS number, word.w AS w, count(*) AS n
           FROM word CROSS JOIN message_postings AS p ON p.term = word.term GROUP BY p.doc, word.w),
       gap AS (
         SELECT w, number, number - lag(number, 1, -5) OVER (PARTITION BY w ORDER BY number) AS distance FROM hit),
       posting AS MATERIALIZED (
         SELECT number, group_concat(w || ' ' || n, ' ') AS words FROM hit GROUP BY number)
       SELECT 'counters' AS kind, conversation_count AS a, message_count AS b, token_count AS c, NULL AS d,
              NULL AS packed
         FROM organization_counters WHERE organization_id = ?1
       UNION ALL
       SELECT 'word', w, count(*), sum(min(distance, 5)), count(DISTINCT number >> 24), NULL FROM gap GROUP BY w
       UNION ALL
       SELECT 'conversation', c.number, c.token_count, NULL, NULL,
              group_concat((${MESSAGES}) || ' ' || m.sequence || ' ' || m.token_count || ' ' ||
                           (coalesce(m.traits, 0) & ${TRAITS.question}) || ' ' || posting.words)
         FROM posting
        CROSS JOIN messages AS m ON m.number = posting.number AND m.organization_id = ?1
        CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = m.conversation_id
        WHERE ${CONVERSATIONS}
        -- In runs of 64 places: a long conversation in one piece would pass what a string may hold.
        GROUP BY c.number, m.sequence >> 6`,
    )
    .bind(...filterBinds(scope), String(scope.organizationNumber), JSON.stringify(words))
    .all<{
      kind: "counters" | "word" | "conversation";
      a: number;
      b: number;
      c: number;
      d: number;
      packed: string;
    }>();
  const postings: Postings = {
    conversations: 0,
    messages: 0,
    tokens: 0,
    wordCount: words.length,
    words: new Map(),
    found: [],
  };
  const found = new Map<number, { tokens: number; packed: string[] }>();
  for (const { kind, a, b, c, d, packed } of results) {
    if (kind === "counters") Object.assign(postings, { conversations: a, messages: b, tokens: c });
    else if (kind === "word") postings.words.set(a, { messages: b, windows: c, conversations: d });
    else {
      const conversation = found.get(a) ?? { tokens: b, packed: [] };
      conversation.packed.push(packed);
      found.set(a, conversation);
    }
  }
  for (const [conversation, { tokens, packed }] of found) {
    postings.found.push({ conversation, tokens, packed: packed.join(",") });
  }
  return postings;
}

/** Ids of the conversations that a filter allows, newest first. */
export async function selectFilteredConversations(
  db: D1Database,
  scope: SearchScope,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT c.id FROM conversations AS c WHERE ${CONVERSATIONS} ORDER BY c.updated_at_ms DESC LIMIT ?12`,
    )
    .bind(...filterBinds(scope).slice(0, 11), limit)
    .all<{ id: string }>();
  return results.map((row) => row.id);
}

/** What a search weighs in a message beside its words and its meaning, as SQL over `m`. */
const TRAIT_VALUES = {
  question: `coalesce(m.traits, 0) & ${TRAITS.question}`,
  time: `(coalesce(m.traits, 0) & ${TRAITS.time}) > 0`,
  number: `(coalesce(m.traits, 0) & ${TRAITS.number}) > 0`,
  date: `coalesce((SELECT max(span.fit) FROM span
                    WHERE m.created_at_ms >= span.from_ms AND m.created_at_ms < span.to_ms), 0)`,
  // −1 for another speaker than the one asked for; what has no speaker is neither.
  speaker: `CASE WHEN m.name_words IS NULL THEN 0
                 WHEN EXISTS (SELECT 1 FROM asked WHERE instr(' ' || m.name_words || ' ', ' ' || asked.word || ' '))
                 THEN 1 ELSE -1 END`,
  phrase: `?22 ->> 'phrases' IS NOT NULL AND m.number IN ${matching("(?22 ->> 'phrases')")}`,
};
export type TraitValue = keyof typeof TRAIT_VALUES;
const TRAIT_NAMES = Object.keys(TRAIT_VALUES) as TraitValue[];

/** How much each value counts in this search, and what it is measured by. */
export interface TraitWeights {
  weights: Record<TraitValue, number>;
  /** Words of the query, of which some may be a speaker's name. */
  words: string[];
  /** What a message holds that counts as a phrase of the query. */
  phrases: string[][];
  dates: { fromMs: number; toMs: number; fit: number }[];
}

/** A message that a leg offers, by its number, with the score that orders the offers. */
export interface Offer {
  number: number;
  score: number;
}

export interface FoundRow extends MessageRow, Record<`trait_${TraitValue}`, number | null> {
  /** Score of the offer with what its traits add; null for a neighbour. */
  score: number | null;
  title: string | null;
  conversation_external_id: string | null;
  agent_id: string | null;
  user_id: string | null;
  tags: string;
  conversation_created_at_ms: number;
  /** Matches in all, read or not. */
  matched: number;
}

/** Content that one search reads, in bytes of the originals. */
const ANSWER_BYTES_MAX = 16_000_000;

/** What D1 says of the offers. */
export interface Found {
  rows: FoundRow[];
  /** Offers that were confirmed, `keep` at most. */
  matched: number;
  /** Matches whose content would have been too much to read. */
  unread: number;
  pending: number;
  otherModels: boolean;
}

/**
 * The offered messages that exist and that the filter allows, the best `keep` of them with their
 * neighbours, in order of place; and what the search could not see.
 *
 * D1 has the last word here: an offer that it does not return is dropped.
 */
export async function selectOffered(
  db: D1Database,
  scope: SearchScope,
  input: {
    offers: Offer[];
    keep: number;
    before: number;
    after: number;
    model: string;
    traits: TraitWeights;
  },
): Promise<Found> {
  const { weights, words, phrases, dates } = input.traits;
  const traits = JSON.stringify({
    weights,
    words: words.map((word) => `${scope.organizationNumber}~${word}`),
    phrases: toExpression(scope.organizationNumber, phrases, "OR"),
    dates: dates.map(({ fromMs, toMs, fit }) => [fromMs, toMs, fit]),
  });
  const offers = JSON.stringify(input.offers.map(({ number, score }) => [number, score]));
  const { organizationId } = scope.owner;
  const [found, state] = await db.batch([
    db
      .prepare(
        `WITH offer AS (SELECT value ->> 0 AS number, value ->> 1 AS score FROM json_each(?18)),
         asked AS MATERIALIZED (SELECT value AS word FROM json_each(?22 -> 'words')),
         span AS MATERIALIZED (
           SELECT value ->> 0 AS from_ms, value ->> 1 AS to_ms, value ->> 2 AS fit FROM json_each(?22 -> 'dates')),
         offered AS MATERIALIZED (
           SELECT m.number AS number, offer.score AS score,
                  ${TRAIT_NAMES.map((name) => `${TRAIT_VALUES[name]} AS trait_${name}`).join(", ")}
             FROM offer
            CROSS JOIN messages AS m ON m.number = offer.number AND m.organization_id = ?1
            CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = m.conversation_id
            WHERE ${CONVERSATIONS} AND ${MESSAGES}),
         weight AS MATERIALIZED (
           SELECT ${TRAIT_NAMES.map((name) => `?22 ->> '$.weights.${name}' AS weight_${name}`).join(", ")}),
         -- A word is a name only where somebody of that name speaks.
         valued AS MATERIALIZED (
           SELECT number, score, ${TRAIT_NAMES.filter((name) => name !== "speaker")
             .map((name) => `trait_${name}`)
             .join(", ")},
                  trait_speaker * (max(trait_speaker) OVER () > 0) AS trait_speaker FROM offered),
         kept AS MATERIALIZED (
           SELECT number, ${TRAIT_NAMES.map((name) => `trait_${name}`).join(", ")},
                  score + ${TRAIT_NAMES.map((name) => `weight_${name} * trait_${name}`).join(" + ")} AS score
             FROM valued CROSS JOIN weight
            ORDER BY ${TRAIT_NAMES.length + 2} DESC, number LIMIT ?19),
         shown AS (
           SELECT n.number AS number, min(abs(n.number - kept.number)) AS distance,
                  n.content_bytes + coalesce(length(n.parts), 0) + coalesce(length(n.metadata), 0) AS bytes
             FROM kept CROSS JOIN messages AS n ON n.number BETWEEN kept.number - ?20 AND kept.number + ?21
            -- The plus keeps the planner to the range of numbers; else it reads the whole organization for each.
            WHERE n.number >> 24 = kept.number >> 24 AND +n.organization_id = ?1
            GROUP BY n.number),
         -- Matches before neighbours, the best first, as far as memory goes.
         fitting AS (
           SELECT shown.number AS number,
                  sum(bytes) OVER (ORDER BY distance, kept.score DESC, shown.number) AS total
             FROM shown LEFT JOIN kept ON kept.number = shown.number)
         SELECT ${MESSAGE_COLUMNS}, kept.score AS score,
                ${TRAIT_NAMES.map((name) => `kept.trait_${name}`).join(", ")}, c.title AS title,
                c.external_id AS conversation_external_id, c.agent_id AS agent_id, c.user_id AS user_id,
                c.tags AS tags, c.created_at_ms AS conversation_created_at_ms,
                (SELECT count(*) FROM kept) AS matched
           FROM fitting
          CROSS JOIN messages AS m ON m.number = fitting.number
          CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = m.conversation_id
           LEFT JOIN kept ON kept.number = fitting.number
          WHERE m.organization_id = ?1 AND fitting.total <= ${ANSWER_BYTES_MAX}
          ORDER BY m.number`,
      )
      .bind(...filterBinds(scope), offers, input.keep, input.before, input.after, traits),
    db
      .prepare(
        // Jobs can overlap: a conversation has no more to wait for than it has messages.
        `SELECT coalesce((SELECT sum(min(c.message_count, j.waiting))
                            FROM (SELECT conversation_id, sum(to_sequence - from_sequence + 1) AS waiting
                                    FROM index_jobs WHERE organization_id = ?1 GROUP BY conversation_id) AS j
                           CROSS JOIN conversations AS c ON c.organization_id = ?1 AND c.id = j.conversation_id
                           WHERE c.deleted_at_ms IS NULL AND (?3 IS NULL OR c.agent_id = ?3)), 0) AS pending,
                EXISTS (SELECT 1 FROM conversation_chunks WHERE organization_id = ?1 AND model < ?2)
                OR EXISTS (SELECT 1 FROM conversation_chunks WHERE organization_id = ?1 AND model > ?2) AS other_models`,
      )
      .bind(organizationId, input.model, scope.owner.agentId),
  ]);
  const counts = (state?.results as { pending: number; other_models: number }[] | undefined)?.[0];
  const rows = (found?.results ?? []) as FoundRow[];
  const matched = rows[0]?.matched ?? 0;
  return {
    rows,
    matched,
    unread: matched - rows.filter(({ score }) => score !== null).length,
    pending: counts?.pending ?? 0,
    otherModels: counts?.other_models === 1,
  };
}

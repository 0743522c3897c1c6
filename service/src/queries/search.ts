import { type MemoryKind, RESULT_MESSAGES_MAX } from "@engram/spec";
import type { ServiceLimits } from "../limits.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { TRAITS } from "../text/traits.ts";
import { existing, toWhere } from "./conversation-filters.ts";
import { endOf, pageOf, type Scan, type ScanLimits, scanOf } from "./conversation-scans.ts";
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow } from "./messages.ts";
import { readNumbers } from "./postings.ts";
import { conversationsOfScope, messagesOfScope, type SearchScope } from "./search-filters.ts";

/** The lists that the scope selects from, last changed first. */
const scansOf = ({ owner, filter }: SearchScope, limits: ScanLimits): Scan[] =>
  (filter.corpora ?? ["conversations"]).map((corpus) => ({
    owner,
    corpus,
    filter,
    conversationId: filter.conversationId,
    sort: "updated_at",
    order: "desc",
    after: null,
    limits,
  }));

export interface AllowedConversations<Name> {
  allowed: Name[];
  /** Whether the list is complete. It is not when a scan ends before its list does. */
  isWhole: boolean;
}

/** Ids of at most `limit` conversations that the filter allows, last changed first. */
export async function selectFilteredConversations(
  db: D1Database,
  scope: SearchScope,
  limit: number,
  limits: ScanLimits,
): Promise<AllowedConversations<string>> {
  const results = await db.batch<{ id: string | null; sort_value: number; scan_end: string | null }>(
    scansOf(scope, limits).map((scan) => {
      const { tables, binds, order } = pageOf(scan, limit);
      return db
        .prepare(
          `WITH ${tables} SELECT page.id AS id, page.sort_value AS sort_value, reached.scan_end AS scan_end
             FROM reached LEFT JOIN page ON TRUE ORDER BY ${order}`,
        )
        .bind(...binds);
    }),
  );
  const rows = results.flatMap(({ results: found }) => found);
  const ids = rows.sort((a, b) => b.sort_value - a.sort_value).flatMap(({ id }) => id ?? []);
  return {
    allowed: ids.slice(0, limit),
    isWhole: ids.length <= limit && rows.every(({ scan_end }) => scan_end === null),
  };
}

/** Numbers of the conversations that the filter allows among those that one scan reads. */
export async function selectAllowedConversations(
  db: D1Database,
  scope: SearchScope,
  limits: ScanLimits,
): Promise<AllowedConversations<number>> {
  const results = await db.batch<{ numbers: string | null; scan_end: string | null }>(
    scansOf(scope, limits).map((list) => {
      const { scan, allowed, binds } = scanOf(list);
      return db
        .prepare(
          `WITH ${scan} SELECT (SELECT group_concat(scan.number) ${allowed}) AS numbers, (${endOf(list)}) AS scan_end`,
        )
        .bind(...binds);
    }),
  );
  const rows = results.flatMap(({ results: found }) => found);
  return {
    allowed: rows.flatMap(({ numbers }) => readNumbers(numbers ?? "")),
    isWhole: rows.every(({ scan_end }) => scan_end === null),
  };
}

/** Features of a message, as SQL over `o` (a candidate), its `speaker`, and `weight`. */
const TRAIT_VALUES = {
  question: `o.traits & ${TRAITS.question}`,
  time: `(o.traits & ${TRAITS.time}) > 0`,
  number: `(o.traits & ${TRAITS.number}) > 0`,
  date: `CASE weight_date WHEN 0 THEN 0 ELSE coalesce(
           (SELECT max(span.fit) FROM span
             WHERE o.created_at_ms >= span.from_ms AND o.created_at_ms < span.to_ms), 0) END`,
  // 1 when the query names a speaker and this message has another. A message without a speaker may still be
  // the answer.
  speaker: "coalesce(NOT speaker.is_asked, 0)",
  phrase: "o.phrase",
};
export type TraitValue = keyof typeof TRAIT_VALUES;
const TRAIT_NAMES = Object.keys(TRAIT_VALUES) as TraitValue[];

/** The smallest and the largest sum that features can add to a score. Each feature is 0 to 1. */
export function rangeOfTraits(weights: Record<TraitValue, number>): { least: number; most: number } {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const own = TRAIT_NAMES.map((name) => weights[name]);
  return { least: sum(own.filter((weight) => weight < 0)), most: sum(own.filter((weight) => weight > 0)) };
}

/** The prior of each feature in this search, and the query's data that they use. */
export interface TraitWeights {
  weights: Record<TraitValue, number>;
  /** Words of the query. Some may be the name of a speaker. */
  words: string[];
  dates: { fromMs: number; toMs: number; fit: number }[];
}

/** A candidate by message number, with the score that orders candidates. */
export interface Offer {
  number: number;
  score: number;
  /** Whether it contains a phrase of the query. */
  holdsPhrase: boolean;
}

export interface FoundRow extends MessageRow, Record<`trait_${TraitValue}`, number | null> {
  /** The candidate's score with its features; null for a neighbour. */
  score: number | null;
  title: string | null;
  conversation_external_id: string | null;
  agent_id: string | null;
  user_id: string | null;
  /** Null for a neighbour, as are all columns of its conversation. */
  tags: string | null;
  conversation_created_at_ms: number;
  kind: "conversation" | MemoryKind | null;
  source: string | null;
  summary: string | null;
  content_hash: string | null;
  enriched_by: string | null;
  conversation_updated_at_ms: number;
  /** For memories only. */
  memory_metadata: string | null;
  /** For memories only, when the chunk is known and matches the current content. */
  chunk_ordinal: number | null;
  chunk_start: number | null;
  chunk_end: number | null;
  chunk_overlap_start: number | null;
  /** Number of matches, whether read or not. */
  matched: number;
}

/** A message that exists, but exceeds the size limit of the read. */
export interface UnreadRow {
  number: number;
  /** Null for a neighbour. */
  score: number | null;
}

export interface Found {
  rows: FoundRow[];
  unread: UnreadRow[];
  /** Candidates that D1 confirmed, at most `keep`. */
  matched: number;
}

/** SQL: size in bytes of a result's conversation, or of a memory without its content. */
const CONVERSATION_BYTES = `octet_length(c.tags) + coalesce(octet_length(c.title), 0)
  + CASE c.kind WHEN 'conversation' THEN 0 ELSE octet_length(c.metadata) + coalesce(octet_length(c.summary), 0) END`;

/** Number of matches in a run whose windows fill a result, however close together they are. */
const TURN_MATCHES = `(${RESULT_MESSAGES_MAX} - ?4 - ?5)`;

/** Kept matches that are in no row, as JSON. */
const UNSHOWN = `(SELECT json_group_array(json_array(number, score)) FROM kept
                   WHERE number NOT IN (SELECT number FROM shown))`;

/**
 * The candidates that exist and that the filter allows: the best `keep`, with their neighbours, by position.
 * Messages beyond `searchReadBytes` or `pageValues` are listed but not read.
 *
 * D1 decides here: a candidate that it does not return is dropped.
 */
export async function selectOffered(
  db: D1Database,
  scope: SearchScope,
  input: {
    offers: Offer[];
    keep: number;
    /** Maximum number of results. */
    results: number;
    before: number;
    after: number;
    traits: TraitWeights;
    /** The chunk that matched for a memory, by the number of its message. */
    chunks: [number: number, id: string][];
  },
  limits: Pick<ServiceLimits, "searchReadBytes" | "pageValues">,
): Promise<Found> {
  const { weights, words, dates } = input.traits;
  const traits = JSON.stringify({
    weights,
    words: words.flatMap((word) => scope.marks.map((mark) => mark + word)),
    dates: dates.map(({ fromMs, toMs, fit }) => [fromMs, toMs, fit]),
    chunks: input.chunks,
  });
  const conversations = toWhere(conversationsOfScope(scope), 9);
  const messages = toWhere(messagesOfScope(scope), 9 + conversations.binds.length);
  const offers = JSON.stringify(
    input.offers.map(({ number, score, holdsPhrase }) => [number, score, Number(holdsPhrase)]),
  );
  const { results } = await db
    .prepare(
      `WITH offer AS (SELECT value ->> 0 AS number, value ->> 1 AS score, value ->> 2 AS phrase FROM json_each(?2)),
         spoke AS MATERIALIZED (
           SELECT value ->> 0 AS number, value ->> 1 AS chunk_id FROM json_each(?6 -> 'chunks')),
         asked AS MATERIALIZED (SELECT value AS word FROM json_each(?6 -> 'words')),
         span AS MATERIALIZED (
           SELECT value ->> 0 AS from_ms, value ->> 1 AS to_ms, value ->> 2 AS fit FROM json_each(?6 -> 'dates')),
         weight AS MATERIALIZED (
           SELECT ${TRAIT_NAMES.map((name) => `?6 ->> '$.weights.${name}' AS weight_${name}`).join(", ")}),
         -- The filter is compared once with each conversation, however many of its messages are offered.
         allowed AS MATERIALIZED (
           SELECT c.number AS number, c.kind AS kind FROM (SELECT DISTINCT number >> 24 AS number FROM offer) AS asked
            CROSS JOIN conversations AS c ON c.number = asked.number
            WHERE ${existing(scope.filter)} AND ${conversations.sql}),
         offered AS MATERIALIZED (
           SELECT m.number AS number, offer.score AS score, offer.phrase AS phrase, coalesce(m.traits, 0) AS traits,
                  m.created_at_ms AS created_at_ms, m.name_words AS name_words
             FROM offer
            CROSS JOIN messages AS m ON m.number = offer.number AND m.organization_id = ?1
            CROSS JOIN allowed AS c ON c.number = m.number >> 24
            WHERE ${messages.sql}),
         named AS MATERIALIZED (
           SELECT name_words, EXISTS (SELECT 1 FROM asked
                                       WHERE instr(' ' || name_words || ' ', ' ' || asked.word || ' ')) AS is_asked
             FROM (SELECT DISTINCT name_words FROM offered
                    WHERE name_words IS NOT NULL AND (SELECT weight_speaker FROM weight) <> 0)),
         -- A word is a name only where somebody of that name speaks.
         speaker AS MATERIALIZED (SELECT * FROM named WHERE (SELECT max(is_asked) FROM named) = 1),
         valued AS MATERIALIZED (
           SELECT o.number AS number, o.score AS score,
                  ${TRAIT_NAMES.map((name) => `${TRAIT_VALUES[name]} AS trait_${name}`).join(", ")}
             FROM offered AS o CROSS JOIN weight LEFT JOIN speaker ON speaker.name_words = o.name_words),
         kept AS MATERIALIZED (
           SELECT number, ${TRAIT_NAMES.map((name) => `trait_${name}`).join(", ")},
                  score + ${TRAIT_NAMES.map((name) => `weight_${name} * trait_${name}`).join(" + ")} AS score
             FROM valued CROSS JOIN weight
            ORDER BY ${TRAIT_NAMES.length + 2} DESC, number LIMIT ?3),
         -- Matches whose windows overlap, one after the other, are a run, which is one result.
         begun AS (
           SELECT number, score, number >> 24 <> lag(number >> 24, 1, 0) OVER line
                                 OR number - lag(number) OVER line > ?4 + ?5 AS begins
             FROM kept WINDOW line AS (ORDER BY number)),
         run AS (SELECT number, score, sum(begins) OVER (ORDER BY number) AS run FROM begun),
         -- Of each run the matches whose windows fill a result, then as many of each again.
         turn AS (
           SELECT number, score, CAST((row_number() OVER (PARTITION BY run ORDER BY score DESC, number) - 1)
                                      / ${TURN_MATCHES} AS INTEGER) AS turn FROM run),
         ranked AS MATERIALIZED (
           SELECT number, row_number() OVER (ORDER BY turn, score DESC, number) AS rank FROM turn
            ORDER BY turn, score DESC, number LIMIT ?7 * ${TURN_MATCHES}),
         -- The best matches, then the window of the best one, and so on: what cannot be read is the least relevant.
         shown AS MATERIALIZED (
           SELECT n.number AS number,
                  min(ranked.rank + CASE n.number WHEN ranked.number THEN 0 ELSE ?7 END) AS rank,
                  min(abs(n.number - ranked.number)) AS distance
             FROM ranked CROSS JOIN messages AS n ON n.number BETWEEN ranked.number - ?4 AND ranked.number + ?5
            -- The plus keeps the planner to the range of numbers; else it reads the whole organization for each.
            WHERE n.number >> 24 = ranked.number >> 24 AND +n.organization_id = ?1
            GROUP BY n.number),
         fitting AS (
           SELECT shown.number AS number, row_number() OVER best AS place,
                  sum(${MESSAGE_BYTES} + CASE distance WHEN 0 THEN ${CONVERSATION_BYTES} ELSE 0 END) OVER best AS total
             FROM shown
            CROSS JOIN messages AS m ON m.number = shown.number AND m.organization_id = ?1
            CROSS JOIN conversations AS c ON c.number = m.number >> 24 AND c.organization_id = ?1
           WINDOW best AS (ORDER BY shown.rank, distance, shown.number))
         SELECT ${MESSAGE_COLUMNS}, fitting.number AS found_number,
                CASE fitting.place WHEN 1 THEN ${UNSHOWN} END AS unshown, kept.score AS score,
                ${TRAIT_NAMES.map((name) => `kept.trait_${name}`).join(", ")}, c.title AS title,
                c.external_id AS conversation_external_id, c.agent_id AS agent_id, c.user_id AS user_id,
                c.tags AS tags, c.created_at_ms AS conversation_created_at_ms, c.kind AS kind, c.source AS source,
                c.summary AS summary, c.content_hash AS content_hash, c.enriched_by AS enriched_by, c.updated_at_ms AS conversation_updated_at_ms,
                CASE WHEN c.kind <> 'conversation' THEN c.metadata END AS memory_metadata,
                k.ordinal AS chunk_ordinal, k.text_start AS chunk_start, k.text_end AS chunk_end,
                k.overlap_start AS chunk_overlap_start, (SELECT count(*) FROM kept) AS matched
           FROM fitting
           LEFT JOIN kept ON kept.number = fitting.number
           LEFT JOIN messages AS m ON m.number = fitting.number AND m.organization_id = ?1
                                   AND (fitting.total <= ?8 OR fitting.place = 1)
           LEFT JOIN conversations AS c ON kept.number IS NOT NULL AND c.number = m.number >> 24 AND c.organization_id = ?1
           LEFT JOIN spoke ON spoke.number = m.number
           -- A change of the content that waits to be indexed has moved its chunks.
           LEFT JOIN conversation_chunks AS k ON k.organization_id = ?1 AND k.id = spoke.chunk_id AND c.kind <> 'conversation'
                     AND NOT EXISTS (SELECT 1 FROM index_jobs AS j WHERE j.organization_id = ?1
                                        AND j.conversation_id = c.id AND NOT j.rebuild_words)
          ORDER BY fitting.place`,
    )
    .bind(
      scope.owner.organizationId,
      offers,
      input.keep,
      input.before,
      input.after,
      traits,
      input.results,
      limits.searchReadBytes,
      ...conversations.binds,
      ...messages.binds,
    )
    .all<FoundRow & { found_number: number; unshown: string | null }>();
  // Counts values before parsing them, best rows first, to bound the memory they take.
  let values = 0;
  const isRead = results.map(({ number, metadata, parts, memory_metadata }, place) => {
    for (const text of [metadata, parts, memory_metadata])
      values += text === null ? 0 : countJsonValues(text);
    return number !== null && (values <= limits.pageValues || place === 0);
  });
  return {
    rows: results.filter((_, place) => isRead[place]).sort((a, b) => a.number - b.number),
    unread: [
      ...results
        .filter((_, place) => !isRead[place])
        .map(({ found_number, score }) => ({ number: found_number, score })),
      ...(JSON.parse(results[0]?.unshown ?? "[]") as [number, number][]).map(([number, score]) => ({
        number,
        score,
      })),
    ],
    matched: results[0]?.matched ?? 0,
  };
}

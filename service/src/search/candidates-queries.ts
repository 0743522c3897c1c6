import { type MemoryKind, RESULT_MESSAGES_MAX } from "@engram/spec";
import { undeleted } from "../filters/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "../messages/fields.ts";
import { MESSAGE_BYTES } from "../messages/queries.ts";
import { and, columns, joined, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { FEATURES } from "../text/features.ts";
import { conversationsOfScope, messagesOfScope, type SearchScope } from "./filters-queries.ts";
import { conversationOf } from "./ranking/matches.ts";

const FEATURE_VALUES = {
  question: sql`m.features & ${FEATURES.question}`,
  time: sql`(m.features & ${FEATURES.time}) > 0`,
  number: sql`(m.features & ${FEATURES.number}) > 0`,
  date: sql`coalesce((SELECT max(range.fit) FROM date_range AS range
                       WHERE m.created_at_ms >= range.from_ms AND m.created_at_ms < range.to_ms), 0)`,
  // 1 if the query names a speaker, but not the speaker of this message. 0 for a message without a speaker, which may
  // still be the answer, and in a conversation of more than two.
  speaker: sql`(coalesce(NOT speaker.is_named, 0) AND m.row_key >> 24 NOT IN (SELECT conversation FROM crowd))`,
  phrase: sql`m.phrase`,
  hidden: sql`m.hidden`,
};
export type Feature = keyof typeof FEATURE_VALUES;
const FEATURE_NAMES = Object.keys(FEATURE_VALUES) as Feature[];
const FEATURE_COLUMNS = FEATURE_NAMES.map((name) => `feature_${name}` as const);

/**
 * The lowest and the highest sum that features can add to a score. A feature is a property of a message that affects
 * its score, such as containing a number; its value is 0 to 1.
 */
export function featureRange(weights: Record<Feature, number>): { least: number; most: number } {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const ofFeatures = FEATURE_NAMES.map((name) => weights[name]);
  return {
    least: sum(ofFeatures.filter((weight) => weight < 0)),
    most: sum(ofFeatures.filter((weight) => weight > 0)),
  };
}

export interface FeatureWeights {
  weights: Record<Feature, number>;
  /** Words of the query. Some may be the name of a speaker. */
  terms: string[];
  dates: { fromMs: number; toMs: number; fit: number }[];
}

export interface CandidateScore {
  rowKey: number;
  score: number;
  holdsPhrase: boolean;
}

export interface FoundRow
  extends MessageRow,
    Partial<Record<`feature_${Feature}`, number | null>>,
    Partial<MemoryColumns> {
  rowKey: number;
  model_tokens: number;
  /**
   * The candidate's score plus its weighted features. Null for a neighbor: a message that is read only because it is
   * near a match.
   */
  score: number | null;
  title: string | null;
  conversation_external_id: string | null;
  agent_id: string | null;
  user_id: string | null;
  /** Null for a neighbor of a match, as are all other columns of the conversation. */
  tags: string | null;
  conversation_created_at_ms: number;
  /** Number of matches, including those that were not read. At most `keep`. */
  matched: number;
}

/** Columns of a search that includes memories. */
interface MemoryColumns {
  memory_external_id: string | null;
  /** Null for a neighbor of a match. */
  kind: "conversation" | MemoryKind | null;
  source: string | null;
  summary: string | null;
  content_hash: string | null;
  enriched_by: string | null;
  conversation_updated_at_ms: number;
  memory_metadata: string | null;
  /**
   * The `chunk_` columns are null except for a memory whose best matching chunk (part) is known and still fits the
   * content.
   */
  chunk_ordinal: number | null;
  chunk_start: number | null;
  chunk_end: number | null;
  chunk_overlap_start: number | null;
}

export const isOfMemory = (row: FoundRow): row is FoundRow & MemoryColumns & { kind: MemoryKind } =>
  row.kind !== undefined && row.kind !== null && row.kind !== "conversation";

/** A match or neighbor whose content is not returned, because messages that rank before it reached a limit. */
export interface UnreadRow {
  rowKey: number;
  score: number | null;
}

export interface Found {
  rows: FoundRow[];
  unread: UnreadRow[];
  matched: number;
}

export interface CandidateSelection {
  candidates: CandidateScore[];
  keep: number;
  results: number;
  /** Only matches in this number of runs, the best ones, are read, with their neighbors. See `ranked`. */
  runs: number;
  before: number;
  after: number;
  features: FeatureWeights;
  /** Whether the rows have the values of the features. */
  explain: boolean;
  /**
   * For memories: the row key of the message, and the id of the chunk (part) that matches best. Null in a search
   * without memories, whose rows have fewer columns.
   */
  chunks: [rowKey: number, id: string][] | null;
}

/**
 * Reads the best candidates and their neighbors. Leaves out candidates that no longer exist or that the filter
 * excludes. Messages beyond the limits `searchReadBytes` and `pageValues` are listed in `unread`, without their
 * content.
 */
export async function loadCandidates(
  db: D1Database,
  scope: SearchScope,
  selection: CandidateSelection,
  limits: Pick<ServiceLimits, "searchReadBytes" | "pageValues">,
): Promise<Found> {
  const found = await run(db, matchesWithNeighbors(scope, selection, limits.searchReadBytes));
  // Counts the values in JSON texts before they are parsed, best rows first, to bound the memory that they take.
  let values = 0;
  const isRead = found.map(({ row_key, metadata, parts, memory_metadata }, place) => {
    for (const text of [metadata, parts, memory_metadata ?? null])
      values += text === null ? 0 : countJsonValues(text);
    return row_key !== null && (values <= limits.pageValues || place === 0);
  });
  const unreadMatches = JSON.parse(found[0]?.unread_matches ?? "[]") as [number, number][];
  return {
    rows: found.filter((_, place) => isRead[place]).sort((a, b) => a.rowKey - b.rowKey),
    unread: [
      ...found.filter((_, place) => !isRead[place]).map(({ rowKey, score }) => ({ rowKey, score })),
      ...unreadMatches.map(([rowKey, score]) => ({ rowKey, score })),
    ],
    matched: found[0]?.matched ?? 0,
  };
}

/**
 * Rows of matches and their neighbors. The first row also lists, in `unread_matches`, the matches that have
 * no row of their own, because they rank too low.
 */
const matchesWithNeighbors = (
  scope: SearchScope,
  selection: CandidateSelection,
  bytesMax: number,
): Statement<(FoundRow & { unread_matches: string | null })[]> => {
  const { organizationId } = scope.owner;
  return rows(
    sql`WITH ${candidates(selection.candidates)},
          ${allowedConversations(scope, selection.candidates)},
          ${allowedCandidates(scope)},
          ${speakers(scope, selection.features)},
          ${dateRanges(selection.features)},
          ${featured(selection.features)},
          ${scored(selection)},
          ${ranked(selection)},
          ${withNeighbors(organizationId, selection)},
          ${fitting(organizationId)}
          ${selection.chunks === null ? sql`` : matchedChunks(selection.chunks)}
        SELECT ${MESSAGE_COLUMNS}, m.model_tokens, fitting.row_key AS rowKey, scored.score AS score,
               ${selection.explain ? sql`${columns(FEATURE_COLUMNS, "scored")},` : sql``}
               CASE fitting.place WHEN 1 THEN (${UNREAD_MATCHES}) END AS unread_matches,
               (SELECT count(*) FROM scored) AS matched,
               c.title AS title, c.external_id AS conversation_external_id, c.agent_id AS agent_id, c.user_id AS user_id,
               c.tags AS tags, c.created_at_ms AS conversation_created_at_ms
               ${selection.chunks === null ? sql`` : MEMORY_COLUMNS}
          FROM fitting
          LEFT JOIN scored ON scored.row_key = fitting.row_key
          LEFT JOIN messages AS m ON m.row_key = fitting.row_key AND m.organization_id = ${organizationId}
                                  AND (fitting.total <= ${bytesMax} OR fitting.place = 1)
          LEFT JOIN conversations AS c ON scored.row_key IS NOT NULL AND c.row_key = m.row_key >> 24
                                       AND c.organization_id = ${organizationId}
          ${selection.chunks === null ? sql`` : matchedChunkOf(organizationId)}
         ORDER BY fitting.place`,
    (row: FoundRow & { unread_matches: string | null }) => row,
  );
};

const MEMORY_COLUMNS = sql`,
  c.memory_external_id AS memory_external_id, c.kind AS kind, c.source AS source, c.summary AS summary,
  c.content_hash AS content_hash, c.enriched_by AS enriched_by, c.updated_at_ms AS conversation_updated_at_ms,
  CASE WHEN c.kind <> 'conversation' THEN c.metadata END AS memory_metadata, k.ordinal AS chunk_ordinal,
  k.text_start AS chunk_start, k.text_end AS chunk_end, k.overlap_start AS chunk_overlap_start`;

/** An object by row key, because SQLite reads items of a list that are lists themselves in twice the time. */
const candidates = (list: CandidateScore[]): Sql => {
  const scores = list.map(({ rowKey, score }) => `"${rowKey}":${score}`);
  const withPhrase = list.filter(({ holdsPhrase }) => holdsPhrase).map(({ rowKey }) => rowKey);
  return sql`
    candidate AS (
      SELECT CAST(key AS INTEGER) AS row_key, value AS score,
             CAST(key AS INTEGER) IN (SELECT value FROM json_each(${JSON.stringify(withPhrase)})) AS phrase
        FROM json_each(${`{${scores.join(",")}}`}))`;
};

/** Compares the filter once with each conversation, however many candidates it has. */
const allowedConversations = (scope: SearchScope, list: CandidateScore[]): Sql => sql`
  allowed AS MATERIALIZED (
    SELECT c.row_key AS row_key, c.kind AS kind
      FROM json_each(${JSON.stringify([...new Set(list.map(({ rowKey }) => conversationOf(rowKey)))])}) AS named
     CROSS JOIN conversations AS c ON c.row_key = named.value
     WHERE ${and([undeleted(scope.owner.organizationId, scope.filter), ...conversationsOfScope(scope)])})`;

/** Reads the metadata of system messages only. */
const IS_HIDDEN = sql`CASE m.role WHEN 'system' THEN coalesce(json_type(m.metadata, '$.hidden') = 'true', 0) ELSE 0 END`;

const allowedCandidates = (scope: SearchScope): Sql => sql`
  allowed_candidate AS MATERIALIZED (
    SELECT m.row_key AS row_key, candidate.score AS score, candidate.phrase AS phrase, coalesce(m.features, 0) AS features,
           m.created_at_ms AS created_at_ms, m.name_terms AS name_terms, ${IS_HIDDEN} AS hidden
      FROM candidate
     CROSS JOIN messages AS m ON m.row_key = candidate.row_key AND m.organization_id = ${scope.owner.organizationId}
     CROSS JOIN allowed AS c ON c.row_key = m.row_key >> 24
     WHERE ${and(messagesOfScope(scope))})`;

/**
 * The table `speaker` is empty unless a word of the query is the name of a candidate's speaker. `crowd` has the
 * conversations whose candidates have more than two speakers.
 */
const speakers = ({ termPrefixes }: SearchScope, { weights, terms }: FeatureWeights): Sql => sql`
  word AS MATERIALIZED (
    SELECT value AS word
      FROM json_each(${JSON.stringify(terms.flatMap((term) => termPrefixes.map((prefix) => prefix + term)))})),
  candidate_speaker AS MATERIALIZED (
    SELECT name_terms, EXISTS (SELECT 1 FROM word
                                WHERE instr(' ' || name_terms || ' ', ' ' || word.word || ' ')) AS is_named
      FROM (SELECT DISTINCT name_terms FROM allowed_candidate WHERE name_terms IS NOT NULL AND ${weights.speaker} <> 0)),
  speaker AS MATERIALIZED (SELECT * FROM candidate_speaker WHERE (SELECT max(is_named) FROM candidate_speaker) = 1),
  crowd AS MATERIALIZED (
    SELECT row_key >> 24 AS conversation FROM allowed_candidate
     WHERE name_terms IS NOT NULL AND EXISTS (SELECT 1 FROM speaker)
     GROUP BY row_key >> 24 HAVING count(DISTINCT name_terms) > 2)`;

const dateRanges = ({ dates }: FeatureWeights): Sql => sql`
  date_range AS MATERIALIZED (
    SELECT value ->> 0 AS from_ms, value ->> 1 AS to_ms, value ->> 2 AS fit
      FROM json_each(${JSON.stringify(dates.map(({ fromMs, toMs, fit }) => [fromMs, toMs, fit]))}))`;

const featured = ({ weights }: FeatureWeights): Sql => {
  const values = FEATURE_NAMES.map((name) => {
    const value = name === "date" && weights.date === 0 ? sql`0` : FEATURE_VALUES[name];
    return sql`${value} AS ${columns([`feature_${name}`])}`;
  });
  return sql`
    featured AS MATERIALIZED (
      SELECT m.row_key AS row_key, m.score AS candidate_score, ${joined(values, sql`, `)}
        FROM allowed_candidate AS m LEFT JOIN speaker ON speaker.name_terms = m.name_terms)`;
};

const scored = ({ features: { weights }, keep }: CandidateSelection): Sql => {
  const terms = FEATURE_NAMES.map((name) => sql`${weights[name]} * ${columns([`feature_${name}`])}`);
  return sql`
    scored AS MATERIALIZED (
      SELECT row_key, ${columns(FEATURE_COLUMNS)}, candidate_score + ${joined(terms, sql` + `)} AS score
        FROM featured ORDER BY score DESC, row_key LIMIT ${keep})`;
};

/**
 * Matches whose windows (the match and its neighbors) overlap form a run, which becomes one result. The best
 * `matchesMax` matches of every run come first, so that one run does not use up the limit.
 */
const ranked = ({ before, after, results, runs }: CandidateSelection): Sql => {
  /** With their neighbors, this number of matches fills a result even if they are adjacent. */
  const matchesMax = RESULT_MESSAGES_MAX - before - after;
  return sql`
    run_start AS (
      SELECT row_key, score, row_key >> 24 <> lag(row_key >> 24, 1, 0) OVER line
                            OR row_key - lag(row_key) OVER line > ${before + after} AS is_start
        FROM scored WINDOW line AS (ORDER BY row_key)),
    every_run AS (SELECT row_key, score, sum(is_start) OVER (ORDER BY row_key) AS run FROM run_start),
    best_run AS (SELECT run FROM every_run GROUP BY run ORDER BY max(score) DESC, run LIMIT ${runs}),
    run AS (SELECT * FROM every_run WHERE run IN best_run),
    turn AS (
      SELECT row_key, score, CAST((row_number() OVER (PARTITION BY run ORDER BY score DESC, row_key) - 1)
                                 / ${matchesMax} AS INTEGER) AS turn FROM run),
    ranked AS MATERIALIZED (
      SELECT row_key, row_number() OVER (ORDER BY turn, score DESC, row_key) AS rank FROM turn
       ORDER BY turn, score DESC, row_key LIMIT ${results * matchesMax})`;
};

/**
 * A neighbor ranks `results` places after its match. So the best `results` matches come before all neighbors, and the
 * size limit leaves out the least relevant messages.
 */
const withNeighbors = (organizationId: string, { before, after, results }: CandidateSelection): Sql => sql`
  with_neighbors AS MATERIALIZED (
    SELECT n.row_key AS row_key,
           min(ranked.rank + CASE n.row_key WHEN ranked.row_key THEN 0 ELSE ${results} END) AS rank,
           min(abs(n.row_key - ranked.row_key)) AS distance
      FROM ranked CROSS JOIN messages AS n ON n.row_key BETWEEN ranked.row_key - ${before} AND ranked.row_key + ${after}
     -- The plus keeps the planner to the range of row keys; else it reads the whole organization for each.
     WHERE n.row_key >> 24 = ranked.row_key >> 24 AND +n.organization_id = ${organizationId}
     GROUP BY n.row_key)`;

const CONVERSATION_BYTES = sql`octet_length(c.tags) + coalesce(octet_length(c.title), 0)
  + CASE c.kind WHEN 'conversation' THEN 0 ELSE octet_length(c.metadata) + coalesce(octet_length(c.summary), 0) END`;

/** `total` is the size in bytes of a message and of all that rank before it. */
const fitting = (organizationId: string): Sql => sql`
  fitting AS (
    SELECT n.row_key AS row_key, row_number() OVER best AS place,
           sum(${MESSAGE_BYTES} + CASE distance WHEN 0 THEN ${CONVERSATION_BYTES} ELSE 0 END) OVER best AS total
      FROM with_neighbors AS n
     CROSS JOIN messages AS m ON m.row_key = n.row_key AND m.organization_id = ${organizationId}
     CROSS JOIN conversations AS c ON c.row_key = m.row_key >> 24 AND c.organization_id = ${organizationId}
    WINDOW best AS (ORDER BY n.rank, distance, n.row_key))`;

const matchedChunks = (chunks: [rowKey: number, id: string][]): Sql => sql`,
  matched_chunk AS MATERIALIZED (
    SELECT value ->> 0 AS row_key, value ->> 1 AS id FROM json_each(${JSON.stringify(chunks)}))`;

/** The best matching chunk of a memory, as `k`. */
const matchedChunkOf = (organizationId: string): Sql => sql`
          LEFT JOIN matched_chunk ON matched_chunk.row_key = m.row_key
          -- While a change of the content waits to be indexed, the stored chunks may not fit it.
          -- A memory has a single window.
          LEFT JOIN conversation_chunks AS k ON k.organization_id = ${organizationId} AND k.conversation_id = c.id
                    AND k.window_start = 1 AND k.id = matched_chunk.id
                    AND c.kind <> 'conversation'
                    AND NOT EXISTS (SELECT 1 FROM index_jobs AS j WHERE j.organization_id = ${organizationId}
                                       AND j.conversation_id = c.id AND NOT j.rebuild_words)`;

const UNREAD_MATCHES = sql`
  SELECT json_group_array(json_array(row_key, score)) FROM scored
   WHERE row_key NOT IN (SELECT row_key FROM with_neighbors)`;

import { type MemoryKind, RESULT_MESSAGES_MAX } from "@engram/spec";
import { contentAt, conversationsAt, earlierBytes, existedAt } from "../filters/moments-queries.ts";
import { holdsAt, undeleted } from "../filters/queries.ts";
import type { ServiceLimits } from "../limits.ts";
import { type MessageRow, messageColumnsAt } from "../messages/fields.ts";
import { MESSAGE_BYTES } from "../messages/queries.ts";
import { and, columns, given, joined, rows, run, type Sql, type Statement, sql } from "../platform/sql.ts";
import { SOURCES } from "../sources/queries.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { FEATURES } from "../text/features.ts";
import { conversationsOfScope, hasRoles, messagesOfScope, type SearchScope } from "./filters-queries.ts";
import { conversationOf } from "./ranking/matches.ts";

const FEATURE_VALUES = {
  question: sql`(m.features & ${FEATURES.question})`,
  time: sql`((m.features & ${FEATURES.time}) > 0)`,
  number: sql`((m.features & ${FEATURES.number}) > 0)`,
  date: sql`coalesce((SELECT max(range.fit) FROM date_range AS range
                       WHERE m.created_at_ms >= range.from_ms AND m.created_at_ms < range.to_ms), 0)`,
  // 1 if the query names a speaker, but not the speaker of this message. 0 for a message without a speaker, which may
  // still be the answer, and in a conversation of more than two.
  speaker: sql`CASE WHEN m.row_key >> 24 IN crowd THEN 0 WHEN m.name_terms IN other_speaker THEN 1 ELSE 0 END`,
  phrase: sql`m.phrase`,
  hidden: sql`m.hidden`,
  validity: sql`m.unheld`,
};
export type Feature = keyof typeof FEATURE_VALUES;
const FEATURE_NAMES = Object.keys(FEATURE_VALUES) as Feature[];

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
  /** Time at which memories should hold. */
  validAtMs: number;
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
  shared: 0 | 1 | null;
  tags: string | null;
  conversation_created_at_ms: number;
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
  valid_from_ms: number | null;
  valid_until_ms: number | null;
  occurred_at_ms: number | null;
  supersedes: string | null;
  superseded_by: string | null;
  expires_at_ms: number | null;
  sources: string;
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
  /** Number of matches, including those that were not read. At most `keep`. */
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
  const found = (await run(db, matchesWithNeighbors(scope, selection, limits.searchReadBytes))).sort(
    (a, b) => a.rank - b.rank || a.distance - b.distance || a.rowKey - b.rowKey,
  );
  const scores = new Map(JSON.parse(found[0]?.matches ?? "[]") as [rowKey: number, score: number][]);
  const matched = scores.size;
  // Counts the values in JSON texts before they are parsed, best rows first, to bound the memory that they take.
  let values = 0;
  const read: FoundRow[] = [];
  const unread: UnreadRow[] = [];
  for (const [place, row] of found.entries()) {
    const { rowKey, row_key, metadata, parts, memory_metadata } = row;
    row.score = scores.get(rowKey) ?? null;
    scores.delete(rowKey);
    for (const text of [metadata, parts, memory_metadata ?? null])
      values += text === null ? 0 : countJsonValues(text);
    const isRead = row_key !== null && (values <= limits.pageValues || place === 0);
    if (isRead) read.push(row);
    else unread.push({ rowKey, score: row.score });
  }
  for (const [rowKey, score] of scores) unread.push({ rowKey, score });
  return { rows: read.sort((a, b) => a.rowKey - b.rowKey), unread, matched };
}

/** Rows with a lower rank come first, then those nearer to their match. */
interface RankedRow extends FoundRow {
  rank: number;
  distance: number;
  /** All matches and their scores, as JSON. Only in the row of the best match. */
  matches: string | null;
}

/**
 * Rows of matches and their neighbors, in any order. Every step reads the rows of the one before, and D1 counts each
 * time. So most steps are skipped if the search does not need them, and conditions are `IN` where possible, which counts
 * no row.
 */
const matchesWithNeighbors = (
  scope: SearchScope,
  selection: CandidateSelection,
  bytesMax: number,
): Statement<RankedRow[]> => {
  const { organizationId } = scope.owner;
  const { features, explain, chunks } = selection;
  const explained = explain ? usedFeatures(features) : [];
  return rows(
    sql`WITH ${allowedConversations(scope, selection.candidates)},
          ${allowedCandidates(scope, selection)},
          ${features.weights.speaker === 0 ? sql`` : speakers(scope, features)}
          ${features.weights.date === 0 ? sql`` : dateRanges(features)}
          ${scored(selection)}
          ${ranked(selection)},
          ${withNeighbors(scope, selection)},
          ${FITTING}
        SELECT ${messageColumnsAt(scope.moment)}, ${contentAt(scope.moment).model_tokens} AS model_tokens, n.row_key AS rowKey, NULL AS score, n.rank, n.distance,
               CASE n.rank WHEN 1 THEN (SELECT json_group_array(json_array(row_key, score)) FROM scored) END AS matches,
               ${joined([sql``, ...explained.map((name) => sql`scored.${columns([columnOf(name)])}, `)], sql``)}
               c.title AS title, c.external_id AS conversation_external_id, c.agent_id AS agent_id, c.user_id AS user_id, c.shared AS shared,
               c.tags AS tags, c.created_at_ms AS conversation_created_at_ms
               ${chunks === null ? sql`` : MEMORY_COLUMNS}
          FROM with_neighbors AS n
          ${explained.length > 0 ? sql`LEFT JOIN scored ON scored.row_key = n.row_key` : sql``}
          LEFT JOIN messages AS m ON m.row_key = n.row_key AND m.organization_id = ${organizationId}
                    AND CASE WHEN (SELECT sum(bytes) FROM with_neighbors) <= ${bytesMax} THEN TRUE
                             ELSE n.row_key IN (SELECT row_key FROM fitting WHERE total <= ${bytesMax} OR place = 1) END
          LEFT JOIN ${conversationsAt(scope.moment)} AS c
                    ON m.row_key IN (SELECT row_key FROM scored) AND c.row_key = m.row_key >> 24
                                       AND c.organization_id = ${organizationId}
          ${chunks === null ? sql`` : matchedChunk(scope, chunks)}`,
    (row: RankedRow) => row,
  );
};

const MEMORY_COLUMNS = sql`,
  c.memory_external_id AS memory_external_id, c.kind AS kind, c.source AS source, c.summary AS summary,
  c.content_hash AS content_hash, c.enriched_by AS enriched_by, c.updated_at_ms AS conversation_updated_at_ms,
  c.valid_from_ms AS valid_from_ms, c.valid_until_ms AS valid_until_ms, c.occurred_at_ms AS occurred_at_ms,
  c.supersedes AS supersedes, c.superseded_by AS superseded_by,
  c.expires_at_ms AS expires_at_ms,
  CASE WHEN c.kind <> 'conversation' THEN c.metadata END AS memory_metadata, ${SOURCES} AS sources, k.ordinal AS chunk_ordinal,
  k.text_start AS chunk_start, k.text_end AS chunk_end, k.overlap_start AS chunk_overlap_start`;

/** Compares the filter once with each conversation, however many candidates it has. */
const allowedConversations = (scope: SearchScope, list: CandidateScore[]): Sql => sql`
  allowed AS (
    SELECT c.row_key
      FROM json_each(${JSON.stringify([...new Set(list.map(({ rowKey }) => conversationOf(rowKey)))])}) AS named
     CROSS JOIN ${conversationsAt(scope.moment)} AS c ON c.row_key = named.value
     WHERE ${and([undeleted(scope.owner.organizationId, scope.filter), ...conversationsOfScope(scope), ...hasRoles(scope)])})`;

/** Reads the metadata of system messages only. */
const IS_HIDDEN = sql`CASE m.role WHEN 'system' THEN coalesce(json_type(m.metadata, '$.hidden') = 'true', 0) ELSE 0 END`;

/** Whether the conversation `c` of the message `m` is a memory that does not hold at a time. */
const isUnheld = ({ owner, moment }: SearchScope, atMs: number): Sql => sql`
  EXISTS (SELECT 1 FROM ${conversationsAt(moment)} AS c
           WHERE c.row_key = m.row_key >> 24 AND c.organization_id = ${owner.organizationId}
             AND NOT (${holdsAt(atMs)}))`;

/**
 * The scores are an object by row key, because SQLite reads items of a list that are lists themselves in twice the time.
 */
const allowedCandidates = (scope: SearchScope, { candidates: list, features }: CandidateSelection): Sql => {
  const scores = list.map(({ rowKey, score }) => `"${rowKey}":${score}`);
  const withPhrase = list.filter(({ holdsPhrase }) => holdsPhrase).map(({ rowKey }) => rowKey);
  return sql`
  allowed_candidate AS ${features.weights.speaker === 0 ? sql`` : sql`MATERIALIZED`} (
    SELECT m.row_key AS row_key, candidate.value AS score,
           CASE WHEN m.row_key IN (SELECT value FROM json_each(${JSON.stringify(withPhrase)})) THEN 1 ELSE 0 END AS phrase,
           coalesce(m.features, 0) AS features, m.created_at_ms AS created_at_ms, m.name_terms AS name_terms,
           ${IS_HIDDEN} AS hidden,
           ${features.weights.validity === 0 ? sql`0` : isUnheld(scope, features.validAtMs)} AS unheld
      FROM json_each(${`{${scores.join(",")}}`}) AS candidate
     CROSS JOIN messages AS m ON m.row_key = CAST(candidate.key AS INTEGER)
     WHERE ${and([
       sql`m.organization_id = ${scope.owner.organizationId}`,
       sql`m.row_key >> 24 IN allowed`,
       ...messagesOfScope(scope),
     ])})`;
};

/**
 * The table `other_speaker` is empty unless a word of the query is the name of a candidate's speaker. `crowd` has the
 * conversations whose candidates have more than two speakers.
 */
const speakers = ({ termPrefixes }: SearchScope, { terms }: FeatureWeights): Sql => sql`
  word AS MATERIALIZED (
    SELECT value AS word
      FROM json_each(${JSON.stringify(terms.flatMap((term) => termPrefixes.map((prefix) => prefix + term)))})),
  speaker AS MATERIALIZED (
    SELECT DISTINCT row_key >> 24 AS conversation, name_terms FROM allowed_candidate WHERE name_terms IS NOT NULL),
  name AS MATERIALIZED (
    SELECT name_terms, EXISTS (SELECT 1 FROM word
                                WHERE instr(' ' || name_terms || ' ', ' ' || word.word || ' ')) AS is_named
      FROM (SELECT DISTINCT name_terms FROM speaker)),
  other_speaker AS (SELECT name_terms FROM name WHERE NOT is_named AND (SELECT max(is_named) FROM name)),
  crowd AS (SELECT conversation FROM speaker GROUP BY conversation HAVING count(*) > 2),`;

const dateRanges = ({ dates }: FeatureWeights): Sql => sql`
  date_range AS MATERIALIZED (
    SELECT value ->> 0 AS from_ms, value ->> 1 AS to_ms, value ->> 2 AS fit
      FROM json_each(${JSON.stringify(dates.map(({ fromMs, toMs, fit }) => [fromMs, toMs, fit]))})),`;

const usedFeatures = ({ weights }: FeatureWeights): Feature[] =>
  FEATURE_NAMES.filter((name) => weights[name] !== 0);
const columnOf = (name: Feature) => `feature_${name}` as const;

const scored = ({ features, keep, explain }: CandidateSelection): Sql => {
  const used = usedFeatures(features);
  const score = [
    sql`m.score`,
    ...used.map((name) => sql`${features.weights[name]} * ${FEATURE_VALUES[name]}`),
  ];
  const values = used.map((name) => sql`, ${FEATURE_VALUES[name]} AS ${columns([columnOf(name)])}`);
  return sql`
    scored AS MATERIALIZED (
      SELECT m.row_key AS row_key, ${joined(score, sql` + `)} AS score ${joined([sql``, ...(explain ? values : [])], sql``)}
        FROM allowed_candidate AS m
       ORDER BY score DESC, row_key LIMIT ${keep}),`;
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
    every_run AS MATERIALIZED (SELECT row_key, score, sum(is_start) OVER (ORDER BY row_key) AS run FROM run_start),
    best_run AS (SELECT run FROM every_run GROUP BY run ORDER BY max(score) DESC, run LIMIT ${runs}),
    turn AS (
      SELECT row_key, score, CAST((row_number() OVER (PARTITION BY run ORDER BY score DESC, row_key) - 1)
                                 / ${matchesMax} AS INTEGER) AS turn
        FROM every_run WHERE run IN best_run),
    ranked AS MATERIALIZED (
      SELECT row_key, row_number() OVER (ORDER BY turn, score DESC, row_key) AS rank FROM turn
       ORDER BY turn, score DESC, row_key LIMIT ${results * matchesMax})`;
};

const CONVERSATION_BYTES = sql`octet_length(c.tags) + coalesce(octet_length(c.title), 0)
  + CASE c.kind WHEN 'conversation' THEN 0 ELSE octet_length(c.metadata) + coalesce(octet_length(c.summary), 0)
    + c.source_bytes END`;

/**
 * A neighbor ranks `results` places after its match. So the best `results` matches come before all neighbors, and the
 * size limit leaves out the least relevant messages.
 */
const withNeighbors = (
  { owner: { organizationId }, moment }: SearchScope,
  { before, after, results }: CandidateSelection,
): Sql => sql`
  with_neighbors AS MATERIALIZED (
    SELECT m.row_key AS row_key, max(${MESSAGE_BYTES} + coalesce(${CONVERSATION_BYTES}, 0)${earlierBytes(moment)}) AS bytes,
           min(ranked.rank + CASE m.row_key WHEN ranked.row_key THEN 0 ELSE ${results} END) AS rank,
           min(abs(m.row_key - ranked.row_key)) AS distance
      FROM ranked CROSS JOIN messages AS m ON m.row_key BETWEEN ranked.row_key - ${before} AND ranked.row_key + ${after}
      -- The seek by NULL of a neighbor reads nothing.
      LEFT JOIN conversations AS c ON c.row_key = CASE m.row_key WHEN ranked.row_key THEN m.row_key >> 24 END
                                   AND c.organization_id = ${organizationId}
     -- The plus keeps the planner to the range of row keys; else it reads the whole organization for each.
     WHERE m.row_key >> 24 = ranked.row_key >> 24 AND +m.organization_id = ${organizationId}
       AND ${and(given(moment, existedAt))}
     GROUP BY m.row_key)`;

/** `total` is the size in bytes of a message and of all that rank before it. */
const FITTING = sql`
  fitting AS (
    SELECT row_key, row_number() OVER best AS place, sum(bytes) OVER best AS total
      FROM with_neighbors WINDOW best AS (ORDER BY rank, distance, row_key))`;

/** The best matching chunk of a memory, as `k`. */
const matchedChunk = (
  { owner: { organizationId }, moment }: SearchScope,
  chunks: [rowKey: number, id: string][],
): Sql => {
  const idByRowKey = `{${chunks.map(([rowKey, id]) => `"${rowKey}":${JSON.stringify(id)}`).join(",")}}`;
  return sql`
          -- While a change of the content waits to be indexed, the stored chunks may not fit it.
          -- A memory has a single window.
          LEFT JOIN conversation_chunks AS k ON c.kind <> 'conversation'
                    AND k.organization_id = ${organizationId} AND k.conversation_id = c.id
                    AND ${and(given(moment, () => sql`NOT c.is_earlier`))}
                    AND k.window_start = 1 AND k.id = ${idByRowKey} ->> CAST(m.row_key AS TEXT)
                    AND NOT EXISTS (SELECT 1 FROM index_jobs AS j WHERE j.organization_id = ${organizationId}
                                       AND j.conversation_id = c.id AND NOT j.rebuild_words)`;
};

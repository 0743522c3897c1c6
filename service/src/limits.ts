import { WRITE_BYTES_MAX } from "@engram/spec";

/**
 * Limits on the cost of one request, or of one step of background work. With them, the cost does not depend on the
 * amount of stored data.
 *
 * docs/limits.md lists what happens beyond each, together with the limits of the API (spec/src/limits.ts). They are
 * parameters, so that a test can use small ones and reach a limit with three rows.
 *
 * Terms: the sweep is the background run that starts every minute. A step is a part of a longer piece of work. The
 * purge removes soft-deleted rows. A backfill has the text model write the tags and summaries that memories lack.
 */
export interface ServiceLimits {
  /** Conversations or memories that one statement reads to apply a filter by tags or metadata. */
  filteredConversations: number;
  /** Conversations or memories that one statement reads to apply any other filter. */
  scannedConversations: number;
  dryRunSteps: number;
  /** Conversations that one step of a bulk deletion soft-deletes. */
  softDeleteStepConversations: number;
  /** Conversations of a deleted organization that one sweep soft-deletes. */
  softDeleteSweepConversations: number;
  /** Lines that an import stores in one transaction, in bytes: content as UTF-8, all other fields as JSON. */
  importBatchBytes: number;
  indexStepMessages: number;
  /** Content that one step of indexing reads after its first window, in bytes as UTF-8. */
  indexStepBytes: number;
  /**
   * Steps of one run of indexing; the sweep continues with the rest. D1 runs at most 1,000 statements in one
   * invocation, and one step needs up to 25. For each 1,000 chunks, one more step is counted.
   */
  indexRunSteps: number;
  /** Size of a page, as JSON in UTF-8. A single item may be larger. */
  pageBytes: number;
  /**
   * Object fields and array items in the metadata and parts of a page. A single item may have more.
   */
  pageValues: number;
  /** Size of one step of an export, as JSON in UTF-8. A single line may be larger. */
  exportStepBytes: number;
  /** Rows in one step of an export: its messages, and its conversations without messages. */
  exportStepRows: number;
  /**
   * Text and JSON of messages and their conversations that one search reads, in bytes, most relevant first.
   */
  searchReadBytes: number;
  /** Size of the results of one search, as JSON in UTF-8. The best match alone may be larger. */
  searchAnswerBytes: number;
  /**
   * Characters that a request processes (tokenizes, splits, highlights) before other requests of the isolate get a
   * turn. This takes at most 20 ms.
   */
  sliceCharacters: number;
  /** Characters that a batch may write without waiting for the other large writes of the isolate. */
  ordinaryWriteCharacters: number;
  /** Postings of the keyword index that one search uses. Each occurrence of a term in a message is one. */
  searchPostings: number;
  /**
   * Messages that one search reads to score them. The same limit applies to windows of messages and to
   * conversations.
   */
  searchScoredMessages: number;
  /** Messages that one search counts to estimate the frequency of its phrases' terms. */
  phraseCountedMessages: number;
  /** Messages with all terms of a phrase that one search examines, multiplied by the number of terms. */
  phraseWork: number;
  /**
   * Pieces with all terms of a phrase that one search examines, multiplied by the number of terms. A message
   * whose repeated terms are left out of the keyword index has pieces of up to 4,096 words.
   */
  phrasePieceWork: number;
  /** Messages that one search lists for its phrases and exclusions. */
  phraseMessages: number;
  /**
   * Rows that a list reads to count `total`. Lists of conversations and memories have the limits
   * `filteredConversations` and `scannedConversations` instead.
   */
  countedRows: number;
  /**
   * Indexing jobs that one search reads to count `pending`. Also, for a key bound to an agent, chunks with vectors of
   * other models.
   */
  searchStateRows: number;
  /** Rows of each kind that one index status counts: jobs, chunks, deletions, conversations of an agent. */
  statusRows: number;
  sweepOrganizations: number;
  /** Rows of one queue that one statement of the sweep reads, in equal shares per organization. */
  sweepRows: number;
  /** Conversations and messages that one step of the purge deletes, and steps of the purge in one sweep. */
  purgeStepConversations: number;
  purgeStepMessages: number;
  purgeSweepSteps: number;
  /** Pages of the keyword index that one sweep rewrites, so that deleted terms leave the database file. */
  mergeSweepPages: number;
  /** Vectors that one round of deletion checks in the vector store, and rounds in one sweep. */
  deleteRoundVectors: number;
  deleteSweepRounds: number;
  /**
   * Unfinished operations that one sweep checks for completion: this number of the oldest, and as many that
   * follow a random position.
   */
  closeSweepOperations: number;
  purgeSweepOrganizations: number;
  /** Deletions by filter that one sweep continues, and the number of steps for all of them together. */
  softDeleteSweepDeletions: number;
  softDeleteSweepSteps: number;
  /**
   * Conversations and memories that one step of a repair reads to queue them. No step begins while the repair
   * still has this many left to index.
   */
  repairStepConversations: number;
  /**
   * Index repairs that one sweep continues, and the number of steps for all of them together. The same limits apply
   * to backfills.
   */
  queueSweepOperations: number;
  queueSweepSteps: number;
  /**
   * Expired idempotency keys that one round deletes, and rounds in one sweep. Together they are more keys than
   * requests can create in the minute between two sweeps.
   */
  forgetRoundKeys: number;
  forgetSweepRounds: number;
  /** Memories for which one run of the text model writes tags and summaries, and their content, in bytes as UTF-8. */
  enrichRunMemories: number;
  enrichRunBytes: number;
  /** Memories that one step of a backfill queues, and jobs that one step moves to the second pass. */
  backfillStepJobs: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  // If each conversation has 16 kB of metadata, the filter takes a third of a second.
  filteredConversations: 4_000,
  scannedConversations: 50_000,
  dryRunSteps: 25,
  softDeleteStepConversations: 1_000,
  softDeleteSweepConversations: 1_000,
  importBatchBytes: WRITE_BYTES_MAX,
  // Exactly 100 chunks: windows of five messages, one every three messages.
  indexStepMessages: 302,
  indexStepBytes: 2_000_000,
  indexRunSteps: 20,
  pageBytes: 2_000_000,
  pageValues: 50_000,
  exportStepBytes: 500_000,
  exportStepRows: 500,
  searchReadBytes: 4_000_000,
  searchAnswerBytes: 2_000_000,
  sliceCharacters: 32_768,
  ordinaryWriteCharacters: 500_000,
  searchPostings: 400_000,
  searchScoredMessages: 50_000,
  phraseCountedMessages: 150_000,
  phraseWork: 100_000,
  phrasePieceWork: 4_000,
  phraseMessages: 200_000,
  countedRows: 50_000,
  searchStateRows: 5_000,
  statusRows: 50_000,
  sweepOrganizations: 1_000,
  sweepRows: 5_000,
  purgeStepConversations: 1_000,
  purgeStepMessages: 1_000,
  purgeSweepSteps: 25,
  mergeSweepPages: 64,
  deleteRoundVectors: 500,
  deleteSweepRounds: 4,
  closeSweepOperations: 1_000,
  purgeSweepOrganizations: 5,
  softDeleteSweepDeletions: 5,
  softDeleteSweepSteps: 10,
  repairStepConversations: 1_000,
  queueSweepOperations: 5,
  queueSweepSteps: 10,
  forgetRoundKeys: 5_000,
  forgetSweepRounds: 20,
  enrichRunMemories: 60,
  enrichRunBytes: 4_000_000,
  backfillStepJobs: 5_000,
};

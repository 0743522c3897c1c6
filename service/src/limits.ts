import { WRITE_BYTES_MAX } from "@engram/spec";

/**
 * With these limits, the cost of a request or of a step of background work does not depend on the amount of stored
 * data. docs/limits.md lists what happens beyond each. They are parameters, so that a test can reach a limit with three
 * rows.
 *
 * The sweep is the background run that starts every minute. A step is a part of a longer piece of work. The purge
 * removes soft-deleted rows. A backfill has the text model write the tags and summaries that memories lack.
 */
export interface ServiceLimits {
  /** Conversations or memories that one statement reads to apply a filter by tags or metadata. */
  filteredConversations: number;
  /** The same for any other filter. */
  scannedConversations: number;
  dryRunSteps: number;
  softDeleteStepConversations: number;
  /** Conversations of deleted organizations. */
  softDeleteSweepConversations: number;
  /** In one transaction: content as UTF-8, all other fields as JSON. */
  importBatchBytes: number;
  indexStepMessages: number;
  /** After the first window, as UTF-8. */
  indexStepBytes: number;
  /**
   * The sweep continues with the rest. D1 runs at most 1,000 statements in one invocation, and one step needs up to 25.
   * For each 1,000 chunks, one more step is counted.
   */
  indexRunSteps: number;
  /** As JSON in UTF-8. A single item may be larger. */
  pageBytes: number;
  /** Object fields and array items in the metadata and parts of a page. A single item may have more. */
  pageValues: number;
  /** As JSON in UTF-8. A single line may be larger. */
  exportStepBytes: number;
  /** Messages, and conversations without messages. */
  exportStepRows: number;
  /** Text and JSON of messages and their conversations, most relevant first. */
  searchReadBytes: number;
  /** As JSON in UTF-8. The best match alone may be larger. */
  searchAnswerBytes: number;
  /** Characters that a request processes before other requests of the isolate get a turn: at most 20 ms. */
  sliceCharacters: number;
  /** Larger batches wait for the other large writes of the isolate. */
  ordinaryWriteCharacters: number;
  /** Each occurrence of a term in a message is one posting. */
  searchPostings: number;
  /** Applies to messages, to windows of messages and to conversations alike. */
  searchScoredMessages: number;
  /** Counted to estimate the frequency of the terms of phrases. */
  phraseCountedMessages: number;
  /** Messages with all terms of a phrase that one search examines, multiplied by the number of terms. */
  phraseWork: number;
  /** The same for pieces. A message whose repeated terms are left out of the index has pieces of up to 4,096 words. */
  phrasePieceWork: number;
  phraseMessages: number;
  /** Rows read to count `total`, except in lists of conversations and memories, which have the first two limits. */
  countedRows: number;
  /** Indexing jobs that are counted as `pending`; for a key bound to an agent, chunks with vectors of other models. */
  searchStateRows: number;
  /** Of each kind: jobs, chunks, deletions, conversations of an agent. */
  statusRows: number;
  sweepOrganizations: number;
  /** Rows of one queue that one statement of the sweep reads, in equal shares per organization. */
  sweepRows: number;
  purgeStepConversations: number;
  purgeStepMessages: number;
  purgeSweepSteps: number;
  /** Rewriting pages of the keyword index removes deleted terms from the database file. */
  mergeSweepPages: number;
  /** Vectors that one round of deletion checks in the vector store, and rounds in one sweep. */
  deleteRoundVectors: number;
  deleteSweepRounds: number;
  /** This number of the oldest unfinished operations, and as many that follow a random position. */
  closeSweepOperations: number;
  purgeSweepOrganizations: number;
  /** Deletions by filter, and the number of steps for all of them together. */
  softDeleteSweepDeletions: number;
  softDeleteSweepSteps: number;
  /** No step begins while the repair still has this many left to index. */
  repairStepConversations: number;
  /** Index repairs, likewise backfills, and the number of steps for all of one kind together. */
  queueSweepOperations: number;
  queueSweepSteps: number;
  /** Together more keys than requests can create in the minute between two sweeps. */
  forgetRoundKeys: number;
  forgetSweepRounds: number;
  /** Memories in one run of the text model, and their content, in bytes as UTF-8. */
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

import { WRITE_BYTES_MAX } from "@engram/spec";

/**
 * How much one request, or one step of background work, may cost, whatever is stored and whatever is asked.
 *
 * docs/limits.md lists them with the limits of the contract (spec/src/limits.ts). They are injected, so that a test
 * can reach a boundary with three rows.
 */
export interface ServiceLimits {
  /** Conversations or memories that one statement reads to find those that a filter by tags or metadata allows. */
  filteredConversations: number;
  /** Conversations or memories that one statement reads to find those that another filter allows. */
  scannedConversations: number;
  /** Statements that one dry run of a bulk deletion counts with. */
  dryRunSteps: number;
  /** Conversations that one step of a bulk deletion hides. */
  hideStepConversations: number;
  /** Conversations of a deleted organization that one sweep hides. */
  hideSweepConversations: number;
  /** Lines that an import stores in one transaction, in bytes: content as UTF-8, all else as JSON. */
  importBatchBytes: number;
  /** Messages that one step of indexing reads. */
  indexStepMessages: number;
  /** Content that one step of indexing reads after its first window, in bytes as UTF-8. */
  indexStepBytes: number;
  /**
   * Steps of one run of indexing; the sweep goes on with the rest. One step takes up to 25 of the 1,000 statements
   * that D1 runs in one invocation, and counts once more for each 1,000 chunks.
   */
  indexRunSteps: number;
  /** A page of a list, as JSON in UTF-8, unless its only item is larger. */
  pageBytes: number;
  /** JSON values in the metadata and parts of a page, as a request counts them, unless its only item has more. */
  pageValues: number;
  /** One step of an export, as JSON in UTF-8, unless its only line is larger. */
  exportStepBytes: number;
  /** Messages of one step of an export, and conversations without messages. */
  exportStepRows: number;
  /** Text and JSON that one search reads of messages and their conversations, in bytes, the most relevant first. */
  searchReadBytes: number;
  /** Results of one search, as JSON in UTF-8, unless the best match alone is larger. */
  searchAnswerBytes: number;
  /** Characters that a request tokenizes, cuts or marks before other requests have a turn: at most 20 ms. */
  sliceCharacters: number;
  /** Characters that a batch may write without waiting until no other large write of the isolate is under way. */
  ordinaryWriteCharacters: number;
  /** Postings of the keyword index that one search keeps: a word in a message is one each time that it stands there. */
  searchPostings: number;
  /** Messages that one search reads to score them; likewise windows of messages, and conversations. */
  searchScoredMessages: number;
  /** Messages that one search counts to learn how frequent the words of its phrases are. */
  phraseCountedMessages: number;
  /** Messages that hold all words of a phrase, times its words, that one search examines. */
  phraseWork: number;
  /**
   * Pieces that hold all words of a phrase, times its words, that one search examines. A message of which the keyword
   * index leaves out repeats has pieces of up to 4,096 words.
   */
  phrasePieceWork: number;
  /** Messages that one search lists for its phrases and exclusions. */
  phraseMessages: number;
  /** Queued jobs of indexing that one search reads to count what waits, and chunks of other models for an agent. */
  searchStateRows: number;
  /** Rows of each kind that one status of the index counts: jobs, chunks, deletions, conversations of an agent. */
  statusRows: number;
  /** Organizations that one statement of the sweep serves. */
  sweepOrganizations: number;
  /** Rows of one queue that one statement of the sweep reads, by equal shares among organizations. */
  sweepRows: number;
  /** Conversations and messages that one step of the purge deletes, and its steps in one sweep. */
  purgeStepConversations: number;
  purgeStepMessages: number;
  purgeSweepSteps: number;
  /** Pages of the keyword index that one sweep rewrites without deleted words. */
  mergeSweepPages: number;
  /** Vectors that one round of a sweep asks the store about, and its rounds. */
  deleteRoundVectors: number;
  deleteSweepRounds: number;
  /** Unfinished operations that one sweep looks at: so many of the oldest, and as many from a random one on. */
  closeSweepOperations: number;
  /** Deleted organizations that one sweep goes on with. */
  purgeSweepOrganizations: number;
  /** Deletions by filter that one sweep goes on with, and steps for all of them. */
  hideSweepDeletions: number;
  hideSweepSteps: number;
  /**
   * Conversations and memories that one step of a repair reads to queue them. No step begins while a repair has as many
   * left to index.
   */
  repairStepConversations: number;
  /** Repairs and backfills that one sweep goes on with, of each so many, and steps for all of them. */
  queueSweepOperations: number;
  queueSweepSteps: number;
  /** Expired idempotency keys that one statement deletes, and its rounds: more than requests bring in a minute. */
  forgetRoundKeys: number;
  forgetSweepRounds: number;
  /** Memories that one run describes, and their content, in bytes as UTF-8. */
  enrichRunMemories: number;
  enrichRunBytes: number;
  /** Memories that one step of a backfill reads to queue them, and jobs that one step moves on. */
  backfillStepJobs: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  // Of 16 kB of metadata each: a third of a second.
  filteredConversations: 4_000,
  scannedConversations: 50_000,
  dryRunSteps: 25,
  hideStepConversations: 1_000,
  hideSweepConversations: 1_000,
  importBatchBytes: WRITE_BYTES_MAX,
  // 100 windows of a conversation without gaps.
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
  searchPostings: 1_000_000,
  searchScoredMessages: 100_000,
  phraseCountedMessages: 500_000,
  phraseWork: 300_000,
  phrasePieceWork: 4_000,
  phraseMessages: 480_000,
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
  hideSweepDeletions: 5,
  hideSweepSteps: 10,
  repairStepConversations: 1_000,
  queueSweepOperations: 5,
  queueSweepSteps: 10,
  forgetRoundKeys: 5_000,
  forgetSweepRounds: 20,
  enrichRunMemories: 60,
  enrichRunBytes: 4_000_000,
  backfillStepJobs: 5_000,
};

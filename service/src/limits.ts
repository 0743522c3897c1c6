import { WRITE_BYTES_MAX } from "@engram/spec";

/**
 * Maximum amounts of work, so that the cost of a request or of a step of background work does not grow with the amount
 * of stored data. docs/limits.md lists what happens beyond each. They are parameters, so that a test can reach a limit
 * with few rows.
 *
 * An isolate is a running copy of the Worker. The sweep is a background run that starts every minute. A step is a part
 * of a longer piece of work. The purge removes soft-deleted rows. A backfill has the text model write the tags and
 * summaries that memories lack.
 */
export interface ServiceLimits {
  /** Conversations or memories that one statement compares with a filter by tags or metadata. */
  filteredConversations: number;
  /** Conversations or memories that one statement compares with any other filter. */
  scannedConversations: number;
  /** Statements that count what a bulk deletion would delete, in a dry run. */
  dryRunSteps: number;
  /** Conversations or memories that one step of a bulk deletion, or of the purge of an organization, soft-deletes. */
  softDeleteStepConversations: number;
  /** Size of what an import stores in one transaction: content as UTF-8, all other fields as JSON. */
  importBatchBytes: number;
  /** Messages that one step of indexing reads. */
  indexStepMessages: number;
  /** Size of the content, as UTF-8, that one step of indexing reads. Its first five messages may be larger. */
  indexStepBytes: number;
  /** Jobs of a conversation that one claim takes. Each text that the model rejects has a job of its own. */
  indexClaimJobs: number;
  /**
   * Steps of indexing after one request; the sweep runs the others. D1 runs at most 1,000 statements in one invocation,
   * and one step of a conversation, or of a group of memories, needs up to 25. A step counts once more for each 1,000 chunks that it changes.
   */
  indexRunSteps: number;
  /** Size of a page, one response of a list, as JSON in UTF-8. A single item may be larger. */
  pageBytes: number;
  /** Object fields and array items in the metadata and message parts on a page. A single item may have more. */
  pageValues: number;
  /** Size of one step of an export, as JSON in UTF-8. A single line may be larger. */
  exportStepBytes: number;
  /** Rows in one step of an export: messages, and conversations without messages. */
  exportStepRows: number;
  /** Steps in one response of an export, because D1 runs at most 1,000 statements in one invocation of the Worker. */
  exportSteps: number;
  /** Size of the text and JSON of the messages and their conversations that one search reads, most relevant first. */
  searchReadBytes: number;
  /** Size of the results of one search, as JSON in UTF-8. The best match alone may be larger. */
  searchAnswerBytes: number;
  /**
   * Characters that a request processes before other requests of the isolate get a turn. Processing them takes at most
   * 20 ms.
   */
  sliceCharacters: number;
  /**
   * Characters that a batch of statements writes to D1 at any time. Of the batches that write more, each isolate runs
   * one at a time.
   */
  ordinaryWriteCharacters: number;
  /**
   * Characters of words that a transaction inserts into the keyword index. A write with more stores its messages first,
   * and inserts their words in several transactions before it is answered. A single message may have more.
   */
  wordsAtOnceCharacters: number;
  /**
   * Content, as UTF-8, that a request stores and that is indexed at any time. Of the indexing of more content, each
   * isolate runs one at a time.
   */
  ordinaryIndexBytes: number;
  /** Time in which D1 must respond to a call that only reads. */
  databaseReadMs: number;
  /** Time in which D1 must respond to a call that writes. D1 itself ends a statement after 30 seconds. */
  databaseWriteMs: number;
  /** Postings by which one search scores messages. A posting is one occurrence of a term in a message. */
  searchPostings: number;
  /**
   * Messages that one search scores for their terms. The same number applies separately to windows (a message with its
   * neighbors) and to conversations.
   */
  searchScoredMessages: number;
  /** Messages that one search counts to estimate the frequency of the terms of its phrases. */
  phraseCountedMessages: number;
  /** Work of one search for its phrases. For each: its number of terms times the messages with its rarest term. */
  phraseWork: number;
  /**
   * The same as `phraseWork`, for pieces instead of messages. A message whose repeated terms are left out of the index
   * has its text in pieces of up to 4,096 words.
   */
  phrasePieceWork: number;
  /** Messages that one search lists for all its phrases together. */
  phraseMessages: number;
  /**
   * Rows of a list that are read to apply a filter or to count `total`. Lists of conversations and memories instead
   * have the limits `filteredConversations` and `scannedConversations`.
   */
  scannedRows: number;
  /** Rows of usage that are read to sum them, one for each day and key. Each can name every operation and tool. */
  usageGroupRows: number;
  /**
   * Indexing jobs that one search reads to count `pending`. For a key bound to an agent, also the chunks that it reads
   * to find vectors of other models.
   */
  searchStateRows: number;
  /** Rows of each kind that the index status counts: jobs, chunks, deletions, conversations of an agent. */
  statusRows: number;
  /** Organizations that one statement of the sweep serves. */
  sweepOrganizations: number;
  /** Rows of one queue that one statement of the sweep reads, in equal shares for each organization. */
  sweepRows: number;
  /** Conversations that one step of the purge removes. */
  purgeStepConversations: number;
  /** Messages that one step of the purge removes. The same number applies separately to chunks. */
  purgeStepMessages: number;
  /** Steps of the purge in one sweep. Each takes up to 30 statements. */
  purgeSweepSteps: number;
  /** The same, in each of the further invocations that a sweep starts while anything is left. */
  purgeInvocationSteps: number;
  /** Pages of the keyword index that a sweep, and each invocation of the purge, rewrites, to remove deleted terms from the database file. */
  mergeSweepPages: number;
  /** Vectors in one round of deletions from the vector store. */
  deleteRoundVectors: number;
  /** Rounds of deletions from the vector store in one sweep. */
  deleteSweepRounds: number;
  /** The same, in each of the further invocations that a sweep starts while vectors are due. */
  deleteInvocationRounds: number;
  /**
   * Unfinished operations that one sweep checks: this number of the oldest, and as many that follow a random position.
   */
  closeSweepOperations: number;
  /** Deletions of expired conversations or memories that one sweep begins. Each takes about 15 statements. */
  expirySweepDeletions: number;
  /** The same in each further invocation that a sweep starts. */
  expiryInvocationDeletions: number;
  /** Rules of retention that one sweep applies. Each takes up to 45 statements. */
  retentionSweepRules: number;
  /** The same in each further invocation. */
  retentionInvocationRules: number;
  /** Rules that are due longest, of which the organizations get equal shares. */
  retentionSharedRules: number;
  /** Rows of the event log, usage, audit events or receipts that one sweep deletes for a rule of retention. */
  retentionRuleRows: number;
  /** Lifted holds that one round releases items of. */
  releaseRoundHolds: number;
  /** Conversations and memories of each of them. */
  releaseRoundItems: number;
  /** Such rounds in one sweep. */
  releaseSweepRounds: number;
  /** Bulk deletions that one sweep continues. */
  softDeleteSweepDeletions: number;
  /** Steps in one sweep for all bulk deletions together. */
  softDeleteSweepSteps: number;
  /**
   * Conversations and memories that one step of an index repair queues. No step begins while the repair still has this
   * many left to index.
   */
  repairStepConversations: number;
  /** Index repairs that one sweep continues. The same number applies to backfills, and to steps of all backfills. */
  queueSweepOperations: number;
  /** Steps in one sweep for all index repairs together. */
  queueSweepSteps: number;
  /**
   * Expired idempotency keys that one round deletes. All rounds of a sweep together can delete more keys than requests
   * can create between two sweeps.
   */
  forgetRoundKeys: number;
  /** Rounds of deletions of idempotency keys in one sweep. */
  forgetSweepRounds: number;
  /** Hashes of lifted tombstones that one round removes. */
  liftedRoundHashes: number;
  /** Rounds that remove hashes of lifted tombstones, in one sweep. */
  liftedSweepRounds: number;
  /** Archives of each kind that one sweep begins, expires or removes. */
  archiveSweepArchives: number;
  /** Size of the lines of one part of an archive. A single page of an export may be larger. */
  archivePartBytes: number;
  /** Parts of a new archive that are written after the response to its request. */
  archiveRequestParts: number;
  /** Parts of archives that one invocation writes. Each takes up to 150 statements. */
  archiveInvocationParts: number;
  /** Time after which a run that has announced a part counts as dead. If it is not, one of the two parts is dropped. */
  archiveTakeoverMs: number;
  /** Receipts of recall that a list reads to fill a page. */
  scannedRecalls: number;
  /** Receipts of recall that one round of a sweep removes, or one step of the purge of an organization. */
  recallRoundRows: number;
  /** Rounds of a sweep that remove receipts of deleted users, and as many that remove expired ones. */
  recallSweepRounds: number;
  /** Memories for which the text model writes tags or a summary in one run. */
  enrichRunMemories: number;
  /** Size of the content that the text model reads in one run, as UTF-8. A single memory may be larger. */
  enrichRunBytes: number;
  /**
   * Memories that one step of a backfill queues, and jobs that one step moves from the first pass, in which the model
   * suggests tags, to the second, in which it writes them.
   */
  backfillStepJobs: number;
  /** Time for which a run of indexing reserves a conversation. Each step of the run extends it. */
  indexLeaseMs: number;
  /** Shortest time until indexing is tried again after the model, the vector store or D1 failed. It is random. */
  indexRetryMinMs: number;
  /** Upper bound on that time. */
  indexRetryMaxMs: number;
  /** Pause between two checks of one sweep for due indexing. */
  indexPauseMs: number;
  /**
   * Time from sending a deletion to the vector store until the service checks that it took effect. It is at least
   * `indexLeaseMs`, in which a run may write the vector, plus the time until the store shows a write.
   */
  deleteConfirmMs: number;
  /** Time until the memories that a run of enrichment did not try, because the text model failed, are due again. */
  enrichPauseMs: number;
  /** Time until a failed enrichment is tried again. It doubles with each attempt. */
  enrichRetryMs: number;
  /** Upper bound on that time, short enough that work continues soon after an outage. */
  enrichRetryMaxMs: number;
  /** Events that one request reads, each with its conversation: at most two rows an event. */
  eventPageRows: number;
  /** Reads of the log in one stream of events. Each has three statements, and D1 runs at most 1,000 in one invocation. */
  eventStreamLooks: number;
  /** Events that one stream reads, each with its conversation. */
  eventStreamRows: number;
  /** Sockets that are open at once in an organization. */
  hubSockets: number;
  /** Frames that one socket may send in a second. */
  socketFramesPerSecond: number;
  /** Frames that all sockets of one key may send in a second. */
  keyFramesPerSecond: number;
  /** Frames that all sockets of an organization may send in a second. */
  organizationFramesPerSecond: number;
  /** Events that an organization keeps. */
  eventsKept: number;
  /** Events that one sweep deletes for their age or number, in equal shares for each organization. */
  eventPruneRows: number;
  /** Events of a deleted organization that one sweep deletes. */
  eventPurgeRows: number;
  /**
   * Events that an invocation sends to webhooks because it wrote events. After a response, an invocation of its own
   * sends the others at once.
   */
  webhookRunEvents: number;
  /** Webhooks that either of these invocations sends events to. A sweep starts two of the second kind. */
  webhookInvocationRuns: number;
  /** Events that one such invocation sends, in equal shares for each webhook. Then the next one starts at once. */
  webhookInvocationEvents: number;
  /** Deliveries that a webhook keeps: those of which an attempt failed. */
  webhookDeliveries: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
  // If each conversation has 16 kB of metadata, the filter takes a third of a second.
  filteredConversations: 4_000,
  scannedConversations: 50_000,
  dryRunSteps: 25,
  softDeleteStepConversations: 1_000,
  importBatchBytes: WRITE_BYTES_MAX,
  // Exactly 100 chunks: windows of five messages, one every three messages.
  indexStepMessages: 302,
  indexStepBytes: 2_000_000,
  indexClaimJobs: 500,
  indexRunSteps: 20,
  pageBytes: 2_000_000,
  pageValues: 50_000,
  exportStepBytes: 250_000,
  exportStepRows: 500,
  exportSteps: 200,
  searchReadBytes: 4_000_000,
  searchAnswerBytes: 2_000_000,
  sliceCharacters: 32_768,
  ordinaryWriteCharacters: 500_000,
  wordsAtOnceCharacters: 250_000,
  ordinaryIndexBytes: 250_000,
  databaseReadMs: 10_000,
  databaseWriteMs: 25_000,
  searchPostings: 400_000,
  searchScoredMessages: 50_000,
  phraseCountedMessages: 150_000,
  phraseWork: 100_000,
  phrasePieceWork: 4_000,
  phraseMessages: 200_000,
  scannedRows: 50_000,
  usageGroupRows: 20_000,
  searchStateRows: 5_000,
  statusRows: 50_000,
  sweepOrganizations: 1_000,
  sweepRows: 5_000,
  purgeStepConversations: 1_000,
  purgeStepMessages: 1_000,
  // Leaves statements for the webhooks of the events that the sweep writes.
  purgeSweepSteps: 12,
  purgeInvocationSteps: 30,
  mergeSweepPages: 64,
  deleteRoundVectors: 500,
  deleteSweepRounds: 4,
  // One invocation may call other services 1,000 times. A round of confirmations takes about 35 calls.
  deleteInvocationRounds: 20,
  closeSweepOperations: 1_000,
  expirySweepDeletions: 6,
  expiryInvocationDeletions: 20,
  retentionSweepRules: 4,
  retentionInvocationRules: 12,
  retentionSharedRules: 1_000,
  retentionRuleRows: 5_000,
  releaseRoundHolds: 10,
  releaseRoundItems: 1_000,
  releaseSweepRounds: 10,
  softDeleteSweepDeletions: 5,
  softDeleteSweepSteps: 10,
  repairStepConversations: 1_000,
  queueSweepOperations: 5,
  queueSweepSteps: 10,
  forgetRoundKeys: 5_000,
  forgetSweepRounds: 20,
  liftedRoundHashes: 5_000,
  liftedSweepRounds: 4,
  archiveSweepArchives: 10,
  archivePartBytes: 8 * 1024 * 1024,
  archiveRequestParts: 3,
  archiveInvocationParts: 4,
  archiveTakeoverMs: 60_000,
  scannedRecalls: 10_000,
  recallRoundRows: 1_000,
  recallSweepRounds: 10,
  enrichRunMemories: 60,
  enrichRunBytes: 4_000_000,
  backfillStepJobs: 5_000,
  indexLeaseMs: 60_000,
  indexRetryMinMs: 30_000,
  indexRetryMaxMs: 40_000,
  indexPauseMs: 10_000,
  // The lease, and the two minutes within which Vectorize shows a write.
  deleteConfirmMs: 180_000,
  enrichPauseMs: 60_000,
  enrichRetryMs: 30_000,
  enrichRetryMaxMs: 300_000,
  eventPageRows: 2_400,
  eventStreamLooks: 300,
  eventStreamRows: 48_000,
  hubSockets: 5_000,
  socketFramesPerSecond: 100,
  keyFramesPerSecond: 1_000,
  organizationFramesPerSecond: 2_000,
  eventsKept: 1_000_000,
  eventPruneRows: 20_000,
  eventPurgeRows: 20_000,
  // An event takes two statements, a webhook up to 14, and a page of its events five, and D1 runs at most 1,000 in one
  // invocation. Indexing after the response needs a part of them.
  webhookRunEvents: 60,
  webhookInvocationRuns: 12,
  webhookInvocationEvents: 280,
  webhookDeliveries: 500,
};

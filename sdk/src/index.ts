export type { Answer, Call } from "./call.ts";
export { Engram } from "./engram.ts";
export {
  ApiError,
  type ApiErrorCode,
  ConnectionError,
  EngramError,
  type FieldError,
  isEngramError,
  type ProblemCode,
} from "./errors.ts";
export type {
  ApiKey,
  ApiKeyPage,
  ApiKeyWithSecret,
  AppendedMessages,
  AppendMessagesBody,
  AuditEvent,
  AuditEventPage,
  BeginImportBody,
  CapturedMemories,
  Conversation,
  ConversationLine,
  ConversationPage,
  ConversationSummary,
  ConversationsCounted,
  ConversationWithMessages,
  CreateConversationBody,
  CreatedOrganization,
  CreateKeyBody,
  CreateMemoriesBody,
  CreateMemoryBody,
  CreateOrganizationBody,
  DeleteConversationsBody,
  DeleteMemoriesBody,
  EndLine,
  EnrichMemoriesBody,
  ExportLine,
  ForkConversationBody,
  Health,
  Highlight,
  ImportedLines,
  ImportProblem,
  IndexStatus,
  MatchedChunk,
  MemoriesCounted,
  Memory,
  MemoryChunk,
  MemoryKind,
  MemoryLine,
  MemoryPage,
  MemoryResult,
  MemorySearchAnswer,
  MemoryWithChunks,
  Message,
  MessageLine,
  MessagePage,
  MessageRole,
  MessagesResult,
  Metadata,
  NewMemory,
  NewMessage,
  Operation,
  OperationPage,
  Organization,
  Problem,
  paths,
  Readiness,
  RepairIndexBody,
  ReplacedMessages,
  ReplaceMessagesBody,
  RotateKeyBody,
  Scope,
  SearchAnswer,
  SearchBody,
  SearchExplanation,
  SearchMemoriesBody,
  SearchResult,
  UpdateConversationBody,
  UpdateMemoryBody,
  UpdateMessageBody,
  Usage,
  UsagePage,
} from "./generated/schema.ts";
export type { List, Page } from "./list.ts";
export type { LogFields, Logger, LogLevel } from "./logger.ts";
export type { CallOptions, ConditionalOptions, EngramOptions, Middleware, WriteOptions } from "./options.ts";
export type { ListAuditEventsQuery } from "./resources/audit-events.ts";
export type {
  ConversationsFilter,
  GetConversationQuery,
  ListConversationsQuery,
} from "./resources/conversations.ts";
export type { ExportedLine, ExportOptions, ExportQuery } from "./resources/exports.ts";
export type { ImportLines, ImportOptions, ImportProgress, ImportSummary } from "./resources/imports.ts";
export type { ListKeysQuery } from "./resources/keys.ts";
export type { ListMemoriesQuery, MemoriesFilter } from "./resources/memories.ts";
export type { ListMessagesQuery } from "./resources/messages.ts";
export type { ListOperationsQuery } from "./resources/operations.ts";
export type { ConversationSearchAnswer, ConversationSearchBody } from "./resources/search.ts";
export type { IndexStatusQuery } from "./resources/search-index.ts";
export type { ListUsageQuery } from "./resources/usage.ts";

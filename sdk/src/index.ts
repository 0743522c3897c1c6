export type { Answer, Call } from "./call.ts";
export { Engram } from "./engram.ts";
export {
  ApiError,
  type ApiErrorCode,
  ConnectionError,
  type EngramError,
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
  Conversation,
  ConversationLine,
  ConversationPage,
  ConversationSummary,
  ConversationsCounted,
  ConversationWithMessages,
  CreateConversationBody,
  CreatedOrganization,
  CreateKeyBody,
  CreateOrganizationBody,
  DeleteConversationsBody,
  EndLine,
  ExportLine,
  ForkConversationBody,
  Health,
  Highlight,
  ImportedLines,
  ImportProblem,
  IndexStatus,
  Message,
  MessageLine,
  MessagePage,
  MessageRole,
  Metadata,
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
  SearchResult,
  UpdateConversationBody,
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
export type { ImportLines, ImportOptions, ImportProgress } from "./resources/imports.ts";
export type { ListKeysQuery } from "./resources/keys.ts";
export type { ListMessagesQuery } from "./resources/messages.ts";
export type { ListOperationsQuery } from "./resources/operations.ts";
export type { IndexStatusQuery } from "./resources/search-index.ts";
export type { ListUsageQuery } from "./resources/usage.ts";

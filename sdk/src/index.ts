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
export type { GetIndexStatusQuery as IndexStatusQuery } from "./generated/resources.ts";
export type * from "./generated/types.ts";
export type { List, Page } from "./list.ts";
export type { LogFields, Logger, LogLevel } from "./logger.ts";
export type {
  CallOptions,
  ConditionalOptions,
  EngramOptions,
  Middleware,
  WebSocketConstructor,
  WriteOptions,
} from "./options.ts";
export type { ConversationsFilter } from "./resources/conversations.ts";
export type { EventPosition } from "./resources/event-steps.ts";
export type { FollowOptions } from "./resources/events.ts";
export type { ExportedLine, ExportOptions, ExportQuery } from "./resources/exports.ts";
export type { ImportLines, ImportOptions, ImportProgress, ImportSummary } from "./resources/imports.ts";
export type { ListEventsQuery, ListenOptions, SignalOption } from "./resources/listening.ts";
export type { MemoriesFilter } from "./resources/memories.ts";
export type { ConversationSearchAnswer, ConversationSearchBody } from "./resources/search.ts";
export type { ListUsageGroupsQuery, ListUsageQuery } from "./resources/usage.ts";
export { type AuditStart, type AuditVerification, verifyAuditEvents } from "./verify-audit-events.ts";
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookRequest,
} from "./verify-webhook.ts";

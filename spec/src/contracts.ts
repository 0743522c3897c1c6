import * as archives from "./archives.ts";
import * as auditEvents from "./audit-events.ts";
import * as contexts from "./contexts.ts";
import * as conversations from "./conversations.ts";
import * as entities from "./entities.ts";
import * as evaluations from "./evaluations.ts";
import * as events from "./events.ts";
import * as exports from "./exports.ts";
import * as grants from "./grants.ts";
import * as health from "./health.ts";
import * as holds from "./holds.ts";
import * as imports from "./imports.ts";
import * as keys from "./keys.ts";
import * as live from "./live.ts";
import * as members from "./members.ts";
import * as memories from "./memories.ts";
import * as memoryCaptures from "./memory-captures.ts";
import * as messages from "./messages.ts";
import * as operations from "./operations.ts";
import * as organizations from "./organizations.ts";
import * as presence from "./presence.ts";
import * as recalls from "./recalls.ts";
import * as retention from "./retention.ts";
import * as search from "./search.ts";
import * as searchIndex from "./search-index.ts";
import * as signInCodes from "./sign-in-codes.ts";
import * as summaries from "./summaries.ts";
import * as tombstones from "./tombstones.ts";
import * as usage from "./usage.ts";
import * as users from "./users.ts";
import * as webhooks from "./webhooks.ts";

/** Every operation of the API, in the order of the OpenAPI document. */
export const contracts = [
  organizations.createOrganization,
  organizations.listOrganizations,
  organizations.getOrganization,
  organizations.getOrganizationHealth,
  organizations.updateOrganization,
  organizations.deleteOrganization,
  organizations.moveOrganization,
  keys.createKey,
  keys.listKeys,
  keys.getKey,
  keys.revokeKey,
  keys.rotateKey,
  signInCodes.createSignInCode,
  signInCodes.redeemSignInCode,
  members.createMember,
  members.listMembers,
  members.getMember,
  members.updateMember,
  members.deleteMember,
  members.createMemberSignInCode,
  members.getMe,
  grants.listGrants,
  grants.deleteGrant,
  conversations.createConversation,
  conversations.listConversations,
  conversations.getConversation,
  conversations.updateConversation,
  conversations.deleteConversation,
  conversations.deleteConversations,
  conversations.forkConversation,
  messages.appendMessages,
  messages.listMessages,
  messages.getMessage,
  messages.updateMessage,
  messages.deleteMessage,
  messages.replaceMessages,
  summaries.listSummaries,
  summaries.createSummaries,
  memoryCaptures.createMemory,
  memoryCaptures.createMemories,
  memoryCaptures.putMemory,
  memories.listMemories,
  memories.getMemory,
  memories.listMemoryVersions,
  memories.updateMemory,
  memories.deleteMemory,
  memories.deleteMemories,
  memories.enrichMemories,
  entities.listEntities,
  entities.listMentions,
  users.listUsers,
  users.getUser,
  users.deleteUser,
  search.searchMemories,
  search.search,
  contexts.getContext,
  recalls.listRecalls,
  recalls.getRecall,
  recalls.updateRecall,
  recalls.replayRecall,
  evaluations.createEvaluation,
  evaluations.listEvaluations,
  evaluations.runEvaluation,
  evaluations.deleteEvaluation,
  searchIndex.getIndexStatus,
  searchIndex.repairIndex,
  operations.listOperations,
  exports.exportData,
  imports.createImport,
  imports.importLines,
  archives.createArchive,
  archives.listArchives,
  archives.getArchiveSchedule,
  archives.setArchiveSchedule,
  archives.getArchive,
  archives.getArchiveLines,
  archives.deleteArchive,
  operations.getOperation,
  operations.cancelOperation,
  tombstones.listTombstones,
  tombstones.deleteTombstone,
  holds.createHold,
  holds.listHolds,
  holds.getHold,
  holds.liftHold,
  retention.createRetentionRule,
  retention.listRetentionRules,
  retention.previewRetentionRule,
  retention.getRetentionRule,
  retention.updateRetentionRule,
  retention.deleteRetentionRule,
  events.listEvents,
  events.streamEvents,
  live.createTicket,
  live.broadcast,
  presence.listPresences,
  presence.setPresence,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhook,
  webhooks.testWebhook,
  webhooks.resumeWebhook,
  webhooks.listDeliveries,
  webhooks.skipDelivery,
  auditEvents.listAuditEvents,
  usage.listUsage,
  health.getHealth,
  health.getReadiness,
] as const;

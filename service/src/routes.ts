import * as contracts from "@engram/spec";
import type { OpenAPIHono, RouteConfig, RouteHandler } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import * as auditEvents from "./audit/routes.ts";
import { isPassed, passToCell } from "./cell-requests.ts";
import * as contexts from "./contexts/routes.ts";
import * as conversations from "./conversations/routes.ts";
import * as deletions from "./deletions/routes.ts";
import * as entities from "./entities/routes.ts";
import * as evaluations from "./evaluations/routes.ts";
import * as events from "./events/routes.ts";
import * as grants from "./grants/routes.ts";
import * as health from "./health/routes.ts";
import * as holds from "./holds/routes.ts";
import type { Handler } from "./http/handler.ts";
import { nameOperation } from "./http/handler.ts";
import { readIdempotencyKey } from "./http/idempotency.ts";
import { readJsonBody } from "./http/json-body.ts";
import { readLines } from "./http/lines.ts";
import { limitRates } from "./http/rate-limits.ts";
import * as searchIndex from "./indexing/routes.ts";
import type { AppEnv } from "./invocation.ts";
import { authorize, checkKey, type Security } from "./keys/authorize.ts";
import * as keys from "./keys/routes.ts";
import * as live from "./live/routes.ts";
import * as members from "./members/routes.ts";
import * as memories from "./memories/routes.ts";
import * as messages from "./messages/routes.ts";
import * as moves from "./moves/routes.ts";
import * as openaiContracts from "./openai/contracts.ts";
import * as openai from "./openai/routes.ts";
import * as operations from "./operations/routes.ts";
import * as organizations from "./organizations/routes.ts";
import * as recalls from "./recalls/routes.ts";
import * as replays from "./replays/routes.ts";
import * as retention from "./retention/routes.ts";
import * as search from "./search/routes.ts";
import * as signInCodes from "./sign-in-codes/routes.ts";
import * as summaries from "./summaries/routes.ts";
import * as tombstones from "./tombstones/routes.ts";
import * as archives from "./transfer/archives-routes.ts";
import * as exports from "./transfer/exports-routes.ts";
import * as imports from "./transfer/imports-routes.ts";
import * as usage from "./usage/routes.ts";
import * as users from "./users/routes.ts";
import * as webhooks from "./webhooks/routes.ts";

/**
 * Registers a route for each operation of the API.
 *
 * @throws {Error} if a contract declares no security requirement.
 */
export function registerRoutes(app: OpenAPIHono<AppEnv>): void {
  const serve = <C extends RouteConfig>(contract: C, handler: Handler<C>) => {
    const route: RouteConfig = { ...contract, middleware: middlewareOf(contract) };
    app.openapi(route, handler as unknown as RouteHandler<RouteConfig, AppEnv>);
  };
  serve(contracts.createOrganization, organizations.createOrganization);
  serve(contracts.listOrganizations, organizations.listOrganizations);
  serve(contracts.getOrganization, organizations.getOrganization);
  serve(contracts.getOrganizationHealth, organizations.getOrganizationHealth);
  serve(contracts.updateOrganization, organizations.updateOrganization);
  serve(contracts.deleteOrganization, organizations.deleteOrganization);
  serve(contracts.moveOrganization, moves.moveOrganization);
  serve(contracts.createKey, keys.createKey);
  serve(contracts.listKeys, keys.listKeys);
  serve(contracts.getKey, keys.getKey);
  serve(contracts.revokeKey, keys.revokeKey);
  serve(contracts.rotateKey, keys.rotateKey);
  serve(contracts.createSignInCode, signInCodes.createSignInCode);
  serve(contracts.redeemSignInCode, signInCodes.redeemSignInCode);
  serve(contracts.createMember, members.createMember);
  serve(contracts.listMembers, members.listMembers);
  serve(contracts.getMember, members.getMember);
  serve(contracts.updateMember, members.updateMember);
  serve(contracts.deleteMember, members.deleteMember);
  serve(contracts.createMemberSignInCode, members.createMemberSignInCode);
  serve(contracts.getMe, members.getMe);
  serve(contracts.listGrants, grants.listGrants);
  serve(contracts.deleteGrant, grants.deleteGrant);
  serve(contracts.createConversation, conversations.createConversation);
  serve(contracts.listConversations, conversations.listConversations);
  serve(contracts.getConversation, conversations.getConversation);
  serve(contracts.updateConversation, conversations.updateConversation);
  serve(contracts.deleteConversation, deletions.deleteConversation);
  serve(contracts.deleteConversations, deletions.deleteConversations);
  serve(contracts.forkConversation, conversations.forkConversation);
  serve(contracts.appendMessages, messages.appendMessages);
  serve(contracts.listMessages, messages.listMessages);
  serve(contracts.getMessage, messages.getMessage);
  serve(contracts.updateMessage, messages.updateMessage);
  serve(contracts.deleteMessage, messages.deleteMessage);
  serve(contracts.replaceMessages, messages.replaceMessages);
  serve(contracts.listSummaries, summaries.listSummaries);
  serve(contracts.createSummaries, summaries.createSummaries);
  serve(contracts.createMemory, memories.createMemory);
  serve(contracts.createMemories, memories.createMemories);
  serve(contracts.putMemory, memories.putMemory);
  serve(contracts.listMemories, memories.listMemories);
  serve(contracts.getMemory, memories.getMemory);
  serve(contracts.listMemoryVersions, memories.listMemoryVersions);
  serve(contracts.updateMemory, memories.updateMemory);
  serve(contracts.deleteMemory, deletions.deleteMemory);
  serve(contracts.deleteMemories, deletions.deleteMemories);
  serve(contracts.enrichMemories, memories.enrichMemories);
  serve(contracts.listEntities, entities.listEntities);
  serve(contracts.listMentions, entities.listMentions);
  serve(contracts.listUsers, users.listUsers);
  serve(contracts.getUser, users.getUser);
  serve(contracts.deleteUser, users.deleteUser);
  serve(contracts.searchMemories, search.searchMemories);
  serve(contracts.search, search.search);
  serve(contracts.getContext, contexts.getContext);
  serve(contracts.listRecalls, recalls.listRecalls);
  serve(contracts.getRecall, recalls.getRecall);
  serve(contracts.updateRecall, recalls.updateRecall);
  serve(contracts.replayRecall, replays.replayRecall);
  serve(contracts.createEvaluation, evaluations.createEvaluation);
  serve(contracts.listEvaluations, evaluations.listEvaluations);
  serve(contracts.runEvaluation, evaluations.runEvaluation);
  serve(contracts.deleteEvaluation, evaluations.deleteEvaluation);
  serve(contracts.getIndexStatus, searchIndex.getIndexStatus);
  serve(contracts.repairIndex, searchIndex.repairIndex);
  serve(contracts.listOperations, operations.listOperations);
  serve(contracts.exportData, exports.exportData);
  serve(contracts.createImport, imports.createImport);
  serve(contracts.importLines, imports.importLines);
  serve(contracts.createArchive, archives.createArchive);
  serve(contracts.listArchives, archives.listArchives);
  // Before the routes that have the id of an archive in this place.
  serve(contracts.getArchiveSchedule, archives.getArchiveSchedule);
  serve(contracts.setArchiveSchedule, archives.setArchiveSchedule);
  serve(contracts.getArchive, archives.getArchive);
  serve(contracts.getArchiveLines, archives.getArchiveLines);
  serve(contracts.deleteArchive, archives.deleteArchive);
  serve(contracts.getOperation, operations.getOperation);
  serve(contracts.cancelOperation, operations.cancelOperation);
  serve(contracts.listTombstones, tombstones.listTombstones);
  serve(contracts.deleteTombstone, tombstones.deleteTombstone);
  serve(contracts.createHold, holds.createHold);
  serve(contracts.listHolds, holds.listHolds);
  serve(contracts.getHold, holds.getHold);
  serve(contracts.liftHold, holds.liftHold);
  serve(contracts.createRetentionRule, retention.createRetentionRule);
  serve(contracts.listRetentionRules, retention.listRetentionRules);
  serve(contracts.previewRetentionRule, retention.previewRetentionRule);
  serve(contracts.getRetentionRule, retention.getRetentionRule);
  serve(contracts.updateRetentionRule, retention.updateRetentionRule);
  serve(contracts.deleteRetentionRule, retention.deleteRetentionRule);
  serve(contracts.listEvents, events.listEvents);
  serve(contracts.streamEvents, events.streamEvents);
  serve(contracts.createTicket, live.createTicket);
  serve(contracts.broadcast, live.broadcast);
  serve(contracts.listPresences, live.listPresences);
  serve(contracts.setPresence, live.setPresence);
  serve(contracts.createWebhook, webhooks.createWebhook);
  serve(contracts.listWebhooks, webhooks.listWebhooks);
  serve(contracts.getWebhook, webhooks.getWebhook);
  serve(contracts.updateWebhook, webhooks.updateWebhook);
  serve(contracts.deleteWebhook, webhooks.deleteWebhook);
  serve(contracts.rotateWebhook, webhooks.rotateWebhook);
  serve(contracts.testWebhook, webhooks.testWebhook);
  serve(contracts.listDeliveries, webhooks.listDeliveries);
  serve(contracts.resumeWebhook, webhooks.resumeWebhook);
  serve(contracts.skipDelivery, webhooks.skipDelivery);
  serve(contracts.listAuditEvents, auditEvents.listAuditEvents);
  serve(contracts.listUsage, usage.listUsage);
  serve(contracts.getHealth, health.getHealth);
  serve(contracts.getReadiness, health.getReadiness);
  serve(openaiContracts.createConversation, openai.createConversation);
  serve(openaiContracts.getConversation, openai.getConversation);
  serve(openaiContracts.updateConversation, openai.updateConversation);
  serve(openaiContracts.deleteConversation, openai.deleteConversation);
  serve(openaiContracts.createItems, openai.createItems);
  serve(openaiContracts.listItems, openai.listItems);
  serve(openaiContracts.getItem, openai.getItem);
  serve(openaiContracts.deleteItem, openai.deleteItem);
}

/**
 * Middleware of a route, in the order in which it runs.
 *
 * @throws {Error} if the contract declares no security requirement.
 */
export function middlewareOf(contract: RouteConfig): MiddlewareHandler<AppEnv>[] {
  const security = contract.security as Security | undefined;
  if (security === undefined || security.length === 0) {
    throw new Error(`${contract.operationId} does not say who may call it`);
  }
  const name = nameOperation(contract.operationId ?? contract.path);
  const middleware = [name, authorize(security), limitRates];
  // Before the key is checked, which the cell does.
  if (isPassed(contract)) middleware.push(passToCell(contract));
  middleware.push(checkKey);
  const content = contract.request?.body?.content;
  if (content !== undefined) middleware.push(contracts.NDJSON_TYPE in content ? readLines : readJsonBody);
  if (contract.request?.headers !== undefined && contract.method === "post") {
    middleware.push(readIdempotencyKey(contract.operationId ?? contract.path));
  }
  return middleware;
}

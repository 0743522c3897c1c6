import type { Presence, Ticket } from "@engram/spec";
import { conversationById, selectConversation } from "../conversations/queries.ts";
import { ApiError, notFound, readOnly } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { activeKey } from "../platform/batch.ts";
import { credentialOf, isReadOnly } from "../platform/principal.ts";
import { batch } from "../platform/sql.ts";
import { findHub, type Hub, type HubNamespace } from "./listeners.ts";
import { tooMany } from "./presence-rooms.ts";
import { createTicketText } from "./tickets.ts";

/**
 * @throws {ApiError} `forbidden` for another agent or user than the key is bound to, `not_found` for an unknown
 *   conversation, `unavailable` without sockets.
 */
export async function createTicket(
  caller: KeyCaller,
  hubs: HubNamespace | undefined,
  input: {
    seconds: number;
    includeKeyEvents: boolean;
    conversationId: string | null;
    agentId: string | null;
    userId: string | null;
    origin: string | null;
  },
): Promise<Ticket> {
  const { principal, runtime } = caller;
  const hub = await hubOf(caller, hubs, principal.organizationId);
  const nowMs = runtime.nowMs();
  const { conversationId } = input;
  // The key is checked without a conversation, too: no other call of the database would.
  const { conversation } = await batch(caller.db, {
    key: activeKey({ ...principal, nowMs }),
    conversation: conversationId === null ? null : conversationById(principal, conversationId),
  });
  if (conversationId !== null && !conversation) throw notFound("conversation");
  const expiresAtMs = nowMs + 1_000 * input.seconds;
  const ticket = createTicketText(runtime, principal.organizationId);
  const bound = {
    agentId: bind("agent_id", principal.agentId, input.agentId),
    userId: bind("user_id", principal.userId, input.userId),
  };
  const scopes = principal.scopes.filter(
    (scope) => scope === "read" || (scope === "admin" && input.includeKeyEvents),
  );
  const admitted = { ...principal, ...bound, scopes };
  const admission = { principal: admitted, conversationId };
  await hub.issueTicket(ticket, { admission, origin: input.origin, expiresAtMs });
  return { ticket, expires_at: new Date(expiresAtMs).toISOString() };
}

function bind(name: string, own: string | null, wanted: string | null): string | null {
  if (own !== null && wanted !== null && own !== wanted)
    throw new ApiError("forbidden", `The key is bound to another \`${name}\`.`);
  return own ?? wanted;
}

/**
 * @throws {ApiError} `not_found` for an unknown conversation, `forbidden` for one that the key can only read,
 *   `unavailable` without sockets.
 */
export async function broadcast(
  caller: KeyCaller,
  hubs: HubNamespace | undefined,
  input: { conversationId: string; value: Record<string, unknown> },
): Promise<number> {
  const { db, principal, runtime } = caller;
  const hub = await hubOf(caller, hubs, principal.organizationId);
  const found = await selectConversation(db, principal, input.conversationId);
  if (found === null) throw notFound("conversation");
  const { agent_id: agentId, user_id: userId, shared: isShared } = found.conversation;
  if (isReadOnly(principal, found.conversation)) throw readOnly();
  const sent = {
    conversation_id: input.conversationId,
    value: input.value,
    key_id: principal.keyId,
    agent_id: principal.agentId,
    user_id: principal.userId,
    sent_at: new Date(runtime.nowMs()).toISOString(),
  };
  return hub.broadcast(sent, { agentId, userId, isShared });
}

/** @throws {ApiError} `not_found` for an unknown conversation, `unavailable` without sockets. */
export async function listPresences(
  caller: KeyCaller,
  hubs: HubNamespace | undefined,
  conversationId: string,
): Promise<Presence[]> {
  const { db, principal } = caller;
  const hub = await hubOf(caller, hubs, principal.organizationId);
  if ((await selectConversation(db, principal, conversationId)) === null) throw notFound("conversation");
  return hub.listPresences(conversationId, principal.organizationId);
}

/**
 * @throws {ApiError} `not_found` for an unknown conversation, `forbidden` for one that the key can only read,
 *   `unavailable` without sockets or if too many are present.
 */
export async function setPresence(
  caller: KeyCaller,
  hubs: HubNamespace | undefined,
  input: { conversationId: string; state: Record<string, unknown>; seconds: number },
): Promise<Presence> {
  const { db, principal, runtime } = caller;
  const { conversationId, state } = input;
  const { organizationId, keyId } = principal;
  const id = credentialOf(principal);
  const hub = await hubOf(caller, hubs, organizationId);
  const found = await selectConversation(db, principal, conversationId);
  if (found === null) throw notFound("conversation");
  // Other users can read who is present.
  if (isReadOnly(principal, found.conversation)) throw readOnly();
  const nowMs = runtime.nowMs();
  const expiresAtMs = nowMs + 1_000 * input.seconds;
  const presence = await hub.setPresence({
    organizationId,
    conversationId,
    expiresAtMs,
    presence: {
      id,
      key_id: keyId,
      agent_id: principal.agentId,
      user_id: principal.userId,
      state,
      since: new Date(nowMs).toISOString(),
      expires_at: new Date(expiresAtMs).toISOString(),
    },
  });
  if (presence === null) throw tooMany();
  return presence;
}

/** @throws {ApiError} `unavailable` if the deployment has no hubs. */
export async function hubOf(
  { residenceOf }: Pick<Invocation, "residenceOf">,
  hubs: HubNamespace | undefined,
  organizationId: string,
): Promise<Hub> {
  if (hubs === undefined)
    throw new ApiError("unavailable", "This deployment has no sockets. Use `GET /v1/events`.");
  return findHub(hubs, organizationId, residenceOf);
}

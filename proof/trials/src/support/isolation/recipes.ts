import { createHash, randomUUID } from "node:crypto";
import { createRandom } from "../../../../support/random.ts";
import { createSentences } from "../sentences.ts";
import type { Requester } from "./requester.ts";
import type { Kind } from "./slots.ts";
import { randomId } from "./unknown-values.ts";

/** The caller's own ids, for slots that require one. */
export interface Own {
  organization_id: string;
  key_id: string;
  conversation_id: string;
  message_id: string;
  memory_id: string;
  operation_id: string;
  webhook_id: string;
  delivery_id: string;
  entity_id: string;
  user_id: string;
}

export interface BodyInput {
  own: Own;
  variant: string;
  /** Kind of the foreign value that will be inserted; null for none. */
  kind: Kind | null;
}

/** How to make a successful request of an operation. `Own` fills its path. */
export interface Recipe {
  query?: Record<string, string>;
  /** Variants that may respond differently; each is tested. */
  variants?: readonly string[];
  body?: (input: BodyInput) => Record<string, unknown>;
  /** Creates the objects that the operation changes or consumes, for every request that may succeed. */
  spends?: (requester: Requester) => Promise<Partial<Own>>;
  /** Tested only with foreign values: with its own, it would remove the caller, or succeed only briefly. */
  notOnOwn?: true;
  /** The list is too short for a cursor at first, so cursors of other lists are used. */
  fillsLater?: true;
  /** Rejects keys that are bound to an agent or a user, whatever their scopes. */
  notBound?: true;
}

const SAID = [
  { role: "user", content: "This is said in order to be changed." },
  { role: "assistant", content: "And this." },
];
const messages = SAID.slice(0, 1);
const LONG_AGO = "2020-01-01T00:00:00.000Z";

const emptyConversation = async (requester: Requester): Promise<{ conversation_id: string }> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/conversations", {});
  return { conversation_id: id };
};

export const begunImport = async (requester: Requester): Promise<{ operation_id: string }> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/imports", {});
  return { operation_id: id };
};

/** A conversation with two messages. */
export const conversation = async (
  requester: Requester,
): Promise<{ conversation_id: string; message_id: string }> => {
  const { conversation_id } = await emptyConversation(requester);
  const { message_ids } = await requester.make<{ message_ids: string[] }>(
    "POST",
    `/v1/conversations/${conversation_id}/messages`,
    { messages: SAID },
  );
  return { conversation_id, message_id: message_ids[0] ?? "" };
};

const uniqueWord = (): string => createSentences(randomUUID()).next().value.marker;

/** A unique memory that leaves nothing for the text model to write, because that would happen at any time. */
const note = () => ({
  content: uniqueWord(),
  tags: [],
  summary: "This is kept in order to be changed.",
});

export const memory = async (requester: Requester): Promise<{ memory_id: string }> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/memories", note());
  return { memory_id: id };
};

const key = async (requester: Requester): Promise<Partial<Own>> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/keys", {
    name: "spent",
    scopes: ["read"],
  });
  return { key_id: id };
};

const DISABLED_WEBHOOK = { url: "https://hooks.example.com/engram", enabled: false };

/** The id that a delivery of the first event of an organization has. */
export const firstDelivery = (organizationId: string): string =>
  `evt_${organizationId.replace("org_", "")}_1`;

export const webhook = async (requester: Requester): Promise<{ webhook_id: string }> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/webhooks", DISABLED_WEBHOOK);
  return { webhook_id: id };
};

/** An entity that one message mentions, in a conversation of its own. */
export const entity = async (
  requester: Requester,
  { name = "trial", ...owner }: { name?: string; agent_id?: string; user_id?: string } = {},
): Promise<{ entity_id: string }> => {
  const { id } = await requester.make<{ id: string }>("POST", "/v1/conversations", owner);
  const messages = ["example", "test"].map((end) => ({ role: "user", content: `Mail ${name}@host.${end}` }));
  await requester.make("POST", `/v1/conversations/${id}/messages`, { messages, wait: "indexed" });
  const { items } = await requester.make<{ items: { id: string }[] }>(
    "GET",
    `/v1/entities?kind=email&conversation_id=${id}`,
  );
  return { entity_id: items[0]?.id ?? "" };
};

/** An organization of the operator's, with its key. */
export interface Founded {
  organization: { id: string };
  key: { id: string; secret: string };
}

/** An object of this organization for every kind of id. */
export async function everyKind(requester: Requester, { organization, key }: Founded): Promise<Own> {
  const { conversation_id: deleted } = await conversation(requester);
  const { id: operation_id } = await requester.make<{ id: string }>("DELETE", `/v1/conversations/${deleted}`);
  return {
    organization_id: organization.id,
    key_id: key.id,
    operation_id,
    user_id: "unknown",
    delivery_id: firstDelivery(organization.id),
    ...(await conversation(requester)),
    ...(await memory(requester)),
    ...(await webhook(requester)),
    ...(await entity(requester)),
  };
}

const conversationLine = () => ({
  id: randomId("conv", createRandom(randomUUID())),
  external_id: null,
  title: null,
  agent_id: null,
  user_id: null,
  tags: [],
  metadata: {},
  message_count: 0,
  last_sequence: 0,
  created_at: LONG_AGO,
  updated_at: LONG_AGO,
});

/** A filter with only the foreign value, so that no other condition hides a match. */
const filterFor = (kind: Kind | null, none: Record<string, string>) =>
  kind === null || kind === "idempotency_key" ? none : {};

/** After the two existing messages. */
const messageLine = ({ conversation_id }: Own) => ({
  id: randomId("msg", createRandom(randomUUID())),
  conversation_id,
  sequence: 3,
  role: "user",
  content: "Imported",
  name: null,
  tool_call_id: null,
  tool_name: null,
  metadata: {},
  parts: null,
  external_id: null,
  external_digest: null,
  created_at: LONG_AGO,
  stored_at: LONG_AGO,
  updated_at: null,
});

const memoryLine = () => {
  const memory = note();
  return {
    id: randomId("mem", createRandom(randomUUID())),
    kind: "note",
    ...memory,
    source: null,
    agent_id: null,
    metadata: {},
    enriched_by: null,
    content_hash: createHash("sha256").update(memory.content).digest("hex"),
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    given: { tags: true, summary: true },
  };
};

const LINES: Readonly<Record<string, (own: Own) => object>> = {
  conversation: conversationLine,
  message: messageLine,
  memory: memoryLine,
};

/** One recipe for every operation that a key may call, or that is public. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  getOrganization: { notBound: true },
  deleteOrganization: { notOnOwn: true },
  createKey: { body: () => ({ name: "made", scopes: ["read"] }) },
  listKeys: { query: { limit: "2" } },
  getKey: {},
  revokeKey: { spends: key },
  // Longer than a trial, which may use the key further.
  createSignInCode: {},
  rotateKey: { spends: key, body: () => ({ overlap_seconds: 3_600 }) },
  createConversation: { body: () => ({}) },
  listConversations: { query: { limit: "2", include_total: "true" } },
  getConversation: { query: { message_limit: "2" } },
  updateConversation: { spends: emptyConversation, body: () => ({ title: "changed" }) },
  deleteConversation: { spends: emptyConversation },
  deleteConversations: {
    variants: ["counted", "deleted"],
    body: ({ variant, kind }) => ({
      filter: filterFor(kind, { user_id: "unknown" }),
      dry_run: variant === "counted",
    }),
  },
  forkConversation: { body: () => ({}) },
  appendMessages: { spends: emptyConversation, body: () => ({ messages }) },
  listMessages: { query: { limit: "2" } },
  getMessage: {},
  updateMessage: { spends: conversation, body: () => ({ content: "changed" }) },
  deleteMessage: { spends: conversation },
  replaceMessages: {
    spends: conversation,
    body: () => ({ expected_last_sequence: 2, from_sequence: 2, messages }),
  },
  search: {
    variants: ["hybrid", "semantic", "keyword"],
    // A word that is not in the caller's data finds nothing of it, but only in keyword mode.
    body: ({ variant, kind }) => ({
      query: "lantern",
      mode: kind === "word" ? "keyword" : variant,
      limit: 5,
      in: ["conversations", "memories"],
    }),
  },
  getContext: {
    // As above. No result of a search in hybrid mode is so relevant.
    body: ({ kind }) => ({ query: "lantern", ...(kind === "word" ? { min_relevance: 1 } : {}) }),
  },
  createMemory: { body: note },
  putMemory: { body: () => ({ ...note(), external_id: uniqueWord() }) },
  listEntities: { query: { limit: "1" } },
  listMentions: { query: { limit: "1" }, fillsLater: true },
  listUsers: { query: { limit: "2" }, notBound: true },
  deleteUser: { notOnOwn: true },
  createMemories: { body: () => ({ memories: [note()] }) },
  listMemories: { query: { limit: "2", include_total: "true" } },
  getMemory: {},
  updateMemory: { spends: memory, body: () => ({ source: "changed", metadata: { state: "changed" } }) },
  deleteMemory: { spends: memory },
  deleteMemories: {
    variants: ["counted", "deleted"],
    body: ({ variant, kind }) => ({
      filter: filterFor(kind, { source: "unknown" }),
      dry_run: variant === "counted",
    }),
  },
  enrichMemories: { body: ({ kind }) => ({ filter: filterFor(kind, { source: "unknown" }) }) },
  searchMemories: {
    variants: ["hybrid", "semantic", "keyword"],
    body: ({ variant, kind }) => ({
      query: "lantern",
      mode: kind === "word" ? "keyword" : variant,
      limit: 5,
    }),
  },
  getIndexStatus: {},
  repairIndex: { spends: emptyConversation, body: () => ({}) },
  listOperations: { query: { limit: "2" } },
  getOperation: {},
  cancelOperation: { notOnOwn: true },
  exportData: {},
  createImport: { body: () => ({}) },
  importLines: {
    variants: Object.keys(LINES),
    spends: async (requester) => ({ ...(await conversation(requester)), ...(await begunImport(requester)) }),
    body: ({ variant, own }) => ({ type: variant, ...LINES[variant]?.(own) }),
  },
  // From the start, so that events of other requests do not change the response.
  listEvents: { query: { after: "0", limit: "2" } },
  streamEvents: { query: { after: "0" } },
  createTicket: { body: () => ({ ttl_seconds: 30 }) },
  // An organization has at most 20, so each is updated or deleted where it can be.
  createWebhook: { body: () => DISABLED_WEBHOOK },
  listWebhooks: {},
  getWebhook: {},
  updateWebhook: { body: () => ({ enabled: false }) },
  deleteWebhook: { spends: webhook },
  rotateWebhook: {},
  // Would send a request.
  testWebhook: { notOnOwn: true },
  listDeliveries: { query: { limit: "2" }, fillsLater: true },
  resumeWebhook: {},
  // No attempt failed, so there is no delivery.
  skipDelivery: { notOnOwn: true },
  broadcast: { body: () => ({ value: { typing: true } }) },
  listPresences: {},
  setPresence: { body: () => ({ state: { status: "reading" } }) },
  listAuditEvents: { query: { limit: "2" } },
  listUsage: { query: { limit: "2" }, fillsLater: true },
  getHealth: {},
  getReadiness: {},
};

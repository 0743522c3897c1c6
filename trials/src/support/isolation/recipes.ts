import type { Asker } from "./asker.ts";
import type { Kind } from "./slots.ts";

/** What an asker has itself, for the places that must name something. */
export interface Own {
  organization_id: string;
  key_id: string;
  conversation_id: string;
  message_id: string;
  operation_id: string;
}

/** How to make a request of an operation that succeeds, apart from its path, which `Own` fills. */
export interface Recipe {
  query?: Record<string, string>;
  /** Sorts of it that may be answered in other ways, each to be tried. */
  variants?: readonly string[];
  /** @param kind what of another's is about to be put into it; null for nothing. */
  body?: (variant: string, kind: Kind | null) => Record<string, unknown>;
  /** What it changes or uses up, made anew for every request that may succeed. */
  spends?: (asker: Asker) => Promise<Partial<Own>>;
  /** Only tried on what is others': it would end the asker, or succeeds only for a moment. */
  notOnOwn?: true;
  /** Keys that are bound to an agent are refused, whatever their scopes. */
  notForAgents?: true;
}

const SAID = [
  { role: "user", content: "This is said in order to be changed." },
  { role: "assistant", content: "And this." },
];
const messages = SAID.slice(0, 1);

const emptyConversation = async (asker: Asker): Promise<{ conversation_id: string }> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/conversations", {});
  return { conversation_id: id };
};

/** A conversation with two messages. */
export const conversation = async (
  asker: Asker,
): Promise<{ conversation_id: string; message_id: string }> => {
  const { conversation_id } = await emptyConversation(asker);
  const { message_ids } = await asker.make<{ message_ids: string[] }>(
    "POST",
    `/v1/conversations/${conversation_id}/messages`,
    { messages: SAID },
  );
  return { conversation_id, message_id: message_ids[0] ?? "" };
};

const key = async (asker: Asker): Promise<Partial<Own>> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/keys", { name: "spent", scopes: ["read"] });
  return { key_id: id };
};

/** One for every operation that a key or anybody may call. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  getOrganization: { notForAgents: true },
  deleteOrganization: { notOnOwn: true },
  createKey: { body: () => ({ name: "made", scopes: ["read"] }) },
  listKeys: { query: { limit: "2" } },
  getKey: {},
  revokeKey: { spends: key },
  rotateKey: { spends: key, body: () => ({ overlap_seconds: 60 }) },
  createConversation: { body: () => ({}) },
  listConversations: { query: { limit: "2", include_total: "true" } },
  getConversation: { query: { message_limit: "2" } },
  updateConversation: { spends: emptyConversation, body: () => ({ title: "changed" }) },
  deleteConversation: { spends: emptyConversation },
  deleteConversations: {
    variants: ["counted", "deleted"],
    // Nothing but what is another's stands in the filter, so that nothing else keeps it from being found.
    body: (variant, kind) => ({
      filter: kind === null || kind === "idempotency_key" ? { user_id: "nobody" } : {},
      dry_run: variant === "counted",
    }),
  },
  forkConversation: { body: () => ({}) },
  appendMessages: { spends: emptyConversation, body: () => ({ messages }) },
  listMessages: { query: { limit: "2", include_total: "true" } },
  getMessage: {},
  updateMessage: { spends: conversation, body: () => ({ content: "changed" }) },
  deleteMessage: { spends: conversation },
  replaceMessages: {
    spends: conversation,
    body: () => ({ expected_last_sequence: 2, from_sequence: 2, messages }),
  },
  search: {
    variants: ["hybrid", "semantic", "keyword"],
    // A word that nobody of the asker's said finds nothing of theirs, but only where words alone are searched.
    body: (mode, kind) => ({ query: "lantern", mode: kind === "word" ? "keyword" : mode, limit: 5 }),
  },
  getIndexStatus: {},
  repairIndex: { spends: emptyConversation, body: () => ({}) },
  listOperations: { query: { limit: "2" } },
  getOperation: {},
  cancelOperation: { notOnOwn: true },
  listAuditEvents: { query: { limit: "2" } },
  exportConversations: { notForAgents: true },
  getHealth: {},
  getReadiness: {},
};

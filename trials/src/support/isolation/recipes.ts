import { createHash, randomUUID } from "node:crypto";
import { createRandom } from "../../../../bench/src/chats/random.ts";
import { createSentences } from "../sentences.ts";
import type { Asker } from "./asker.ts";
import type { Kind } from "./slots.ts";
import { randomId } from "./strangers.ts";

/** What an asker has itself, for the places that must name something. */
export interface Own {
  organization_id: string;
  key_id: string;
  conversation_id: string;
  message_id: string;
  memory_id: string;
  operation_id: string;
}

/** What a body may depend on. */
export interface BodyInput {
  own: Own;
  variant: string;
  /** What of another's is about to be put into it; null for nothing. */
  kind: Kind | null;
}

/** How to make a request of an operation that succeeds, apart from its path, which `Own` fills. */
export interface Recipe {
  query?: Record<string, string>;
  /** Sorts of it that may be answered in other ways, each to be tried. */
  variants?: readonly string[];
  body?: (input: BodyInput) => Record<string, unknown>;
  /** What it changes or uses up, made anew for every request that may succeed. */
  spends?: (asker: Asker) => Promise<Partial<Own>>;
  /** Only tried on what is others': it would end the asker, or succeeds only for a moment. */
  notOnOwn?: true;
  /** Its list is too short for a cursor at first; those of other lists are tried on it. */
  fillsLater?: true;
  /** Keys that are bound to an agent are refused, whatever their scopes. */
  notForAgents?: true;
}

const SAID = [
  { role: "user", content: "This is said in order to be changed." },
  { role: "assistant", content: "And this." },
];
const messages = SAID.slice(0, 1);
const LONG_AGO = "2020-01-01T00:00:00.000Z";

const emptyConversation = async (asker: Asker): Promise<{ conversation_id: string }> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/conversations", {});
  return { conversation_id: id };
};

export const begunImport = async (asker: Asker): Promise<{ operation_id: string }> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/imports", {});
  return { operation_id: id };
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

/** A memory that no other is, of which no model has anything to write: that would come at any moment. */
const note = () => ({
  content: createSentences(randomUUID()).next().value.marker,
  tags: [],
  summary: "This is kept in order to be changed.",
});

export const memory = async (asker: Asker): Promise<{ memory_id: string }> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/memories", note());
  return { memory_id: id };
};

const key = async (asker: Asker): Promise<Partial<Own>> => {
  const { id } = await asker.make<{ id: string }>("POST", "/v1/keys", { name: "spent", scopes: ["read"] });
  return { key_id: id };
};

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

/** A filter with nothing but what is another's in it, so that nothing else keeps that from being found. */
const filterFor = (kind: Kind | null, none: Record<string, string>) =>
  kind === null || kind === "idempotency_key" ? none : {};

/** Behind the two that are there. */
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
    body: ({ variant, kind }) => ({
      filter: filterFor(kind, { user_id: "nobody" }),
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
    body: ({ variant, kind }) => ({
      query: "lantern",
      mode: kind === "word" ? "keyword" : variant,
      limit: 5,
      in: ["conversations", "memories"],
    }),
  },
  createMemory: { body: note },
  createMemories: { body: () => ({ memories: [note()] }) },
  listMemories: { query: { limit: "2", include_total: "true" } },
  getMemory: {},
  updateMemory: { spends: memory, body: () => ({ source: "changed", metadata: { state: "changed" } }) },
  deleteMemory: { spends: memory },
  deleteMemories: {
    variants: ["counted", "deleted"],
    body: ({ variant, kind }) => ({
      filter: filterFor(kind, { source: "nobody" }),
      dry_run: variant === "counted",
    }),
  },
  enrichMemories: { body: ({ kind }) => ({ filter: filterFor(kind, { source: "nobody" }) }) },
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
  exportConversations: {},
  beginImport: { body: () => ({}) },
  importConversations: {
    variants: Object.keys(LINES),
    spends: async (asker) => ({ ...(await conversation(asker)), ...(await begunImport(asker)) }),
    body: ({ variant, own }) => ({ type: variant, ...LINES[variant]?.(own) }),
  },
  listAuditEvents: { query: { limit: "2" } },
  listUsage: { query: { limit: "2" }, fillsLater: true },
  getHealth: {},
  getReadiness: {},
};

import { hmacHexOf } from "../platform/digest.ts";

/** What a tombstone refuses, as a text that is hashed and never stored. Equal for the same item. */
export type Name = string;

const nameOf = (...parts: (string | number | null)[]): Name => JSON.stringify(parts);

interface Owned {
  agent_id: string | null;
  user_id: string | null;
}
export interface ConversationIdentity extends Owned {
  id?: string;
  external_id: string | null;
}
export interface MemoryIdentity extends ConversationIdentity {
  content_hash: string;
}
export interface MessageIdentity {
  id?: string;
  conversation_id: string;
  /** Absent for a new message, whose number no other message had. */
  sequence?: number;
  external_id: string | null;
}

/** The name that refuses a conversation with all its messages. */
export const conversationIdNames = (id: string): Name[] => [nameOf("conversation", id)];

/** Names of a conversation. Its external id is refused in the scope in which it is unique. */
export const conversationNames = ({ id, agent_id, user_id, external_id }: ConversationIdentity): Name[] => [
  ...(id === undefined ? [] : conversationIdNames(id)),
  ...(external_id === null ? [] : [nameOf("conversation external id", agent_id, user_id, external_id)]),
];

/** The name that refuses a memory with all its versions. */
export const memoryIdNames = (id: string): Name[] => [nameOf("memory", id)];

/** Names of a memory. Its content is refused for its agent and user, also under another external id. */
export const memoryNames = ({ id, agent_id, user_id, external_id, content_hash }: MemoryIdentity): Name[] => [
  ...(id === undefined ? [] : memoryIdNames(id)),
  ...(external_id === null ? [] : [nameOf("memory external id", agent_id, user_id, external_id)]),
  nameOf("memory content", agent_id, user_id, content_hash),
];

/** The name that refuses a message in every conversation. */
export const messageIdNames = (id: string): Name[] => [nameOf("message", id)];

/** Names of a message. Its content is not among them: other messages may say the same. */
export const messageNames = ({ id, conversation_id, sequence, external_id }: MessageIdentity): Name[] => [
  ...(id === undefined ? [] : messageIdNames(id)),
  ...(sequence === undefined ? [] : [nameOf("message sequence", conversation_id, sequence)]),
  ...(external_id === null ? [] : [nameOf("message external id", conversation_id, external_id)]),
];

/** Names under which the user of an item may be refused: for all agents, and for its agent. */
export const userNames = ({ agent_id, user_id }: Owned): Name[] =>
  user_id === null ? [] : [userName(null, user_id), userName(agent_id, user_id)];

/** @param agentId the only agent for which the user is refused; null for all agents. */
export const userName = (agentId: string | null, userId: string): Name => nameOf("user", agentId, userId);

/** Computes the hash of each name. Nobody can tell from it what it names without the organization's secret. */
export async function hashNames(key: string, names: Iterable<Name>): Promise<Map<Name, string>> {
  const hash = await hmacHexOf(key);
  return new Map(
    await Promise.all([...new Set(names)].map(async (name) => [name, await hash(name)] as const)),
  );
}

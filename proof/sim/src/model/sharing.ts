import type { ConversationModel, MemoryModel } from "./model.ts";
import type { Span } from "./write.ts";

/** What a key is bound to. */
export interface Owner {
  agentId?: string | undefined;
  userId?: string | undefined;
}

type Item = Pick<ConversationModel | MemoryModel, "sent" | "shared">;

/** Whether an item belongs to the agent and the user, where they are given. */
export const isOf = ({ agentId, userId }: Owner, { sent }: Pick<Item, "sent">): boolean =>
  (agentId === undefined || sent.agent_id === agentId) && (userId === undefined || sent.user_id === userId);

const isShared = ({ agentId }: Owner, item: Item): boolean =>
  isOf({ agentId }, item) && item.sent.user_id === undefined;

/** Whether a response to the owner may have the item: its own, and what may be shared. */
export const mayRead = (owner: Owner, item: Item, span: Span): boolean =>
  isOf(owner, item) || (isShared(owner, item) && item.shared.possible(span).includes(true));

/** Whether a response to the owner must have it if it exists. */
export const mustRead = (owner: Owner, item: Item, span: Span): boolean =>
  isOf(owner, item) ||
  (isShared(owner, item) && item.shared.possible(span).every((isSharedThen) => isSharedThen));

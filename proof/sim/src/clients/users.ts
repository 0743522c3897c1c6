import { mayHideMore } from "../model/deletion-receipts.ts";
import type { ConversationModel, MemoryModel, RecallModel, WipeModel } from "../model/model.ts";
import { isLanded } from "../model/presence.ts";
import { isOf } from "../model/sharing.ts";
import { Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import { type Client, USERS } from "./client.ts";
import { keepReceipt } from "./conversations.ts";
import { maySkip } from "./holds.ts";

/** Deletes all conversations and memories of a user. With a key that is bound to an agent, only those of the agent. */
export async function deleteUser(
  client: Client,
  userId: string = client.userId ?? client.random.pick(USERS),
): Promise<void> {
  const { agentId, organization } = client;
  const write = new Write(client.step);
  const counted = Number.POSITIVE_INFINITY;
  const ofMemories: WipeModel<MemoryModel> = {
    ...{ write, counted },
    covers: (memory) => isOf({ agentId, userId }, memory),
  };
  // Conversations in the simulator have no agent.
  const ofConversations: WipeModel<ConversationModel> = {
    ...{ write, counted },
    covers: (conversation) => agentId === undefined && conversation.sent.user_id === userId,
  };
  const ofRecalls: WipeModel<RecallModel> = {
    ...{ write: new Write(client.step), counted },
    covers: (recall) => recall.userId === userId && (agentId === undefined || recall.agentId === agentId),
  };
  organization.forgets.push({ write, userId });
  organization.recallWipes.push(ofRecalls);
  organization.memoryWipes.push(ofMemories);
  organization.conversationWipes.push(ofConversations);
  const path = `/v1/users/${userId}`;
  const outcome = await client.ask({ name: "delete user", method: "DELETE", path });
  // Unlike items, all receipts are hidden by the request itself.
  client.settle(ofRecalls.write, outcome);
  if (!client.settle(write, outcome)) return;
  const receipt = outcome.answer?.body;
  if (outcome.isRepeated) {
    // Another delivery may have begun a deletion of its own, which still goes on.
    write.done = Number.POSITIVE_INFINITY;
    keepReceipt(client, "delete_user", userId, receipt);
    return;
  }
  ofMemories.counted = client.step;
  ofConversations.counted = client.step;
  const skips = maySkip(client, write, receipt);
  if (mayHideMore(receipt) || skips) write.done = Number.POSITIVE_INFINITY;
  const found = skips
    ? []
    : [
        ...covered(organization.memories, organization.memoryWipes, ofMemories),
        ...covered(organization.conversations, organization.conversationWipes, ofConversations),
      ];
  expect(
    receipt.progress.total === null || receipt.progress.total >= found.length,
    "receipts",
    () => `deleting ${found.length} items of ${userId} is receipted as ${JSON.stringify(receipt)}`,
  );
  const foundIds = found.flatMap(({ id }) => id ?? []);
  keepReceipt(client, "delete_user", userId, receipt, foundIds);
}

/** Items that the deletion must have found: stored before it, and covered by no other deletion. */
const covered = <Item extends ConversationModel | MemoryModel>(
  items: Item[],
  wipes: WipeModel<Item>[],
  wipe: WipeModel<Item>,
): Item[] =>
  items.filter(
    (item) =>
      wipe.covers(item) &&
      item.creation.done <= wipe.write.sent &&
      isLanded(item, wipe.write.sent) &&
      [...item.deletions, ...item.hazards].every(({ isRefused }) => isRefused) &&
      wipes.every((other) => other === wipe || other.write.isRefused || !other.covers(item)),
  );

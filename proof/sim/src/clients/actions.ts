import * as agents from "./agents.ts";
import type { Client } from "./client.ts";
import { getContext } from "./contexts.ts";
import * as conversations from "./conversations.ts";
import * as forks from "./forks.ts";
import { importLines } from "./imports.ts";
import * as keys from "./keys.ts";
import * as memories from "./memories.ts";
import * as messages from "./messages.ts";
import * as moments from "./moments.ts";
import * as operations from "./operations.ts";
import * as organizations from "./organizations.ts";
import * as otherTenants from "./other-tenants.ts";
import { tryEndedProgram, usePrograms } from "./program-actions.ts";
import * as reads from "./reads.ts";
import * as recalls from "./recalls.ts";
import * as searches from "./searches.ts";
import { share } from "./sharing.ts";
import * as summaries from "./summaries.ts";
import { deleteTombstones } from "./tombstones.ts";
import * as users from "./users.ts";

/** Client actions and their weights. */
const ACTION_WEIGHTS = {
  ...{ createConversation: 4, updateConversation: 3, deleteConversation: 1, deleteConversations: 0.5 },
  ...{ forkConversation: 2, importLines: 0.8 },
  ...{ appendMessages: 14, replaceMessages: 3, updateMessage: 3, deleteMessage: 5 },
  ...{ captureMemory: 6, captureMemories: 1, updateMemory: 3, enrichMemories: 2 },
  ...{ deleteMemory: 1.5, deleteMemories: 0.5, wipeMemories: 0.8, deleteUser: 0.8, putMemory: 1.5 },
  ...{ getMemory: 1, listMemories: 1, searchMemories: 3, supersedeMemory: 2, listVersions: 1.5 },
  ...{ getMemoryAsOf: 2, listMemoriesAsOf: 1, listMessagesAsOf: 1.5 },
  ...{ getConversation: 3, listMessages: 2, getMessage: 1, listConversations: 1.5, search: 5 },
  ...{ getReceipt: 1, getIndexStatus: 0.5, repairIndex: 1.5, cancelOperation: 3 },
  ...{ accessOtherTenant: 2, searchOtherTenant: 1, actAsAgent: 5, actAsUser: 4 },
  ...{ deleteTombstones: 2.5, getContext: 5 },
  ...{ recordSearch: 3, readRecall: 2, listRecalls: 0.5, replayRecall: 1, replayDeletion: 1 },
  ...{ summarize: 3, listSummaries: 2 },
  ...{ usePrograms: 6, tryEndedProgram: 1 },
  ...{ createKey: 3, revokeKey: 3, tryFormerKey: 2, deleteOrganization: 0.7 },
};

const ACTIONS: Record<keyof typeof ACTION_WEIGHTS, (client: Client) => Promise<void>> = {
  ...conversations,
  ...messages,
  ...forks,
  importLines,
  ...memories,
  ...reads,
  ...searches,
  ...recalls,
  ...moments,
  getContext,
  ...otherTenants,
  ...keys,
  ...agents,
  ...users,
  usePrograms,
  tryEndedProgram: (client) => tryEndedProgram(client),
  ...summaries,
  deleteTombstones,
  cancelOperation: operations.cancelOperation,
  repairIndex: organizations.repairIndex,
  deleteOrganization: organizations.deleteOrganization,
  // Reads before the sweep has purged it, while it is only soft-deleted.
  deleteConversation: async (client) =>
    reads.listMessages(client, await conversations.deleteConversation(client)),
  deleteMemory: async (client) => reads.getMemory(client, await memories.deleteMemory(client)),
};

/** Time between two actions, at most, of a client that goes on because organizations move. */
const MOVING_PAUSE_MS = 20_000;

/** Perform this number of actions in sequence, and further ones until `isOver`. */
export async function runActions(client: Client, actions: number, isOver: () => boolean): Promise<void> {
  const { clock, random } = client.world;
  // Some clients are busy, others return after the visibility lag.
  const pauseMs = random.pick([200, 2_000, 20_000]);
  await conversations.createConversation(client);
  for (let i = 0; i < actions || !isOver(); i++) {
    await clock.sleep(random.between(0, i < actions ? pauseMs : MOVING_PAUSE_MS));
    client.organization.moments.push({ step: clock.step, atMs: clock.nowMs() });
    await ACTIONS[random.weigh(ACTION_WEIGHTS)](client);
    // Besides, so that the others are as frequent as without it.
    if (random.chance(0.15)) await (random.chance(0.5) ? share : agents.actAsReader)(client);
  }
}

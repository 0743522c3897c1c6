import { mayShowMemory } from "../model/presence.ts";
import { mayRead } from "../model/sharing.ts";
import { expect } from "../violation.ts";
import { AGENT, Client, USER } from "./client.ts";
import { getContext } from "./contexts.ts";
import * as memories from "./memories.ts";
import { getMemoryAsOf, listMemoriesAsOf } from "./moments.ts";
import { getMemory, listMemories, listVersions } from "./reads.ts";
import * as recalls from "./recalls.ts";
import { searchMemories } from "./searches.ts";
import { accessShared, listShared, searchShared } from "./sharing.ts";
import { randomNote } from "./texts.ts";
import { deleteUser } from "./users.ts";

/** Actions with a key that is bound to an agent or a user, and their weights. */
const ACTION_WEIGHTS = {
  ...{ captureMemory: 6, captureMemories: 1, updateMemory: 3, deleteMemory: 1.5, wipeMemories: 0.5 },
  ...{ deleteUser: 0.3, putMemory: 1 },
  ...{ recordSearch: 1, readRecall: 1, listRecalls: 0.3, replayRecall: 0.3, replayDeletion: 0.3 },
  ...{ getMemory: 2, listMemories: 2, searchMemories: 3, getContext: 2, accessOthers: 5 },
  ...{ supersedeMemory: 1, listVersions: 1, getMemoryAsOf: 1, listMemoriesAsOf: 1 },
};

const ACTIONS: Record<keyof typeof ACTION_WEIGHTS, (client: Client) => Promise<unknown>> = {
  ...memories,
  ...recalls,
  ...{ getMemory, getMemoryAsOf, listMemories, listMemoriesAsOf, listVersions },
  ...{ searchMemories, getContext, accessOthers, deleteUser },
};

const READER_WEIGHTS = { accessShared: 6, listShared: 1.5, searchShared: 2 };
const READER_ACTIONS = { accessShared, listShared, searchShared };

/** Performs an action with memories as an agent, which sees and changes only its own. */
export async function actAsAgent({ model, organization, random, world }: Client): Promise<void> {
  await ACTIONS[random.weigh(ACTION_WEIGHTS)](new Client(world, model, organization, { agentId: AGENT }));
}

/** The same as a user. */
export async function actAsUser({ model, organization, random, world }: Client): Promise<void> {
  await ACTIONS[random.weigh(ACTION_WEIGHTS)](new Client(world, model, organization, { userId: USER }));
}

/** Reads what is shared as a user, and tries to change it. */
export async function actAsReader({ model, organization, random, world }: Client): Promise<void> {
  await READER_ACTIONS[random.weigh(READER_WEIGHTS)](
    new Client(world, model, organization, { userId: USER }),
  );
}

/**
 * Accesses memories of other agents or users. No response may reveal that they exist, and nothing may
 * change.
 */
async function accessOthers(client: Client): Promise<void> {
  const { model, organization, random, step } = client;
  const content = randomNote(random, model.nextMarker());
  const now = { begin: step, end: step };
  const others = organization.memories.filter(
    (one) => one.id !== null && !mayRead(client, one, now) && mayShowMemory(one, now),
  );
  const memory = others[random.between(0, Math.max(0, others.length - 1))];
  const at = `/v1/memories/${memory?.id ?? "mem_1"}`;
  const other = client.agentId === undefined ? { user_id: "other" } : { agent_id: "other" };
  const ask = random.pick([
    { method: "POST", path: "/v1/memories", body: { content, ...other }, expected: 403 },
    {
      method: "POST",
      path: "/v1/memories/bulk",
      body: { memories: [{ content }, { content, ...other }] },
      expected: 403,
    },
    { method: "GET", path: at, expected: 404 },
    { method: "PATCH", path: at, body: { content }, expected: 404 },
    { method: "DELETE", path: at, expected: 404 },
  ] as const);
  const { answer, span } = await client.ask({
    name: `access another ${client.agentId === undefined ? "user" : "agent"}`,
    ...ask,
    expected: 403,
  });
  expect(
    answer === null ||
      answer.status === ask.expected ||
      answer.status === 401 ||
      // It may have been shared meanwhile.
      (memory !== undefined && [200, 403].includes(answer.status) && mayRead(client, memory, span)),
    "isolation",
    () => `${ask.method} ${ask.path} answers a bound key ${answer?.status}`,
  );
}

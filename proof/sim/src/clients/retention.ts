import type { ConversationModel, MemoryModel } from "../model/model.ts";
import { Write } from "../model/write.ts";
import { type Client, USERS } from "./client.ts";
import { randomNote } from "./texts.ts";

/** Time until an item expires. Longer than any attempt to create it. */
const EXPIRY_MS = { low: 20_000, high: 300_000 };

const expiryOf = ({ random, world }: Client) => {
  const atMs = world.clock.nowMs() + random.between(EXPIRY_MS.low, EXPIRY_MS.high);
  return { atMs, expires_at: new Date(atMs).toISOString() };
};

/** From its time, an item may be deleted at any moment. */
function expire({ world: { clock } }: Client, { deletions }: ConversationModel | MemoryModel, atMs: number) {
  clock.schedule(atMs - clock.nowMs() - 1, () => deletions.push(new Write(clock.step)));
}

/** Creates a conversation that expires. */
export async function createExpiringConversation(
  client: Client,
  userId: string | null = client.random.pick([null, null, ...USERS]),
): Promise<void> {
  const { model, organization } = client;
  const marker = model.nextMarker();
  const { atMs, expires_at } = expiryOf(client);
  const user = userId === null ? {} : { user_id: userId };
  const sent = { metadata: { marker }, expires_at, ...user };
  const title = `title ${marker}`;
  const conversation = model.addConversation(organization, marker, { sent, title, step: client.step });
  expire(client, conversation, atMs);
  const body = { ...sent, title };
  const ask = { name: "create expiring", method: "POST", path: "/v1/conversations", body } as const;
  const outcome = await client.ask({ ...ask, once: true });
  if (client.settle(conversation.creation, outcome) && outcome.answer !== null)
    client.judge.conversation(outcome.answer.body, outcome.span);
}

/** Captures a memory that expires. */
export async function captureExpiringMemory(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const marker = model.nextMarker();
  const { atMs, expires_at } = expiryOf(client);
  const user = random.chance(0.5) ? { user_id: random.pick(USERS) } : {};
  const sent = { content: randomNote(random, marker), metadata: { marker }, expires_at, ...user };
  const memory = model.addMemory(organization, sent, client.step);
  expire(client, memory, atMs);
  const ask = { name: "capture expiring", method: "POST", path: "/v1/memories", body: sent } as const;
  const outcome = await client.ask({ ...ask, once: true });
  if (client.settle(memory.creation, outcome) && outcome.answer !== null)
    client.memoryJudge.memory(outcome.answer.body, outcome.span);
}

/** Creates a rule for the memories that were captured with a time of their own, which is years ago. */
export async function createRetentionRule(client: Client): Promise<void> {
  const { organization, random } = client;
  const userId = random.pick([null, ...USERS]);
  const isDry = random.chance(0.3);
  const write = new Write(client.step);
  if (isDry) write.isRefused = true;
  const covers = ({ sent }: MemoryModel) =>
    sent.created_at !== undefined && (userId === null || sent.user_id === userId);
  // Never done: the rule goes on.
  organization.memoryWipes.push({ write, covers, counted: Number.POSITIVE_INFINITY });
  await client.ask({
    name: "create rule",
    method: "POST",
    path: "/v1/retention",
    body: {
      name: "sim",
      kind: "memories",
      older_than_days: 1,
      dry_run: isDry,
      filter: userId === null ? {} : { user_id: userId },
    },
    once: true,
  });
}

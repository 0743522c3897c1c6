import { mayHideMore } from "../model/deletion-receipts.ts";
import { type HoldModel, mayBeHeld } from "../model/holds.ts";
import type { OrganizationModel } from "../model/model.ts";
import { isLanded } from "../model/presence.ts";
import { Write } from "../model/write.ts";
import type { Answer } from "../world.ts";
import { type Client, USERS } from "./client.ts";

/** Newest conversations and memories of which a hold names some. */
const HELD_NEWEST = 10;
/** Items that one hold names, at most. */
const NAMED_MAX = 4;

/** Whether a hold refused a request. That there may be one is checked for every answer. */
export const isHeld = (answer: Answer | null): boolean =>
  answer?.status === 409 && answer.body.code === "held";

/** Whether a deletion by filter may leave out some of what it covers because it is held. */
export const maySkip = (
  { organization, step }: { organization: OrganizationModel; step: number },
  write: Write,
  receipt: Answer["body"],
): boolean =>
  organization.hasCustodian &&
  (mayHideMore(receipt) || mayBeHeld(organization, { begin: write.sent, end: step }));

/** Holds the newest items by their ids, or what a user has, or what has a tag. */
export async function createHold(client: Client): Promise<void> {
  const { organization, random, step } = client;
  // What is deleted can be held until its rows are purged.
  const isOfDeleted = random.chance(0.3);
  const ids = [...organization.conversations, ...organization.memories]
    .filter((one) => one.deletions.length > 0 === isOfDeleted && isLanded(one, step))
    .slice(-HELD_NEWEST)
    .flatMap(({ id }) => id ?? []);
  const corpus = random.pick([null, "conversations", "memories"] as const);
  const ofUser = { user_id: random.pick(USERS), ...(corpus === null ? {} : { corpus }) };
  const count = ids.length === 0 ? 0 : random.between(1, NAMED_MAX);
  const named = Array.from({ length: count }, () => random.pick(ids));
  const body = {
    ids: { ids: named },
    user: { filter: ofUser },
    tags: { filter: { tags_any: [random.pick(["a", "note"])] } },
  }[count === 0 ? "user" : random.weigh({ ids: 5, user: 2, tags: 1 })];
  await create(client, body);
}

/** Holds what a user has. */
export const holdUser = (client: Client, userId: string): Promise<HoldModel> =>
  create(client, { filter: { user_id: userId } });

async function create(client: Client, body: object): Promise<HoldModel> {
  const { organization, random, step } = client;
  const hold: HoldModel = { id: null, creation: new Write(step), lifts: [] };
  organization.holds.push(hold);
  const outcome = await client.ask({
    name: "create hold",
    method: "POST",
    path: "/v1/holds",
    body: { reason: "sim", ...body },
    once: random.chance(0.8),
  });
  // Without idempotency, a request without a response may have created one more, which nobody lifts before the end.
  if (client.settle(hold.creation, outcome)) hold.id = outcome.answer?.body.id;
  return hold;
}

/** Lifts one of the active holds. */
export async function liftHold(client: Client): Promise<void> {
  const { organization, random } = client;
  const known = organization.holds.filter(
    ({ id, lifts }) => id !== null && lifts.every(({ done }) => done === Number.POSITIVE_INFINITY),
  );
  if (known.length > 0) await lift(client, random.pick(known));
}

export async function lift(client: Client, { id, lifts }: HoldModel): Promise<void> {
  const write = new Write(client.step);
  lifts.push(write);
  const path = `/v1/holds/${id}/lift`;
  const outcome = await client.ask({ name: "lift hold", method: "POST", path, isRepeatable: true });
  client.settle(write, outcome);
}

/** Lifts all holds that are active, also those whose creation got no response. */
export async function liftAll(client: Client): Promise<void> {
  const { answer } = await client.ask({
    name: "list holds",
    method: "GET",
    path: "/v1/holds?status=active&limit=100",
  });
  const active: { id: string }[] = answer?.body.items ?? [];
  for (const { id } of active) {
    const known = client.organization.holds.find((hold) => hold.id === id);
    await lift(client, known ?? { id, creation: new Write(0), lifts: [] });
  }
  for (const { creation, lifts } of client.organization.holds) {
    const write = new Write(creation.sent);
    write.done = client.step;
    lifts.push(write);
  }
}

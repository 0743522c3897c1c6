import { type Client, USERS } from "./client.ts";
import * as holds from "./holds.ts";
import { deleteOrganization } from "./organizations.ts";
import * as retention from "./retention.ts";
import { deleteTombstones } from "./tombstones.ts";
import { deleteUser } from "./users.ts";

/** Seeds of which one has custodians. Few known seeds of mutations are among them. */
const SEEDS = 7;
const PAUSE_MS = 8_000;

/** Actions of a custodian and their weights. */
const ACTION_WEIGHTS = {
  ...{ createHold: 4, liftHold: 4, deleteUser: 0.5, eraseWhileLifting: 2 },
  ...{ createExpiringConversation: 2, captureExpiringMemory: 2, createRetentionRule: 0.7 },
  ...{ deleteHeldOrganization: 0.15 },
};
const ACTIONS: Record<keyof typeof ACTION_WEIGHTS, (client: Client) => Promise<void>> = {
  createHold: holds.createHold,
  liftHold: holds.liftHold,
  eraseWhileLifting,
  createExpiringConversation: (client) => retention.createExpiringConversation(client),
  captureExpiringMemory: retention.captureExpiringMemory,
  createRetentionRule: retention.createRetentionRule,
  deleteHeldOrganization,
  deleteUser: (client) => deleteUser(client),
};

/** Lifts a hold while the deletion of its user reads what to delete. */
async function eraseWhileLifting(client: Client): Promise<void> {
  const { random, world } = client;
  const userId = random.pick(USERS);
  await deleteTombstones(client);
  await retention.createExpiringConversation(client, userId);
  const hold = await holds.holdUser(client, userId);
  const lifting = async () => {
    await world.clock.sleep(random.between(0, 40));
    await holds.lift(client, hold);
  };
  await Promise.all([deleteUser(client, userId), hold.id === null ? undefined : lifting()]);
}

/** Deletes an organization while it has a hold, which the operator then overrides. */
async function deleteHeldOrganization(client: Client): Promise<void> {
  await holds.holdUser(client, client.random.pick(USERS));
  await deleteOrganization(client);
}

/** Whether the organizations of a run have legal holds and rules of retention. */
export const hasCustodians = (seed: number): boolean => seed % SEEDS === 0;

/** Sets and lifts legal holds and creates what expires, until the others are done. */
export async function actAsCustodian(client: Client, isOver: () => boolean): Promise<void> {
  const { clock, random } = client.world;
  while (!isOver()) {
    await clock.sleep(random.between(0, PAUSE_MS));
    // Often while a sweep is between its read of what to delete and the deletion.
    const { id } = client.organization;
    if (random.chance(0.5)) clock.schedule(random.between(0, 20), () => client.world.sweepOf(id));
    await ACTIONS[random.weigh(ACTION_WEIGHTS)](client);
  }
}

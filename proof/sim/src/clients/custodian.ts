import type { Client } from "./client.ts";
import * as holds from "./holds.ts";
import * as retention from "./retention.ts";
import { deleteUser } from "./users.ts";

/** Seeds of which one has custodians. Few known seeds of mutations are among them. */
const SEEDS = 7;
const PAUSE_MS = 8_000;

/** Actions of a custodian and their weights. */
const ACTION_WEIGHTS = {
  ...{ createHold: 4, liftHold: 4, deleteUser: 1 },
  ...{ createExpiringConversation: 2, captureExpiringMemory: 2, createRetentionRule: 0.7 },
};
const ACTIONS: Record<keyof typeof ACTION_WEIGHTS, (client: Client) => Promise<void>> = {
  createHold: holds.createHold,
  liftHold: holds.liftHold,
  ...retention,
  deleteUser,
};

/** Whether the organizations of a run have legal holds and rules of retention. */
export const hasCustodians = (seed: number): boolean => seed % SEEDS === 0;

/** Sets and lifts legal holds and creates what expires, until the others are done. */
export async function actAsCustodian(client: Client, isOver: () => boolean): Promise<void> {
  const { clock, random } = client.world;
  while (!isOver()) {
    await clock.sleep(random.between(0, PAUSE_MS));
    await ACTIONS[random.weigh(ACTION_WEIGHTS)](client);
  }
}

import type { Place } from "@engram/spec";
import type { KeyModel } from "../model/keys.ts";
import type { Model, OrganizationDeletion, OrganizationModel } from "../model/model.ts";
import { isOrganizationGone, mayOrganizationBeGone } from "../model/presence.ts";
import { noteRestored } from "../model/restorations.ts";
import { Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import { ADMIN_TOKEN, type Sent, type World } from "../world.ts";
import { AGENT, type Client, USER } from "./client.ts";
import { keepReceipt } from "./conversations.ts";
import { isHeld } from "./holds.ts";
import { createKey, revokeKey, tryFormerKey } from "./keys.ts";
import { cancel, countsOf, judgeOperation } from "./operations.ts";
import { listConversations, listMemories } from "./reads.ts";

export const OPERATOR: KeyModel = { id: "operator", secret: ADMIN_TOKEN, revocations: [] };

/** Where cells are, in turns, so that it takes no random choice. */
const LOCATIONS = [{}, { jurisdiction: "eu" }, { location: "weur" }];

const creationOf = (name: string, place: Place, count: number): Sent => ({
  name,
  method: "POST",
  path: "/v1/organizations",
  headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  body: { name: "sim", ...(place === "cell" ? { place, ...LOCATIONS[count % LOCATIONS.length] } : {}) },
});

/** An organization with its first key, created before faults begin. */
export async function createOrganization(
  world: World,
  model: Model,
  place: Place = "d1",
): Promise<OrganizationModel> {
  const { answer } = await world.send(
    creationOf("create organization", place, model.organizations.length),
    false,
  );
  const { organization, key } = answer?.body ?? {};
  const createBoundKey = async (owner: { agent_id: string } | { user_id: string }): Promise<KeyModel> => {
    const bound = await world.send(
      {
        name: "create a bound key",
        method: "POST",
        path: "/v1/keys",
        headers: { authorization: `Bearer ${key.secret}` },
        body: { name: "bound", ...owner, scopes: ["read", "write", "search", "delete"] },
      },
      false,
    );
    const { id, secret } = bound.answer?.body ?? {};
    return { id, secret, revocations: [] };
  };
  const created: OrganizationModel = {
    id: organization.id,
    place,
    hasMoved: false,
    keys: [{ id: key.id, secret: key.secret, revocations: [] }],
    formerKeys: [],
    agentKey: await createBoundKey({ agent_id: AGENT }),
    userKey: await createBoundKey({ user_id: USER }),
    conversations: [],
    memories: [],
    memoryWipes: [],
    conversationWipes: [],
    deletions: [],
    forgets: [],
    recalls: [],
    recallWipes: [],
    holds: [],
    hasCustodian: false,
    grants: [],
    moments: [],
  };
  model.organizations.push(created);
  return created;
}

/** Creates organizations in cells of which nobody gets a key, if a part of that fails. */
export async function createOthers(world: World, isOver: () => boolean): Promise<void> {
  const { clock, random } = world;
  for (let count = 0; !isOver(); count++) {
    await clock.sleep(random.between(1_000, 120_000));
    await world.send(creationOf("create another organization", "cell", count), false);
  }
}

/** Deletes an organization while its clients use it. One organization is never deleted. */
export async function deleteOrganization(client: Client): Promise<void> {
  const { model, organization, random, world } = client;
  if (organization === model.organizations[0]) return;
  // A key revoked before the deletion must stay revoked after a restoration.
  if (random.chance(0.3)) {
    await createKey(client);
    await revokeKey(client);
  }
  const write = new Write(client.step);
  const deletion: OrganizationDeletion = { write, restoration: null };
  organization.deletions.push(deletion);
  const path = `/v1/organizations/${organization.id}`;
  const outcome = await client.ask({ name: "delete organization", method: "DELETE", path });
  const isDone = client.settle(write, outcome);
  if (isHeld(outcome.answer) && random.chance(0.9)) return forceDeletion(client, path);
  if (!isDone) return;
  const { id } = outcome.answer?.body ?? {};
  keepReceipt(client, "delete_organization", organization.id, outcome.answer?.body);
  // Sometimes the purge is complete before an isolate writes the usage that it has counted.
  if (random.chance(0.3)) {
    for (let sweeps = 0; sweeps < 3; sweeps++)
      world.clock.schedule(random.between(0, 20_000), () => world.sweepOf(organization.id));
  }
  // A repeat that is still in transit would delete the organization again.
  if (!outcome.isRepeated && random.chance(0.7)) await restoreOrganization(client, deletion, id);
}

/** Deletes an organization as the operator although it has holds, which a cancellation restores. */
async function forceDeletion(client: Client, path: string): Promise<void> {
  const { organization, random } = client;
  const deletion: OrganizationDeletion = { write: new Write(client.step), restoration: null };
  organization.deletions.push(deletion);
  const outcome = await client.ask({
    name: "force deletion",
    method: "DELETE",
    path: `${path}?force=true`,
    key: OPERATOR,
  });
  if (!client.settle(deletion.write, outcome)) return;
  keepReceipt(client, "delete_organization", organization.id, outcome.answer?.body);
  if (!outcome.isRepeated && random.chance(0.7))
    await restoreOrganization(client, deletion, outcome.answer?.body.id);
}

/** Cancels the deletion as the operator: at once, or after the purge has removed some or all of it. */
async function restoreOrganization(
  client: Client,
  deletion: OrganizationDeletion,
  id: string,
): Promise<void> {
  const { organization, random, world } = client;
  await world.clock.sleep(random.between(0, random.pick([100, 20_000, 90_000])));
  // Sometimes during a sweep that has read of the deletion and is about to soft-delete more.
  if (random.chance(0.5)) world.clock.schedule(random.between(0, 20), () => world.sweepOf(organization.id));
  const restoration = new Write(client.step);
  deletion.restoration = restoration;
  const path = `/v1/operations/${id}`;
  const { answer } = await client.ask({
    name: "restore organization",
    method: "POST",
    path: `${path}/cancel`,
    key: OPERATOR,
    isRepeatable: true,
  });
  // A second cancel returns the same response.
  if (answer?.status === 409) restoration.isRefused = true;
  if (answer?.status !== 200) return;
  const { progress, restored, status } = answer.body;
  judgeOperation(answer.body);
  expect(
    status === "canceled" && restored >= 0 && progress.done + restored === progress.total,
    "receipts",
    () => `${id} is canceled and answers ${JSON.stringify(answer.body)}`,
  );
  noteRestored(organization, deletion, client.step);
  const again = await client.ask({ name: "look at the restored", method: "GET", path, key: OPERATOR });
  expect(
    again.answer?.status !== 200 || countsOf(again.answer.body) === countsOf(answer.body),
    "receipts",
    () => `${id} was canceled at ${JSON.stringify(answer.body)}: ${JSON.stringify(again.answer?.body)}`,
  );
  if (random.chance(0.5)) await tryFormerKey(client);
  if (random.chance(0.5)) await listConversations(client);
  if (random.chance(0.5)) await listMemories(client);
}

/** Once no request is in transit, asks whether an organization exists and records the result. */
export async function settleOrganization(client: Client): Promise<void> {
  const { organization } = client;
  const span = { begin: client.step, end: client.step };
  if (!mayOrganizationBeGone(organization, span) || isOrganizationGone(organization, span)) return;
  const { answer } = await client.ask({
    name: "get organization",
    method: "GET",
    path: `/v1/organizations/${organization.id}`,
    key: OPERATOR,
  });
  if (answer?.status !== 200 || answer.body.deleted_at !== null) {
    const write = new Write(client.step);
    write.done = client.step;
    organization.deletions.push({ write, restoration: null });
    return;
  }
  for (const deletion of organization.deletions) {
    const { restoration, write } = deletion;
    // It exists, so a deletion without a response did not take effect or was canceled.
    if (restoration === null) write.isRefused = true;
    else if (!Number.isFinite(restoration.done)) noteRestored(organization, deletion, client.step);
  }
}

/** The operator can read every receipt of a deletion, also once nothing else of the organization is left. */
export async function judgeDeletions(client: Client): Promise<void> {
  const { model, organization } = client;
  const span = { begin: client.step, end: client.step };
  const receipts = model.receipts.filter(
    (receipt) => receipt.organization === organization && receipt.type === "delete_organization",
  );
  // Of an organization in a cell, D1 knows the last deletion, and all of them once it is gone.
  const isKnown = organization.place === "d1" || isOrganizationGone(organization, span);
  if (!isKnown && organization.deletions.length > 1) return;
  for (const { operationId } of receipts) {
    const path = `/v1/operations/${operationId}`;
    const { answer } = await client.ask({ name: "get deletion", method: "GET", path, key: OPERATOR });
    expect(
      answer?.status === 200 && answer.body.completed_at !== null,
      "receipts",
      () => `the receipt ${operationId} answers ${answer?.status} ${JSON.stringify(answer?.body)}`,
    );
  }
}

/** Repairs the whole index, as a cautious operator does. */
export async function repairIndex(client: Client): Promise<void> {
  const { answer } = await client.ask({
    name: "repair",
    method: "POST",
    path: "/v1/index/repair",
    body: {},
    once: true,
  });
  if (answer?.status !== 202) return;
  const type = "repair_index";
  keepReceipt(client, type, client.organization.id, answer.body);
  if (!client.isClear && client.random.chance(0.7))
    await cancel(client, { type, operationId: answer.body.id });
}

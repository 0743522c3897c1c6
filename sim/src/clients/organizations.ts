import type { Model, OrganizationModel } from "../model/model.ts";
import { Write } from "../model/write.ts";
import { ADMIN_TOKEN, type World } from "../world.ts";
import { type Client, KEY_KEPT_MS } from "./client.ts";
import { keepReceipt } from "./conversations.ts";
import { AGENT } from "./memories.ts";
import { cancel } from "./operations.ts";

/** An organization with its first key, made before anything goes wrong. */
export async function createOrganization(world: World, model: Model): Promise<OrganizationModel> {
  const { answer } = await world.send(
    {
      name: "create organization",
      method: "POST",
      path: "/v1/organizations",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: { name: "sim" },
    },
    false,
  );
  const { organization, key } = answer?.body ?? {};
  const bound = await world.send(
    {
      name: "create agent's key",
      method: "POST",
      path: "/v1/keys",
      headers: { authorization: `Bearer ${key.secret}` },
      body: { name: AGENT, agent_id: AGENT, scopes: ["read", "write", "search", "delete"] },
    },
    false,
  );
  const { id, secret } = bound.answer?.body ?? {};
  const created: OrganizationModel = {
    id: organization.id,
    keys: [{ id: key.id, secret: key.secret, revocations: [] }],
    formerKeys: [],
    agentKey: { id, secret, revocations: [] },
    conversations: [],
    memories: [],
    memoryWipes: [],
    conversationWipes: [],
    deletions: [],
  };
  model.organizations.push(created);
  return created;
}

/** Ends an organization under the hands of its clients. One stays, so that there is a run. */
export async function deleteOrganization(client: Client): Promise<void> {
  const { model, organization, world } = client;
  if (organization === model.organizations[0]) return;
  const write = new Write(client.step);
  organization.deletions.push(write);
  const path = `/v1/organizations/${organization.id}`;
  const outcome = await client.ask({ name: "delete organization", method: "DELETE", path });
  if (!client.settle(write, outcome)) return;
  // Isolates that know a key answer its reads for a while, as those of a revoked one.
  write.done = Number.POSITIVE_INFINITY;
  world.clock.schedule(KEY_KEPT_MS, () => {
    write.done = client.step;
  });
  keepReceipt(client, "delete_organization", organization.id, outcome.answer?.body);
}

/** Asks for all to be indexed anew, as an operator does who trusts nothing. */
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

import { Write } from "../model/write.ts";
import type { Client } from "./client.ts";

/** Upper bound on the keys in use per organization. */
const KEYS_MAX = 4;
/** Requests after which most isolates have a key in their cache. */
const CACHING_ASKS = 3;

export async function createKey(client: Client): Promise<void> {
  const { organization } = client;
  if (organization.keys.length >= KEYS_MAX) return;
  const { answer } = await client.ask({
    name: "create key",
    method: "POST",
    path: "/v1/keys",
    body: { name: "further", scopes: ["read", "write", "search", "delete", "admin"] },
    once: true,
  });
  // The response to a repeat omits the secret, so the key is unusable.
  if (answer?.status !== 201) return;
  organization.keys.push({ id: answer.body.id, secret: answer.body.secret, revocations: [] });
}

/** Revokes a key that other clients continue to use for a while. The first key is never revoked. */
export async function revokeKey(client: Client): Promise<void> {
  const { organization, random, world } = client;
  const key = organization.keys[random.between(1, organization.keys.length)];
  if (key === undefined) return;
  // Some isolates then hold the key in their cache when it is revoked.
  const isCached = random.chance(0.5);
  if (isCached) {
    const ask = { name: "use key", method: "GET", path: "/v1/index", key } as const;
    await Promise.all(Array.from({ length: CACHING_ASKS }, () => client.ask(ask)));
  }
  const revocation = { write: new Write(client.step) };
  key.revocations.push(revocation);
  const outcome = await client.ask({ name: "revoke key", method: "DELETE", path: `/v1/keys/${key.id}` });
  if (!client.settle(revocation.write, outcome)) return;
  organization.formerKeys.push(key);
  if (isCached) await Promise.all([tryFormerKey(client), tryFormerKey(client)]);
  // Clients learn of the revocation after a delay.
  world.clock.schedule(random.between(0, 60_000), () => {
    organization.keys = organization.keys.filter((other) => other !== key);
  });
}

/** Uses a revoked key: no isolate may accept it. */
export async function tryFormerKey(client: Client): Promise<void> {
  const { organization, random } = client;
  const key = organization.formerKeys.at(-1);
  if (key === undefined) return;
  const ask = random.pick([
    { method: "GET", path: "/v1/index" },
    { method: "POST", path: "/v1/index/repair", body: {} },
  ] as const);
  await client.ask({ name: "try former key", ...ask, key });
}

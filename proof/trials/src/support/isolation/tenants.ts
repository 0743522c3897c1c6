import { createSentences, type Sentence } from "../sentences.ts";
import type { TrialService } from "../service.ts";
import type { Operation } from "./operations.ts";
import { EVERYBODY, type Owner, type Owners } from "./owners.ts";
import {
  conversation,
  entity,
  firstDelivery,
  memory,
  type Own,
  RECIPES,
  type Recipe,
  webhook,
} from "./recipes.ts";
import { type Parts, Requester } from "./requester.ts";
import type { Kind } from "./slots.ts";

const ORGANIZATIONS = 2;
const AGENTS = 2;
const USERS = 2;
/** Conversations per tenant that only attacks by others could change, and messages per conversation. */
const SAMPLES = 4;
const MESSAGES = 4;
/** In place of the text model's output, so that nothing changes in the background. */
const SUMMARY = "What the note says.";
const ALL_SCOPES = ["read", "write", "search", "delete", "admin"];
const BOUND_SCOPES = ALL_SCOPES.slice(0, -1);

/** One value of each kind, all related and of the same tenant. */
export type Sample = Readonly<Record<Exclude<Kind, "cursor" | "given_id" | "idempotency_key">, unknown>> & {
  conversation_id: string;
  memory_id: string;
  operation_id: string;
  word: string;
  text: string;
};

/** The holder of a key, both attacker and victim. */
export interface Tenant extends Owner {
  name: string;
  scopes: string[];
  requester: Requester;
  own: Own;
  samples: Sample[];
  /** By list operation. */
  cursors: Map<string, string[]>;
}

/**
 * Create organizations, each with a key for all its data and keys for one agent or one user each. Every tenant has its
 * own data.
 */
export async function createTenants(
  service: TrialService,
  operations: readonly Operation[],
  owners: Owners,
  seed: string,
): Promise<Tenant[]> {
  const operator = new Requester(service.url, service.adminToken);
  const sentences = createSentences(`${seed} exhibits`);
  const numbers = Array.from({ length: ORGANIZATIONS }, (_, i) => i + 1);
  const all = numbers.map(async (organization) => {
    const name = nextMarker(sentences);
    const created = await operator.make<{
      organization: { id: string };
      key: { id: string; secret: string };
    }>("POST", "/v1/organizations", { name });
    owners.note(JSON.stringify(created.organization), { organization, agent: EVERYBODY, user: EVERYBODY });
    const organizationId = created.organization.id;
    const whole = { organization, agent: null, user: null };
    const admin = new Requester(service.url, created.key.secret);
    const tenant = (owner: Owner, scopes: string[], key: { id: string; secret: string }) =>
      createParty({ ...owner, scopes, key, organizationId, url: service.url, sentences, owners });
    const tenants = [await tenant(whole, ALL_SCOPES, created.key)];
    for (let i = 0; i < AGENTS + USERS; i++) {
      const [agent, user] = i < AGENTS ? [nextMarker(sentences), null] : [null, nextMarker(sentences)];
      const owner = { organization, agent, user };
      const bound = agent === null ? { user_id: user } : { agent_id: agent };
      const body = { name: nextMarker(sentences), scopes: BOUND_SCOPES, ...bound };
      owners.note(JSON.stringify(body), owner);
      const key = await admin.make<{ id: string; secret: string }>("POST", "/v1/keys", body);
      tenants.push(await tenant(owner, BOUND_SCOPES, key));
    }
    return tenants;
  });
  const tenants = (await Promise.all(all)).flat();
  for (const tenant of tenants) await collectCursors(tenant, operations);
  return tenants;
}

async function createParty({
  organization,
  agent,
  user,
  scopes,
  key,
  organizationId,
  url,
  sentences,
  owners,
}: Owner & {
  scopes: string[];
  key: { id: string; secret: string };
  organizationId: string;
  url: string;
  sentences: Iterator<Sentence, never>;
  owners: Owners;
}): Promise<Tenant> {
  const owner = { organization, agent, user };
  const requester = new Requester(url, key.secret, (made) => owners.note(made, owner));
  owners.note(key.id, owner);
  const marker = () => nextMarker(sentences);
  const make = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    owners.note(JSON.stringify(body ?? null), owner);
    return requester.make<Body>(method, path, body);
  };
  const deleted = async (): Promise<string> => {
    const { id } = await make<{ id: string }>("POST", "/v1/conversations", { title: marker() });
    return (await make<{ id: string }>("DELETE", `/v1/conversations/${id}`)).id;
  };
  const keyId = async (): Promise<string> =>
    scopes.includes("admin")
      ? (await make<{ id: string }>("POST", "/v1/keys", { name: marker(), scopes: ["read"] })).id
      : key.id;

  // A key without the scope `admin` can create none, and can read none either.
  const { webhook_id } = scopes.includes("admin")
    ? await webhook(requester)
    : { webhook_id: "wh_00000000000000000000" };

  const samples: Sample[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const filters = {
      agent_id: agent ?? marker(),
      user_id: user ?? marker(),
      external_id: marker(),
    };
    const tags = [marker(), marker()];
    const metadata = { case: marker() };
    const { id: conversation_id } = await make<{ id: string }>("POST", "/v1/conversations", {
      ...filters,
      title: marker(),
      tags,
      metadata,
    });
    const said = Array.from({ length: MESSAGES }, () => sentences.next().value);
    const names = said.map(marker);
    const { message_ids } = await make<{ message_ids: string[] }>(
      "POST",
      `/v1/conversations/${conversation_id}/messages`,
      {
        messages: said.map(({ text }, m) => ({
          role: "user",
          content: text,
          name: names[m],
          external_id: marker(),
        })),
        wait: "indexed",
      },
    );
    const found = await make<{ results: { chunk_id: string | null }[] }>("POST", "/v1/search", {
      query: said[0]?.text,
      mode: "semantic",
      conversation_id,
    });
    const source = marker();
    const { agent_id, user_id } = filters;
    const noted = { source, tags, metadata, agent_id, user_id };
    // A memory for each message, and one for searches by unique word that is too short to be enriched.
    const { items } = await make<{ items: { id: string }[] }>("POST", "/v1/memories/bulk", {
      memories: [
        ...said.map(({ text }) => ({ ...noted, content: text, summary: SUMMARY })),
        { ...noted, content: marker() },
      ],
      wait: "indexed",
    });
    const shared = {
      ...filters,
      source,
      metadata,
      organization_id: organizationId,
      conversation_id,
      position: conversation_id,
      chunk_id: found.results[0]?.chunk_id,
      operation_id: await deleted(),
      key_id: await keyId(),
      webhook_id,
      delivery_id: firstDelivery(organizationId),
      ...(await entity(requester, { name: marker(), agent_id: filters.agent_id, user_id: filters.user_id })),
    };
    for (const [m, { marker: word, text }] of said.entries())
      samples.push({
        ...shared,
        tag: tags[m % 2],
        message_id: message_ids[m],
        memory_id: items[m]?.id ?? "",
        name: names[m],
        content: text,
        word,
        text,
      });
  }
  const own: Own = {
    organization_id: organizationId,
    operation_id: await deleted(),
    key_id: await keyId(),
    webhook_id,
    delivery_id: firstDelivery(organizationId),
    user_id: user ?? marker(),
    ...(await conversation(requester)),
    ...(await memory(requester)),
    ...(await entity(requester)),
  };
  const name = [
    `organization ${organization}`,
    ...(agent === null ? [] : [`agent ${agent}`]),
    ...(user === null ? [] : [`user ${user}`]),
  ].join(", ");
  return { name, organization, agent, user, scopes, requester, own, samples, cursors: new Map() };
}

/** Collects a cursor of every list, from data of the tenant that exceeds one page. */
async function collectCursors(tenant: Tenant, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations.filter((one) => mayCall(tenant, one))) {
    const isPaged = operation.slots.some(({ kinds }) => kinds.includes("cursor"));
    if (!isPaged || recipeOf(operation).fillsLater) continue;
    const conversation_id = tenant.samples[0]?.conversation_id ?? "";
    const parts = partsOf(operation, { ...tenant.own, conversation_id }, "", null);
    const { text } = await tenant.requester.send("rest", operation, parts);
    const found = [...text.matchAll(/"next_cursor":"([^"]+)"/g)].map(([, cursor = ""]) => cursor);
    if (found.length === 0) throw new Error(`${operation.id} answered no cursor: ${text}`);
    tenant.cursors.set(operation.id, found);
  }
}

export function mayCall({ scopes, agent, user }: Tenant, operation: Operation): boolean {
  if ((agent !== null || user !== null) && recipeOf(operation).notBound) return false;
  return operation.scopes?.every((scope) => scopes.includes(scope)) ?? false;
}

/** @throws {Error} When there is none. */
export function recipeOf({ id }: Operation): Recipe {
  const recipe = RECIPES[id];
  if (recipe === undefined) throw new Error(`${id} has no recipe; say in recipes.ts how it is called`);
  return recipe;
}

/** A request that succeeds, made of the tenant's own values. */
export function partsOf(operation: Operation, own: Own, variant: string, kind: Kind | null): Parts {
  const { query = {}, body } = recipeOf(operation);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const path = names.map((name) => {
    if (!(name in own)) throw new Error(`${operation.id}: no ${name} is known; give one in recipes.ts`);
    return [name, own[name as keyof Own]];
  });
  return { path: Object.fromEntries(path), query, headers: {}, body: body?.({ own, variant, kind }) };
}

const nextMarker = (sentences: Iterator<Sentence, never>): string => sentences.next().value.marker;

/** The variants of an operation's requests; one unnamed variant by default. */
export const variantsOf = (operation: Operation): readonly string[] => recipeOf(operation).variants ?? [""];

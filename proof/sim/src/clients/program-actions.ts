import { CACHE_MS, type GrantModel, type TokenModel } from "../model/grants.ts";
import { Write } from "../model/write.ts";
import type { Answer, World } from "../world.ts";
import { type Ask, Client } from "./client.ts";
import { getContext } from "./contexts.ts";
import { captureMemory, deleteMemory, updateMemory } from "./memories.ts";
import { connectProgram, exchange, mayBeUsed, pick, refreshTokens } from "./programs.ts";
import { getMemory, listMemories } from "./reads.ts";
import { searchMemories } from "./searches.ts";

/** Time between two looks at whether an organization can be written. */
const FROZEN_PAUSE_MS = 100;
/** About how long a refresh takes. */
const REFRESH_MS = 40;
/** Requests after which most isolates have a token in their cache. */
const CACHING_ASKS = 3;

/** Actions of a program with an access token, and their weights. */
const ACTION_WEIGHTS = {
  ...{
    captureMemory: 3,
    updateMemory: 1,
    deleteMemory: 1.5,
    getMemory: 1,
    listMemories: 2,
    searchMemories: 2,
  },
  ...{ getContext: 1, callTool: 3, waitForEvents: 2 },
};
const ACTIONS: Record<keyof typeof ACTION_WEIGHTS, (client: Client) => Promise<unknown>> = {
  ...{ captureMemory, updateMemory, deleteMemory, getMemory, listMemories, searchMemories },
  ...{ getContext, callTool, waitForEvents },
};

/** What happens to a program, and weights. */
const STEP_WEIGHTS = { actAsProgram: 5, refreshTokens: 3, endProgram: 2 };
const STEPS: Record<keyof typeof STEP_WEIGHTS, (client: Client) => Promise<void>> = {
  ...{ actAsProgram, endProgram },
  refreshTokens: (client) => refreshTokens(client),
};

/** Connects a program unless enough are, and lets it act, renew its tokens, and be ended. */
export async function usePrograms(client: Client): Promise<void> {
  const { organization, random, world } = client;
  if (random.chance(1 / (1 + organization.grants.filter((grant) => mayBeUsed(client, grant)).length)))
    await connectProgram(client);
  const steps = random.between(1, 4);
  for (let step = 0; step < steps; step++) {
    await world.clock.sleep(random.between(0, random.pick([100, 20_000])));
    await STEPS[random.weigh(STEP_WEIGHTS)](client);
  }
}

/** Acts as a program, which can do what both its grant and the key of its grant can do. */
async function actAsProgram(client: Client): Promise<void> {
  const grant = pick(
    client,
    client.organization.grants.filter((one) => mayBeUsed(client, one)),
  );
  const token = grant?.tokens.at(client.random.chance(0.7) ? -1 : 0);
  if (token === undefined) return;
  const program = programOf(client, token);
  for (let i = 0; i < 2; i++) await ACTIONS[client.random.weigh(ACTION_WEIGHTS)](program);
}

/** Uses a token of a grant that has ended: by REST, by MCP, and to get another token. */
export async function tryEndedProgram(
  client: Client,
  grant = pick(
    client,
    client.organization.grants.filter((one) => one.tokens.length > 0 && !mayBeUsed(client, one)),
  ),
): Promise<void> {
  const token = grant && pick(client, grant.tokens);
  if (!grant || !token) return;
  const program = programOf(client, token);
  await Promise.all([
    program.ask({ name: "try ended program", method: "GET", path: "/v1/memories?limit=1" }),
    callTool(program),
  ]);
}

/** Ends a grant, or narrows its key, in one of the ways there are, and then uses its tokens. */
async function endProgram(client: Client): Promise<void> {
  const { organization, random, world } = client;
  const grant = pick(
    client,
    organization.grants.filter((one) => mayBeUsed(client, one)),
  );
  const token = grant?.tokens.at(-1);
  if (grant === undefined || token === undefined) return;
  if (random.chance(0.7)) {
    const program = programOf(client, token);
    const ask: Ask = { name: "use program", method: "GET", path: "/v1/memories?limit=1" };
    await Promise.all(Array.from({ length: CACHING_ASKS }, () => program.ask(ask)));
  }
  const end = random.pick([deleteGrant, deleteGrant, revokeSigner, rotateSigner, narrowSigner, revokeTokens]);
  // The end may come between any two steps of a refresh.
  const refresh = random.chance(0.5) ? refreshTokens(client, grant) : null;
  if (refresh !== null) await world.clock.sleep(random.between(0, REFRESH_MS));
  await Promise.all([end(client, grant), refresh]);
  await Promise.all([tryEndedProgram(client, grant), tryEndedProgram(client, grant)]);
}

async function deleteGrant(client: Client, { endings, id }: GrantModel): Promise<void> {
  const write = new Write(client.step);
  endings.push(write);
  client.settle(
    write,
    await client.ask({ name: "delete grant", method: "DELETE", path: `/v1/grants/${id}` }),
  );
}

async function revokeSigner(client: Client, { signer }: GrantModel): Promise<void> {
  const write = new Write(client.step);
  signer.revocations.push({ write });
  const path = `/v1/keys/${signer.id}`;
  client.settle(write, await client.ask({ name: "revoke a person's key", method: "DELETE", path }));
}

async function rotateSigner(client: Client, { signer }: GrantModel): Promise<void> {
  const write = new Write(client.step);
  signer.revocations.push({ write });
  const path = `/v1/keys/${signer.id}/rotate`;
  const body = { overlap_seconds: 0 };
  client.settle(
    write,
    await client.ask({ name: "rotate a person's key", method: "POST", path, body, once: true }),
  );
}

/** As an operator does, since no operation changes the scopes of a key. Waits until no isolate has the former ones. */
async function narrowSigner({ organization, random, world }: Client, { signer }: GrantModel): Promise<void> {
  const { scopes: had, narrowed } = signer;
  const scopes = [random.pick(narrowed?.scopes ?? had)];
  const atMs = narrowed?.atMs ?? world.clock.nowMs();
  signer.narrowed = { scopes, atMs };
  while (isFrozen(world, organization.id)) await world.clock.sleep(FROZEN_PAUSE_MS);
  const sql = "UPDATE api_keys SET scopes = ?1 WHERE id = ?2";
  world.databaseOf(organization.id).transact([{ sql, binds: [JSON.stringify(scopes), signer.id] }]);
  await world.clock.sleep(CACHE_MS);
}

/** Whether the organization is about to move, so that nothing can be written. */
const isFrozen = (world: World, organizationId: string): boolean =>
  world
    .databaseOf(organizationId)
    .select("SELECT 1 FROM moves WHERE organization_id = ?1 AND phase = 'frozen'", organizationId).length > 0;

/** As a client does whose user disconnects: by a refresh token, or by the access token alone. */
async function revokeTokens(client: Client, grant: GrantModel): Promise<void> {
  const { clock } = client.world;
  const write = new Write(client.step);
  const token = grant.tokens.at(-1);
  const process = pick(client, grant.processes);
  if (token === undefined || process === undefined) return;
  const isAlone = client.random.chance(0.3);
  const ending = { write, doneMs: Number.POSITIVE_INFINITY };
  if (isAlone) token.endings.push(ending);
  else grant.endings.push(write);
  const secret = isAlone ? token.secret : process.refreshToken;
  const { answer } = await exchange(
    client,
    {
      ...{ name: isAlone ? "revoke access token" : "revoke refresh token", path: "/token" },
      form: Object.entries({ token: secret, client_id: grant.clientId }),
    },
    [200],
  );
  if (answer === null) return;
  ending.doneMs = clock.nowMs();
  // A refresh token that another one has replaced ends nothing.
  const mayBeReplaced = grant.hasLostRefresh || process.refreshToken !== secret;
  if (!isAlone && !mayBeReplaced) write.done = client.step;
}

const programOf = ({ model, organization, world }: Client, token: TokenModel): Client =>
  new Client(world, model, organization, { userId: token.grant.userId }, token);

/** Calls a tool over MCP. */
async function callTool(client: Client): Promise<void> {
  const [name, args, scope] = client.random.pick([
    ["recall_memory", { query: "refund" }, "search"],
    ["list_recent", {}, "read"],
  ] as const);
  await client.ask({
    ...{ name: "call tool", method: "POST", path: "/mcp?tools=memories,thoughts" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    ...{ scopes: [scope], isRepeatable: true, read: readToolResult },
  });
}

const STATUSES: Record<string, number> = { unauthenticated: 401, forbidden: 403, unavailable: 503 };

/** The answer with the status that the API would have had. */
function readToolResult(answer: Answer): Answer {
  const result = answer.status === 200 ? answer.body.result : undefined;
  if (result?.isError !== true) return answer;
  const [code] = String(result.content[0].text).split(":");
  return { ...answer, status: STATUSES[code ?? ""] ?? 500 };
}

/** Waits for an event of a type that is rare. */
async function waitForEvents(client: Client): Promise<void> {
  await client.ask({
    name: "wait for events",
    method: "GET",
    path: "/v1/events?after=0&type=summary.created&wait_seconds=5",
    expected: 410,
  });
}

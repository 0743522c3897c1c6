import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { principalOf } from "../../src/keys/queries.ts";
import { type McpTool, toTools } from "../../src/mcp/tools.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import type { Principal } from "../../src/platform/principal.ts";
import { run } from "../../src/platform/sql.ts";
import { createKey, operator } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";
import { connect, type Send, toArguments } from "../support/mcp.ts";
import { type Ids, requestFor } from "../support/requests.ts";
import { contractOfTool, createWorld, operations, scopesOf } from "../support/worlds.ts";

const TOOLS = toTools(contracts.openApiDocument());
const forKeys = operations.filter(([, contract]) => scopesOf(contract) !== null);

/** A key that is no longer valid, with an isolate that still has it in its cache. */
interface Ended {
  secret: string;
  ids: Ids;
  clock: Clock;
  service: Service;
  /** Puts the key back into the cache. All isolates of a test share one cache, from which the revocation removed it. */
  cacheAgain: () => void;
  isCached: () => boolean;
}

/** The ways to end a key, each through an isolate other than the one that is called later. */
const ENDS: Record<
  string,
  (
    elsewhere: Service,
    world: Awaited<ReturnType<typeof createWorld>>,
    key: { keyId: string },
  ) => Promise<void>
> = {
  "was revoked": async (elsewhere, { caller }, { keyId }) => {
    await elsewhere.callerOf(caller.secret).call(contracts.revokeKey, { params: { key_id: keyId } });
  },
  "was rotated without an overlap": async (elsewhere, { caller }, { keyId }) => {
    await elsewhere
      .callerOf(caller.secret)
      .call(contracts.rotateKey, { params: { key_id: keyId }, body: { overlap_seconds: 0 } });
  },
  "was deleted with its organization": async (elsewhere, { ids }) => {
    await elsewhere.callerOf(operator.secret).call(contracts.deleteOrganization, { params: { ...ids } });
  },
};

async function endElsewhere(end: (typeof ENDS)[string]): Promise<Ended> {
  const clock = new Clock();
  const world = await createWorld();
  const { secret, keyId } = await createKey(world.caller, { scopes: [...contracts.SCOPES] });
  const secretHash = await sha256Hex(secret);
  const principal = (await run(env.DB, principalOf({ secretHash }, clock.nowMs()))) as Principal;
  await end(new Service({}, clock), world, { keyId });
  const service = new Service({}, clock);
  const { principals } = service.context().caches;
  // An isolate that has the key cached also knows where its organization is.
  await service.context().placeOf(principal.organizationId);
  const cacheAgain = () => principals.set(secretHash, principal, clock.nowMs());
  const isCached = () => principals.get(secretHash, clock.nowMs()) !== null;
  return { secret, ids: world.ids, clock, service, cacheAgain, isCached };
}

describe.for(Object.entries(ENDS))("a key that %s in another isolate", ([, end]) => {
  let ended: Ended;
  beforeAll(async () => {
    ended = await endElsewhere(end);
  });

  test.for(forKeys)(
    "is rejected by %s in the next request, although this isolate has it cached",
    async ([name, contract]) => {
      ended.cacheAgain();
      const { service, secret, ids } = ended;
      const response = await service.fetch(secret, contract, requestFor(name, ids));
      // The detail of the check in the database. A key that is not cached is rejected with another detail.
      expect(await readProblem(contract, response)).toMatchObject({
        status: 401,
        detail: "The key was revoked or has expired. Use another key.",
      });
      // The check is part of the database call that the operation makes anyway.
      // A context makes several at the same time.
      const calls = name === "getContext" ? /desc="calls: \d"/ : 'desc="calls: 1"';
      expect(response.headers.get("server-timing")).toEqual(
        typeof calls === "string" ? expect.stringContaining(calls) : expect.stringMatching(calls),
      );
    },
  );

  test("is rejected by an operation that has nothing to read", async () => {
    ended.cacheAgain();
    const { service, secret } = ended;
    const response = await service.fetch(secret, contracts.getContext, { body: {} });
    expect(await readProblem(contracts.getContext, response)).toMatchObject({
      status: 401,
      detail: "The key was revoked or has expired. Use another key.",
    });
  });

  test("is rejected by every tool, and then by `/mcp` itself", async () => {
    const { service, secret, ids, cacheAgain } = ended;
    const send: Send = (path, init) => service.send(path, init);
    cacheAgain();
    const { client, call } = await connect(secret, undefined, send, "/mcp?tools=conversations,memories");
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(8);
    for (const { name } of tools) {
      cacheAgain();
      const tool = TOOLS.find((one) => one.name === name) as McpTool;
      const answer = await call(name, toArguments(tool, requestFor(contractOfTool(tool).operationId, ids)));
      expect(answer, name).toMatchObject({ isError: true });
      expect(answer.texts.join(), name).toContain("unauthenticated");
    }
    await expect(call("list_conversations")).rejects.toThrow("401");
  });

  test("is looked up again after it was rejected", async () => {
    ended.cacheAgain();
    await ended.service.fetch(ended.secret, contracts.listConversations);
    expect(ended.isCached()).toBe(false);
  });
});

test("an append that waits for indexing keeps its messages if its key is revoked meanwhile", async () => {
  const { caller, ids } = await createWorld();
  const key = await createKey(caller, { scopes: ["write"] });
  const elsewhere = new Service();
  const here = new Service({
    AI: {
      run: async (...input) => {
        const params = { key_id: key.keyId };
        await elsewhere.callerOf(caller.secret).call(contracts.revokeKey, { params });
        return env.AI.run(...input);
      },
    },
  });
  const body = { messages: [{ role: "user", content: "the walrus stays" }], wait: "indexed" };
  const appended = await here
    .callerOf(key.secret)
    .call(contracts.appendMessages, { params: { ...ids }, body });
  expect(appended).toMatchObject({ first_sequence: 3, indexed: true });
});

/**
 * The requirements of the Claude Agent SDK for a session store. Covers each contract of the conformance suite
 * in its repository (`examples/session-stores/shared/conformance.ts`), in our own words, and further promises
 * in the declarations of `SessionStore`.
 */
import { randomUUID } from "node:crypto";
import {
  InMemorySessionStore,
  type SessionStore,
  type SessionStoreEntry,
} from "@anthropic-ai/claude-agent-sdk";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { describe, expect, test } from "vitest";
import { client } from "./support/client.ts";

const entry = (type: string, more: object = {}): SessionStoreEntry => ({ type, ...more });

/** Keys of a session in a new project, with two subagents. */
function newSession() {
  const main = { projectKey: `-home-${randomUUID()}`, sessionId: randomUUID() };
  const agents = ["subagents/agent-1", "subagents/agent-2"] as const;
  const [one, two] = [
    { ...main, subpath: agents[0] },
    { ...main, subpath: agents[1] },
  ];
  const sibling = { ...main, sessionId: randomUUID() };
  const namesake = { ...main, projectKey: `-home-${randomUUID()}` };
  return { main, one, two, agents, sibling, namesake };
}

// The SDK's own store must pass too, so that no test asks for more than it does.
describe.for<[string, () => Required<Omit<SessionStore, "listSessionSummaries">>]>([
  ["InMemorySessionStore", () => new InMemorySessionStore()],
  ["EngramSessionStore", () => new EngramSessionStore(client)],
])("%s as a SessionStore of the Claude Agent SDK", ([, open]) => {
  test("a transcript is returned with its entries deep-equal and in order", async () => {
    const [store, { main }] = [open(), newSession()];
    const entries = [
      entry("user", { uuid: randomUUID(), nested: { list: [1, null, { empty: [] }] }, text: "\u0000 😀" }),
      entry("mode", { value: "plan" }),
      entry("user", { uuid: randomUUID(), parentUuid: null, isMeta: false }),
    ];
    await store.append(main, entries);
    expect(await store.load(main)).toStrictEqual(entries);
  });

  test("the list of sessions has only the project's, with the time of the last write in milliseconds", async () => {
    const [store, { main, sibling, namesake }] = [open(), newSession()];
    const before = Date.now();
    for (const key of [main, sibling, namesake]) await store.append(key, [entry("a")]);
    const sessions = await store.listSessions(main.projectKey);
    expect(sessions.map(({ sessionId }) => sessionId).sort()).toEqual(
      [main.sessionId, sibling.sessionId].sort(),
    );
    for (const { mtime } of sessions) {
      expect(Number.isInteger(mtime)).toBe(true);
      expect(mtime).toBeGreaterThanOrEqual(before);
    }
    expect(await store.listSessions(randomUUID())).toEqual([]);
  });

  test("the list of sessions does not include one that only a subagent wrote to", async () => {
    const [store, { main, one }] = [open(), newSession()];
    await store.append(one, [entry("a")]);
    expect(await store.listSessions(main.projectKey)).toEqual([]);
  });

  test("a transcript that was never written or is deleted is returned as null, and the deletion of an unknown one is ignored", async () => {
    const [store, { main, one, sibling }] = [open(), newSession()];
    for (const key of [main, one]) expect(await store.load(key)).toBeNull();
    await store.append(main, [entry("a")]);
    await store.delete(main);
    expect(await store.load(main)).toBeNull();
    await store.delete(main);
    await store.delete(sibling);
    await store.append(main, [entry("again")]);
    expect(await store.load(main)).toEqual([entry("again")]);
  });

  test("the deletion of a main transcript includes its subagents' transcripts, and no other session's", async () => {
    const [store, { main, one, two, sibling, namesake }] = [open(), newSession()];
    for (const key of [main, one, two, sibling, namesake]) await store.append(key, [entry("a")]);
    await store.delete(main);
    for (const key of [main, one, two]) expect(await store.load(key)).toBeNull();
    for (const key of [sibling, namesake]) expect(await store.load(key)).toEqual([entry("a")]);
    expect(await store.listSubkeys(main)).toEqual([]);
  });

  test("a subagent's transcript is separate from the main one, and can be deleted alone", async () => {
    const [store, { main, one, two, agents }] = [open(), newSession()];
    for (const key of [main, one, two]) await store.append(key, [entry("a")]);
    await store.delete(one);
    expect(await store.load(one)).toBeNull();
    for (const key of [main, two]) expect(await store.load(key)).toEqual([entry("a")]);
    expect(await store.listSubkeys(main)).toEqual([agents[1]]);
  });

  test("the list of subagents' transcripts has those of the session, without the main one, and of no other session", async () => {
    const [store, { main, one, two, agents, sibling, namesake }] = [open(), newSession()];
    for (const key of [main, one, two, sibling]) await store.append(key, [entry("a")]);
    expect(await store.listSubkeys(sibling)).toEqual([]);
    for (const key of [sibling, namesake])
      await store.append({ ...key, subpath: "subagents/agent-3" }, [entry("a")]);
    expect((await store.listSubkeys(main)).sort()).toEqual(agents);
  });

  // From the declarations: "persist entries in append-call order".
  test("a transcript keeps the order of concurrent appends", async () => {
    const [store, { main }] = [open(), newSession()];
    const entries = Array.from({ length: 20 }, (_, i) => entry("user", { uuid: randomUUID(), i }));
    await Promise.all(entries.map((one) => store.append(main, [one])));
    expect(await store.load(main)).toEqual(entries);
  });
});

// Tests that the SDK's own store does not pass.
describe("EngramSessionStore, beyond the common contract,", () => {
  test("writes nothing for an empty batch", async () => {
    const [store, { main }] = [new EngramSessionStore(client), newSession()];
    await store.append(main, []);
    expect(await store.load(main)).toBeNull();
    await store.append(main, [entry("a")]);
    await store.append(main, []);
    expect(await store.load(main)).toEqual([entry("a")]);
  });

  // The SDK's own store joins the parts with slashes, so the first three keys collide there.
  test("separates keys whose parts are equal when joined", async () => {
    const [store, project] = [new EngramSessionStore(client), randomUUID()];
    const keys = [
      { projectKey: project, sessionId: "a/b", subpath: "c" },
      { projectKey: project, sessionId: "a", subpath: "b/c" },
      { projectKey: `${project}/a`, sessionId: "b", subpath: "c" },
      { projectKey: project, sessionId: "a:b" },
      { projectKey: `${project}:a`, sessionId: "b" },
    ];
    for (const [i, key] of keys.entries()) await store.append(key, [entry(`${i}`)]);
    for (const [i, key] of keys.entries()) expect(await store.load(key)).toEqual([entry(`${i}`)]);
  });
});

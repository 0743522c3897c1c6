import { evictDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { appendText, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { connect, type Reader } from "../support/socket.ts";

type Evict = "hibernate" | "close" | null;

/** A session with every kind of frame, in which the hub is evicted between any two. Resolves to what the client got. */
async function runSession(evict: Evict): Promise<string[]> {
  const caller = await createOrganization();
  const id = await seedConversation(caller);
  const filter = { types: ["messages.appended"], conversation_id: id };
  const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(caller.organizationId);
  const got: string[] = [];
  let reader = await connect(caller.secret);
  let position: number | "now" = "now";
  let taken = 0;
  let presence: object | null | undefined;
  let isSubscribed = false;
  const subscribe = () => {
    isSubscribed = true;
    reader.send({ type: "subscribe", id: "a", after: position, filter });
  };

  /** Waits for frames of a type, and keeps what does not depend on time. */
  const take = async (
    type: contracts.ServerFrame["type"],
    isLast: (text: string) => boolean = () => true,
  ) => {
    const of = (frames: Reader["frames"]) => frames.slice(taken).filter((frame) => frame.type === type);
    await reader.until((frames) => of(frames).some((frame) => isLast(textOf(frame))));
    for (const frame of reader.frames.slice(taken)) {
      if (frame.type === "events") position = frame.to;
      if (textOf(frame) !== "") got.push(textOf(frame));
    }
    taken = reader.frames.length;
  };
  const between = async () => {
    if (evict === null) return;
    await evictDurableObject(hub, { webSockets: evict }).catch(() => {});
    if (evict === "hibernate") return;
    // The client connects again, and goes on where it was.
    await reader.closed;
    reader = await connect(caller.secret);
    taken = 0;
    if (isSubscribed) subscribe();
    if (presence !== undefined) {
      reader.send({
        type: "presence",
        conversation_id: id,
        state: presence as Record<string, unknown> | null,
      });
      await reader.until((frames) => frames.some(({ type }) => type === "presence"));
    }
    if (isSubscribed) await reader.until((frames) => frames.some(({ type }) => type === "events"));
    taken = reader.frames.length;
  };
  const append = (content: string) => appendText(caller, id, content);

  const steps = [
    async () => {
      subscribe();
      await take("events");
    },
    async () => {
      await append("one");
      await take("events", (text) => text.includes("1-1"));
    },
    async () => reader.send({ type: "ack", id: "a", to: Number(position) }),
    async () => {
      presence = { name: "first" };
      reader.send({ type: "presence", conversation_id: id, state: { name: "first" } });
      await take("presence");
    },
    async () => {
      await append("two");
      await take("events", (text) => text.includes("2-2"));
    },
    async () => {
      await caller.call(contracts.broadcast, { params: { conversation_id: id }, body: { value: { a: 1 } } });
      await take("broadcast");
    },
    async () => {
      await caller.call(contracts.setPresence, {
        params: { conversation_id: id },
        body: { state: { name: "by key" }, ttl_seconds: 60 },
      });
      await take("presence");
    },
    async () => {
      for (const content of ["three", "four", "five"]) await append(content);
      await take("events", (text) => text.includes("5-5"));
    },
    async () => {
      isSubscribed = false;
      reader.send({ type: "unsubscribe", id: "a" });
    },
    async () => {
      await append("six");
      presence = null;
      reader.send({ type: "presence", conversation_id: id, state: null });
      await take("presence");
    },
    async () => {
      subscribe();
      await take("events", (text) => text.includes("6-6"));
    },
  ];
  for (const step of steps) {
    await step();
    await between();
  }
  return got;
}

/** What a frame says, without ids, times and positions. Empty for one without events. */
function textOf(frame: contracts.ServerFrame): string {
  if (frame.type === "events")
    return frame.events.map((event) => `message ${event.first_sequence}-${event.last_sequence}`).join(", ");
  if (frame.type === "broadcast") return `broadcast ${JSON.stringify(frame.value)}`;
  if (frame.type !== "presence") return JSON.stringify(frame);
  return `presence ${JSON.stringify([...(frame.all ?? []), ...frame.joined].map(({ state }) => state))}`;
}

test.for(["hibernate", "close"] as const)(
  "the eviction of the hub (%s) between any two frames changes nothing that a client gets",
  async (evict) => {
    const usual = await runSession(null);
    expect(usual.filter((text) => text.startsWith("message")).join(", ")).toBe(
      [1, 2, 3, 4, 5, 6].map((sequence) => `message ${sequence}-${sequence}`).join(", "),
    );
    expect(usual.filter((text) => !text.startsWith("message"))).toHaveLength(4);
    const flat = (all: string[]) => all.flatMap((text) => text.split(", "));
    expect(flat(await runSession(evict))).toEqual(flat(usual));
  },
);

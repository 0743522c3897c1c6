import { evictDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { createRandom } from "../../../proof/support/random.ts";
import { scale } from "../../../proof/support/scale.ts";
import { appendText, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { connect, type Reader } from "../support/socket.ts";

const KILLS = scale(600, 40);

/** A reader as in the documentation: it saves a position with the events that it has read, and subscribes again. */
class ResumingReader {
  readonly sequences: number[] = [];
  #position = 0;
  #taken = 0;
  #socket: Reader | undefined;

  async reconnect(secret: string, filter: object): Promise<void> {
    this.#socket?.close();
    this.#socket = await connect(secret);
    this.#taken = 0;
    this.#socket.send({ type: "subscribe", id: "a", after: this.#position, filter });
  }

  /** Reads the frames that have arrived. */
  take(): void {
    const { frames = [] } = this.#socket ?? {};
    for (const frame of frames.slice(this.#taken)) {
      if (frame.type !== "events") throw new Error(JSON.stringify(frame));
      expect(frame.from).toBe(this.#position);
      this.sequences.push(...frame.events.map(({ sequence }) => sequence));
      this.#position = frame.to;
      this.#socket?.send({ type: "ack", id: "a", to: frame.to });
    }
    this.#taken = frames.length;
  }
}

test("a reader gets every event once and in order if the reader is killed, or the hub with or without its sockets", {}, async () => {
  const random = createRandom("live kills");
  const caller = await createOrganization();
  const id = await seedConversation(caller);
  const hub = (env.HUB as unknown as DurableObjectNamespace).getByName(caller.organizationId);
  const evict = (webSockets: "hibernate" | "close") =>
    evictDurableObject(hub, { webSockets }).catch((error: Error) => {
      // An evicted hub runs again only when something reaches it.
      if (!error.message.includes("not currently running")) throw error;
    });
  const filter = { types: ["messages.appended"] };
  const reader = new ResumingReader();
  await reader.reconnect(caller.secret, filter);
  for (let kill = 0; kill < KILLS; kill++) {
    const append = appendText(caller, id);
    if (random.next() < 0.5) await append;
    reader.take();
    const victim = random.pick(["reader", "hub", "hub and sockets"] as const);
    if (victim === "hub") await evict("hibernate");
    if (victim === "hub and sockets") await evict("close");
    if (victim !== "hub") await reader.reconnect(caller.secret, filter);
    await append;
  }
  const { after } = await caller.call(contracts.listEvents, { query: { after: "now" } });
  expect(after).toBeGreaterThan(KILLS);
  const log: number[] = [];
  for (let position = 0; position < after; ) {
    const page = await caller.call(contracts.listEvents, {
      query: { after: String(position), type: "messages.appended", limit: 500 },
    });
    log.push(...page.items.map(({ sequence }) => sequence));
    position = page.after;
  }
  await expect
    .poll(() => {
      reader.take();
      return reader.sequences.length;
    })
    .toBeGreaterThanOrEqual(log.length);
  expect(reader.sequences).toEqual(log);
});

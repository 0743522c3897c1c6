import * as contracts from "@engram/spec";
import type { Env } from "../../src/invocation.ts";
import { createOrganization } from "./client.ts";
import { Clock, Service } from "./invocations.ts";

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** An organization served by an isolate with its own clock. Reading its usage counts as a use in another isolate. */
export async function open(bindings: Partial<Env> = {}) {
  const owner = await createOrganization();
  const { items } = await owner.call(contracts.listKeys);
  const keyId = items[0]?.id ?? "";
  const clock = new Clock();
  // To noon, so that a day ends only where a test needs it.
  clock.advance(1.5 * DAY_MS - (clock.nowMs() % DAY_MS));
  const service = new Service(bindings, clock);
  const caller = service.callerOf(owner.secret);
  /** Lets time pass, and waits for work that begins meanwhile. */
  const pass = async (ms: number) => {
    await service.settle();
    await clock.pass(ms);
    await service.settle();
  };
  const usage = async () => (await owner.call(contracts.listUsage)).items;
  const ask = () => caller.call(contracts.listConversations);
  return { owner, keyId, clock, service, caller, pass, usage, ask };
}

export const dayOf = (clock: Clock) => new Date(clock.nowMs()).toISOString().slice(0, 10);

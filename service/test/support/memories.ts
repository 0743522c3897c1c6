import * as contracts from "@engram/spec";
import type { AiBinding } from "../../src/platform/ai.ts";
import { createOrganization, readPages } from "./client.ts";
import { env } from "./env.ts";
import { Clock, Service } from "./invocations.ts";

export const TEXT_MODEL = "test/writer";

/**
 * An organization of a service with its own clock, which goes on by a second with each write, and with a text model if
 * `answer` is given.
 */
export async function openMemories(answer?: object) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const AI = {
    run: async (model: string, input: never) =>
      model === TEXT_MODEL ? { response: answer } : env.AI.run(model, input),
  } as AiBinding;
  const service = new Service({ AI, ENRICHMENT_MODEL: answer === undefined ? "" : TEXT_MODEL }, clock);
  const caller = service.callerOf(secret);
  const [{ id: keyId } = { id: "" }] = (await caller.call(contracts.listKeys)).items;
  const capture = async (body: object) => {
    const memory = await caller.call(contracts.createMemory, { body });
    clock.advance(1_000);
    return memory;
  };
  const update = async (memory_id: string, body: object) => {
    const memory = await caller.call(contracts.updateMemory, { params: { memory_id }, body });
    clock.advance(1_000);
    return memory;
  };
  const versionsOf = async (memory_id: string, by = caller) =>
    (await readPages(by, contracts.listMemoryVersions, { params: { memory_id } })).flatMap(
      ({ items }) => items,
    );
  const now = () => new Date(clock.nowMs()).toISOString();
  return { caller, capture, clock, keyId, now, organizationId, secret, service, update, versionsOf };
}

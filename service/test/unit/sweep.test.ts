import { expect, test } from "vitest";
import { SWEEP_RUNS } from "../../src/enrichment/service.ts";
import { INVOCATIONS_MAX } from "../../src/indexing/sweep.ts";
import { SERVICE_LIMITS } from "../../src/limits.ts";
import { PURGE_INVOCATIONS_MAX } from "../../src/sweep.ts";
import { DELIVERY_INVOCATIONS_MAX } from "../../src/webhooks/deliveries.ts";

test("a sweep starts no more invocations than Cloudflare allows", () => {
  const started = INVOCATIONS_MAX + SWEEP_RUNS + PURGE_INVOCATIONS_MAX + DELIVERY_INVOCATIONS_MAX;
  expect(started).toBeLessThanOrEqual(32);
});

test("the sweeps of a minute leave calls of the text model for the requests of that minute", () => {
  expect(SWEEP_RUNS * SERVICE_LIMITS.enrichRunMemories).toBeLessThan(200);
});

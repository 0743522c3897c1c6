import type { LegacyWorkerOptions } from "miniflare";
import { bundleLocalWorker } from "./bundle.ts";

const NAME = "engram-local";

/**
 * The stand-ins as an extra Worker for @cloudflare/vitest-plugin: goes into `miniflare.workers`.
 *
 * Each test file gets its own runtime, so stored vectors, faults and counts of one do not reach another.
 */
export async function localTestWorker(compatibilityDate = "2026-11-01"): Promise<LegacyWorkerOptions> {
  return {
    name: NAME,
    compatibilityDate,
    modules: await bundleLocalWorker(),
    modulesRoot: "/",
    durableObjects: { VECTOR_STORE: { className: "VectorStore", useSQLite: true } },
  };
}

/** Bindings of the Worker under test to the stand-ins: goes into `miniflare.serviceBindings`. */
export const LOCAL_TEST_BINDINGS = {
  AI: { name: NAME, entrypoint: "LocalAI" },
  VECTORIZE: { name: NAME, entrypoint: "LocalVectorize" },
  CONTROL: { name: NAME, entrypoint: "LocalControl" },
};

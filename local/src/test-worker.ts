import type { LegacyWorkerOptions } from "miniflare";
import { bundleLocalWorker } from "./bundle.ts";

const NAME = "engram-local";

/**
 * The Worker that replaces Workers AI and Vectorize, for the option `miniflare.workers` of a test
 * configuration. Test files that run in one workerd share vectors, faults and counts, so each must reset them
 * when it begins.
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

/** Bindings to this Worker, for the option `miniflare.serviceBindings`. */
export const LOCAL_TEST_BINDINGS = {
  AI: { name: NAME, entrypoint: "LocalAI" },
  VECTORIZE: { name: NAME, entrypoint: "LocalVectorize" },
  CONTROL: { name: NAME, entrypoint: "LocalControl" },
};

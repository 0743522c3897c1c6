import type { LegacyWorkerOptions } from "miniflare";
import { bundleLocalWorker } from "./bundle.ts";

const NAME = "engram-local";

/**
 * The Worker that replaces Workers AI and Vectorize, in the form of the option `miniflare.workers` of
 * @cloudflare/vitest-plugin.
 *
 * Test files that run in one workerd share its vectors, faults and counts, so each must reset them when it begins.
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

/** Bindings of the tested Worker to that Worker, for the option `miniflare.serviceBindings`. */
export const LOCAL_TEST_BINDINGS = {
  AI: { name: NAME, entrypoint: "LocalAI" },
  VECTORIZE: { name: NAME, entrypoint: "LocalVectorize" },
  CONTROL: { name: NAME, entrypoint: "LocalControl" },
};

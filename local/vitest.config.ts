import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { LOCAL_TEST_BINDINGS, localTestWorker } from "./src/test-worker.ts";

/** Tests of the stand-ins and the embedder; those of the start script are in vitest.start.config.ts. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/*.test.ts"] } },
      {
        plugins: [
          cloudflareTest(async () => ({
            // Verbose, workerd prints every refusal that the tests ask for as an uncaught exception.
            verbose: false,
            miniflare: {
              compatibilityDate: "2026-11-01",
              serviceBindings: LOCAL_TEST_BINDINGS,
              workers: [await localTestWorker()],
            },
          })),
        ],
        test: { name: "workerd", include: ["test/workerd/*.test.ts"] },
      },
    ],
  },
});

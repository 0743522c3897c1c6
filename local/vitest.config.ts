import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { LOCAL_TEST_BINDINGS, localTestWorker } from "./src/test-worker.ts";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/*.test.ts"], isolate: false } },
      // These start the real service in processes of its own, three at a time in a file.
      {
        test: {
          name: "start",
          include: ["test/start/**/*.test.ts"],
          maxConcurrency: 3,
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            // Verbose, workerd prints every refusal that the tests ask for as an uncaught exception.
            verbose: false,
            main: "./test/workerd/worker.ts",
            miniflare: {
              compatibilityDate: "2026-11-01",
              d1Databases: ["DB"],
              durableObjects: { DATABASE: { className: "Database", useSQLite: true } },
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

import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { LOCAL_TEST_BINDINGS, localTestWorker } from "@engram/local/test-worker";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const migrations = await readD1Migrations(fileURLToPath(new URL("../migrations", import.meta.url)));

/** Tests that also run with each organization in a cell; in `npm run test:full`, all do. These reach every table. */
const IN_CELLS = ["conversations", "messages"];

/** Tests that run in workerd, with new organizations in D1 or in cells. */
const workerdProject = (
  name: string,
  { include, place }: { include: string[]; place: "d1" | "cell" },
): TestProjectInlineConfiguration => ({
  plugins: [
    cloudflareTest(async () => ({
      // Verbose, workerd prints every refusal that the tests ask for as an uncaught exception.
      verbose: false,
      main: "./test/support/worker.ts",
      miniflare: {
        compatibilityDate: "2026-11-01",
        // As `wrangler` imports them.
        modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
        d1Databases: ["DB", "REPLAY_DB"],
        r2Buckets: ["ARCHIVES"],
        durableObjects: {
          CELLS: { className: "Cell", useSQLite: true },
          HUB: { className: "Hub", useSQLite: true },
          CELLS_ELSEWHERE: { className: "CellElsewhere", useSQLite: true },
          HUB_ELSEWHERE: { className: "HubElsewhere", useSQLite: true },
          DATABASE: { className: "Database", useSQLite: true },
        },
        ratelimits: {
          KEY_RATE_LIMIT: { namespace_id: "1001", simple: { limit: 1_000_000, period: 10 } },
          ORGANIZATION_RATE_LIMIT: { namespace_id: "1002", simple: { limit: 1_000_000, period: 10 } },
        },
        bindings: {
          RATE_LIMIT_POLICY: '"key";q=1000000;w=10, "organization";q=1000000;w=10',
          EMBEDDING_MODEL: "engram/use-pieces-256d-int8",
          EMBEDDING_DIMENSIONS: "256",
          RERANK_MODEL: "@cf/baai/bge-reranker-base",
          ENRICHMENT_MODEL: "engram/extractive-1",
          ALLOWED_HOSTS: "",
          ADMIN_TOKEN: "engram_admin_test",
          DEFAULT_PLACE: place,
          MIGRATIONS: migrations,
          REPLAYS: place === "d1" ? (process.env.ENGRAM_FULL ?? "") : "",
        },
        serviceBindings: {
          ...LOCAL_TEST_BINDINGS,
          ASSETS: (request: { url: string }) => new Response(new URL(request.url).pathname) as never,
        },
        workers: [await localTestWorker()],
      },
    })),
  ],
  test: {
    name,
    include,
    // One workerd runs many files, because its start takes two seconds.
    isolate: false,
    setupFiles: ["./test/support/migrate.ts"],
  },
});

export default defineConfig({
  test: {
    // vitest leaves a core to itself, and on two that is half of them.
    maxWorkers: "100%",
    // The service writes a line a request.
    silent: "passed-only",
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.ts"], isolate: false } },
      { test: { name: "node", include: ["test/node/**/*.test.ts"] } },
      workerdProject("workerd", { include: ["test/{integration,conformance}/**/*.test.ts"], place: "d1" }),
      workerdProject("cells", {
        include: process.env.ENGRAM_FULL
          ? ["test/{integration,conformance}/**/*.test.ts"]
          : IN_CELLS.map((name) => `test/integration/${name}.test.ts`),
        place: "cell",
      }),
    ],
  },
});

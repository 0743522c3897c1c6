import { defineConfig } from "vitest/config";

// Types are tested by `pnpm check`: the compiler reads test/types.test-d.ts.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "../proof/support/shared-service.ts",
    isolate: false,
    testTimeout: 20_000,
  },
});

import { defineConfig } from "vitest/config";

// Types are tested by `pnpm check`: the compiler reads test/types.test-d.ts.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/no-jitter.ts"],
    globalSetup: "../proof/support/project-service.ts",
    isolate: false,
  },
});

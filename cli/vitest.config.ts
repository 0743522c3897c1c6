import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "../proof/support/shared-service.ts",
    // Files share what they import, and the processes that run the program.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

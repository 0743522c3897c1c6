import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    globalSetup: "../proof/support/shared-service.ts",
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "../support/shared-service.ts",
    isolate: false,
    testTimeout: 20_000,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  // One service serves all files.
  test: { include: ["test/**/*.test.ts"], globalSetup: "test/support/service.ts", testTimeout: 20_000 },
});

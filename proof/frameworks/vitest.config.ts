import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/**/*.test.ts"], globalSetup: "../support/shared-service.ts", testTimeout: 20_000 },
});

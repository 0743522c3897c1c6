import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/*.test.ts"],
    // vitest leaves a core to itself, and on two that is half of them.
    maxWorkers: "100%",
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});

import { defineConfig } from "vitest/config";

/** Tests of the start script: they run in Node and start the real service, some at a time. */
export default defineConfig({
  test: {
    name: "start",
    root: import.meta.dirname,
    include: ["test/start/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxConcurrency: 3,
  },
});

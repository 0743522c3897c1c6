import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import cli from "./cli/vitest.config.ts";
import console from "./console/vitest.config.ts";
import deploy from "./deploy/vitest.config.ts";
import examples from "./examples/vitest.config.ts";
import local from "./local/vitest.config.ts";
import bench from "./proof/bench/vitest.config.ts";
import frameworks from "./proof/frameworks/vitest.config.ts";
import sim from "./proof/sim/vitest.config.ts";
import trials from "./proof/trials/vitest.config.ts";
import scripts from "./scripts/vitest.config.mjs";
import sdk from "./sdk/vitest.config.ts";
import sentences from "./sentences/vitest.config.ts";
import service from "./service/vitest.config.ts";
import site from "./site/vitest.config.ts";

const packages = {
  service,
  local,
  sentences,
  deploy,
  sdk,
  cli,
  console,
  "proof/frameworks": frameworks,
  "proof/bench": bench,
  "proof/sim": sim,
  "proof/trials": trials,
  examples,
  site,
  scripts,
};

const isFull = process.env.ENGRAM_FULL === "1";

/** Only a test that hangs reaches it. At full size, tests start services and run for minutes. */
const TIMEOUT_MS = isFull ? 600_000 : 60_000;

const SEED_FILE = fileURLToPath(new URL("proof/support/seed.ts", import.meta.url));

/** All tests in one run. vitest has no nested projects, so those of a package are listed one by one. */
export default defineConfig({
  test: {
    // vitest leaves a core to itself, and on two that is half of them.
    maxWorkers: "100%",
    // The service writes a line a request.
    silent: "passed-only",
    projects: Object.entries(packages).flatMap(([folder, config]) =>
      (config.test?.projects ?? [config]).map((project) => ({
        ...project,
        root: folder,
        test: {
          ...project.test,
          name: [folder, project.test?.name].filter(Boolean).join(" "),
          exclude: isFull ? configDefaults.exclude : [...configDefaults.exclude, "**/*.proof.test.*"],
          // workerd does not see the environment of the process.
          env: { ENGRAM_FULL: isFull ? "1" : "", ENGRAM_SEED: process.env.ENGRAM_SEED ?? "" },
          setupFiles: [SEED_FILE, ...(project.test?.setupFiles ?? [])],
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          expect: { poll: { timeout: TIMEOUT_MS } },
        },
      })),
    ),
  },
});

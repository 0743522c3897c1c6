import { relative } from "node:path";
import { root } from "./commands.mjs";

/** The folders that have tests. */
export const PACKAGES = [
  "service",
  "local",
  "deploy",
  "sdk",
  "cli",
  "proof/frameworks",
  "proof/bench",
  "proof/sim",
  "proof/trials",
  "examples",
  "site",
  "scripts",
];

/** The files that take longest, in order, so that none of them starts last and runs alone. */
const LONGEST = [
  "proof/sim/test/mutations.test.ts",
  "service/test/node/mcp-conformance.test.ts",
  "deploy/test/wrangler.test.ts",
  "local/test/start/ending.test.ts",
  "local/test/start/embeddings.test.ts",
  "examples/test/examples.test.ts",
  "site/test/pages.test.ts",
  "sdk/test/rate-limits.test.ts",
  "service/test/node/access.test.ts",
  "sdk/test/reference.test.ts",
  "proof/frameworks/test/reference.test.ts",
  "deploy/test/reindex.test.ts",
  "local/test/start/start.test.ts",
  "proof/sim/test/seeds.test.ts",
  "proof/sim/test/load.test.ts",
  "cli/test/mcp.test.ts",
  "cli/test/import.test.ts",
  "cli/test/obsidian.test.ts",
  "proof/bench/test/speed.test.ts",
  "service/test/integration/literal-input.test.ts",
  "service/test/integration/paging.test.ts",
  "service/test/integration/read-your-writes.test.ts",
  "service/test/integration/rows-read.test.ts",
  "service/test/integration/steps.test.ts",
  "service/test/integration/imports.test.ts",
  "service/test/integration/enrichment.test.ts",
  "service/test/integration/indexing-failures.test.ts",
  "service/test/integration/bad-input.test.ts",
  "service/test/integration/reembedding.test.ts",
  "service/test/integration/memory-transfer.test.ts",
];

const rank = new Map(LONGEST.map((file, i) => [file, i]));
const rankOf = ({ moduleId }) => rank.get(relative(root, moduleId).replaceAll("\\", "/")) ?? LONGEST.length;

/**
 * A vitest sequencer: longest files first, then the files that share a workerd, then the others by project.
 * A worker is reused only by the next file of the same project.
 */
export default class {
  async sort(specs) {
    const blockOf = (spec) => {
      if (spec.project.name === "service workerd") return 1;
      return rankOf(spec) < LONGEST.length ? 0 : 2;
    };
    return specs.toSorted(
      (a, b) =>
        blockOf(a) - blockOf(b) ||
        (blockOf(a) === 2 && a.project.name.localeCompare(b.project.name)) ||
        rankOf(a) - rankOf(b),
    );
  }

  async shard(specs) {
    return specs;
  }
}

// Enforces the architecture: which part of the project may import which, checked on import lines.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { root } from "./commands.mjs";

const FRAMEWORKS = {
  ai: ["ai"],
  "claude-agent": ["@anthropic-ai/claude-agent-sdk"],
  "cloudflare-agents": ["agents"],
  langchain: ["@langchain/core", "@langchain/langgraph-checkpoint"],
  mastra: ["@mastra/core"],
  "openai-agents": ["@openai/agents-core"],
};

/** Allowed import targets for the files under `in`. The first matching rule applies. */
export const RULES = [
  { in: "spec/src", may: ["spec/src", "@hono/zod-openapi"] },
  {
    in: "service/src/queries",
    may: [
      ...["queries", "text", "context.ts", "ids.ts", "limits.ts"].map((at) => `service/src/${at}`),
      "@engram/spec",
    ],
  },
  {
    in: "service/src/text",
    may: [
      ...["service/src/text", "service/src/errors.ts", "@engram/spec"],
      ...["markdown-it", "pako", "wink-porter2-stemmer"],
    ],
  },
  {
    in: "service/src/ranking",
    may: ["service/src/ranking", "service/src/text", "service/src/queries", "@engram/spec"],
  },
  {
    in: "service/src/ports",
    may: ["service/src/ports", "service/src/text", "service/src/digest.ts", "@hono/zod-openapi", "jose"],
  },
  {
    in: "service/src/indexing",
    may: [
      ...["indexing", "queries", "ports", "text", "context.ts", "digest.ts", "ids.ts"].map(
        (at) => `service/src/${at}`,
      ),
      "@engram/spec",
    ],
  },
  {
    in: "service/src/services",
    may: [
      ...["services", "queries", "indexing", "ranking", "ports", "text"].map((at) => `service/src/${at}`),
      ...["context.ts", "digest.ts", "errors.ts", "ids.ts", "limits.ts", "runtime.ts"].map(
        (file) => `service/src/${file}`,
      ),
      "@engram/spec",
    ],
  },
  {
    in: "service/src/handlers",
    may: [
      ...["handlers", "services", "context.ts", "errors.ts"].map((at) => `service/src/${at}`),
      ...["@engram/spec", "@hono/zod-openapi", "hono"],
    ],
  },
  {
    in: "service/src/mcp",
    may: [
      ...["mcp", "middleware", "text", "context.ts", "errors.ts"].map((at) => `service/src/${at}`),
      ...["@engram/spec", "@hono/zod-openapi", "@modelcontextprotocol/server", "hono"],
    ],
  },
  { in: "service/src/worker.ts", may: ["service/src", "cloudflare:workers"] },
  { in: "service/src", may: ["service/src", "@engram/spec", "@hono/zod-openapi", "hono", "zod"] },
  { in: "local/src/test-worker.ts", may: ["local/src", "miniflare"] },
  {
    in: "local/src/start",
    may: ["local/src", "@cloudflare/workers-types", "esbuild", "miniflare", "node:", "smol-toml"],
  },
  {
    in: "local/src",
    may: [
      ...["local/src", "local/assets", "cloudflare:", "compromise", "esbuild", "miniflare", "node:"],
      ...["smol-toml", "wink-porter2-stemmer"],
    ],
  },
  {
    in: "deploy/src",
    may: [
      ...["deploy/src", "@engram/local/docs-assets", "@engram/local/indexed-values"],
      ...["@engram/sdk", "node:", "smol-toml", "zod"],
    ],
  },
  // The client knows no framework, and each adapter only its own.
  ...Object.entries(FRAMEWORKS).flatMap(([adapter, frameworks]) =>
    [`${adapter}.ts`, adapter].map((at) => ({
      in: `sdk/src/adapters/${at}`,
      may: ["sdk/src", ...frameworks],
    })),
  ),
  { in: "sdk/src", may: ["sdk/src", "openapi-fetch"] },
  // Importers only parse files: they know nothing of commands or of the service.
  { in: "cli/src/importers", may: ["cli/src/importers", "@engram/sdk", "node:", "stream-json", "yaml"] },
  {
    in: "cli/src",
    may: [
      ...["cli/src", "cli/package.json", "@engram/sdk", "@modelcontextprotocol/client", "node:"],
      ...["@modelcontextprotocol/server", "commander", "jsonc-parser", "smol-toml", "yauzl"],
    ],
  },
  {
    in: "bench/src/sdk",
    may: ["bench/src/sdk", "scripts/pack.ts", "sdk/package-problems.ts", "esbuild", "node:"],
  },
  {
    in: "bench/src",
    may: [
      ...["bench/src", "local/src/embedder", "local/src/vectorize/row-memory.ts", "scripts/own-service.ts"],
      ...["local/src/enricher", "local/src/enrichment", "service/src/ports/enricher.ts"],
      ...["index-words.ts", "pace.ts"].map((file) => `service/src/text/${file}`),
      ...["@engram/sdk", "node:"],
    ],
  },
  {
    in: "sim/src",
    may: [
      ...[
        "app.ts",
        "context.ts",
        "limits.ts",
        "ports",
        "services/enrichment.ts",
        "services/indexing.ts",
        "services/sweep.ts",
        "services/usage-counts.ts",
        // The terms that the keyword index must hold when all work is complete.
        "text/index-words.ts",
        "text/pace.ts",
      ].map((at) => `service/src/${at}`),
      ...["checks.ts", "filters.ts", "indexed-values.ts"].map((at) => `local/src/vectorize/${at}`),
      ...["sim/src", "esbuild", "node:", "pure-rand"],
    ],
  },
  // Programs that a trial starts may be the service itself; the trials know nothing of its internals.
  { in: "trials/src/support/served", may: ["trials/src", "local/src", "service/src/worker.ts", "node:"] },
  {
    in: "trials/src",
    may: [
      "trials/src",
      "bench/src/chats/random.ts",
      "bench/src/command/progress.ts",
      "bench/src/speed/resident.ts",
    ].concat(["@engram/sdk", "node:"]),
  },
  {
    in: "examples/frameworks",
    may: ["examples/frameworks", "@engram/sdk", "node:", ...Object.values(FRAMEWORKS).flat()],
  },
  {
    in: "site",
    may: [
      "site",
      "scripts/own-service.ts",
      "node:",
      "typedoc",
      "typedoc-plugin-markdown",
      "vitepress",
    ].concat(["vitepress-plugin-llms", "vitest"]),
  },
  { in: "examples/mcp-client", may: ["@modelcontextprotocol/client", "node:"] },
  {
    in: "examples/refund-triage",
    may: ["examples/refund-triage", "@engram/sdk", "@modelcontextprotocol/client", "node:"],
  },
  {
    in: "frameworks/test",
    may: [
      "frameworks/test",
      "scripts/own-service.ts",
      "scripts/reference.ts",
      "@engram/sdk",
      "node:",
      "vitest",
      "zod",
      "esbuild",
      "miniflare",
      "@langchain/langgraph",
      ...Object.values(FRAMEWORKS).flat(),
    ],
  },
  { in: "examples", may: ["examples", "scripts/own-service.ts", "@engram/sdk", "node:", "vitest"] },
];

const IMPORT = /^(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** The imports of a file that no rule allows, as `file imports target`. */
export function forbiddenImports(file, source, rules = RULES) {
  const rule = rules.find(({ in: place }) => file === place || file.startsWith(`${place}/`));
  if (rule === undefined) return [];
  const targets = [...source.matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c);
  return targets
    .map((target) =>
      target.startsWith(".") ? posix(relative(root, resolve(root, dirname(file), target))) : target,
    )
    .filter(
      (target) =>
        !rule.may.some(
          (place) => target === place || target.startsWith(place.endsWith(":") ? place : `${place}/`),
        ),
    )
    .map((target) => `${file} imports ${target}`);
}

/** Check every source file. @throws with all forbidden imports. */
export function checkImports() {
  const folders = [...new Set(RULES.map(({ in: place }) => place.split("/")[0]))];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() && /\.(ts|mjs)$/.test(entry.name) && !entry.parentPath.includes("node_modules"),
      )
      .map((entry) => posix(relative(root, join(entry.parentPath, entry.name)))),
  );
  const forbidden = files.flatMap((file) => forbiddenImports(file, readFileSync(join(root, file), "utf8")));
  if (forbidden.length > 0) throw new Error(`forbidden imports:\n  ${forbidden.join("\n  ")}`);
  console.log(`\n> imports: ${files.length} files keep their directions`);
}

const posix = (path) => path.split(sep).join("/");

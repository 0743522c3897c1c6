// The architecture: which part of the project may import which.
const FRAMEWORKS = {
  ai: ["ai"],
  "claude-agent": ["@anthropic-ai/claude-agent-sdk"],
  "cloudflare-agents": ["agents"],
  langchain: ["@langchain/core", "@langchain/langgraph-checkpoint"],
  mastra: ["@mastra/core"],
  "openai-agents": ["@openai/agents-core"],
};

/** The folders of the service. A folder imports only folders before it. */
const FOLDERS = [
  // Know no noun.
  ...["text", "platform", "http"],
  // Tables that several nouns write or read.
  ...[
    "audit",
    "holds",
    "jobs",
    "keyword-index",
    "sources",
    "versions",
    "filters",
    "entities",
    "sharing",
    "usage",
    "events",
    "tombstones",
    "archives",
    "summaries",
    "recalls",
  ],
  // Work in the background.
  ...["operations", "enrichment", "indexing"],
  // What is stored, and who may access it.
  ...["health", "grants", "keys", "messages", "conversations", "memories"],
  // What is done with all of it.
  ...[
    "search",
    "contexts",
    "evaluations",
    "live",
    "organizations",
    "deletions",
    "retention",
    "sign-in-codes",
    "members",
    "replays",
    "transfer",
    "users",
    "moves",
  ],
  ...["webhooks", "mcp", "openai", "oauth"],
];
const NOUNS = FOLDERS.filter(
  (folder) => !["text", "platform", "http", "mcp", "openai", "oauth"].includes(folder),
);

/** Files of a noun, besides its `service.ts`, that other nouns may use. */
const SHARED = {
  jobs: ["queries", "window-size"],
  "keyword-index": ["late-words", "queries"],
  filters: ["moments", "moments-queries", "queries", "scans-queries"],
  holds: ["queries"],
  sources: ["queries"],
  conversations: ["fields", "queries"],
  members: ["cells"],
  messages: ["fields", "pages", "pages-queries", "queries", "records"],
  memories: ["captures-queries", "fields", "queries"],
  search: ["prepared-query"],
  contexts: ["heads-queries"],
  tombstones: ["hashes", "queries"],
  archives: ["queries"],
  evaluations: ["queries"],
  grants: ["records", "server"],
  recalls: ["answers", "fields", "queries", "rules"],
  events: ["queries"],
  versions: ["queries"],
  entities: ["mentions-queries"],
  sharing: ["queries"],
  indexing: ["append-runs", "memory-runs"],
  operations: ["moves-queries", "queries"],
  summaries: ["jobs-queries", "queries", "run"],
  organizations: ["queries"],
  keys: ["authorize", "queries", "secrets"],
  webhooks: ["urls"],
};

const src = (at) => `service/src/${at}`;
/** Files that queries may import: other queries, and the table of a noun's fields. */
const isQueries = (file) => /(^|-)queries$|^fields$/.test(file);
const sharedWith = (noun, isWanted = () => true) =>
  NOUNS.filter((other) => other !== noun).flatMap((other) =>
    [...(SHARED[other] ?? []), "service"].filter(isWanted).map((file) => `${other}/${file}.ts`),
  );

/** Allowed import targets for the files under `in`, each a path or a pattern. The first matching rule applies. */
const RULES = [
  { in: "spec/src", may: ["spec/src", "@hono/zod-openapi"] },
  {
    in: src("live/hub.ts"),
    may: [
      ...["live", "platform", "conversations/queries.ts", "events/service.ts", "usage/service.ts"].map(src),
      ...["invocation.ts", "errors.ts", "isolate.ts"].map(src),
      "@engram/spec",
    ],
  },
  {
    in: src("live/socket.ts"),
    may: [
      ...["live", "http", "keys/authorize.ts", "invocation.ts", "errors.ts"].map(src),
      "@engram/spec",
      "@hono/zod-openapi",
      "hono",
    ],
  },
  // Checks the key of a request, for the routes of all nouns.
  {
    in: src("keys/authorize.ts"),
    may: [
      ...["keys", "grants/records.ts", "platform", "invocation.ts", "errors.ts"].map(src),
      ...["http/headers.ts", "http/public-urls.ts"].map(src),
      ...["@engram/spec", "hono"],
    ],
  },
  // Where the OAuth library meets the database.
  {
    in: /^service\/src\/grants\/(records|server)\.ts$/,
    may: [
      ...["grants", "platform", "invocation.ts"].map(src),
      ...["@cloudflare/workers-oauth-provider", "@engram/spec"],
    ],
  },
  ...NOUNS.flatMap((noun) => [
    {
      in: new RegExp(`^${src(noun)}/[a-z-]*\\broutes\\.ts$`),
      may: [
        new RegExp(`^${src(noun)}/(?![a-z-]*\\bqueries\\.ts)`),
        ...[...sharedWith(noun, (file) => !isQueries(file)), "http", "invocation.ts", "errors.ts"].map(src),
        ...["@engram/spec", "@hono/zod-openapi", "hono"],
      ],
    },
    {
      in: new RegExp(`^${src(noun)}/[a-z-]*\\bqueries\\.ts$`),
      may: [
        new RegExp(`^${src(noun)}/([a-z-]*\\bqueries|fields)\\.ts$`),
        ...sharedWith(noun, isQueries).map(src),
        ...[
          "batch",
          "cursors",
          "fields",
          "idempotency-queries",
          "ids",
          "pages",
          "preconditions",
          "principal",
          "recent-upserts",
          "recorded-events",
          "round-robin",
          "scans",
          "sql",
          "totals",
        ].map((file) => src(`platform/${file}.ts`)),
        // Row types of the algorithms that read them, and constants.
        ...["search/ranking", "jobs/window-size.ts"].map(src),
        ...["text", "invocation.ts", "limits.ts"].map(src),
        "@engram/spec",
      ],
    },
    // Algorithms over values: they know nothing of rows, requests or ports.
    { in: src("search/ranking"), may: [src("search/ranking"), src("text"), "@engram/spec"] },
    {
      in: src(noun),
      may: [
        new RegExp(`^${src(noun)}/(?![a-z-]*\\broutes\\.ts)`),
        ...[...sharedWith(noun), "platform", "text", "invocation.ts", "errors.ts", "limits.ts"].map(src),
        "@engram/spec",
      ],
    },
  ]),
  {
    in: "service/src/text",
    may: [
      ...["service/src/text", "service/src/errors.ts", "@engram/spec"],
      ...["@orama/stemmers", "markdown-it", "node:zlib", "wink-porter2-stemmer"],
    ],
  },
  {
    in: "service/src/platform",
    may: [
      ...["platform", "text", "errors.ts", "limits.ts", "invocation.ts"].map(src),
      ...["@engram/spec", "@hono/zod-openapi", "jose", "node:crypto", "oauth4webapi"],
    ],
  },
  {
    in: "service/src/mcp",
    may: [
      ...["mcp", "http", "text", "keys/authorize.ts", "grants/server.ts"].map(src),
      ...["invocation.ts", "errors.ts"].map(src),
      ...["@engram/spec", "@hono/zod-openapi", "@modelcontextprotocol/server", "hono"],
    ],
  },
  // Another form of the operations of these nouns.
  {
    in: "service/src/openai",
    may: [
      ...["openai", "http", "platform", "invocation.ts", "errors.ts"].map(src),
      ...["conversations/service.ts", "deletions/service.ts"].map(src),
      ...["messages/pages.ts", "messages/service.ts"].map(src),
      ...["@engram/spec", "@hono/zod-openapi", "hono"],
    ],
  },
  {
    in: "service/src/oauth",
    may: [
      ...["oauth", "http", "platform", "invocation.ts", "errors.ts"].map(src),
      ...["grants/records.ts", "grants/records-queries.ts", "grants/server.ts", "grants/service.ts"].map(src),
      ...["keys/service.ts", "keys/secrets.ts", "members/identities.ts"].map(src),
      ...["sign-in-codes/service.ts", "webhooks/urls.ts"].map(src),
      ...["@cloudflare/workers-oauth-provider", "@engram/spec", "@hono/zod-openapi", "hono"],
    ],
  },
  {
    in: "service/src/http",
    may: [
      ...["http", "platform", "text", "invocation.ts", "errors.ts", "limits.ts"].map(src),
      ...["@engram/spec", "@hono/swagger-ui", "@hono/zod-openapi", "hono", "zod"],
    ],
  },
  // These put the service together.
  {
    in: /^service\/src\/[^/]+$/,
    may: ["service/src", "@engram/spec", "@hono/zod-openapi", "cloudflare:workers", "hono"],
  },
  { in: "local/src/test-worker.ts", may: ["local/src", "miniflare"] },
  {
    in: "local/src/start",
    may: ["local/src", "@cloudflare/workers-types", "esbuild", "miniflare", "node:", "smol-toml"],
  },
  // One object is the database of all organizations there, by the same code as a cell.
  {
    in: "local/src/database",
    may: [
      "local/src/database",
      "cloudflare:workers",
      ...["cell-database.ts", "cell-storage.ts"].map((file) => src(`platform/${file}`)),
    ],
  },
  {
    in: "local/src/vectorize",
    may: ["local/src", "service/src/platform/vector-scan", "cloudflare:workers"],
  },
  {
    in: "local/src",
    may: [
      ...["local/src", "local/assets", "cloudflare:workers", "compromise", "esbuild", "miniflare", "node:"],
      ...["smol-toml", "wink-porter2-stemmer"],
    ],
  },
  { in: "sentences/src", may: ["sentences/src", "@huggingface/tokenizers", "node:"] },
  {
    in: "deploy/src",
    may: [
      ...[
        "deploy/src",
        "@engram/local/console-assets",
        "@engram/local/docs-assets",
        "@engram/local/indexed-values",
        "@engram/local/migrations",
        "@engram/local/openid",
      ],
      ...["@engram/sdk", "node:", "smol-toml", "zod"],
    ],
  },
  // The console can do nothing that the SDK cannot.
  {
    in: "console/src",
    may: ["console/src", "@engram/sdk", "@preact/signals", "diff", "lucide", "markdown-it", "preact"],
  },
  // It uses the console as its users do.
  { in: "console/browser", may: ["console/browser", "@engram/sdk", "axe-core", "node:", "playwright-core"] },
  // The client knows no framework, and each adapter only its own.
  ...Object.entries(FRAMEWORKS).flatMap(([adapter, frameworks]) =>
    [`${adapter}.ts`, adapter].map((at) => ({
      in: `sdk/src/adapters/${at}`,
      may: ["sdk/src", ...frameworks],
    })),
  ),
  { in: "sdk/src", may: ["sdk/src", "openapi-fetch"] },
  // Importers only parse files: they know nothing of commands or of the service.
  {
    in: "cli/src/importers",
    may: ["cli/src/importers", "@engram/sdk", "node:", "stream-json", "yaml"],
  },
  {
    in: "cli/src",
    may: [
      ...["cli/src", "cli/package.json", "@engram/sdk", "@modelcontextprotocol/client", "node:"],
      ...["@decimalturn/toml-patch", "@modelcontextprotocol/server", "commander", "jsonc-parser", "yauzl"],
    ],
  },
  {
    in: "proof/bench/src/served",
    may: [
      ...["proof/bench/src", "local/src/vectorize/float-rows.ts", "local/src/vectorize/scan.wasm"],
      ...[
        ...["app.ts", "entry.ts", "worker.ts"],
        ...[
          "platform/cell-vectors",
          "platform/database-calls.ts",
          "platform/runtime.ts",
          "platform/vector-scan",
        ],
      ].map(src),
      "cloudflare:workers",
    ],
  },
  {
    // Starts the Workers with D1 and cells, which `npm start` does not have.
    in: "proof/bench/src/scale",
    may: ["proof/bench/src", "local/src", "proof/support", "@engram/sdk", "node:", "p-map"],
  },
  {
    in: "proof/bench/src",
    may: [
      ...[
        "proof/bench/src",
        "proof/bench/sets",
        "proof/bench/languages",
        "local/src/embedder",
        "local/src/vectorize/float-rows.ts",
        "proof/support",
      ],
      ...[
        "platform/cell-vectors/codes.ts",
        "platform/database-calls.ts",
        "platform/vector-scan",
        "text/entities",
        "text/message-lines.ts",
        "text/model-tokens.ts",
        "text/pace.ts",
        "text/tokens.ts",
      ].map(src),
      ...["@engram/sdk", "@engram/spec", "node:", "p-map"],
      // Compared with the rules for entities.
      ...["compromise", "compromise-dates"],
    ],
  },
  {
    in: "proof/sim/src",
    may: [
      ...[
        "app.ts",
        "cell.ts",
        "invocation.ts",
        "isolate.ts",
        "limits.ts",
        "platform",
        "enrichment/service.ts",
        "indexing/sweep.ts",
        "summaries/run.ts",
        "sweep.ts",
        "transfer/archives.ts",
        // The mentions that must be stored when all work is complete.
        "text/entities/index.ts",
        // The terms that the keyword index must hold when all work is complete.
        "text/index-terms.ts",
        "text/pace.ts",
        "text/stems.ts",
        // The segments that must have a summary when all work is complete.
        "text/segments.ts",
        // The names that tombstones refuse.
        "tombstones/hashes.ts",
      ].map((at) => `service/src/${at}`),
      ...["checks.ts", "filters.ts"].map((at) => `local/src/vectorize/${at}`),
      ...["proof/sim/src", "proof/support/nulls.ts", "@engram/spec", "esbuild", "node:", "pure-rand"],
    ],
  },
  // A program that starts the service may import it. What measures and judges the service may not.
  { in: "proof/support/serve.ts", may: ["proof/support", "local/src", "node:"] },
  { in: "proof/support", may: ["proof/support", "fast-check", "node:", "vitest"] },
  {
    in: "proof/trials/src/support/served",
    may: ["proof/trials/src", "local/src", ...["entry.ts", "limits.ts"].map(src), "node:"],
  },
  {
    in: "proof/trials/src",
    may: [
      ...["proof/trials/src", "proof/support", "service/test/support/requests.ts"],
      ...["@engram/sdk", "node:", "p-map"],
    ],
  },
  // Runs in workerd and in Node.
  { in: "service/test/support/requests.ts", may: [] },
  {
    in: "examples/frameworks",
    may: [
      "examples/frameworks",
      "examples/service.ts",
      "@engram/sdk",
      "node:",
      ...Object.values(FRAMEWORKS).flat(),
    ],
  },
  {
    in: /^site\/(scripts\/cli-reference|test\/generated-pages\.test)\.ts$/,
    may: ["site", "cli/src/program.ts", "node:", "vitest"],
  },
  {
    in: "site",
    may: ["site", "node:", "typedoc", "typedoc-plugin-markdown", "vitepress"].concat([
      "vitepress-plugin-llms",
      "vitest",
    ]),
  },
  {
    in: "examples/chatbot",
    may: [
      ...["examples/chatbot", "examples/service.ts", "@engram/sdk", "node:"],
      ...["@ai-sdk/openai-compatible", "@hono/node-server", "ai", "hono"],
    ],
  },
  {
    in: "examples/live-transcript",
    may: [
      "examples/live-transcript",
      "examples/service.ts",
      "@engram/sdk",
      "@hono/node-server",
      "hono",
      "node:",
    ],
  },
  { in: "examples/mcp-client", may: ["examples/service.ts", "@modelcontextprotocol/client", "node:"] },
  {
    in: "examples/refund-triage",
    may: [
      "examples/refund-triage",
      "examples/service.ts",
      "@engram/sdk",
      "@modelcontextprotocol/client",
      "node:",
    ],
  },
  {
    in: "proof/frameworks/test",
    may: [
      "proof/frameworks/test",
      "proof/support/scale.ts",
      "proof/support/project-service.ts",
      "scripts/reference.ts",
      "@engram/sdk",
      "node:",
      "vitest",
      "zod",
      "esbuild",
      "miniflare",
      "@langchain/langgraph",
      "openai",
      ...Object.values(FRAMEWORKS).flat(),
    ],
  },
  { in: "examples", may: ["examples", "proof/support/scale.ts", "@engram/sdk", "node:", "vitest"] },
];

const escaped = (path) => path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A path and all under it, or a package and its entries. Packages of the workspace have no resolved path. */
const toPattern = (place) => place.source ?? `(^|node_modules/)${escaped(place.replace(/^node:/, ""))}(/|$)`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "folders of the service with a rule of their own",
      severity: "error",
      from: {
        path: "^service/src/[^/]+/",
        pathNot: `^service/src/(${FOLDERS.join("|")})/`,
      },
      to: {},
    },
    ...FOLDERS.map((folder, i) => ({
      name: `${folder} before ${FOLDERS[i + 1] ?? "none"}`,
      severity: "error",
      from: { path: toPattern(src(folder)) },
      to: { path: FOLDERS.slice(i + 1).map((later) => toPattern(src(later))) },
    })).slice(0, -1),
    ...RULES.map(({ in: place, may }, i) => ({
      name: String(place.source ?? place),
      severity: "error",
      from: { path: toPattern(place), pathNot: RULES.slice(0, i).map((rule) => toPattern(rule.in)) },
      to: {
        pathNot: may.filter((one) => one !== "node:").map(toPattern),
        ...(may.includes("node:") && { dependencyTypesNot: ["core"] }),
      },
    })),
  ],
  options: {
    // Imports of types count too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // What Git ignores. Files of packages are kept, because the rules are about them.
    exclude: {
      path: [
        "^(?!.*node_modules/).*(^|/)(dist|venv|\\.engram|\\.reference|\\.snippets|\\.vitepress/cache|\\.vitest|\\.wrangler)/",
        "^(packages|proof/artifacts)/",
      ],
    },
  },
};

// The real wrangler of the lockfile, started as a deployment starts it, against an account in memory.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readAccount } from "../src/account.ts";
import { readConfig } from "../src/config.ts";
import { readAppliedMigrations } from "../src/database.ts";
import { carryOut, type Deployment, planDeployment } from "../src/deployment.ts";
import { showProgress } from "../src/terminal.ts";
import { deployWorker } from "../src/worker.ts";
import { spawnWrangler, type Wrangler } from "../src/wrangler.ts";
import { ACCOUNT, type Cloudflare, startCloudflare } from "./support/cloudflare.ts";
import { workingService } from "./support/service.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** A quarter of the free plan's limit. A larger bundle means a longer start, which `bench:startup` measures. */
const BUNDLE_GZIP_BYTES_MAX = 768 * 1024;
const MIGRATIONS = readdirSync(join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
const CONFIG = readConfig(ROOT);
const SELECT_SCHEMA = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name";

const folder = mkdtempSync(join(tmpdir(), "engram-deploy-"));
const keepDirectory = join(folder, "keep");
const { signal } = new AbortController();
const gzipBytes: number[] = [];
/** Configurations that deployments have passed to wrangler. */
const configFiles: string[] = [];
let cloudflare: Cloudflare;
let first: Deployment;
let migrations: unknown;
let schema: unknown;
/** An account in which an earlier deployment stopped within the first migration. */
let broken: Cloudflare;
let free: Cloudflare;
/** The changes requested from the account in each stage. */
const writes: Record<"planned" | "deployed" | "deployedAgain", string[]> = {
  planned: [],
  deployed: [],
  deployedAgain: [],
};

/** The real wrangler, with a separate environment. */
function wranglerOf(account: Cloudflare, env: Record<string, string> = {}): Wrangler {
  const wrangler = spawnWrangler(ROOT, signal);
  return async (args, more) => {
    const result = await wrangler(args, {
      CLOUDFLARE_API_BASE_URL: account.url,
      CLOUDFLARE_API_TOKEN: "token",
      WRANGLER_SEND_METRICS: "false",
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, "config"),
      ...env,
      ...more,
    });
    configFiles.push(...args.filter((_, i) => args[i - 1] === "--config"));
    gzipBytes.push(...[...result.report.matchAll(/"gzip_bytes":(\d+)/g)].map(([, bytes]) => Number(bytes)));
    return result;
  };
}

const plan = (account: Cloudflare) =>
  planDeployment({
    root: ROOT,
    keepDirectory,
    env: {},
    wrangler: wranglerOf(account),
    fetch: workingService,
    sleep: async () => {},
    location: "weur",
    signal,
  });
const ctx = { config: CONFIG, sleep: async () => {} };
const quiet = showProgress({ isTTY: false, write: () => true });

beforeAll(async () => {
  cloudflare = await startCloudflare();
  mkdirSync(join(folder, "config"));
  first = await plan(cloudflare);
  writes.planned = cloudflare.writes.splice(0);
  await carryOut(first, quiet, signal);
  writes.deployed = cloudflare.writes.splice(0);
  await carryOut(await plan(cloudflare), quiet, signal);
  writes.deployedAgain = cloudflare.writes.splice(0);
  migrations = cloudflare.query("SELECT name FROM d1_migrations");
  schema = cloudflare.query(SELECT_SCHEMA);
  broken = await startCloudflare();
  await wranglerOf(broken)(["d1", "create", "engram"]);
  const [core = ""] = MIGRATIONS;
  for (const statement of readFileSync(join(ROOT, "migrations", core), "utf8")
    .split(";")
    .slice(0, 3))
    broken.query(statement);
  const second = await plan(broken);
  await second.steps.find(({ title }) => title === "Migrations")?.change?.();
  free = await startCloudflare("free");
});

afterAll(() => {
  cloudflare.stop();
  broken.stop();
  free.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("reading an account changes nothing", () => {
  expect(writes.planned).toEqual([]);
});

it("a deployment to an empty account creates the Worker with all its resources", () => {
  const [upload] = cloudflare.uploads;
  const token = readFileSync(join(keepDirectory, ACCOUNT.id, "engram.admin-token"), "utf8").trim();
  expect(upload?.bindings).toEqual(
    expect.arrayContaining([
      { name: "DB", type: "d1", id: expect.any(String) },
      { name: "VECTORIZE", type: "vectorize", index_name: "engram" },
      { name: "AI", type: "ai" },
      { name: "ASSETS", type: "assets" },
      { name: "EMBEDDING_DIMENSIONS", type: "plain_text", text: "768" },
      { name: "RERANK_MODEL", type: "plain_text", text: "@cf/baai/bge-reranker-base" },
      { name: "ENRICHMENT_MODEL", type: "plain_text", text: "@cf/meta/llama-3.1-8b-instruct-fast" },
      { name: "ADMIN_TOKEN", type: "secret_text", text: token },
      expect.objectContaining({ name: "KEY_RATE_LIMIT", simple: { limit: 1_000, period: 10 } }),
      expect.objectContaining({ name: "ORGANIZATION_RATE_LIMIT", simple: { limit: 3_000, period: 10 } }),
      {
        name: "RATE_LIMIT_POLICY",
        type: "plain_text",
        text: '"key";q=1000;w=10, "organization";q=3000;w=10',
      },
    ]),
  );
  expect(token).toMatch(/^engram_admin_[0-9A-Za-z]{32}$/);
  expect(upload).toMatchObject({
    placement: { region: "azure:westeurope" },
    limits: { cpu_ms: 30_000 },
    assets: { config: { run_worker_first: true } },
  });
  expect(cloudflare.crons).toEqual(["* * * * *"]);
  expect(cloudflare.subdomain).toEqual({ enabled: true, previews_enabled: false });
  expect(migrations).toEqual(MIGRATIONS.map((name) => ({ name })));
  expect(cloudflare.metadataIndexes).toEqual(METADATA_INDEXES);
});

it("a deployment leaves no configuration file in the repository", () => {
  expect(configFiles).toHaveLength(2);
  for (const file of configFiles) expect(existsSync(file)).toBe(false);
});

it("a deployment makes the admin token's temporary file unreadable for other users", () => {
  const kept = join(keepDirectory, ACCOUNT.id);
  expect(readdirSync(kept)).toEqual(["engram.admin-token"]);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(statSync(join(kept, "engram.admin-token")).mode & 0o777).toBe(0o600);
});

it("a deployment uploads the Worker only after every metadata index and every migration", () => {
  const upload = writes.deployed.findIndex((write) => write.startsWith("PUT /workers/scripts/engram"));
  const before = writes.deployed.slice(0, upload);
  const created = Object.keys(METADATA_INDEXES).map(
    () => "POST /vectorize/v2/indexes/engram/metadata_index/create",
  );
  expect(before.slice(0, 2 + created.length)).toEqual([
    "POST /d1/database",
    "POST /vectorize/v2/indexes",
    ...created,
  ]);
  const migrated = before.filter((write) => write.includes('INSERT INTO "d1_migrations"'));
  expect(migrated).toHaveLength(1);
});

it("a deployment completes a half-applied first migration, although the account splits statements at each semicolon", () => {
  expect(broken.query("SELECT name FROM d1_migrations")).toEqual(migrations);
  expect(broken.query(SELECT_SCHEMA)).toEqual(schema);
});

it("a second deployment creates nothing and keeps the secrets", () => {
  expect(writes.deployedAgain).toEqual([
    "POST /workers/scripts/engram/assets-upload-session",
    "POST /workers/scripts/engram/versions",
    "POST /workers/scripts/engram/deployments",
    "PATCH /workers/scripts/engram/script-settings",
    "POST /workers/scripts/engram/subdomain",
    "PUT /workers/scripts/engram/schedules",
  ]);
  const second = cloudflare.uploads[1];
  expect(second?.bindings.some(({ type }) => type === "secret_text")).toBe(false);
  expect(second?.keep_bindings).toContain("secret_text");
});

it("a deployment reads the URL, the version and the startup time that Cloudflare reports", () => {
  expect(first.worker.deployed).toEqual({
    url: "https://engram.acme.workers.dev",
    versionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    startupMs: 41,
  });
});

it("a deployment uploads less than 768 KiB, compressed", () => {
  expect(gzipBytes.length).toBeGreaterThan(0);
  expect(Math.max(...gzipBytes)).toBeLessThan(BUNDLE_GZIP_BYTES_MAX);
});

it("a deployment recognizes that wrangler is not logged in", async () => {
  const wrangler = wranglerOf(cloudflare, { CLOUDFLARE_API_TOKEN: "" });
  await expect(readAccount(wrangler, undefined)).rejects.toThrow("You are not logged in");
});

it("a deployment recognizes that the free plan refuses the Worker", async () => {
  const wrangler = wranglerOf(free);
  await wrangler(["d1", "create", "engram"]);
  await expect(deployWorker({ ...ctx, wrangler }, undefined, undefined)).rejects.toThrow(
    "Engram needs the Workers Paid plan",
  );
});

// The last test, because afterwards no database of the account has the Worker's tables.
it("a deployment recognizes an empty database, and a Worker whose database was deleted", async () => {
  cloudflare.replaceDatabase();
  const wrangler = wranglerOf(cloudflare);
  expect(await readAppliedMigrations(wrangler, CONFIG)).toEqual([]);
  await expect(deployWorker({ ...ctx, wrangler }, undefined, undefined)).rejects.toThrow(
    "npx wrangler delete",
  );
});

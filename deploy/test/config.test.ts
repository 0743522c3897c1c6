import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { gatherDocsAssets } from "@engram/local/docs-assets";
import { afterAll, describe, expect, it, test } from "vitest";
import { readArgs } from "../src/args.ts";
import { readConfig } from "../src/config.ts";
import { deployedUrl } from "../src/worker.ts";
import { deployedAccount } from "./support/fake-wrangler.ts";
import { ROOT, removeFolders, repositoryWith } from "./support/folders.ts";
import { run } from "./support/run.ts";

afterAll(removeFolders);

describe("wrangler.toml", () => {
  it("declares every binding and variable that the service needs", () => {
    const root = repositoryWith((toml) => toml);
    expect(readConfig(root)).toEqual({
      name: "engram",
      accountId: undefined,
      database: { binding: "DB", name: "engram", id: undefined },
      migrations: expect.arrayContaining([
        expect.objectContaining({ name: expect.stringMatching(/^0001_/) }),
      ]),
      index: { name: "engram", dimensions: 768 },
      bucket: "engram-archives",
      assetsDirectory: "service/dist/assets",
      customDomains: [],
      ownSettings: [],
      givenSettings: {},
    });
  });

  it("is refused if a required setting is missing, and the message names it", () => {
    const root = repositoryWith((toml) => toml.replace("index_name", "indexname"));
    expect(() => readConfig(root)).toThrow(/not complete[\s\S]*index_name/);
  });

  it("is refused before any change if its Cloudflare Access service tokens are invalid", () => {
    const clients = '{"e3678.access":{"organization_id":"org_1","key_id":"key_1"}}';
    const withClients = (json: string) =>
      repositoryWith((toml) => toml.replace('ACCESS_CLIENTS = "{}"', `ACCESS_CLIENTS = '${json}'`));
    expect(() => readConfig(withClients(clients))).not.toThrow();
    for (const json of ["{", '{"e3678.access":"key_1"}', clients.replace("key_id", "key")])
      expect(() => readConfig(withClients(json))).toThrow(/must be JSON like/);
  });

  it("is refused before any change if its identity provider is invalid, and the message says why", () => {
    const withProvider = (json: string) =>
      repositoryWith((toml) => toml.replace(/^# OIDC = .*/m, `OIDC = '${json}'`));
    expect(() =>
      readConfig(withProvider('{"issuer":"https://id.example.com","client_id":"c"}')),
    ).not.toThrow();
    expect(() => readConfig(withProvider('{"client_id":"c"}'))).toThrow(/needs an `issuer`[\s\S]*vars\.OIDC/);
  });

  it("stops the deployment if it has the id of a database that is not in the account", async () => {
    const id = "11111111-1111-4111-8111-111111111111";
    const root = repositoryWith((toml) =>
      toml.replace('migrations_dir = "migrations"', `migrations_dir = "migrations"\ndatabase_id = "${id}"`),
    );
    const account = deployedAccount();
    const { error } = await run(account, { root });
    expect(error).toContain(id);
    expect(account.changes).toEqual([]);
  });
});

describe("wrangler.toml with a custom domain", () => {
  const root = () =>
    repositoryWith((toml) => `routes = [{ pattern = "memory.example.com", custom_domain = true }]\n${toml}`);

  it("warns before the upload that the domain's DNS record is replaced, since wrangler asks only on a terminal", async () => {
    const { output } = await run(deployedAccount(), { root: root() });
    expect(output).toMatch(/memory\.example\.com will lead to this Worker[\s\S]*✓ Worker/);
  });
});

test.each([
  [
    "workers.dev",
    ["https://engram.acme.workers.dev", "schedule: * * * * *"],
    "https://engram.acme.workers.dev",
  ],
  [
    "a custom domain",
    ["schedule: * * * * *", "memory.example.com (custom domain)"],
    "https://memory.example.com",
  ],
  ["a domain of a zone", ["m.example.com (custom domain - zone id: 1)"], "https://m.example.com"],
  [
    "a route of a whole host",
    ["memory.example.com/* (zone name: example.com)"],
    "https://memory.example.com",
  ],
  ["a route as text", ["memory.example.com/*"], "https://memory.example.com"],
  ["another machine", ["http://127.0.0.1:26366"], "http://127.0.0.1:26366"],
  ["patterns alone", ["*.example.com/*", "example.com/memory/*", "schedule: * * * * *"], undefined],
])("deployedUrl returns the URL of %s", (_, targets, url) => {
  expect(deployedUrl(targets)).toBe(url);
});

it("gatherDocsAssets does not rewrite the files of the API documentation if they are current", () => {
  const folder = gatherDocsAssets(ROOT, "service/dist/assets");
  const times = () => readdirSync(folder).map((file) => statSync(join(folder, file)).mtimeMs);
  const before = times();
  gatherDocsAssets(ROOT, "service/dist/assets");
  expect(times()).toEqual(before);
});

describe("the arguments of npm run deploy", () => {
  const NONE = { dryRun: false, help: false, location: undefined };

  test.each([
    [[], {}, NONE],
    [["--dry-run"], {}, { ...NONE, dryRun: true }],
    [["--help"], {}, { ...NONE, help: true }],
    [["--location=oc"], {}, { ...NONE, location: "oc" }],
    [["--location", "oc", "--dry-run"], {}, { ...NONE, dryRun: true, location: "oc" }],
    [[], { npm_config_dry_run: "true" }, { ...NONE, dryRun: true }],
  ])("select %j for %j", (args, env, read) => {
    expect(readArgs(args, env)).toEqual(read);
  });

  test.each([
    ["--force", "'--force'"],
    ["production", "'production'"],
    ["-n", "'-n'"],
    ["--location", "'--location"],
    ["--location=sam", "must be one of wnam, enam"],
  ])("refuse %s", (arg, message) => {
    expect(() => readArgs(["--dry-run", arg], {})).toThrow(message);
  });
});

// Whole deployments to an account in memory, with a fake wrangler.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { afterAll, describe, expect, it, test } from "vitest";
import type { Wrangler, WranglerResult } from "../src/wrangler.ts";
import {
  ACCOUNT,
  type AccountState,
  deployedAccount,
  emptyAccount,
  fakeWrangler,
  MIGRATIONS,
  query,
} from "./support/fake-wrangler.ts";
import { makeFolder, removeFolders, repositoryWith } from "./support/folders.ts";
import { run } from "./support/run.ts";
import { workingService } from "./support/service.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
/** Every change that an empty account needs, in order: a vector is in no metadata index that is younger. */
const CHANGES = [
  ...["d1 create", "vectorize create"],
  ...Object.keys(METADATA_INDEXES).map((property) => `create-metadata-index ${property}`),
  ...["r2 bucket create", "d1 execute", "deploy"],
];

const keptToken = (keepDirectory: string) =>
  readFileSync(join(keepDirectory, ACCOUNT.id, "engram.admin-token"), "utf8").trim();

const migrationsIn = (account: AccountState) =>
  query(account, "SELECT name FROM d1_migrations ORDER BY id").map(({ name }) => name);

/** A wrangler for which some commands do nothing and return a given result. */
function failing(account: AccountState, start: string, answer: Partial<WranglerResult>): Wrangler {
  const real = fakeWrangler(account);
  return async (args) =>
    args.join(" ").startsWith(start)
      ? { code: 1, stdout: "", stderr: "", report: "", ...answer }
      : real(args);
}

/** An account to which this version was deployed, without one metadata index. */
function accountWithoutKind(): AccountState {
  const account = deployedAccount();
  delete account.index?.metadataIndexes.kind;
  return account;
}

afterAll(removeFolders);

describe("a deployment", () => {
  it("creates everything that Engram needs in an empty account, and uploads the Worker last", async () => {
    const account = emptyAccount();
    const { error, deployment } = await run(account);
    expect(error).toBeUndefined();
    expect(account.changes).toEqual(CHANGES);
    expect(account.secrets).toEqual({ ADMIN_TOKEN: deployment?.adminToken.value });
    expect(migrationsIn(account)).toEqual(MIGRATIONS);
    expect(query(account, "SELECT count(*) AS n FROM organizations")).toEqual([{ n: 0 }]);
  });

  it("changes only the Worker when everything else exists", async () => {
    const account = deployedAccount();
    const { error } = await run(account);
    expect(error).toBeUndefined();
    expect(account.changes).toEqual(["deploy"]);
  });

  it("creates only what is missing", async () => {
    const account = accountWithoutKind();
    query(account, "DROP TABLE d1_migrations");
    expect((await run(account)).error).toBeUndefined();
    expect(account.changes).toEqual(["create-metadata-index kind", "d1 execute", "deploy"]);
  });

  it("applies all missing migrations or none, in one import", async () => {
    const account = deployedAccount();
    query(account, `DELETE FROM d1_migrations WHERE name <> '${MIGRATIONS[0]}'`);
    // A later migration creates this table, too.
    query(account, "CREATE TABLE webhooks (id TEXT)");
    const { error } = await run(account);
    expect(error).toContain("table webhooks already exists");
    expect(migrationsIn(account)).toEqual([MIGRATIONS[0]]);
    expect(account.changes).toEqual([]);
  });

  it("leaves a database alone that has tables but no applied migration", async () => {
    const account: AccountState = { ...emptyAccount(), location: "weur" };
    query(account, "CREATE TABLE invoices (id TEXT)");
    const { error } = await run(account);
    expect(error).toContain("no record of Engram's migrations: invoices");
    expect(account.changes).toEqual([]);
  });

  it("says if the database is newer than this version", async () => {
    const account = deployedAccount();
    query(account, "INSERT INTO d1_migrations (name) VALUES ('9999_from_the_future.sql')");
    expect((await run(account)).output).toContain("The database has 9999_from_the_future.sql, too");
  });

  it("as a dry run changes nothing, and says what is missing", async () => {
    const account = accountWithoutKind();
    const before = structuredClone(account);
    const { error, output } = await run(account, { isDryRun: true });
    expect(error).toBeUndefined();
    expect(output).toContain("✓ D1 database       engram is there");
    expect(output).toContain("+ Metadata indexes  create kind");
    expect(output).toContain("+ Worker            update engram");
    expect(account).toEqual(before);
  });

  it("as a dry run without a login checks the settings and the bundle", async () => {
    const account: AccountState = { ...emptyAccount(), isLoggedIn: false };
    const { error, output } = await run(account, { isDryRun: true });
    expect(error).toBeUndefined();
    expect(output).toMatch(/^ {2}! You are not logged in.*\n {2}✓ Bundle .*\n$/);
  });

  it("on the free plan names the plan that Engram needs, and goes on after the change of plan", async () => {
    const account: AccountState = { ...emptyAccount(), plan: "free" };
    const { error, output } = await run(account);
    expect(error).toContain("Engram needs the Workers Paid plan");
    expect(error).toContain(`https://dash.cloudflare.com/${ACCOUNT.id}/workers/plans`);
    expect(output).toContain("`npm run deploy` goes on from here");
    account.plan = "paid";
    expect((await run(account)).error).toBeUndefined();
    expect(account.changes).toEqual(CHANGES);
  });
});

describe("an interrupted deployment", () => {
  const cases = CHANGES.flatMap((change, at) => [
    { at, change, when: "before" },
    { at, change, when: "after" },
  ]);

  it.each(cases)("continues where it stopped: $when $change", async ({ at, when }) => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    const real = fakeWrangler(account);
    const dying: Wrangler = async (args) => {
      const before = structuredClone(account);
      const result = await real(args);
      if (account.changes.length <= at) return result;
      // A transaction of the database cannot be taken back here, so nothing is undone after it.
      if (when === "before" && CHANGES[at] !== "d1 execute") Object.assign(account, before);
      throw new Error("killed");
    };
    const first = await run(account, { keepDirectory, wrangler: dying });
    expect(first.error).toBe("killed");
    const keptAfterFirst = keptToken(keepDirectory);

    const second = await run(account, { keepDirectory });
    expect(second.error).toBeUndefined();
    // Only the Worker may be uploaded twice.
    const isLast = at === CHANGES.length - 1;
    expect(account.changes).toEqual(isLast && when === "after" ? [...CHANGES, "deploy"] : CHANGES);
    expect(account.secrets).toEqual({ ADMIN_TOKEN: keptAfterFirst });
    expect(Object.keys(account.index?.metadataIndexes ?? {})).toEqual(Object.keys(METADATA_INDEXES));
    expect(readdirSync(join(keepDirectory, ACCOUNT.id))).toEqual(["engram.admin-token"]);
  });
});

describe("a deployment, before it changes anything,", () => {
  const others = [ACCOUNT, { id: "f".repeat(32), name: "Other" }];

  it("says how to log in if wrangler is not logged in", async () => {
    const { error } = await run({ ...emptyAccount(), isLoggedIn: false });
    expect(error).toMatch(/not logged in[\s\S]*npx wrangler login[\s\S]*CLOUDFLARE_API_TOKEN/);
  });

  it("asks which account to use if the login has several", async () => {
    const { error } = await run({ ...emptyAccount(), accounts: others });
    expect(error).toContain("CLOUDFLARE_ACCOUNT_ID");
    expect(error).toContain(`${others[1]?.id}  Other`);
  });

  it("uses the given account for every command", async () => {
    const account = { ...emptyAccount(), accounts: others };
    const real = fakeWrangler(account);
    const ids = new Set<string | undefined>();
    const wrangler: Wrangler = (args, env) => {
      if (args[0] !== "whoami") ids.add(env?.CLOUDFLARE_ACCOUNT_ID);
      return real(args);
    };
    const { error } = await run(account, { wrangler, env: { CLOUDFLARE_ACCOUNT_ID: others[1]?.id } });
    expect(error).toBeUndefined();
    expect([...ids]).toEqual([others[1]?.id]);
  });

  it("refuses an account that the login cannot access", async () => {
    const { error } = await run(emptyAccount(), { env: { CLOUDFLARE_ACCOUNT_ID: "a".repeat(32) } });
    expect(error).toContain("does not reach the account aaaa");
  });

  test.each([
    ["dimensions", { dimensions: 1024 }, "1024 dimensions"],
    ["metric", { metric: "euclidean" }, "the metric euclidean"],
  ])("stops at an index with other %s, and says what to do", async (_, shape, text) => {
    const account = deployedAccount();
    Object.assign(account.index ?? {}, shape);
    const { error } = await run(account);
    expect(error).toContain(text);
    expect(error).toContain("index_name");
    expect(account.changes).toEqual([]);
  });

  it("stops at an account without R2, and says what to do", async () => {
    const account = deployedAccount();
    const stderr = "Please enable R2 through the Cloudflare Dashboard. [code: 10042]";
    const { error } = await run(account, { wrangler: failing(account, "r2 bucket info", { stderr }) });
    expect(error).toContain("remove [[r2_buckets]]");
    expect(account.changes).toEqual([]);
  });

  it("stops at a metadata index with another type, and says how to remove it", async () => {
    const account = deployedAccount();
    if (account.index) account.index.metadataIndexes.day = { type: "string", looks: 0 };
    const { error } = await run(account);
    expect(error).toContain("delete-metadata-index engram --propertyName=day");
    expect(account.changes).toEqual([]);
  });

  test.each(["whoami", "d1 list", "d1 execute", "vectorize list", "vectorize info"])(
    "prints the output of `wrangler %s` if it is not in the expected format",
    async (command) => {
      const account = deployedAccount();
      const wrangler = failing(account, `${command} `, { code: 0, stdout: '{"odd":"answer"}' });
      const { error } = await run(account, { wrangler });
      expect(error).toContain(`wrangler ${command}`);
      expect(error).toContain('{"odd":"answer"}');
      expect(account.changes).toEqual([]);
    },
  );

  test.each(["secret list", "deploy --dry-run"])("stops if `wrangler %s` fails", async (command) => {
    const account = deployedAccount();
    const wrangler = failing(account, command, { stderr: "Authentication error [code: 10000]" });
    expect((await run(account, { wrangler })).error).toContain("Authentication error [code: 10000]");
    expect(account.changes).toEqual([]);
  });
});

describe("the location of a new database", () => {
  it("is left to D1 without a terminal, and the output says beforehand how to choose one", async () => {
    const account = emptyAccount();
    const { output } = await run(account);
    expect(account.location).toBe("where D1 chooses");
    expect(output).toMatch(/! D1 creates .*--location=wnam\|enam\|weur\|eeur\|apac\|oc\n.*✓ D1 database/);
  });

  it("is the given one, without a question", async () => {
    const account = emptyAccount();
    const ask = async (question: string) => {
      expect(question).not.toContain("Location");
      return "";
    };
    const { output } = await run(account, { location: "oc", ask });
    expect(account.location).toBe("oc");
    expect(output).toContain("engram created in oc (Oceania)");
    expect(output).not.toContain("D1 creates");
  });

  test.each([
    ["WNAM", "wnam"],
    ["", "where D1 chooses"],
  ])("is asked for at a terminal: %j", async (answer, location) => {
    const account = emptyAccount();
    await run(account, { ask: async (question) => (question.startsWith("Location") ? answer : "") });
    expect(account.location).toBe(location);
  });

  it("stops the deployment with nothing created if the answer is no location", async () => {
    const account = emptyAccount();
    const { error } = await run(account, {
      ask: async (question) => (question.startsWith("Location") ? "Ohio" : ""),
    });
    expect(error).toBe("The location must be one of: wnam, enam, weur, eeur, apac, oc.");
    expect(account.changes).toEqual([]);
  });

  it("is ignored for an existing database, and the output says so", async () => {
    const { output } = await run(deployedAccount(), { location: "oc" });
    expect(output).toContain("--location=oc has no effect");
  });
});

describe("a deployment waits for and reports on metadata indexes", () => {
  it("waits until Vectorize lists them", async () => {
    const { error, sleptMs } = await run({ ...emptyAccount(), looksUntilListed: 4 });
    expect(error).toBeUndefined();
    expect(sleptMs).toBeGreaterThan(0);
  });

  it("gives up after some minutes", async () => {
    const account = { ...emptyAccount(), looksUntilListed: 1_000 };
    const { error, sleptMs } = await run(account);
    expect(error).toContain("Vectorize has not made conversation_id, ");
    expect(sleptMs).toBeLessThan(10 * 60_000);
    expect(account.changes).not.toContain("deploy");
  });

  it("waits for those that an interrupted run has requested, although Vectorize refuses them now", async () => {
    const account = deployedAccount();
    if (account.index) account.index.metadataIndexes.kind = { type: "string", looks: 4 };
    const { error, sleptMs } = await run(account);
    expect(error).toBeUndefined();
    expect(sleptMs).toBeGreaterThan(0);
  });

  it("stops with Vectorize's reason if it keeps refusing one", async () => {
    const account = accountWithoutKind();
    const stderr = "too many metadata indexes";
    const { error } = await run(account, {
      wrangler: failing(account, "vectorize create-metadata-index", { stderr }),
    });
    expect(error).toContain(stderr);
    expect(account.changes).toEqual([]);
  });

  it("reports those created after vectors as empty, and says how to fill them", async () => {
    const { output } = await run(accountWithoutKind());
    expect(output).toMatch(/3 vectors[\s\S]*\/v1\/index\/repair/);
  });

  it("reports nothing about vectors for a new account", async () => {
    expect((await run(emptyAccount())).output).not.toContain("/v1/index/repair");
  });

  it("reports indexes as empty if they were deleted while the database was in use", async () => {
    const { output } = await run({ ...deployedAccount(), index: null });
    expect(output).toMatch(/not in the new index[\s\S]*\/v1\/index\/repair/);
  });
});

describe("the admin token", () => {
  it("is the given one, and only its owner can read the file in which it is saved", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    await run(account, { keepDirectory, env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(account.secrets).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(keptToken(keepDirectory)).toBe(TOKEN);
    const folder = join(keepDirectory, ACCOUNT.id);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "engram.admin-token")).mode & 0o777).toBe(0o600);
  });

  it("is refused before any change if it is too short, also in a dry run", async () => {
    const account = emptyAccount();
    for (const isDryRun of [true, false]) {
      const { error } = await run(account, { env: { ENGRAM_ADMIN_TOKEN: "secret" }, isDryRun });
      expect(error).toContain("at least 24 characters");
    }
    expect(account.changes).toEqual([]);
  });

  test.each([
    [TOKEN, new RegExp(`^${TOKEN}$`)],
    ["", /^engram_admin_[0-9A-Za-z]{32}$/],
  ])("is asked for on a terminal, and generated if the answer is empty: %j", async (answer, token) => {
    const account = emptyAccount();
    await run(account, { ask: async (_, isSecret) => (isSecret ? answer : "") });
    expect(account.secrets?.ADMIN_TOKEN).toMatch(token);
  });

  it("is neither asked for nor replaced if the Worker has one", async () => {
    const account = deployedAccount();
    const before = account.secrets;
    const ask = async () => {
      throw new Error("asked");
    };
    for (const env of [{}, { ENGRAM_ADMIN_TOKEN: TOKEN }]) {
      expect((await run(account, { ask, env })).error).toBeUndefined();
      expect(account.secrets).toEqual(before);
    }
  });

  it("given to the run after an interrupted one replaces the saved token", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    await run(account, { keepDirectory, wrangler: failing(account, "d1 create", {}) });
    expect(keptToken(keepDirectory)).toMatch(/^engram_admin_/);
    await run(account, { keepDirectory, env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(account.secrets).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(keptToken(keepDirectory)).toBe(TOKEN);
  });

  it("is never printed", async () => {
    const { output } = await run(emptyAccount(), { env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(output).toContain("✓ Worker");
    expect(output).not.toContain(TOKEN);
  });

  it("is in no temporary file after a failed deployment", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    await run(account, { keepDirectory, wrangler: failing(account, "deploy --secrets-file", {}) });
    expect(readdirSync(join(keepDirectory, ACCOUNT.id))).toEqual(["engram.admin-token"]);
  });
});

describe("the settings of OAuth in the environment", () => {
  const OAUTH_CLIENTS = '{"my-app":{"name":"My app","redirect_uris":["https://app.example.com/callback"]}}';
  const withOwn = () => repositoryWith((toml) => toml.replace("# OAUTH_CLIENTS", "OAUTH_CLIENTS"));

  it("become secrets of the Worker, which a deployment without them leaves as they are", async () => {
    const account = deployedAccount();
    const before = account.secrets;
    const keepDirectory = makeFolder();
    const env = { OAUTH_CLIENTS, OIDC_CLIENT_SECRET: "s3cret" };
    const { output } = await run(account, { env, isDryRun: true });
    expect(output).toContain("+ Worker            update engram, with OAUTH_CLIENTS, OIDC_CLIENT_SECRET\n");
    expect(account.secrets).toEqual(before);
    expect((await run(account, { env, keepDirectory })).error).toBeUndefined();
    expect(account.secrets).toEqual({ ...before, ...env });
    expect(readdirSync(join(keepDirectory, ACCOUNT.id))).toEqual([]);
    for (const without of [{}, { OAUTH_CLIENTS: "" }])
      expect((await run(account, { env: without })).error).toBeUndefined();
    expect(account.secrets).toEqual({ ...before, ...env });
    await run(account, { env: { OAUTH_CLIENTS: "{}" } });
    expect(account.secrets).toEqual({ ...before, ...env, OAUTH_CLIENTS: "{}" });
  });

  it("are uploaded to a new Worker together with its admin token", async () => {
    const account = emptyAccount();
    const { error } = await run(account, { env: { OAUTH_CLIENTS, ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(error).toBeUndefined();
    expect(account.secrets).toEqual({ ADMIN_TOKEN: TOKEN, OAUTH_CLIENTS });
  });

  test.each([
    ["invalid", {}, { OAUTH_CLIENTS: '{"my-app":{}}' }, undefined, "vars.OAUTH_CLIENTS"],
    ["also in wrangler.toml", {}, { OAUTH_CLIENTS }, withOwn, "in the environment and in wrangler.toml"],
    [
      "in wrangler.toml, and the Worker has them",
      { OAUTH_CLIENTS },
      {},
      withOwn,
      "npx wrangler secret delete OAUTH_CLIENTS",
    ],
  ])("stop the deployment before any change if they are %s", async (_, secrets, env, root, message) => {
    const account = deployedAccount();
    Object.assign(account.secrets ?? {}, secrets);
    const { error } = await run(account, { env, ...(root === undefined ? {} : { root: root() }) });
    expect(error).toContain(message);
    expect(account.changes).toEqual([]);
  });
});

describe("a deployment whose command fails", () => {
  test.each([
    "d1 create",
    "vectorize create engram",
    "r2 bucket create",
    "d1 execute DB --remote --yes",
    "deploy --secrets-file",
  ])("stops with the command's output: %s", async (command) => {
    const account = emptyAccount();
    const wrangler = failing(account, command, { stdout: "before", stderr: "out of luck [code: 1]" });
    const { error, output } = await run(account, { wrangler });
    expect(error).toContain("out of luck [code: 1]");
    expect(output).toMatch(/✗ .*\n {2}! What is done stays.*\n$/);
  });

  it("stops if wrangler reports applied migrations that are not in the database", async () => {
    const account = emptyAccount();
    const { error } = await run(account, {
      wrangler: failing(account, "d1 execute DB --remote --yes", { code: 0 }),
    });
    expect(error).toContain("d1 execute");
    expect(account.changes).not.toContain("deploy");
  });

  test.each([
    ["writes no report", ""],
    [
      "reports no version",
      '{"type":"deploy","version_id":null,"bundle_size":{"raw_bytes":1,"gzip_bytes":1}}',
    ],
  ])("stops if wrangler was killed and %s, although its launcher exits with 0", async (_, report) => {
    const account = emptyAccount();
    const wrangler = failing(account, "deploy --secrets-file", { code: 0, report });
    expect((await run(account, { wrangler })).error).toContain("did not do what it should");
  });

  it("says what to do if the Worker's database was deleted", async () => {
    const account: AccountState = { ...deployedAccount(), hasLostDatabase: true };
    expect((await run(account)).error).toContain("npx wrangler delete");
  });
});

describe("a deployment whose smoke test fails", () => {
  /** A service that answers requests to a path in its own way. */
  const except =
    (path: string, answer: () => Response): typeof fetch =>
    async (input, init) =>
      new Request(input, init).url.endsWith(path) ? answer() : workingService(input, init);
  const unready = except("/ready", () => Response.json({ code: "unavailable" }, { status: 503 }));

  it("stops, names the failed check and says how to roll back", async () => {
    const { error } = await run(deployedAccount(), { fetch: unready });
    expect(error).toContain('GET /ready answered 503: {"code":"unavailable"}');
    expect(error).toContain("npx wrangler rollback");
  });

  it("does not suggest a rollback after the first version", async () => {
    const { error } = await run(emptyAccount(), { fetch: unready });
    expect(error).toContain("npx wrangler tail");
    expect(error).not.toContain("rollback");
  });

  it("says if the local admin token differs from the Worker's", async () => {
    const { error } = await run(deployedAccount(), {
      fetch: except("/v1/organizations", () => new Response("", { status: 401 })),
      env: { ENGRAM_ADMIN_TOKEN: TOKEN },
    });
    expect(error).toContain("npx wrangler secret put ADMIN_TOKEN");
    expect(error).not.toContain("rollback");
  });

  it("names the variable to set if the Worker does not serve this host", async () => {
    const { error } = await run(deployedAccount(), { fetch: async () => new Response("", { status: 403 }) });
    expect(error).toContain("ALLOWED_HOSTS");
  });
});

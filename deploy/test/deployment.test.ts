// Whole deployments to an account in memory, with a fake wrangler.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { afterAll, describe, expect, it, test } from "vitest";
import { DeployError } from "../src/deploy-error.ts";
import type { Wrangler, WranglerResult } from "../src/wrangler.ts";
import { ACCOUNT } from "./support/cloudflare.ts";
import { MIGRATIONS } from "./support/fake-database.ts";
import {
  type AccountState,
  deployedAccount,
  emptyAccount,
  fakeWrangler,
  IMPORT,
} from "./support/fake-wrangler.ts";
import { makeFolder, removeFolders, run } from "./support/run.ts";
import { workingService } from "./support/service.ts";

const TOKEN = "a-token-of-the-operator-0123456789";
const METADATA_CHANGES = Object.keys(METADATA_INDEXES).map(
  (property) => `vectorize create-metadata-index engram --propertyName=${property}`,
);
/** Every change that an empty account needs, in order. */
const CHANGES = ["d1 create", "vectorize create engram", ...METADATA_CHANGES, IMPORT, "deploy"];

const keptToken = (keepDirectory: string) =>
  readFileSync(join(keepDirectory, ACCOUNT.id, "engram.admin-token"), "utf8").trim();

/** A wrangler for which some commands do nothing and return a given result. */
function failing(account: AccountState, start: string, answer: Partial<WranglerResult>): Wrangler {
  const real = fakeWrangler(account);
  return async (args) =>
    args.join(" ").startsWith(start)
      ? { code: 1, stdout: "", stderr: "", report: "", ...answer }
      : real(args);
}

afterAll(removeFolders);

describe("a deployment", () => {
  it("creates everything that Engram needs in an empty account, and uploads the Worker last", async () => {
    const account = emptyAccount();
    const { error, deployment, lines } = await run(account);
    expect(error).toBeUndefined();
    expect(account.changes).toEqual(CHANGES);
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: deployment?.worker.adminToken.value });
    expect(lines.filter((line) => line.includes("✓"))).toHaveLength(9);
  });

  it("changes only the Worker when everything else exists", async () => {
    const account = deployedAccount();
    const { error } = await run(account);
    expect(error).toBeUndefined();
    expect(account.changes).toEqual(["deploy"]);
  });

  it("creates only what is missing", async () => {
    const account = deployedAccount();
    delete account.index?.metadataIndexes.kind;
    account.database = { migrations: [], tables: [], organizations: 0, location: "weur" };
    await run(account);
    expect(account.changes).toEqual([
      "vectorize create-metadata-index engram --propertyName=kind",
      IMPORT,
      "deploy",
    ]);
  });
});

describe("a database without applied migrations", () => {
  const halfOf = (tables: string[], organizations = 0): AccountState => ({
    ...emptyAccount(),
    database: { migrations: null, tables, organizations, location: "weur" },
  });

  it("gets all migrations if the first one had stopped halfway", async () => {
    const account = halfOf(["message_words", "message_words_data", "organizations", "conversations"]);
    const { error, lines } = await run(account);
    expect(error).toBeUndefined();
    expect(lines.join("\n")).toContain("stopped within the first migration");
    expect(account.changes).toContain(IMPORT);
    expect(account.database?.migrations).toEqual(MIGRATIONS);
  });

  test.each([1, 5, 12, 20, 31])(
    "is completed by a second deployment after the first stopped at statement %i",
    async (statementsMax) => {
      const whole = emptyAccount();
      await run(whole);
      const account: AccountState = { ...emptyAccount(), statementsMax };
      const first = await run(account);
      expect(first.error?.message).toContain("D1 DB reset");
      expect(account.worker).toBeNull();

      delete account.statementsMax;
      const second = await run(account);
      expect(second.error).toBeUndefined();
      expect(account.database).toEqual(whole.database);
      expect(account.worker).not.toBeNull();
    },
  );

  test.each([
    ["contains organizations", halfOf(["organizations", "conversations"], 2), "holds 2 organizations"],
    ["has tables of another application", halfOf(["organizations", "invoices"]), "something else: invoices"],
  ])("is left unchanged when it %s", async (_, account, message) => {
    const { error } = await run(account);
    expect(error?.message).toContain(message);
    expect(account.changes).toEqual([]);
  });
});

describe("the free plan", () => {
  it("stops the deployment, which names the plan that Engram needs and the resources that remain", async () => {
    const account: AccountState = { ...emptyAccount(), plan: "free" };
    const { error } = await run(account);
    expect(error?.message).toContain("Engram needs the Workers Paid plan");
    expect(error?.message).toContain(`https://dash.cloudflare.com/${ACCOUNT.id}/workers/plans`);
    expect(error?.message).toContain("npm run deploy");
    expect(account.worker).toBeNull();

    account.plan = "paid";
    expect((await run(account)).error).toBeUndefined();
    expect(account.changes).toEqual(CHANGES);
  });
});

describe("an interrupted deployment", () => {
  const cases = CHANGES.flatMap((_, at) => [
    { at, change: CHANGES[at], when: "before" },
    { at, change: CHANGES[at], when: "after" },
  ]);

  it.each(cases)("continues where it stopped: $when $change", async ({ at, when }) => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    const real = fakeWrangler(account);
    const dying: Wrangler = async (args) => {
      const isDue = account.changes.length === at;
      if (isDue && when === "before" && args.join(" ").startsWith(CHANGES[at] ?? ""))
        throw new Error("killed");
      const result = await real(args);
      if (isDue && account.changes.length > at) throw new Error("killed");
      return result;
    };
    const first = await run(account, { keepDirectory, wrangler: dying });
    expect(first.error?.message).toBe("killed");

    const second = await run(account, { keepDirectory });
    expect(second.error).toBeUndefined();
    // Only the Worker may be uploaded twice.
    const isLast = at === CHANGES.length - 1;
    expect(account.changes).toEqual(isLast && when === "after" ? [...CHANGES, "deploy"] : CHANGES);
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: first.deployment?.worker.adminToken.value });
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: keptToken(keepDirectory) });
    expect(account.index?.metadataIndexes).toEqual(METADATA_INDEXES);
    expect(readdirSync(join(keepDirectory, ACCOUNT.id))).toEqual(["engram.admin-token"]);
  });
});

describe("a deployment, before it changes anything,", () => {
  it("says how to log in if wrangler is not logged in", async () => {
    const { error } = await run({ ...emptyAccount(), isLoggedIn: false });
    expect(error?.message).toMatch(/not logged in[\s\S]*npx wrangler login[\s\S]*CLOUDFLARE_API_TOKEN/);
  });

  const others = [ACCOUNT, { id: "f".repeat(32), name: "Other" }];

  it("asks which account to use if the login has several", async () => {
    const { error } = await run({ ...emptyAccount(), accounts: others });
    expect(error?.message).toContain("CLOUDFLARE_ACCOUNT_ID");
    expect(error?.message).toContain(`${others[1]?.id}  Other`);
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
    expect(error?.message).toContain("does not reach the account aaaa");
  });

  test.each([
    ["dimensions", { dimensions: 1024 }, "1024 dimensions"],
    ["metric", { metric: "euclidean" }, "the metric euclidean"],
  ])("stops at an index with other %s, and says what to do", async (_, shape, text) => {
    const account = deployedAccount();
    Object.assign(account.index ?? {}, shape);
    const { error } = await run(account);
    expect(error?.message).toContain(text);
    expect(error?.message).toContain("index_name");
    expect(account.changes).toEqual([]);
  });

  it("stops at a metadata index with another type, and says how to remove it", async () => {
    const account = deployedAccount();
    if (account.index) account.index.metadataIndexes.day = "string";
    const { error } = await run(account);
    expect(error?.message).toContain("delete-metadata-index engram --propertyName=day");
    expect(account.changes).toEqual([]);
  });

  test.each([
    "whoami",
    "d1 list",
    "d1 execute",
    "vectorize list",
    "vectorize info",
    "vectorize list-metadata-index",
  ])("prints the output of `wrangler %s` if it is not in the expected format", async (command) => {
    const account = deployedAccount();
    const { error } = await run(account, {
      wrangler: failing(account, `${command} `, { code: 0, stdout: '{"odd":"answer"}' }),
    });
    expect(error).toBeInstanceOf(DeployError);
    expect(error?.message).toContain(`wrangler ${command}`);
    expect(error?.message).toContain('{"odd":"answer"}');
    expect(account.changes).toEqual([]);
  });

  test.each(["secret list", "deploy --dry-run"])("stops if `wrangler %s` fails", async (command) => {
    const account = deployedAccount();
    const { error } = await run(account, {
      wrangler: failing(account, command, { stderr: "Authentication error [code: 10000]" }),
    });
    expect(error?.message).toContain("Authentication error [code: 10000]");
    expect(account.changes).toEqual([]);
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
    expect(error?.message).toContain("Vectorize has not made conversation_id, ");
    expect(sleptMs).toBeLessThan(10 * 60_000);
    expect(account.changes).not.toContain("deploy");
  });

  it("waits for those that an interrupted run has requested, although Vectorize refuses them now", async () => {
    const account = deployedAccount();
    delete account.index?.metadataIndexes.kind;
    account.index?.pending.push({ property: "kind", type: "string", looks: 4 });
    const { error } = await run(account);
    expect(error).toBeUndefined();
    expect(account.index?.metadataIndexes.kind).toBe("string");
  });

  it("stops with Vectorize's reason if it keeps refusing one", async () => {
    const account = deployedAccount();
    delete account.index?.metadataIndexes.kind;
    const wrangler = failing(account, "vectorize create-metadata-index", {
      stderr: "too many metadata indexes",
    });
    const { error } = await run(account, { wrangler });
    expect(error?.message).toContain("too many metadata indexes");
    expect(account.changes).toEqual([]);
  });

  it("reports those created after vectors as empty, and says how to fill them", async () => {
    const account = deployedAccount();
    delete account.index?.metadataIndexes.kind;
    const { lines } = await run(account);
    expect(lines.join("\n")).toMatch(/3 vectors[\s\S]*\/v1\/index\/repair/);
  });

  it("reports nothing about vectors for a new account", async () => {
    const { lines } = await run(emptyAccount());
    expect(lines.join("\n")).not.toContain("/v1/index/repair");
  });

  it("reports indexes as empty if they were deleted while the database was in use", async () => {
    const account = { ...deployedAccount(), index: null };
    const { lines } = await run(account);
    expect(lines.join("\n")).toMatch(/not in the new index[\s\S]*\/v1\/index\/repair/);
  });
});

describe("the admin token", () => {
  it("is the given one, and is saved locally before the Worker gets it", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    const { deployment } = await run(account, { keepDirectory, env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(keptToken(keepDirectory)).toBe(TOKEN);
    expect(deployment?.worker.adminToken.isKept).toBe(true);
  });

  it("is refused before any change if it is too short", async () => {
    const account = emptyAccount();
    const { error, deployment } = await run(account, { env: { ENGRAM_ADMIN_TOKEN: "secret" } });
    expect(error?.message).toContain("at least 24 characters");
    // There is not even a plan, so that a dry run reports the error too.
    expect(deployment).toBeUndefined();
  });

  it("is asked for on a terminal, and generated if the answer is empty", async () => {
    const account = emptyAccount();
    await run(account, { ask: async (_, isSecret) => (isSecret ? TOKEN : "") });
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: TOKEN });

    const other = emptyAccount();
    await run(other, { ask: async () => "" });
    expect(other.worker?.secrets.ADMIN_TOKEN).toMatch(/^engram_admin_[0-9A-Za-z]{32}$/);
  });

  it("is neither asked for nor replaced if the Worker has one", async () => {
    const account = deployedAccount();
    const before = account.worker?.secrets;
    const ask = async () => {
      throw new Error("asked");
    };
    for (const env of [{}, { ENGRAM_ADMIN_TOKEN: TOKEN }]) {
      expect((await run(account, { ask, env })).error).toBeUndefined();
      expect(account.worker?.secrets).toEqual(before);
    }
  });

  it("given to the run after an interrupted one replaces the saved token", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    await run(account, { keepDirectory, wrangler: failing(account, "d1 create", {}) });
    expect(keptToken(keepDirectory)).toMatch(/^engram_admin_/);
    await run(account, { keepDirectory, env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(account.worker?.secrets).toEqual({ ADMIN_TOKEN: TOKEN });
    expect(keptToken(keepDirectory)).toBe(TOKEN);
  });

  it("is never printed", async () => {
    const { lines, deployment } = await run(emptyAccount());
    expect(deployment?.worker.adminToken.value).toBeDefined();
    expect(lines.join("\n")).not.toContain(deployment?.worker.adminToken.value);
  });

  it("is in no temporary file after a failed deployment", async () => {
    const account = emptyAccount();
    const keepDirectory = makeFolder();
    const wrangler = failing(account, "deploy --secrets-file", {});
    await run(account, { keepDirectory, wrangler });
    expect(readdirSync(join(keepDirectory, ACCOUNT.id))).toEqual(["engram.admin-token"]);
  });
});

describe("a deployment whose command fails", () => {
  test.each(["d1 create", "vectorize create engram", IMPORT, "deploy --secrets-file"])(
    "stops with the command's output: %s",
    async (command) => {
      const account = emptyAccount();
      const { error, lines } = await run(account, {
        wrangler: failing(account, command, { stdout: "before", stderr: "out of luck [code: 1]" }),
      });
      expect(error?.message).toContain("out of luck [code: 1]");
      expect(lines.at(-1)).toContain("✗");
    },
  );

  it("stops if wrangler reports applied migrations that are not in the database", async () => {
    const account = emptyAccount();
    const { error } = await run(account, {
      wrangler: failing(account, IMPORT, { code: 0 }),
    });
    expect(error?.message).toContain(IMPORT);
    expect(account.changes).not.toContain("deploy");
  });

  it("stops if wrangler was killed, although its launcher exits with 0", async () => {
    const account = emptyAccount();
    const wrangler = failing(account, "deploy --secrets-file", { code: 0, stdout: "Uploaded engram" });
    expect((await run(account, { wrangler })).error?.message).toContain("did not do what it should");
  });

  it("says what to do if the Worker's database was deleted", async () => {
    const account = { ...deployedAccount(), database: null };
    if (account.worker) account.worker.hasLostDatabase = true;
    const { error } = await run(account);
    expect(error?.message).toContain("npx wrangler delete");
  });
});

describe("a deployment whose smoke test fails", () => {
  const broken: typeof fetch = async (input, init) =>
    String(input).endsWith("/ready")
      ? Response.json({ code: "unavailable" }, { status: 503 })
      : workingService(input, init);

  it("stops, names the failed check and says how to roll back", async () => {
    const { error } = await run(deployedAccount(), { fetch: broken });
    expect(error?.message).toContain('GET /ready answered 503: {"code":"unavailable"}');
    expect(error?.message).toContain("npx wrangler rollback");
  });

  it("does not suggest a rollback after the first version", async () => {
    const { error } = await run(emptyAccount(), { fetch: broken });
    expect(error?.message).toContain("npx wrangler tail");
    expect(error?.message).not.toContain("rollback");
  });

  it("says if the local admin token differs from the Worker's", async () => {
    const other: typeof fetch = async (input, init) =>
      String(input).endsWith("/v1/organizations")
        ? new Response("", { status: 401 })
        : workingService(input, init);
    const { error } = await run(deployedAccount(), { fetch: other, env: { ENGRAM_ADMIN_TOKEN: TOKEN } });
    expect(error?.message).toContain("npx wrangler secret put ADMIN_TOKEN");
    expect(error?.message).not.toContain("rollback");
  });

  it("names the variable to set if the Worker does not serve this host", async () => {
    const { error } = await run(deployedAccount(), { fetch: async () => new Response("", { status: 403 }) });
    expect(error?.message).toContain("ALLOWED_HOSTS");
  });
});

it("a deployment stops before the upload if the database is newer than this version", async () => {
  const account = deployedAccount();
  account.database?.migrations?.push("9999_from_the_future.sql");
  const { lines } = await run(account);
  expect(lines.join("\n")).toContain("The database has 9999_from_the_future.sql, too");
});

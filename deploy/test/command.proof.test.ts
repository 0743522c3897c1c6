// The command in separate processes, with the fake wrangler first in PATH.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDeploy } from "./support/command.ts";
import { ACCOUNT, deployedAccount, emptyAccount, MIGRATIONS } from "./support/fake-wrangler.ts";
import { makeFolder, ROOT, removeFolders } from "./support/folders.ts";

/** The file in the repository in which the command saves the admin token of the tests' account. */
const KEPT = join(ROOT, "deploy/.engram", ACCOUNT.id);
const TOKEN = "a-token-of-the-operator-0123456789";

const forgetToken = () => rmSync(KEPT, { recursive: true, force: true });
beforeAll(forgetToken);
afterAll(() => {
  forgetToken();
  removeFolders();
});

it("npm run deploy with --dry-run says what an empty account lacks, and changes nothing", async () => {
  const account = emptyAccount();
  const command = startDeploy(account, ["--dry-run"]);
  const { code, stdout, stderr } = await command.ended;
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(stdout).toBe(`
Checking a deployment

  ✓ Account           Acme (${ACCOUNT.id}), as ada@example.com
  ✓ Bundle            1,563 KiB, 293 KiB gzip
  ! Where this folder does not last, as in CI, set ENGRAM_ADMIN_TOKEN.
  + Admin token       keep a new one in deploy/.engram/${ACCOUNT.id}/engram.admin-token
  ! D1 creates the database near this machine, and it stays there. To choose: --location=wnam|enam|weur|eeur|apac|oc
  + D1 database       create engram
  + Vectorize index   create engram, 768 dimensions, cosine
  + Metadata indexes  create conversation_id, agent, user, kind, model, day, last_day
  + Migrations        apply ${MIGRATIONS.join(", ")}
  + Worker            create engram, with the admin token
  + Smoke test        call the deployed URL

Nothing was changed.

`);
  expect(command.account()).toEqual(account);
  expect(existsSync(KEPT)).toBe(false);
});

it("the real wrangler needs no login for npm run deploy with --dry-run", () => {
  const HOME = makeFolder();
  const program = join(ROOT, "deploy/src/deploy.ts");
  const env = { PATH: process.env.PATH, HOME };
  const stdout = execFileSync(process.execPath, [program, "--dry-run"], { cwd: ROOT, env, encoding: "utf8" });
  expect(stdout).toMatch(/You are not logged in[\s\S]* Bundle +[\d,]+ KiB[\s\S]*Nothing was changed/);
  // Less than a third of the free plan's limit. A larger bundle means a longer start.
  expect(Number(/(\d+) KiB gzip/.exec(stdout)?.[1])).toBeLessThan(896);
});

// The figure of this machine, with whatever else runs on it. That of Cloudflare is printed by a deployment.
it("the Worker starts in less than the second that Cloudflare allows", { timeout: 240_000 }, () => {
  const program = join(ROOT, "deploy/src/startup.ts");
  const stdout = execFileSync(process.execPath, [program], { cwd: ROOT, encoding: "utf8" });
  expect(Number(/median of \d+, ([\d.]+) to/.exec(stdout)?.[1]), stdout).toBeLessThan(1_000);
});

// Without the separate `--`, npm takes the flag as its own option.
it("`npm run deploy --dry-run`, without the second --, changes nothing either", async () => {
  const command = startDeploy(deployedAccount(), [], { npm_config_dry_run: "true" });
  expect((await command.ended).stdout).toContain("Nothing was changed.");
  expect(command.account().changes).toEqual([]);
});

it("npm run deploy exits with 1 and the reason if a precondition fails", async () => {
  const command = startDeploy({ ...emptyAccount(), isLoggedIn: false }, []);
  const { code, stderr } = await command.ended;
  expect(code).toBe(1);
  expect(stderr).toContain("npx wrangler login");
});

it("npm run deploy exits with 2 and the usage for an unknown argument", async () => {
  const { code, stdout, stderr } = await startDeploy(emptyAccount(), ["--force"]).ended;
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Unknown option '--force'");
  expect(stderr).toContain("Usage: npm run deploy");
});

it("npm run deploy, when stopped, ends wrangler, removes the token's temporary file and says how to continue", async () => {
  const command = startDeploy(emptyAccount(), [], {
    ENGRAM_ADMIN_TOKEN: TOKEN,
    FAKE_HANG: "deploy --secrets",
  });
  while (!existsSync(command.hangingFile)) {
    if (command.child.exitCode !== null) throw new Error((await command.ended).stderr);
    await delay(20);
  }
  expect(readdirSync(KEPT)).toContain("engram.admin-token.upload");
  command.child.kill("SIGTERM");
  const { code, stdout } = await command.ended;
  expect(code).toBe(143);
  expect(stdout).toContain("`npm run deploy` goes on from here");
  expect(readdirSync(KEPT)).toEqual(["engram.admin-token"]);
  expect(() => process.kill(Number(readFileSync(command.hangingFile, "utf8")), 0)).toThrow("ESRCH");
});

it("`npm run deploy -- --help` prints the usage of the deploy command", () => {
  const output = execFileSync("npm", ["run", "deploy", "--", "--help"], { cwd: ROOT, encoding: "utf8" });
  expect(output).toContain("Usage: npm run deploy");
});

// The real wrangler of the lockfile, against an API that refuses every request.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readAccount } from "../src/account.ts";
import { spawnWrangler, type Wrangler } from "../src/wrangler.ts";
import { ACCOUNT, emptyAccount, fakeWrangler } from "./support/fake-wrangler.ts";
import { makeFolder, ROOT, removeFolders } from "./support/folders.ts";
import { run } from "./support/run.ts";

const REFUSAL = "refused by the test";
let server: Server;
let wrangler: Wrangler;

beforeAll(async () => {
  server = createServer((_, response) => {
    const errors = [{ code: 1, message: REFUSAL }];
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: false, errors, messages: [], result: null }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const real = spawnWrangler(ROOT, new AbortController().signal);
  const HOME = makeFolder();
  wrangler = (args, env) =>
    real(args, {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT.id,
      CLOUDFLARE_API_TOKEN: "token",
      WRANGLER_SEND_METRICS: "false",
      HOME,
      XDG_CONFIG_HOME: HOME,
      ...env,
    });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
  removeFolders();
});

it("wrangler knows every command and option of a deployment, and sends it to the account", async () => {
  const fake = fakeWrangler(emptyAccount());
  const answers = new Map<string, Promise<string>>();
  const both: Wrangler = async (args) => {
    // The file of an import and of secrets exists only while the command runs.
    const kind = args
      .filter((arg) => !arg.startsWith("/"))
      .join(" ")
      .replace(/=\w+/g, "=");
    const isReal = !answers.has(kind) && args[0] !== "whoami" && !args.includes("--dry-run");
    if (isReal) {
      answers.set(
        kind,
        wrangler(args).then(({ stdout, stderr }) => stdout + stderr),
      );
      await answers.get(kind);
    }
    return fake(args);
  };
  const { error } = await run(emptyAccount(), { wrangler: both, location: "weur" });
  expect(error).toBeUndefined();
  expect(answers.size).toBeGreaterThan(8);
  for (const [command, answer] of answers) expect(await answer, command).toContain(REFUSAL);
});

it("a deployment recognizes that wrangler is not logged in", async () => {
  const loggedOut: Wrangler = (args) => wrangler(args, { CLOUDFLARE_API_TOKEN: "" });
  await expect(readAccount(loggedOut, undefined)).rejects.toThrow("You are not logged in");
});

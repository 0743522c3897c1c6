import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { verifyWebhook } from "@engram/sdk";
import { expect, onTestFinished, test } from "vitest";
import { createPerson, PROGRAM } from "./support/program.ts";
import { serve } from "./support/servers.ts";

interface Received {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver that responds with `status`. */
async function openReceiver(status = 204) {
  const received: Received[] = [];
  const url = await serve(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(status, { location: "/elsewhere" }).end();
  });
  return { url: `${url}/hook`, received };
}

const secretOf = (stderr: string): string => /whsec_\S+/.exec(stderr)?.[0] ?? "";

test("engram listen sends existing events in order, signed with the secret that it prints", async () => {
  const { run, client } = await createPerson();
  const { id } = await client.conversations.create({});
  const { url, received } = await openReceiver();
  const { code, stdout, stderr } = await run(["listen", "--forward", url, "--after", "0", "--no-wait"]);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^1 .* key\.created .* → 204 in \d+ ms$/),
    expect.stringMatching(new RegExp(`^2 .* conversation\\.created +${id} +→ 204 in \\d+ ms$`)),
    "",
  ]);
  const secret = secretOf(stderr);
  const events = await Promise.all(received.map((request) => verifyWebhook(request, secret)));
  expect(events).toEqual((await client.events.list()).items);
  expect(received.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
  expect(received[0]?.headers).toMatchObject({
    "webhook-id": events[0]?.id,
    "content-type": "application/json",
    "user-agent": "Engram-Webhooks",
  });
  const again = await run(["listen", "--forward", url, "--after", "1", "--no-wait", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ event: events[1], status: 204, error: null });
  expect(JSON.parse(again.stderr)).toEqual({ secret, profile: "default", file: expect.any(String) });
});

test("engram listen keeps the secret of a profile between runs, where only this user can read it", async () => {
  const { run, home, url, key } = await createPerson();
  const print = async (...args: string[]) => {
    const ran = await run(["listen", "--print-secret", ...args]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  };
  const secret = await print();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=\n$/);
  expect(await print()).toBe(secret);
  const file = join(home, ".config/engram/config.json");
  expect(JSON.parse(await print("--json"))).toEqual({ secret: secret.trim(), profile: "default", file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await run(["listen", "--print-secret", "--profile", "work"])).toMatchObject({ code: 1, stdout: "" });
  await run(["login", "--url", url, "--profile", "work"], { input: key });
  expect(await print("--profile", "work")).not.toBe(secret);
  const { stderr } = await run([
    "listen",
    "--forward",
    "http://127.0.0.1:1/",
    "--no-wait",
    "--profile",
    "work",
  ]);
  expect(`${secretOf(stderr)}\n`).toBe(await print("--profile", "work"));
  expect(stderr).toContain('(of profile "work", in ~/.config/engram/config.json)');
});

test("engram listen sends new events as they happen", async () => {
  const { env, client } = await createPerson();
  const { url, received } = await openReceiver();
  const child = spawn(process.execPath, [PROGRAM, "listen", "--forward", url, "--after", "1"], { env });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const title of ["one", "two"]) {
    await client.conversations.create({ title });
    expect((await lines.next()).value).toMatch(/conversation\.created/);
  }
  expect(received).toHaveLength(2);
});

test("engram listen reports a redirect without following it, and why a receiver did not respond", async () => {
  const { run } = await createPerson();
  const { url, received } = await openReceiver(302);
  const once = ["--after", "0", "--no-wait"];
  expect((await run(["listen", "--forward", url, ...once])).stdout).toMatch(/→ 302 in/);
  expect(received).toHaveLength(1);
  const { code, stdout } = await run(["listen", "--forward", "http://127.0.0.1:1/", ...once]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/→ \w.* in \d+ ms/) });
});

test.for([
  ["no URL", [], "--forward"],
  ...[
    ...["https://hooks.example.com/", "http://127.0.0.1.example.com/", "ftp://localhost/"],
    ...["localhost:3000", "http://10.0.0.1/"],
  ].map((url) => [url, ["--forward", url], "of this machine"] as const),
] as const)("engram listen needs a URL of this machine to send to, not %s", async ([, options, says]) => {
  const { run } = await createPerson();
  expect(await run(["listen", ...options])).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
});

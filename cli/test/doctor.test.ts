import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seriesOf } from "../src/checks.ts";
import { createPerson, type Person } from "./support/program.ts";
import { serve } from "./support/servers.ts";

type Checks = Record<string, { status: string; detail: string; mend: string | null }>;

async function checksOf({ run }: Person, env: Record<string, string> = {}) {
  const { code, stdout } = await run(["doctor", "--json"], { env });
  const { healthy, checks } = JSON.parse(stdout) as {
    healthy: boolean;
    checks: ({ name: string } & Checks[string])[];
  };
  return {
    code,
    healthy,
    checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) as Checks,
  };
}

/** An error of the service. */
const problemOf = (status: number, code: string, detail: string): Response =>
  Response.json(
    { type: "x", title: "x", status, code, detail, request_id: "req_1" },
    { status, headers: { "content-type": "application/problem+json" } },
  );

/** A service in front of the real one that answers some paths on its own. */
async function standIn(
  url: string,
  answers: Record<string, (headers: Headers) => Response>,
): Promise<string> {
  return serve(async (request, response) => {
    const path = request.url ?? "/";
    const own = answers[path.split("?")[0] ?? ""];
    const headers = new Headers(request.headers as Record<string, string>);
    const chunks = await request.toArray();
    for (const name of ["host", "connection", "content-length"]) headers.delete(name);
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer =
      own?.(headers) ?? (await fetch(new URL(path, url), { method: request.method ?? "GET", headers, body }));
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      "content-encoding": "identity",
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

describe("engram doctor", () => {
  test("reports no problem for a healthy service, and changes nothing", async () => {
    const person = await createPerson();
    const { id } = await person.client.conversations.create({ title: "Order 1029" });
    const { code, healthy, checks } = await checksOf(person);
    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    const { clock, ...others } = checks;
    // The local service sends no Date header.
    expect(clock).toMatchObject({ status: "skip", detail: expect.stringContaining("no Date"), mend: null });
    for (const check of Object.values(others)) expect(check).toMatchObject({ status: "ok", mend: null });
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(["program", "url", "database", "versions", "key", "scopes", "index"]),
    );
    expect(checks.scopes?.detail).toBe("read, write, search, delete, admin");
    expect(checks.key?.detail).toContain("ENGRAM_API_KEY");
    const conversations = await person.client.conversations.list().toArray({ max: 10 });
    expect(conversations).toMatchObject([{ id, title: "Order 1029", message_count: 0 }]);
  });

  test("says that the service does not accept its host, although its health can be checked", async () => {
    const person = await createPerson();
    const refuse = () => problemOf(403, "host_not_allowed", "The service does not accept this `Host`.");
    const url = await standIn(person.url, { "/openapi.json": refuse, "/v1/index": refuse });
    const { code, checks } = await checksOf(person, { ENGRAM_URL: url });
    expect(code).toBe(1);
    expect(checks.url?.status).toBe("ok");
    expect(checks.versions?.detail).toContain("403");
    expect(checks.host).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("does not accept"),
      mend: expect.stringContaining("ALLOWED_HOSTS"),
    });
  });

  test("prints a line for each check, and how to fix what failed", async () => {
    const { run } = await createPerson();
    const { code, stdout } = await run(["doctor"], { env: { ENGRAM_API_KEY: "" } });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {4}url +http:\S+ \(from ENGRAM_URL\) responds in \d+ ms$/m);
    expect(stdout).toMatch(/^fail {2}key +no key for .*\n +→ engram login/m);
  });

  test.for([
    ["a service that does not respond", { ENGRAM_URL: "http://127.0.0.1:2" }, "url", "fail"],
    ["an invalid key", { ENGRAM_API_KEY: "engram_sk_live_nothing" }, "key", "fail"],
    ["no key", { ENGRAM_API_KEY: "" }, "key", "fail"],
  ] as const)("fails for %s", async ([, env, name, status]) => {
    const { code, checks } = await checksOf(await createPerson(), { ...env });
    expect(code).toBe(1);
    expect(checks[name]).toMatchObject({ status, mend: expect.stringContaining("engram login") });
  });

  const all = ["read", "write", "search", "delete", "admin"] as const;
  test.for([
    ...all.map((lacking) => all.filter((scope) => scope !== lacking)),
    ...([["read"], ["search", "write"], ["delete"]] as const),
  ])(
    "warns of a key with only the scopes %j, and names those that it lacks and what needs them",
    async (scopes) => {
      const person = await createPerson();
      const { secret } = await person.client.keys.create({ name: "some", scopes: [...scopes] });
      const { code, checks } = await checksOf(person, { ENGRAM_API_KEY: secret });
      expect(code).toBe(0);
      const { status, detail = "", mend } = checks.scopes ?? {};
      expect({ status, mend }).toEqual({
        status: "warn",
        mend: expect.stringContaining("a key with these scopes"),
      });
      const [has = "", missing = ""] = detail.split("; missing ");
      expect(has.split(", ").sort()).toEqual([...scopes].sort());
      const lacking = all.filter((scope) => !scopes.includes(scope as never));
      expect([...missing.matchAll(/(\w+) \([^()]+\)/g)].map(([, scope]) => scope).sort()).toEqual(
        lacking.sort(),
      );
      if (lacking.includes("admin"))
        expect(missing).toContain("admin (import, export, keys, usage, console)");
    },
  );

  test("warns of a key that expires soon", async () => {
    const person = await createPerson();
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { id, secret } = await person.client.keys.create({ name: "brief", scopes: ["admin"], expires_at });
    const { checks } = await checksOf(person, { ENGRAM_API_KEY: secret });
    expect(checks.expiry).toMatchObject({ status: "warn", mend: `engram keys rotate ${id}` });
  });

  test("warns if the clocks differ, and if the versions do not fit", async () => {
    const person = await createPerson();
    const url = await standIn(person.url, {
      "/health": () =>
        Response.json(
          { status: "ok" },
          { headers: { date: new Date(Date.now() + 3_600_000).toUTCString() } },
        ),
      "/openapi.json": () => Response.json({ info: { version: "9.0.0" } }),
    });
    const { code, checks } = await checksOf(person, { ENGRAM_URL: url });
    expect(code).toBe(0);
    expect(checks.clock).toMatchObject({
      status: "warn",
      detail: expect.stringMatching(/3,\d{3} s slow/),
      mend: expect.stringContaining("set the clock of this machine"),
    });
    expect(checks.versions).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("service 9.0.0"),
      mend: expect.stringContaining("npm install -g @engram/cli@9, or "),
    });
  });

  test("accepts a clock that agrees", async () => {
    const person = await createPerson();
    const url = await standIn(person.url, {
      "/health": () =>
        Response.json({ status: "ok" }, { headers: { date: new Date(Date.now() + 5_000).toUTCString() } }),
    });
    expect((await checksOf(person, { ENGRAM_URL: url })).checks.clock).toMatchObject({ status: "ok" });
  });

  test("treats a new minor version below 1.0 as a breaking change", () => {
    expect(["0.1.0", "0.1.9", "0.9.0", "1.0.0", "1.4.2", "2.0.0-beta.1"].map(seriesOf)).toEqual([
      "0.1",
      "0.1",
      "0.9",
      "1",
      "1",
      "2",
    ]);
    expect(() => seriesOf("$(reboot)")).toThrow("is not a version");
  });

  test("fails for a service without space for writes", async () => {
    const person = await createPerson();
    const full = await standIn(person.url, {
      "/v1/conversations/conv_00000000000000000000": () => problemOf(507, "insufficient_storage", "x"),
    });
    expect(await checksOf(person, { ENGRAM_URL: full })).toMatchObject({
      code: 1,
      checks: {
        scopes: { status: "ok" },
        storage: {
          status: "fail",
          detail: "no space left for writes",
          mend: "free disk space where the service runs",
        },
      },
    });
  });

  test("fails for a database with missing migrations, and for messages that failed to index", async () => {
    const person = await createPerson();
    const status = await person.client.index.status();
    const index = await standIn(person.url, {
      "/v1/index": () => Response.json({ ...status, failed: 3, messages: 5 }),
    });
    expect((await checksOf(person, { ENGRAM_URL: index })).checks.index).toMatchObject({
      status: "fail",
      mend: "engram api repairIndex",
    });
    const { secret } = await person.client.keys.create({ name: "reader", scopes: ["read"] });
    const reader = await checksOf(person, { ENGRAM_URL: index, ENGRAM_API_KEY: secret });
    expect(reader.checks.index?.mend).toBe("engram api repairIndex, with a key that has the scope write");
    const database = await standIn(person.url, { "/ready": () => problemOf(503, "unavailable", "Migrate.") });
    expect((await checksOf(person, { ENGRAM_URL: database })).checks.database).toMatchObject({
      status: "fail",
      mend: expect.stringContaining("deploy the service again"),
    });
  });

  test.for([
    ["chunks of another model", { chunks_of_other_models: 2 }, /^engram api repairIndex$/],
    ["messages that are not indexed yet", { pending: 2, messages: 5 }, /^wait: the service indexes them/],
  ] as const)("warns of %s", async ([, differing, mend]) => {
    const person = await createPerson();
    const status = await person.client.index.status();
    const url = await standIn(person.url, { "/v1/index": () => Response.json({ ...status, ...differing }) });
    const { code, checks } = await checksOf(person, { ENGRAM_URL: url });
    expect(code).toBe(0);
    expect(checks.index).toMatchObject({ status: "warn", mend: expect.stringMatching(mend) });
  });

  test("fails when other users of the machine can read the file of keys", async () => {
    const person = await createPerson();
    await person.run(["login"], { input: person.key });
    chmodSync(join(person.home, ".config/engram/config.json"), 0o644);
    expect((await checksOf(person)).checks.profiles).toMatchObject({
      status: "fail",
      mend: expect.stringMatching(/chmod 600/),
    });
  });
});

describe("the hooks of a client", () => {
  const HOUR_MS = 3_600_000;
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  /** A person whose client last wrote to its log, and whose hooks last stored a transcript, some hours ago. */
  const createHooked = async (loggedHours: number, state: object) => {
    const person = await createPerson();
    const put = (path: string, text: string, at = new Date()) => {
      const file = join(person.home, path);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      utimesSync(file, at, at);
    };
    put(".claude/settings.json", JSON.stringify({ enabledPlugins: { "engram@engram": true } }), ago(99));
    put(".claude/projects/-home-ann-shop/a.jsonl", "{}", ago(loggedHours));
    put(".local/state/engram/hooks/claude-code.json", JSON.stringify(state));
    return (await checksOf(person)).checks.hooks;
  };
  const stored = (hours: number) => ({ stored_at: ago(hours).toISOString() });

  test("are not named if there are none", async () => {
    expect((await checksOf(await createPerson())).checks.hooks).toBeUndefined();
  });

  test("are fine if they have stored what the log has, or stored today, or nothing was said since", async () => {
    for (const [logged, at] of [
      [48, 48],
      [1, 20],
      [72, 48],
    ] as const)
      expect(await createHooked(logged, stored(at))).toMatchObject({
        status: "ok",
        detail: expect.stringMatching(/^Claude Code: last stored \d{4}-/),
      });
  });

  test("are named if they have stored nothing for a day though the log grew, with the last error", async () => {
    const error = { message: "The last transcript was not captured. Disk full.", at: ago(2).toISOString() };
    for (const state of [{ ...stored(30), error }, { error }])
      expect(await createHooked(3, state)).toMatchObject({
        status: "warn",
        detail: expect.stringMatching(/; its own log grew until .+; last error .+: .+Disk full\.$/),
        mend: expect.stringContaining("`engram import claude-code`"),
      });
    expect(await createHooked(3, {})).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("Claude Code: nothing stored yet; its own log grew"),
    });
    expect(await createHooked(3, { ...stored(1), error })).toMatchObject({ status: "warn" });
  });
});

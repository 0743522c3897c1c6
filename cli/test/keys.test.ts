import { Engram } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

const SCOPES = ["--scope", "read", "search"];
const statusWith = (baseUrl: string, apiKey: string) => new Engram({ baseUrl, apiKey }).index.status();

describe("engram keys", () => {
  test("prints a new key's secret once, and nothing else on standard output", async () => {
    const { run, url } = await createPerson();
    const { code, stdout, stderr } = await run(["keys", "create", "support bot", ...SCOPES]);
    expect(code).toBe(0);
    const secret = stdout.trimEnd();
    expect(await statusWith(url, secret)).toMatchObject({ messages: 0 });
    expect(stderr).not.toContain(secret);
    const [list, json] = [await run(["keys"]), await run(["keys", "--json"])];
    expect(list.stdout).toMatch(/^ID +KEY +STATE +SCOPES +LAST USE +NAME\n.*support bot\n/);
    expect(JSON.parse(json.stdout).items[0]).toMatchObject({ scopes: ["read", "search"] });
    expect(list.stdout + json.stdout).not.toContain(secret);
  });

  test("creates a key with an agent and an expiry time", async () => {
    const { run } = await createPerson();
    const options = ["--agent", "support", "--expires", "2099-01-01", "--json"];
    const { stdout } = await run(["keys", "create", "bot", ...options]);
    expect(JSON.parse(stdout)).toMatchObject({ agent_id: "support", expires_at: "2099-01-01T00:00:00.000Z" });
  });

  test("rotates a key, keeps the old one valid for the overlap, and names the profiles that have it", async () => {
    const { run, client, url } = await createPerson();
    const { id, secret } = await client.keys.create({ name: "old", scopes: ["read"] });
    await run(["login", "--url", url, "--profile", "work"], { input: secret });
    const says = 'Profile "work" still has the old key. Store another one: engram login --profile work';
    const plain = await run(["keys", "rotate", id, "--overlap", "600"]);
    expect(plain.stderr).toContain(`The old key ${id} works for 600 more seconds.`);
    for (const apiKey of [secret, plain.stdout.trimEnd()])
      expect(await statusWith(url, apiKey)).toBeDefined();
    expect((await client.keys.get(id)).expires_at).not.toBeNull();
    await run(["login", "--url", url, "--profile", "work"], { input: plain.stdout });
    const [, next = ""] = /Created (key_\w+)\./.exec(plain.stderr) ?? [];
    const json = await run(["keys", "rotate", next, "--json"]);
    const rotated = JSON.parse(json.stdout);
    expect(rotated.profiles_with_old_key).toEqual(["work"]);
    expect(await client.keys.get(rotated.id)).toMatchObject({ id: rotated.id, scopes: ["read"] });
    expect(await statusWith(url, rotated.secret)).toBeDefined();
    const revoked = await run(["keys", "revoke", next, "--yes"]);
    for (const { stderr } of [plain, json, revoked]) expect(stderr).toContain(says);
  });

  test("revokes nothing without confirmation when there is no terminal, and prints the revoked key as JSON", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.keys.create({ name: "old", scopes: ["read"] });
    expect(await run(["keys", "revoke", id])).toMatchObject({ code: 2 });
    expect((await client.keys.get(id)).revoked_at).toBeNull();
    const { code, stdout } = await run(["keys", "revoke", id, "--yes", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ ...(await client.keys.get(id)), profiles_with_old_key: [] });
    expect(JSON.parse(stdout).revoked_at).not.toBeNull();
  });
});

test("engram console prints a link that signs in once", async () => {
  const { run, url } = await createPerson();
  const { stdout } = await run(["console"]);
  const [, code = ""] = new RegExp(`^${url}/#/sign-in/(engram_code_\\w+)\n$`).exec(stdout) ?? [];
  const anonymous = new Engram({ baseUrl: url, apiKey: null });
  const { secret } = await anonymous.signInCodes.redeem(code);
  await expect(new Engram({ baseUrl: url, apiKey: secret }).keys.list().page()).resolves.toBeDefined();
  await expect(anonymous.signInCodes.redeem(code)).rejects.toMatchObject({ code: "unauthenticated" });
});

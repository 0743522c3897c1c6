import { Engram } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

describe("engram keys", () => {
  test("prints a new key's secret once, and nothing else on standard output", async () => {
    const { run, url } = await createPerson();
    const { code, stdout, stderr } = await run([
      "keys",
      "create",
      "support bot",
      "--scope",
      "read",
      "search",
    ]);
    expect(code).toBe(0);
    const secret = stdout.trimEnd();
    await expect(new Engram({ baseUrl: url, apiKey: secret }).index.status()).resolves.toMatchObject({
      messages: 0,
    });
    expect(stderr).not.toContain(secret);
    const [list, json] = [await run(["keys"]), await run(["keys", "--json"])];
    expect(list.stdout).toMatch(/^ID +KEY +STATE +SCOPES +LAST USE +NAME\n.*support bot\n/);
    expect(JSON.parse(json.stdout).items[0]).toMatchObject({ scopes: ["read", "search"] });
    expect(list.stdout + json.stdout).not.toContain(secret);
  });

  test("creates a key with an agent and an expiry time", async () => {
    const { run } = await createPerson();
    const { stdout } = await run([
      "keys",
      "create",
      "bot",
      "--agent",
      "support",
      "--expires",
      "2099-01-01",
      "--json",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ agent_id: "support", expires_at: "2099-01-01T00:00:00.000Z" });
  });

  test("rotates a key, and keeps the old one valid for the overlap", async () => {
    const { run, client, url } = await createPerson();
    const { id, secret } = await client.keys.create({ name: "old", scopes: ["read"] });
    const { stdout } = await run(["keys", "rotate", id, "--overlap", "600"]);
    for (const apiKey of [secret, stdout.trimEnd()]) {
      await expect(new Engram({ baseUrl: url, apiKey }).index.status()).resolves.toBeDefined();
    }
    expect((await client.keys.get(id)).expires_at).not.toBeNull();
  });

  test("prints the rotated key as JSON, with its secret", async () => {
    const { run, client, url } = await createPerson();
    const { id } = await client.keys.create({ name: "old", scopes: ["read"] });
    const { secret, ...rotated } = JSON.parse((await run(["keys", "rotate", id, "--json"])).stdout);
    expect(await client.keys.get(rotated.id)).toMatchObject({ id: rotated.id, scopes: ["read"] });
    await expect(new Engram({ baseUrl: url, apiKey: secret }).index.status()).resolves.toBeDefined();
  });

  test("name the profiles whose key was rotated or revoked", async () => {
    const { run, client, url } = await createPerson();
    const { id, secret } = await client.keys.create({ name: "old", scopes: ["read"] });
    await run(["login", "--url", url, "--profile", "work"], { input: secret });
    const rotated = await run(["keys", "rotate", id, "--overlap", "600", "--json"]);
    expect(JSON.parse(rotated.stdout).profiles_with_old_key).toEqual(["work"]);
    expect(rotated.stderr).toContain(`The old key ${id} works for 600 more seconds.`);
    const revoked = await run(["keys", "revoke", id, "--yes"]);
    for (const { stderr } of [rotated, revoked])
      expect(stderr).toContain(
        'Profile "work" still has the old key. Store another one: engram login --profile work',
      );
  });

  test("revokes nothing without confirmation when there is no terminal", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.keys.create({ name: "old", scopes: ["read"] });
    expect(await run(["keys", "revoke", id])).toMatchObject({ code: 2 });
    expect((await client.keys.get(id)).revoked_at).toBeNull();
    expect(await run(["keys", "revoke", id, "--yes"])).toMatchObject({ code: 0 });
    expect((await client.keys.get(id)).revoked_at).not.toBeNull();
  });

  test("prints the revoked key as JSON", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.keys.create({ name: "old", scopes: ["read"] });
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

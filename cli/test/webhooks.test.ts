import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

const URL_OF_HOOK = "https://hooks.example.com/engram";

async function createHooked() {
  const person = await createPerson();
  const { id } = await person.client.webhooks.create({ url: URL_OF_HOOK, enabled: false });
  return { ...person, id };
}

describe("engram webhooks", () => {
  test("prints a new webhook's secret once, and nothing else on standard output", async () => {
    const { run, client } = await createPerson();
    const types = ["memory.created", "memory.deleted"];
    const made = await run([
      ...["webhooks", "create", URL_OF_HOOK, "--type", ...types],
      ...["--after", "0", "--disabled"],
    ]);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_[\w+/]{43}=\n$/) });
    const [webhook] = (await client.webhooks.list()).items;
    expect(webhook).toMatchObject({ url: URL_OF_HOOK, types, after: 0, enabled: false });
    expect(made.stderr).toBe(`Created ${webhook?.id}. Its secret is not shown again.\n`);
    const list = await run(["webhooks"]);
    expect(list.stdout).toBe(
      `ID                       STATE                AFTER  TYPES                          URL\n${webhook?.id}  disabled: requested  0      memory.created,memory.deleted  ${URL_OF_HOOK}\n`,
    );
    const got = await run(["webhooks", "get", webhook?.id ?? ""]);
    expect(got.stdout).toMatch(/^types +memory\.created,memory\.deleted$/m);
    expect(got.stdout).toMatch(/^failing_since +-$/m);
    expect(list.stdout + got.stdout).not.toContain(made.stdout.trim());
  });

  test("reports that there are no webhooks", async () => {
    const { run } = await createPerson();
    expect(await run(["webhooks"])).toEqual({ code: 0, stdout: "", stderr: "No webhooks found.\n" });
  });

  test("updates the given fields", async () => {
    const { run, client, id } = await createHooked();
    const to = "https://hooks.example.com/other";
    const changed = await run(["webhooks", "update", id, "--to", to, "--type", "memory.created"]);
    expect(changed.stdout).toMatch(/^url +https:\/\/hooks\.example\.com\/other$/m);
    expect(await client.webhooks.get(id)).toMatchObject({ types: ["memory.created"], enabled: false });
    await run(["webhooks", "update", id, "--all-types", "--after", "0", "--enable"]);
    expect(await client.webhooks.get(id)).toMatchObject({ url: to, types: null, enabled: true });
    await run(["webhooks", "update", id, "--disable"]);
    expect(await client.webhooks.get(id)).toMatchObject({ enabled: false });
  });

  test("rotates the secret of a webhook", async () => {
    const { run, id } = await createHooked();
    const { stdout, stderr } = await run(["webhooks", "rotate", id]);
    expect(stdout).toMatch(/^whsec_/);
    expect(stderr).toBe(`Rotated ${id}. Its secret is not shown again.\n`);
  });

  test("deletes a webhook only after confirmation", async () => {
    const { run, client, id } = await createHooked();
    expect(await run(["webhooks", "delete", id])).toMatchObject({ code: 2 });
    expect((await client.webhooks.list()).items).toHaveLength(1);
    expect(await run(["webhooks", "delete", id, "--yes"])).toMatchObject({ stdout: `Deleted ${id}.\n` });
    expect((await client.webhooks.list()).items).toEqual([]);
  });

  // The name resolves to no address.
  test("tests a receiver, and fails if it does not respond", async () => {
    const { run, id } = await createHooked();
    const tested = await run(["webhooks", "test", id]);
    expect(tested).toMatchObject({ code: 1, stderr: "" });
    expect(tested.stdout).toMatch(/^name_not_resolved in \d+ ms\n$/);
    const json = JSON.parse((await run(["webhooks", "test", id, "--json"])).stdout);
    expect(json).toMatchObject({ event: { type: "webhook.test" }, attempt: { error: "name_not_resolved" } });
  });

  test("lists deliveries with their last attempt, and retries one", async () => {
    const { run, client, id } = await createHooked();
    expect((await run(["webhooks", "deliveries", id])).stderr).toBe("No deliveries found.\n");
    const [event] = (await client.events.list({ limit: 1 })).items;
    const retried = await run(["webhooks", "retry", id, event?.id ?? ""]);
    expect(retried).toMatchObject({ code: 0, stdout: `${event?.id} is sent again.\n` });
    const waiting = await run(["webhooks", "deliveries", id]);
    expect(waiting.stdout).toMatch(/^ID .*RESULT\nevt_\S+ +pending +\d{4}-\S+ \S+ +- +-\n$/);
    await client.webhooks.update(id, { enabled: true });
    await expect
      .poll(async () => (await run(["webhooks", "deliveries", id, "--status", "pending"])).stdout)
      .toMatch(/ name_not_resolved\n$/);
    expect((await run(["webhooks", "deliveries", id, "--status", "failed"])).stdout).toBe("");
    expect(await run(["webhooks", "retry", id, "evt_1"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(not_found)"),
    });
  });
});

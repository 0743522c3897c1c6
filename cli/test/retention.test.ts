import { describe, expect, test } from "vitest";
import { fixture } from "./support/importing.ts";
import { createPerson } from "./support/program.ts";

const DAY_MS = 86_400_000;

test("engram retention previews, creates, lists and deletes rules", async () => {
  const { run, client } = await createPerson();
  const created_at = new Date(Date.now() - 400 * DAY_MS).toISOString();
  const { id: old } = await client.memories.create({ content: "Old.", user_id: "maria", created_at });
  const of = ["memories", "--older-than-days", "365", "--user", "maria"];
  expect((await run(["retention", "preview", ...of])).stdout).toBe(`1 would be deleted now.\n${old}\n`);
  const options = ["--tags", "a,b", "--all-tags", "c", "--by", "updated_at", "--agent", "bot", "--dry-run"];
  const { stdout } = await run(["retention", "create", ...of, "--name", "Notes", ...options, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ name: "Notes", kind: "memories", older_than_days: 365, by: "updated_at", dry_run: true },
    filter: { agent_id: "bot", user_id: "maria", tags_any: ["a", "b"], tags_all: ["c"] },
  });
  const created = await run(["retention", "create", "usage", "--older-than-days", "730", "--name", "Usage"]);
  const [, id = ""] = /^Created (ret_\w+)\.\n$/.exec(created.stdout) ?? [];
  expect((await run(["retention"])).stdout).toMatch(
    /^ID +KIND +OLDER THAN +BY +MATCHED +APPLIED +NAME\n.+memories +365 +updated_at +.*Notes, dry run\n.+usage +730 .+Usage\n$/,
  );
  expect(await run(["retention", "delete", id])).toMatchObject({ code: 2 });
  expect((await run(["retention", "delete", id, "--yes"])).stdout).toBe(`Deleted ${id}.\n`);
  const { items } = JSON.parse((await run(["retention", "list", "--json"])).stdout);
  expect(items.map(({ name }: { name: string }) => name)).toEqual(["Notes"]);
});

test.for([
  ["an unknown kind", ["messages", "--older-than-days", "1"]],
  ["an unknown time", ["memories", "--older-than-days", "1", "--by", "read_at"]],
  ["no age", ["memories"]],
  ["an age of no days", ["memories", "--older-than-days", "0"]],
] as const)("engram retention refuses %s before it asks the service", async ([, args]) => {
  const { run } = await createPerson();
  expect(
    await run(["retention", "preview", ...args], { env: { ENGRAM_URL: "http://127.0.0.1:1" } }),
  ).toMatchObject({
    ...{ code: 2, stdout: "" },
  });
});

describe("--expires-in", () => {
  test("lets each conversation of an import expire that long after the import", async () => {
    const { run, client } = await createPerson();
    const before = Date.now();
    const { code } = await run(["import", "chatgpt", fixture("chatgpt.json"), "--expires-in", "90d"]);
    expect(code).toBe(0);
    const items = await client.conversations.list().toArray({ max: 100 });
    expect(items.length).toBeGreaterThan(0);
    for (const { expires_at } of items) {
      const ms = Date.parse(expires_at ?? "") - 90 * DAY_MS;
      expect(ms).toBeGreaterThanOrEqual(before);
      expect(ms).toBeLessThanOrEqual(Date.now());
    }
  });

  test.for(["0d", "90w", "soon"])("refuses the time span %s", async (span) => {
    const { run } = await createPerson();
    expect(await run(["import", "chatgpt", fixture("chatgpt.json"), "--expires-in", span])).toMatchObject({
      code: 2,
    });
  });

  test("is refused for what is imported as it was", async () => {
    const { run } = await createPerson();
    expect(await run(["import", "ndjson", "-", "--expires-in", "90d"], { input: "" })).toMatchObject({
      code: 2,
    });
  });
});

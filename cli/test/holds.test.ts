import { expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

test("engram holds sets holds by ids and by options, lists and shows them, and lifts them", async () => {
  const { run, client } = await createPerson();
  const { id: conversation } = await client.conversations.create({ user_id: "maria" });
  const byId = await run(["holds", "create", "Case 1", conversation]);
  const [, id = ""] = /^Created (hold_\w+)\.\n$/.exec(byId.stdout) ?? [];
  const options = ["--user", "maria", "--only", "memories", "--tags", "a,b", "--before", "2099-01-01T00:00Z"];
  const byFilter = JSON.parse((await run(["holds", "create", "Case 2", ...options, "--json"])).stdout);
  expect(byFilter.filter).toEqual({
    ...{ user_id: "maria", corpus: "memories", tags_any: ["a", "b"] },
    created_before: "2099-01-01T00:00:00.000Z",
  });
  for (const what of [[], [conversation, "--user", "maria"], ["--everything", "--user", "maria"]])
    expect(await run(["holds", "create", "Case 3", ...what])).toMatchObject({ code: 2 });
  expect((await run(["holds"])).stdout).toMatch(/^ID +STATUS +SINCE +HOLDS +REASON\n(.*Case .\n){2}/);
  const shown = (await run(["holds", "get", id])).stdout;
  expect(shown).toContain(`Holds 1 conversations and 0 memories.\n${conversation}`);
  await expect(client.conversations.delete(conversation)).rejects.toMatchObject({ code: "held" });
  expect(await run(["holds", "lift", id])).toMatchObject({ code: 2 });
  expect((await run(["holds", "lift", id, "--yes"])).stdout).toBe(`Lifted ${id}.\n`);
  await client.conversations.delete(conversation);
  const { items } = JSON.parse((await run(["holds", "list", "--status", "lifted", "--json"])).stdout);
  expect(items.map((hold: { id: string }) => hold.id)).toEqual([id]);
});

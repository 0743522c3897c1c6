import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

test("engram users export writes all data of one user, which another organization can import", async () => {
  const { run, home, client } = await createPerson();
  for (const title of ["Order 1029", "Order 1030"])
    await client.conversations.create({ title, user_id: "maria" });
  for (const user_id of ["maria", "jon"])
    await client.memories.create({ content: "Wants refunds on the card.", user_id });
  const file = join(home, "maria.ndjson");
  expect((await run(["users", "export", "maria", file])).stdout).toBe(
    `Wrote 2 conversations with 0 messages and 1 memories to ${file}.\n`,
  );
  const text = readFileSync(file, "utf8");
  const stderr = "Wrote 2 conversations with 0 messages and 1 memories to standard output.\n";
  for (const target of [[], ["-"]])
    expect(await run(["users", "export", "maria", ...target])).toEqual({ code: 0, stdout: text, stderr });
  const other = await createPerson();
  expect(await other.run(["import", "ndjson", file])).toMatchObject({ code: 0 });
  expect(await other.client.users.list().toArray({ max: 9 })).toMatchObject([
    { id: "maria", conversation_count: 2, memory_count: 1 },
  ]);
});

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

test("engram archive creates, lists, gets, verifies and restores an archive", async () => {
  const [from, to] = [await createPerson(), await createPerson()];
  const { id } = await from.client.conversations.create({ title: "Order 1029" });
  await from.client.messages.append(id, {
    messages: [{ role: "user", content: "Where is my parcel?\u2028" }],
  });
  await from.client.memories.create({ content: "Parcels go to the bakery.", tags: ["rules"], summary: "" });
  const created = await from.run(["archive", "create", "--wait", "--expires-in-days", "3", "--json"]);
  const archive = JSON.parse(created.stdout);
  expect(archive).toMatchObject({ counts: { conversations: 1, messages: 1, memories: 1 }, part_count: 1 });
  expect((await from.run(["archive", "list"])).stdout).toContain(archive.id);
  const directory = join(from.home, "archive");
  const get = () => from.run(["archive", "get", archive.id, directory]);
  expect(await get()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 conversations with 1 messages"),
  });
  const verify = () => from.run(["archive", "verify", directory]);
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining("is whole") });

  const restored = await to.run(["archive", "restore", directory]);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 conversations, 1 messages, 1 memories"),
  });
  expect((await to.run(["export"])).stdout).toBe((await from.run(["export"])).stdout);

  // One word of a part is another.
  const part = join(directory, "0000001.ndjson.gz");
  const changed = gunzipSync(readFileSync(part)).toString().replace("parcel", "letter");
  writeFileSync(part, gzipSync(changed));
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("Part 1 is damaged or changed."),
  });
  expect(await to.run(["archive", "restore", directory])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing was restored."),
  });
  // Another download replaces only that part.
  expect((await get()).code).toBe(0);
  expect((await verify()).code).toBe(0);
  rmSync(part);
  expect((await verify()).stdout).toContain("Part 1 is missing.");
});

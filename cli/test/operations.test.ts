import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

describe("engram operations and engram index", () => {
  test("list background operations, and cancel one", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.createImport({ lines: 1_200 });
    await client.index.repair();

    const { stdout } = await run(["operations"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ID +CREATED +TYPE +STATUS +DONE$/);
    expect(lines.filter((line) => line.includes("import"))).toEqual([
      expect.stringMatching(
        new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  import +running +0 of 1,200$`),
      ),
    ]);
    expect(lines.at(-2)).toContain("repair_index");
    const found = await run(["operations", "list", "--type", "import", "--status", "running", "--json"]);
    expect(JSON.parse(found.stdout).items).toMatchObject([{ id, type: "import" }]);

    const shown = await run(["operations", "get", id]);
    expect(shown.stdout).toMatch(/^status +running$/m);
    expect(shown.stdout).toMatch(/^progress +\{"done":0,"total":1200\}$/m);
    expect((await run(["operations", "cancel", id])).stdout).toBe(`Canceled ${id}.\n`);
    expect(await client.operations.get(id)).toMatchObject({ status: "canceled" });
    const receipt = await client.conversations.delete((await client.conversations.create({})).id);
    expect(await run(["operations", "cancel", receipt.id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(not_cancelable)"),
    });
  });

  test("count the indexed messages of the organization or of one conversation", async () => {
    const { run, client } = await createPerson();
    const conversation = await client.conversations.create({});
    const messages = [{ role: "user", content: "The kettle leaks." } as const];
    await client.messages.append(conversation.id, { messages, wait: "indexed" });
    await client.memories.create({ content: "Maria wants refunds on her card." });
    const { stdout } = await run(["index"]);
    expect(stdout).toMatch(/^model +\S+, \d+ dimensions$/m);
    expect(stdout).toMatch(/^messages and memories +2$/m);
    expect(stdout).toMatch(/^last error +none$/m);
    const one = await run(["index", "status", "--conversation", conversation.id, "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({ messages: 1, pending: 0 });
    const repair = await run(["index", "repair", "--conversation", conversation.id]);
    expect(repair.stdout).toMatch(/^Started (op_\w+)\. `engram operations get \1` shows the progress\.\n$/);
  });
});

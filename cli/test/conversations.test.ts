import { describe, expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

describe("engram conversations", () => {
  test("lists the requested number of conversations over several pages, filtered and sorted", async () => {
    const { run, client } = await createPerson();
    for (let i = 0; i < 105; i += 1) {
      await client.conversations.create({ title: `chat ${i}`, tags: i % 2 === 0 ? ["even"] : [] });
    }
    const list = async (...args: string[]) =>
      JSON.parse((await run(["conversations", "--json", ...args])).stdout).items;
    expect(await list()).toHaveLength(20);
    expect(await list("--limit", "1000")).toHaveLength(105);
    expect(await list("--tag", "even", "--limit", "1000")).toHaveLength(53);
    const [oldest] = await list("--sort", "created_at", "--order", "asc", "--limit", "1");
    expect(oldest).toMatchObject({ title: "chat 0" });
    const { stdout } = await run(["conversations", "--tag", "even", "--limit", "2"]);
    expect(stdout).toMatch(/^ID +CHANGED +MESSAGES {2}TITLE\n(conv_\w+ {2}\S+ \S+ {9}0 {2}chat \d+\n){2}$/);
  });

  test("prints every message of a conversation in full", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.conversations.create({ title: "Long" });
    const long = "word ".repeat(2_000);
    await client.messages.append(id, {
      messages: [
        { role: "user", content: long },
        { role: "assistant", content: "two\nlines" },
      ],
    });
    const { stdout } = await run(["conversations", "show", id]);
    expect(stdout).toMatch(/^Long\n\n1 user, /);
    expect(stdout).toContain(long);
    expect(stdout).toContain("two\nlines\n");
    const { messages } = JSON.parse((await run(["conversations", "show", id, "--json"])).stdout);
    expect(messages).toMatchObject([{ content: long }, { content: "two\nlines" }]);
  });

  test("deletes nothing without confirmation when there is no terminal, and prints the operation of a deletion", async () => {
    const { run, client } = await createPerson();
    const [id, other] = [
      (await client.conversations.create({})).id,
      (await client.conversations.create({})).id,
    ];
    expect(await run(["conversations", "delete", id])).toMatchObject({ code: 2, stdout: "" });
    expect(await client.conversations.get(id)).toMatchObject({ id });
    const { code, stdout } = await run(["conversations", "delete", id, "--yes"]);
    expect(code).toBe(0);
    const [, shown] =
      /^Deleted (\w+)\. `engram api getOperation --operation-id op_\w+` shows when/.exec(stdout) ?? [];
    expect(shown).toBe(id);
    await expect(client.conversations.get(id)).rejects.toMatchObject({ code: "not_found" });
    const json = await run(["conversations", "delete", other, "--yes", "--json"]);
    const receipt = JSON.parse(json.stdout);
    expect(receipt).toMatchObject({ type: "delete_conversation", target_id: other });
    expect(await client.operations.get(receipt.id)).toMatchObject({ target_id: other });
  });
});

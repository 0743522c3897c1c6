import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createPerson } from "./support/program.ts";

/** Two users: Maria has two conversations and a memory, Jon has a memory. */
async function createUsers() {
  const person = await createPerson();
  const { client } = person;
  for (const title of ["Order 1029", "Order 1030"])
    await client.conversations.create({ title, user_id: "maria" });
  for (const user_id of ["maria", "jon"])
    await client.memories.create({ content: "Wants refunds on the card.", user_id });
  return person;
}

describe("engram users", () => {
  test("lists each user with the time of the last change and the number of conversations and memories", async () => {
    const { run } = await createUsers();
    const { code, stdout } = await run(["users"]);
    expect(code).toBe(0);
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
    expect(stdout).toMatch(
      new RegExp(
        `^ID     LAST SEEN         CONVERSATIONS  MEMORIES\njon    ${time}              0         1\nmaria  ${time}              2         1\n$`,
      ),
    );
    const first = await run(["users", "list", "--limit", "1", "--json"]);
    expect(JSON.parse(first.stdout)).toEqual({
      items: [
        {
          ...{ id: "jon", conversation_count: 0, memory_count: 1 },
          ...{ first_seen_at: expect.any(String), last_seen_at: expect.any(String) },
        },
      ],
    });
  });

  test("reports that there are no users", async () => {
    const { run } = await createPerson();
    expect(await run(["users"])).toEqual({ code: 0, stdout: "", stderr: "No users found.\n" });
  });

  test("deletes nothing without confirmation when there is no terminal", async () => {
    const { run, client } = await createUsers();
    expect(await run(["users", "delete", "maria"])).toMatchObject({ code: 2, stdout: "" });
    expect(await client.conversations.list({ user_id: "maria" }).toArray({ max: 9 })).toHaveLength(2);
  });

  test("deletes all data of one user, and names the command that shows when it is removed for good", async () => {
    const { run, client } = await createUsers();
    const { stdout } = await run(["users", "delete", "maria", "--yes"]);
    const [, receipt = ""] =
      /^Deleted 3 conversations and memories of maria\. `engram api getOperation --operation-id (op_\w+)` shows when .+\.\n$/.exec(
        stdout,
      ) ?? [];
    const shown = await run(["api", "getOperation", "--operation-id", receipt]);
    expect(shown.stdout).toMatch(/^type +delete_user$/m);
    expect(shown.stdout).toMatch(/^rows_deleted_at +\S+$/m);
    const users = await client.users.list().toArray({ max: 9 });
    expect(users.map(({ id }) => id)).toEqual(["jon"]);
  });

  test("for a user with much data, reports that the counts are lower bounds and that the deletion takes several steps", async () => {
    const answers: Record<string, unknown> = {
      GET: {
        items: [{ id: "maria", conversation_count: 1_000, memory_count: null, last_seen_at: null }],
        next_cursor: null,
      },
      DELETE: {
        ...{ id: "op_1", target_id: "maria", soft_deleted: 2_000 },
        progress: { done: 0, total: null },
      },
    };
    const service = createServer(({ method = "" }, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers[method]));
    });
    await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void service.close());
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const { run } = await createPerson();
    expect((await run(["users", "--url", url])).stdout).toMatch(/^maria {2}- +1,000 +>1,000$/m);
    expect((await run(["users", "delete", "maria", "--yes", "--url", url])).stdout).toBe(
      "Deleted 2,000 conversations and memories of maria. The others are deleted in the background. `engram api getOperation --operation-id op_1` shows when the data is removed for good.\n",
    );
  });

  test("exports all data of one user, which another organization can import", async () => {
    const { run, home } = await createUsers();
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

  test("deletes a user without data, too, and prints the operation as JSON", async () => {
    const { run } = await createPerson();
    const { code, stdout } = await run(["users", "delete", "nemo", "--yes", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: "delete_user", target_id: "nemo", soft_deleted: 0 });
  });
});

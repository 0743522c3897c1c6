import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createPerson, PROGRAM } from "./support/program.ts";

const append = (content: string) => ({ messages: [{ role: "user" as const, content }] });

test("engram tail prints existing events, as lines or as JSON", async () => {
  const { run, client } = await createPerson();
  const { id } = await client.conversations.create({});
  await client.messages.append(id, { ...append("one"), wait: "indexed" });
  const { stdout } = await run(["tail", "--after", "0", "--no-wait"]);
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME").split("\n")).toEqual([
    expect.stringMatching(/^1 {2}TIME {2}key\.created {11}key_\w{20}$/),
    `2  TIME  conversation.created  ${id}`,
    `3  TIME  messages.appended     ${id}  1`,
    `4  TIME  messages.indexed      ${id}  1`,
    "",
  ]);
  const one = await run(["tail", "--after", "2", "--conversation", id, "--no-wait", "--json"]);
  const events = one.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
    [3, "messages.appended"],
    [4, "messages.indexed"],
  ]);
  expect(await run(["tail", "--after", "99", "--no-wait"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("(cursor_expired)"),
  });
  expect(await run(["tail", "--after", "-1"])).toMatchObject({ code: 2 });
});

test("engram tail prints new events as they happen", async () => {
  const { env, client } = await createPerson();
  const { id } = await client.conversations.create({});
  const child = spawn(process.execPath, [PROGRAM, "tail", "--after", "2", "--json"], { env });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (const content of ["one", "two"]) {
    await client.messages.append(id, append(content));
    let event: { type?: string; conversation_id?: string } = {};
    while (event.type !== "messages.appended") event = JSON.parse((await lines.next()).value ?? "{}");
    expect(event.conversation_id).toBe(id);
  }
});

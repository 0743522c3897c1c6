import { describe, expect, test } from "vitest";
import { excerpt } from "../src/results.ts";
import { createPerson } from "./support/program.ts";

async function createOrder() {
  const person = await createPerson();
  const { id } = await person.client.conversations.create({ title: "Order 1029", tags: ["billing"] });
  await person.client.messages.append(id, {
    messages: [
      { role: "user", name: "Maria", content: "The kettle leaks.", created_at: "2026-11-02T09:30:00Z" },
      { role: "assistant", content: "Your refund left us on Tuesday.", created_at: "2026-11-02T09:31:00Z" },
    ],
  });
  return { ...person, conversationId: id };
}

describe("engram search", () => {
  test("prints each result's title, id, speaker and time", async () => {
    const { run, conversationId } = await createOrder();
    const { code, stdout } = await run(["search", "--mode", "keyword", "leaking", "kettle"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\. Order 1029\n/);
    expect(stdout).toContain(conversationId);
    expect(stdout).toContain("> 1 Maria, 2026-11-02 09:30: The kettle leaks.");
    expect(stdout).toContain("  2 assistant, 2026-11-02 09:31: Your refund left us");
  });

  test("highlights matching words on a terminal with colors", () => {
    const marked = excerpt("The kettle leaks.", [{ start: 4, end: 10 }], (word) => `[${word}]`);
    expect(marked).toBe("The [kettle] leaks.");
  });

  test("prints the matching part of a long message", () => {
    const content = `${"before ".repeat(200)}kettle${" after".repeat(200)}`;
    const start = content.indexOf("kettle");
    const shown = excerpt(content, [{ start, end: start + 6 }], (word) => `[${word}]`);
    expect(shown).toMatch(/^….*\[kettle\].*…$/);
    expect(shown.length).toBeLessThan(500);
  });

  test("prints no control characters of stored text", async () => {
    const { run, client } = await createPerson();
    const { id } = await client.conversations.create({ title: "\u202eevil" });
    await client.messages.append(id, { messages: [{ role: "user", content: "kettle\u001b[2J\u0007 gone" }] });
    for (const args of [["search", "kettle"], ["conversations", "show", id], ["conversations"]]) {
      const { stdout } = await run(args);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    }
    const { stdout } = await run(["search", "kettle", "--json"]);
    expect(JSON.parse(stdout).results[0].messages[0].content).toBe("kettle\u001b[2J\u0007 gone");
  });

  test("finds a command with its flags, and leaves out results that contain the words of `--exclude`", async () => {
    const { run, client, conversationId } = await createOrder();
    const content = "To clean the build, run rm -rf dist before deploying.";
    await client.messages.append(conversationId, { messages: [{ role: "user", content }] });
    const ask = async (...args: string[]) => {
      const { code, stdout } = await run([
        "search",
        "--mode",
        "keyword",
        "--neighbors",
        "0",
        "--json",
        ...args,
      ]);
      return [code, JSON.parse(stdout).results.length];
    };
    expect(await ask("rm -rf dist")).toEqual([0, 1]);
    expect(await ask("--", "rm", "-rf", "dist")).toEqual([0, 1]);
    expect(await ask("--exclude", "paypal", "--exclude", "clean the build", "dist")).toEqual([0, 0]);
  });

  test.for([
    ["--tag", "billing", 1],
    ["--tag", "other", 0],
    ["--role", "user", 1],
    ["--role", "tool", 0],
    ["--after", "2026-11-02", 1],
    ["--after", "2026-11-03", 0],
    ["--before", "2026-11-02", 0],
    ["--user", "unknown", 0],
    ["--agent", "none", 0],
    ["--conversation", "conv_other", 0],
  ] as const)("filters by %s %s", async ([flag, value, found]) => {
    const { run } = await createOrder();
    // In keyword mode, because `pending` and vectors would depend on time.
    const { code, stdout } = await run(["search", "kettle", "--mode", "keyword", "--json", flag, value]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(found);
  });

  test("prints no more results and neighboring messages than requested", async () => {
    const { run } = await createOrder();
    const { stdout } = await run(["search", "kettle", "--limit", "1", "--neighbors", "0", "--json"]);
    expect(JSON.parse(stdout).results).toMatchObject([{ messages: [{ sequence: 1 }] }]);
  });

  test("reports on stderr that nothing was found, and exits with 0", async () => {
    const { run } = await createPerson();
    expect(await run(["search", "kettle"])).toMatchObject({ code: 0, stdout: "", stderr: "No results.\n" });
  });
});

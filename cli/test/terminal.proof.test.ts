import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createProgress } from "../src/progress.ts";
import { writeLargeExport } from "./support/large-export.ts";
import { createPerson, hasTerminal, runOnTerminal } from "./support/program.ts";

describe("on a terminal", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "there is no `script` of util-linux"));

  test("search highlights the matching words, unless colors are turned off", async () => {
    const { client, env } = await createPerson();
    const { id } = await client.conversations.create({ title: "Order 1029" });
    await client.messages.append(id, { messages: [{ role: "user", content: "The kettle leaks." }] });
    const search = ["search", "kettle", "--mode", "keyword"];
    const { screen } = await runOnTerminal(search, { env });
    expect(screen).toContain("The \u001b[1m\u001b[33mkettle\u001b[39m\u001b[22m leaks.");
    const plain = await runOnTerminal(search, { env: { ...env, NO_COLOR: "1" } });
    expect(plain.screen).toContain("The kettle leaks.");
    expect(plain.screen).not.toContain("\u001b[");
  });

  test("import draws a progress bar, and removes it at the end", async () => {
    const { home, env } = await createPerson();
    const file = join(home, "conversations.json");
    await writeLargeExport(file, { messages: 20_000, messageCharacters: 1_000 });
    const { code, screen } = await runOnTerminal(["import", "chatgpt", file, "--dry-run"], { env });
    expect(code).toBe(0);
    expect(screen).toMatch(/█░+ +\d+% {2}[\d,]+ messages read/);
    const end = screen.split("\u001b[K").at(-1);
    expect(end).toMatch(/^ +read\r\nconversations +2,000\r\nmessages +20,000\r\n/);
    expect(end).toMatch(/\r\nNothing was sent: this was a dry run\.\r\n$/);
  });

  test("login asks for the key without showing it", async () => {
    const { key, url, home, env } = await createPerson();
    const { code, screen } = await runOnTerminal(["login", "--url", url], {
      env,
      answers: [[`Key for ${url}: `, key]],
    });
    expect(code).toBe(0);
    expect(screen).not.toContain(key);
    expect(readFileSync(join(home, ".config/engram/config.json"), "utf8")).toContain(key);
  });

  test("irreversible commands ask for confirmation, and accept no answer but yes", async () => {
    const { client, env } = await createPerson();
    const { id } = await client.conversations.create({});
    const remove = (answer: string) =>
      runOnTerminal(["conversations", "delete", id], { env, answers: [["[y/N] ", answer]] });
    expect(await remove("")).toMatchObject({
      code: 1,
      screen: expect.stringContaining("Nothing was changed."),
    });
    expect(await client.conversations.get(id)).toMatchObject({ id });
    expect(await remove("y")).toMatchObject({ code: 0 });
    await expect(client.conversations.get(id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the progress bar", () => {
  test("writes nothing without a terminal", () => {
    const written: string[] = [];
    const progress = createProgress({ write: (text) => written.push(text) });
    progress.show(
      () => "1 message",
      () => 0.5,
    );
    progress.clear();
    expect(written).toEqual([]);
  });

  test("stays on one line, and is redrawn only a few times a second", () => {
    const written: string[] = [];
    let now = 0;
    const progress = createProgress(
      { isTTY: true, columns: 40, write: (text) => written.push(text) },
      () => now,
    );
    for (; now < 1_000; now += 1) {
      progress.show(
        () => "x".repeat(100),
        () => now / 1_000,
      );
    }
    expect(written.length).toBeLessThanOrEqual(10);
    // The line itself, after the two control sequences.
    for (const text of written) expect(text.length).toBeLessThanOrEqual(4 + 39);
  });
});

// Imports that are interrupted while they run, and a large one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { holdings } from "./support/importing.ts";
import { writeLargeExport } from "./support/large-export.ts";
import { createPerson, type Person, PROGRAM } from "./support/program.ts";

/** Messages of an import that is interrupted after two of its requests of 1,000 lines each. */
const MESSAGES = 6_000;
/** Its lines: ten messages follow each conversation. */
const LINES = MESSAGES + MESSAGES / 10;

describe("an interrupted import", () => {
  const checkpoints = ({ home }: Person): string[] => {
    try {
      // A file that is still being written has another name.
      return readdirSync(join(home, ".local/state/engram/imports")).filter((name) => name.endsWith(".json"));
    } catch {
      return [];
    }
  };

  const linesDone = async ({ client }: Person): Promise<number> => {
    const [operation] = await client.operations.list({ type: "import" }).toArray({ max: 1 });
    return operation?.type === "import" ? operation.lines_processed : 0;
  };

  /** Starts an import and stops it once two of its requests are stored. */
  async function interrupt(person: Person, args: string[], signal: NodeJS.Signals) {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: person.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const closed = once(child, "close");
    const said = text(child.stderr);
    while (checkpoints(person).length === 0 && child.exitCode === null) await sleep(5);
    // A resumed import sends the last 1,000 lines again.
    while ((await linesDone(person)) < 2_000 && child.exitCode === null) await sleep(5);
    child.kill(signal);
    const [code] = await closed;
    return { code: code as number | null, stderr: await said };
  }

  test.for([
    ["SIGKILL", null],
    ["SIGINT", 130],
  ] as const)("by %s continues where it stopped, and stores everything once", async ([signal, code]) => {
    const person = await createPerson();
    const file = join(person.home, "conversations.json");
    await writeLargeExport(file, { messages: MESSAGES, messageCharacters: 20 });
    const args = ["import", "chatgpt", file, "--json"];
    expect(await interrupt(person, args, signal)).toMatchObject({ code });
    const { code: ended, stdout, stderr } = await person.run(args);
    expect(ended).toBe(0);
    const { sent_before, read, stored } = JSON.parse(stdout);
    expect(sent_before).toBeGreaterThanOrEqual(1_000);
    expect(stderr).toContain(`after ${sent_before.toLocaleString("en")} lines`);
    const sentNow = Object.values(stored as Record<string, { created: number; existing: number }>)
      .map(({ created, existing }) => created + existing)
      .reduce((a, b) => a + b);
    expect(sent_before + sentNow).toBe(LINES);
    expect(read).toEqual({
      conversations: MESSAGES / 10,
      messages: MESSAGES,
      memories: 0,
      memory_versions: 0,
      recalls: 0,
    });
    expect((await holdings(person)).size).toBe(LINES);
    expect(checkpoints(person)).toEqual([]);
    const operations = await person.client.operations.list({ type: "import" }).toArray({ max: 9 });
    expect(operations).toMatchObject([
      { status: "succeeded", progress: { done: LINES, total: LINES }, lines_processed: LINES },
    ]);
  });

  test("that was canceled starts over and recognizes what it has stored", async () => {
    const person = await createPerson();
    const file = join(person.home, "conversations.json");
    await writeLargeExport(file, { messages: MESSAGES, messageCharacters: 20 });
    const args = ["import", "chatgpt", file, "--json"];
    await interrupt(person, args, "SIGKILL");
    const [interrupted] = await person.client.operations.list({ type: "import" }).toArray({ max: 9 });
    await person.client.operations.cancel(interrupted?.id ?? "");
    const { code, stdout } = await person.run(args);
    expect(code).toBe(0);
    const { sent_before, stored } = JSON.parse(stdout);
    expect(sent_before).toBe(0);
    expect(stored.messages.existing).toBeGreaterThan(0);
    expect(stored.messages.created + stored.messages.existing).toBe(MESSAGES);
    expect(await person.client.operations.list({ type: "import" }).toArray({ max: 9 })).toMatchObject([
      { status: "succeeded" },
      { status: "canceled" },
    ]);
  });

  test("reports the lines that were rejected before the interruption", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    const { id } = await from.client.conversations.create();
    await from.client.messages.append(id, { messages: [{ role: "user", content: "hello" }] });
    const [conversation, message] = [...(await holdings(from)).values()] as [object, object];
    const at = (n: number, sequence: number) => ({
      ...message,
      id: `msg_${String(n).padStart(20, "0")}`,
      sequence,
    });
    const lines = [
      conversation,
      at(1, 1),
      at(0, 1),
      ...Array.from({ length: MESSAGES }, (_, i) => at(i + 2, i + 2)),
    ];
    const file = join(to.home, "backup.ndjson");
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    const { code, stderr } = await interrupt(to, ["import", "ndjson", file], "SIGINT");
    expect(code).toBe(130);
    expect(stderr).toContain(
      `Rejected by the service so far:\n  1 × message: Another message of the conversation has this sequence number. (import_conflict)\n      ${file}:3\n`,
    );
  });

  test("starts over if the key may not read the operation's progress", async () => {
    const somebody = await createPerson();
    const { secret } = await somebody.client.keys.create({ name: "importer", scopes: ["admin"] });
    const importer = { ...somebody, env: { ...somebody.env, ENGRAM_API_KEY: secret } };
    const file = join(importer.home, "conversations.json");
    await writeLargeExport(file, { messages: MESSAGES, messageCharacters: 20 });
    const args = ["import", "chatgpt", file, "--json"];
    await interrupt(importer, args, "SIGKILL");
    const { code, stdout } = await importer.run(args, { env: { ENGRAM_API_KEY: secret } });
    expect(code).toBe(0);
    const { sent_before, stored } = JSON.parse(stdout);
    expect(sent_before).toBe(0);
    expect(stored.messages.created + stored.messages.existing).toBe(MESSAGES);
  });
});

describe("an export of 100,000 messages", () => {
  test("is read in a heap that is smaller than the export", async () => {
    const { env, home } = await createPerson();
    const file = join(home, "conversations.json");
    await writeLargeExport(file, { messages: 100_000, messageCharacters: 2_000 });
    const child = spawn(
      process.execPath,
      ["--max-old-space-size=48", PROGRAM, "import", "chatgpt", file, "--dry-run"],
      { env },
    );
    const [output] = await Promise.all([child.stdout.toArray(), once(child, "close")]);
    expect(child.exitCode).toBe(0);
    expect(output.join("")).toMatch(/conversations +10,000\nmessages +100,000\n/);
  });
});

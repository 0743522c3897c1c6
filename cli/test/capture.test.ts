import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Engram, type Memory } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { captureAll } from "../src/captures.ts";
import { createPerson, type Person } from "./support/program.ts";

const memoriesOf = ({ client }: Person): Promise<Memory[]> => client.memories.list().toArray({ max: 5_000 });

describe("engram capture", () => {
  test("stores a file byte for byte, with the metadata that the options give", async () => {
    const person = await createPerson();
    const file = join(person.home, "note.md");
    const content = "\uFEFF  Größe\r\n\n\tthe kettle leaks \n";
    writeFileSync(file, content);
    const flags = ["--tags", "billing, refunds", "--source", "desk", "--agent-id", "bot"];
    const { code, stdout } = await person.run(["capture", file, ...flags, "--json"]);
    expect(code).toBe(0);
    const [memory] = await memoriesOf(person);
    expect(memory).toMatchObject({
      content,
      tags: ["billing", "refunds"],
      source: "desk",
      agent_id: "bot",
      kind: "note",
    });
    expect(JSON.parse(stdout)).toEqual({
      items: [{ id: memory?.id, created: true, file }],
      read: { memories: 1 },
      stored: { memories: { created: 1, existing: 0, forgotten: 0 } },
    });
  });

  test("reports for each file whether it is new, and stores it once", async () => {
    const person = await createPerson();
    const [a, b] = ["a", "b"].map((name) => join(person.home, name));
    if (a === undefined || b === undefined) throw new Error("no files");
    writeFileSync(a, "one");
    writeFileSync(b, "two");
    const first = await person.run(["capture", a]);
    expect(first.stdout).toMatch(/^mem_\w+ {2}new {2}\S+\n$/);
    const { stdout, stderr } = await person.run(["capture", a, b]);
    expect(stderr).toBe("2 read, 1 stored, 1 existing\n");
    const both = stdout.split("\n");
    expect(both[0]).toBe(`${first.stdout.slice(0, first.stdout.indexOf(" "))}  exists  ${a}`);
    expect(both[1]).toMatch(/^mem_\w+ {2}new {5}\S+b$/);
    expect(await memoriesOf(person)).toHaveLength(2);
  });

  test("stores standard input unchanged", async () => {
    const person = await createPerson();
    const input = "from a pipe\n\n";
    expect(await person.run(["capture", "-"], { input })).toMatchObject({ code: 0, stderr: "" });
    expect(await memoriesOf(person)).toMatchObject([{ content: input, tags: [], source: null }]);
  });

  test.for([
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]), "bad is binary."],
    ["Latin-1", Buffer.from("Gr\xf6\xdfe", "latin1"), "bad is not valid UTF-8."],
    ["nothing", Buffer.from(" \n"), "bad is empty."],
    ["too much", Buffer.alloc(1_000_001, "a"), "bad is larger than 1,000,000 bytes."],
  ] as const)(
    "stores none of several files if one of them contains %s, and names that file",
    async ([, bytes, says]) => {
      const person = await createPerson();
      writeFileSync(join(person.home, "good"), "good");
      writeFileSync(join(person.home, "bad"), bytes);
      const { code, stdout, stderr } = await person.run([
        "capture",
        join(person.home, "good"),
        join(person.home, "bad"),
      ]);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `${join(person.home, says)}\n`,
      });
      expect(await memoriesOf(person)).toEqual([]);
    },
  );

  test("sends up to 1,000 memories and 2 MB per request, and a longer single memory as JSON", async () => {
    const requests: { memories: number; bytes: number; values: number }[] = [];
    const fetch = async (request: Request) => {
      const body = await request.text();
      const { memories } = JSON.parse(body) as { memories: unknown[] };
      const values = body.match(/[,\]}]/g)?.length ?? 0;
      requests.push({ memories: memories.length, bytes: Buffer.byteLength(body), values });
      return Response.json({ items: memories.map((_, i) => ({ id: `mem_${i}`, created: true })) });
    };
    const client = new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test", fetch });
    const memories = [
      ...Array.from({ length: 1_001 }, () => ({ memory: { content: "note" } })),
      ...Array.from({ length: 3 }, () => ({ memory: { content: "é".repeat(450_000) } })),
      // As JSON, each is twice as long.
      ...Array.from({ length: 2 }, () => ({ memory: { content: '"'.repeat(1_000_000) } })),
      ...Array.from({ length: 10 }, () => ({
        memory: { content: "x", metadata: { values: Array.from({ length: 8_000 }, () => 0) } },
      })),
    ];
    let captured = 0;
    for await (const part of captureAll(client, memories)) captured += part.length;
    expect(captured).toBe(1_016);
    expect(requests.map((request) => request.memories)).toEqual([1_000, 3, 1, 1, 1, 5, 5]);
    expect(Math.max(...requests.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_097_152);
    expect(Math.max(...requests.map(({ values }) => values))).toBeLessThanOrEqual(50_000);
  });
});

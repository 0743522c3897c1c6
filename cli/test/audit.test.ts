import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEvent } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { chainOf } from "../../sdk/test/support/audit-events.ts";
import { createPerson } from "./support/program.ts";

describe("engram audit", () => {
  test("exports all events, oldest first, and finds nothing wrong with them", async () => {
    const { run, client, home } = await createPerson();
    for (let i = 0; i < 3; i++) await client.keys.create({ name: `bot ${i}`, scopes: ["read"] });
    const file = join(home, "audit.ndjson");
    expect(await run(["audit", "export", file])).toMatchObject({
      code: 0,
      stdout: `Wrote 4 audit events to ${file}.\n`,
    });
    const { code, stdout } = await run(["audit", "export"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEvent);
    expect([code, lines]).toEqual([0, await client.auditEvents.list({ order: "asc" }).toArray({ max: 10 })]);
    for (const args of [[], [file]]) {
      const verified = await run(["audit", "verify", ...args, "--json"]);
      expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { valid: true, problems: [] }]);
    }
  });

  test("exits with 1 and says what is wrong with exports, and names a line that is no event", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "audit.ndjson");
    const textOf = (events: AuditEvent[]) => events.map((one) => `${JSON.stringify(one)}\n`).join("");
    await writeFile(file, textOf((await chainOf(5)).toSpliced(2, 1)));
    const { code, stdout } = await run(["audit", "verify", file]);
    expect([code, stdout.split("\n").slice(1, 3)]).toEqual([
      1,
      ["Event 3 is missing.", "The chain is broken."],
    ]);
    expect(await run(["audit", "verify", "-"], { input: textOf(await chainOf(3)) })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("None is missing or changed."),
    });
    await writeFile(file, `${textOf(await chainOf(1))}{"id":4}\n`);
    expect(await run(["audit", "verify", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Line 2 of ${file} is no audit event.`),
    });
  });
});

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditEvent } from "@engram/sdk";
import { describe, expect, test } from "vitest";
import { verifyChain } from "../src/audit-chain.ts";
import { createPerson } from "./support/program.ts";

const event = (number: number, more: Partial<AuditEvent> = {}): AuditEvent => ({
  id: `aud_${number}`,
  action: "key.created",
  key_id: number === 1 ? null : "key_1",
  client_id: null,
  client_name: null,
  target_id: `key_${number}`,
  operation_id: null,
  request_id: `req_${number}`,
  created_at: `2026-11-02T09:30:0${number % 10}.000Z`,
  number,
  hash: null,
  ...more,
});

/** A chain, with hashes as the reference of the API describes them. */
function chainOf(length: number): AuditEvent[] {
  let before: string | null = null;
  return Array.from({ length }, (_, i) => {
    const { action, created_at, id, key_id, number, request_id, target_id } = event(i + 1);
    const fields = Object.entries({ action, created_at, id, key_id, number, request_id, target_id });
    const text = JSON.stringify([before, fields.filter(([, value]) => value !== null)]);
    before = createHash("sha256").update(text).digest("hex");
    return event(i + 1, { hash: before });
  });
}

describe("a chain of audit events", () => {
  test("is whole with its last events not in it yet", () => {
    const chain = chainOf(12);
    expect(verifyChain([...chain, event(0, { id: "aud_new", number: null })])).toEqual({
      events: 12,
      first: 1,
      last: 12,
      hash: chain[11]?.hash,
      unchained: 1,
      problems: [],
    });
    expect(verifyChain([])).toMatchObject({ events: 0, first: null, hash: null, problems: [] });
    expect(chain[0]?.hash).toBe("6c1688cbe6db4c6e67a36ca39a6e54cafddafcc5c7aa7e9112757e4e294ffeb4");
  });

  test.for([
    ["a missing event", (chain: AuditEvent[]) => chain.toSpliced(3, 1), ["Event 4 is missing."]],
    ["missing events", (chain: AuditEvent[]) => chain.toSpliced(3, 2), ["Events 4 to 5 are missing."]],
    [
      "a changed event",
      (chain: AuditEvent[]) => chain.with(3, { ...(chain[3] as AuditEvent), target_id: "key_9" }),
      ["Event 4 (aud_4) has another hash than its content and the event before give."],
    ],
    [
      "a missing event whose number another one got",
      (chain: AuditEvent[]) => chain.toSpliced(3, 1).map((one, i) => ({ ...one, number: i + 1 })),
      ["Event 4 (aud_5) has"],
    ],
    [
      "an event that another export has otherwise",
      (chain: AuditEvent[]) => [...chain, { ...(chain[3] as AuditEvent), target_id: "key_9" }],
      ["Event 4 (aud_4) differs from what another export has."],
    ],
  ] as const)("shows %s", ([, change, expected]) => {
    const { problems } = verifyChain(change(chainOf(8)));
    expect(problems.length).toBeGreaterThan(0);
    for (const [i, problem] of expected.entries()) expect(problems[i]).toContain(problem);
  });

  test("begins where an export does, and holds for parts of one log together", () => {
    const chain = chainOf(9);
    expect(verifyChain(chain.slice(4))).toMatchObject({ events: 5, first: 5, problems: [] });
    expect(verifyChain([...chain.slice(4), ...chain.slice(0, 6)])).toMatchObject({ events: 9, problems: [] });
  });
});

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
    await writeFile(file, textOf(chainOf(5).toSpliced(2, 1)));
    const { code, stdout } = await run(["audit", "verify", file]);
    expect([code, stdout.split("\n").slice(1, 3)]).toEqual([
      1,
      ["Event 3 is missing.", "The chain is broken."],
    ]);
    expect(await run(["audit", "verify", "-"], { input: textOf(chainOf(3)) })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("None is missing or changed."),
    });
    await writeFile(file, `${textOf(chainOf(1))}{"id":4}\n`);
    expect(await run(["audit", "verify", file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Line 2 of ${file} is no audit event.`),
    });
  });
});

import { describe, expect, test } from "vitest";
import { type AuditEvent, verifyAuditEvents } from "../src/index.ts";
import { chainOf, event } from "./support/audit-events.ts";

describe("a chain of audit events", () => {
  test("is whole with its last events not in it yet", async () => {
    const chain = await chainOf(12);
    expect(await verifyAuditEvents([...chain, event(0, { id: "aud_new", number: null })])).toEqual({
      events: 12,
      first: 1,
      last: 12,
      hash: chain[11]?.hash,
      unchained: 1,
      problems: [],
    });
    expect(await verifyAuditEvents([])).toMatchObject({ events: 0, first: null, hash: null, problems: [] });
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
  ] as const)("shows %s", async ([, change, expected]) => {
    const { problems } = await verifyAuditEvents(change(await chainOf(8)));
    expect(problems.length).toBeGreaterThan(0);
    for (const [i, problem] of expected.entries()) expect(problems[i]).toContain(problem);
  });

  test("begins where an export does, and holds for parts of one log together", async () => {
    const chain = await chainOf(9);
    expect(await verifyAuditEvents(chain.slice(4))).toMatchObject({ events: 5, first: 5, problems: [] });
    expect(await verifyAuditEvents([...chain.slice(4), ...chain.slice(0, 6)])).toMatchObject({
      events: 9,
      problems: [],
    });
  });

  test("begins after the last event that a rule of retention has deleted, and needs the one after it", async () => {
    const chain = await chainOf(9);
    const { number, hash } = chain[3] as AuditEvent;
    const start = { number: number ?? 0, hash: hash ?? "" };
    const problemsOf = async (events: AuditEvent[]) => (await verifyAuditEvents(events, { start })).problems;
    expect(await problemsOf(chain.slice(4))).toEqual([]);
    expect(await problemsOf(chain)).toEqual([]);
    expect(await problemsOf(chain.slice(5))).toEqual(["Event 5 is missing."]);
    const changed = chain.slice(4).with(0, { ...(chain[4] as AuditEvent), target_id: "key_9" });
    expect(await problemsOf(changed)).toHaveLength(1);
  });
});

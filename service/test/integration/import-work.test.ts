import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import { createOrganization } from "../support/client.ts";
import { Ledger, largestRowBytes } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { exportOnce, idOf, type Told } from "../support/exports.ts";
import { conversation, memory, message, send } from "../support/imports.ts";
import { Service } from "../support/invocations.ts";
import { captureLog } from "../support/log.ts";

describe("the work of an import", () => {
  const CONVERSATIONS = scale(500, 150);
  const MEMORIES = scale(1_000, 150);
  const LARGE: [string, () => Promise<unknown[]> | unknown[]][] = [
    [
      `${CONVERSATIONS} conversations with a message each and long external ids`,
      () =>
        Array.from({ length: CONVERSATIONS }, (_, i) => [
          conversation(`${i}a`, {
            external_id: `${"漢".repeat(250)}${i}`,
            metadata: { text: "x".repeat(3_000) },
          }),
          message(`${i}a`, 1, { external_id: `${"漢".repeat(250)}${i}`, external_digest: "0".repeat(64) }),
        ]).flat(),
    ],
    [
      "1,000 messages of 2 KB",
      () => [
        conversation("a"),
        ...Array.from({ length: 999 }, (_, i) =>
          message("a", i + 1, { content: `${i} ${"All work and no play. ".repeat(90)}` }),
        ),
      ],
    ],
    [
      "1,000 messages with parts of 7 KB, in several batches",
      () => [
        conversation("a"),
        ...Array.from({ length: 999 }, (_, i) => message("a", i + 1, { parts: ["x".repeat(7_000)] })),
      ],
    ],
    [
      "a message of a million control characters with the largest parts",
      () => [
        conversation("a"),
        message("a", 1, { content: "\u0001".repeat(1_000_000), parts: ['"'.repeat(249_998)] }),
      ],
    ],
    [
      `${MEMORIES} memories of 2 KB with large metadata`,
      () =>
        Promise.all(
          Array.from({ length: MEMORIES }, (_, i) =>
            memory(`${i}`, `${i} ${"All work and no play. ".repeat(90)}`, {
              metadata: { text: "x".repeat(3_000) },
            }),
          ),
        ),
    ],
    ["a memory of a million control characters", async () => [await memory("1", "\u0001".repeat(1_000_000))]],
  ];
  // One case with messages and one with memories in the gate.
  test.for([...sample(LARGE.slice(0, 4), 1), ...sample(LARGE.slice(4), 1)])(
    "stays within the limits of D1, the first time and on a repeat: %s",
    async ([, make]) => {
      const { secret, organizationId } = await createOrganization();
      const ledger = new Ledger();
      const service = new Service({ ...ledger.bindings, AI: ledger.sameVectors });
      const caller = service.callerOf(secret);
      const lines = (await make()) as Told[];
      const count = (type: string) => lines.filter((line) => line.type === type).length;
      const [messages, memories] = [count("message"), count("memory")];
      expect(await send(caller, lines)).toMatchObject({
        messages: { created: messages },
        memories: { created: memories },
        problems: [],
      });
      await service.settle();
      expect(ledger.violations).toEqual([]);
      expect(ledger.statements).toBeLessThan(900);
      expect(await largestRowBytes()).toBeLessThan(2_000_000);
      ledger.reset();
      expect(await send(caller, lines)).toMatchObject({
        messages: { existing: messages },
        memories: { existing: memories },
        problems: [],
      });
      expect(ledger.violations).toEqual([]);
      const byId = (some: Told[]) =>
        some.filter(({ type }) => type !== "conversation").toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
      expect(byId((await exportOnce(caller)).lines)).toEqual(byId(lines));
      await env.DB.prepare("DELETE FROM index_jobs WHERE organization_id = ?1").bind(organizationId).run();
    },
  );

  test("does not grow with the data that is stored already", async () => {
    const caller = await createOrganization();
    const many = (of: string, length: number) =>
      Promise.all(Array.from({ length }, (_, i) => memory(`${i}${of}`, `${i} of ${of}`)));
    const rowsRead = async (of: string) => {
      const service = new Service();
      const lines = captureLog();
      const messages = Array.from({ length: 50 }, (_, i) => message(of, i + 1));
      await send(service.callerOf(caller.secret), [conversation(of), ...messages, ...(await many(of, 50))]);
      const request = lines.find(({ event }) => event === "request");
      await service.settle();
      return Number(request?.rows_read);
    };
    const alone = await rowsRead("a");
    await send(caller, [
      ...Array.from({ length: 300 }, (_, i) => conversation(`${i}b`)),
      ...(await many("b", 300)),
    ]);
    await send(
      caller,
      Array.from({ length: 300 }, (_, i) => message("0b", i + 1)),
    );
    expect(await rowsRead("c")).toBeLessThan(1.2 * alone);
    await caller.call(contracts.deleteMemories, { body: { all: true } });
  });
});

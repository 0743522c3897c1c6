import * as contracts from "@engram/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { createOrganization } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Clock, Service } from "../support/invocations.ts";
import { isInCells } from "../support/places.ts";
import { randomRequest } from "../support/random-requests.ts";
import { store, storedIds } from "../support/stored.ts";
import { operations, scopesOf } from "../support/worlds.ts";

/** Numbers of rows of each kind in the organizations, both above the limits, so that the same number is read. */
const SIZES = [400, 1_600] as const;
/** Requests per operation, more if parameters filter. */
const RUNS = { read: 20, write: 10 };
const SWEEPS = 4;
const SEED = 17;

/** Every limit on rows; a random request has a smaller page. Sizes and times are unchanged. */
const LIMIT = 20;
const LIMITS = Object.fromEntries(
  Object.entries(SERVICE_LIMITS).map(([name, value]) => {
    if (/Bytes$|Values$|Characters$|Ms$/.test(name)) return [name, value];
    return [name, Math.min(value, /Steps$|Rounds$/.test(name) ? 2 : LIMIT)];
  }),
) as unknown as ServiceLimits;

/**
 * Upper bound on the rows that one statement reads. A row is counted once, and once for each index that the statement
 * uses, and some statements read it in several subqueries. Candidates of a search have up to 50 subqueries.
 */
const ROWS_MAX = 60 * LIMIT;
/** The difference that random times and another position in a queue can make. */
const GROWTH_MAX = 1.25;
/** Statements that read at most this number of rows at the smaller size are not compared. */
const FEW_ROWS = 200;

/** Messages of the first conversation, and versions of the first memory, of the larger organization. */
const LONG_ITEMS = 2 * SIZES[1];

/** Statements with a constant bound that is not a limit of the service, with the rows that each reads at most. */
const BOUNDED: { sql: RegExp; rowsMax: number; by: string }[] = [
  {
    sql: /^SELECT tag\.value AS tag FROM/,
    rowsMax: 5 * 1_000,
    by: "the tags of the newest 1,000 memories, once for a run of enrichment",
  },
  {
    sql: /^WITH RECURSIVE users/,
    rowsMax: 101 * 2 * (1_001 + 2 * 100 + 2),
    by: "1,001 conversations and as many memories of each user on a page, and the 100 newest of both",
  },
  {
    sql: /^WITH RECURSIVE entities/,
    rowsMax: 101 * (4 * 1_001 + 4 * 101 + 40),
    by: "1,000 conversations and as many messages of each entity on a page, and the 100 newest of both",
  },
  {
    sql: /^SELECT one\.kind, one\.folded FROM/,
    rowsMax: 3 * 1_001,
    by: "1,000 conversations with an entity, of which the first may be deleted",
  },
  {
    sql: /^SELECT (c\.id FROM conversations AS c WHERE c\.row_key = |one\.conversation_id)/,
    rowsMax: 3 * 1_001,
    by: "1,000 conversations with an entity, of which the first may be deleted",
  },
  {
    sql: /^WITH page AS \( SELECT message_row_key, sum\(bytes\) OVER \(ORDER BY sequence DESC\)/,
    rowsMax: 2 * 1_001,
    by: "the newest 1,000 messages of a conversation, for a context, and the conversation",
  },
  {
    sql: /^WITH page AS .*m\.stored_at_ms <= N/,
    rowsMax: 2 * LONG_ITEMS,
    by: "the messages of a conversation, some of which were stored after a moment of the past",
  },
  {
    sql: /^WITH scan AS .*v\.replaced_at_ms > N/,
    rowsMax: ROWS_MAX,
    by: "the scanned memories, and for each of their columns the version of a moment of the past",
  },
  {
    sql: /^WITH found AS .*(m\.stored_at_ms|v\.replaced_at_ms) <= (N|\?)/,
    rowsMax: 2 * LONG_ITEMS,
    by: "what was stored after a moment of the past, which an export passes over",
  },
  {
    sql: /^UPDATE operations SET rows_deleted_at_ms = \?1 WHERE id IN/,
    rowsMax: LONG_ITEMS,
    by: "the unfinished operations of an organization, each of which may have marked items of another one first",
  },
  {
    sql: /^INSERT INTO events .* type = 'delete_organization'/,
    rowsMax: 20 * LIMIT,
    by: "what a step of an organization's deletion passes over: conversations that earlier sweeps have soft-deleted and not yet purged",
  },
];

/** Reads first and the largest deletions last, so that each finds data. */
const ORDER = [
  /^(get|list|search|export)/,
  /^replace/,
  /^(?!delete|revoke)/,
  /^(revokeKey|delete(?:Message|Webhook|Tombstone|Evaluation|Grant|Member))$/,
  /s$|y$|Conversation$|User$/,
];
const order = (name: string): number => {
  const place = ORDER.findIndex((names) => names.test(name));
  return place < 0 ? ORDER.length : place;
};

/** The most rows that a statement of each operation read, by the size of the data. */
type Reads = Map<string, { operation: string; sql: string; rows: number[] }>;

/** Calls every operation with random parameters, and runs a few sweeps, in an organization of this size. */
async function readAll(size: number, note: (operation: string, sql: string, rows: number) => void) {
  const { secret, organizationId } = await createOrganization();
  const clock = new Clock();
  const organization = {
    id: organizationId,
    ...(await store(organizationId, size, clock.nowMs() - 1_000)),
  };
  const database = new RowsRead();
  const service = new Service({ DB: database.db }, clock, LIMITS);
  const take = (operation: string) => {
    for (const { sql, read } of database.statements.splice(0)) {
      // A moment of the past is a number in the text.
      const text = sql.replace(/\s+/g, " ").replace(/\d{8,}/g, "N");
      note(operation, text.trim(), read);
    }
  };
  const ids = fc.integer({ min: 1, max: LIMIT }).map((i) => storedIds(organization, i));
  const answered = new Set<string>();
  const createSignInCode = async (): Promise<string> =>
    contracts.SignInCode.parse(await (await service.fetch(secret, contracts.createSignInCode, {})).json())
      .code;
  for (const [name, contract] of operations.toSorted(([a], [b]) => order(a) - order(b))) {
    const token = scopesOf(contract) === null ? env.ADMIN_TOKEN : secret;
    for (const parts of fc.sample(randomRequest(contract, ids), {
      numRuns: order(name) === 0 ? RUNS.read : RUNS.write,
      seed: SEED,
    })) {
      const caller = name === "redeemSignInCode" ? await createSignInCode() : token;
      const response = await service.fetch(caller, contract, parts);
      await response.text();
      await service.settle();
      expect(response.status, `${name} ${JSON.stringify(parts)}`).toBeLessThan(500);
      if (response.ok) answered.add(name);
      take(name);
    }
  }
  const unanswered = operations.map(([name]) => name).filter((name) => !answered.has(name));
  expect(unanswered).toEqual([]);
  for (let i = 0; i < SWEEPS; i++) {
    clock.advance(65_000);
    // Not that of the other organization's cell, which would reach what its own sweeps have left.
    await service.sweepAt(isInCells ? organizationId : undefined);
    take("sweep");
  }
}

test("no statement of any operation or sweep reads more rows when more is stored", async () => {
  const reads: Reads = new Map();
  for (const [nth, size] of SIZES.entries()) {
    await readAll(size, (operation, sql, rows) => {
      const key = `${operation} ${sql}`;
      const found = reads.get(key) ?? { operation, sql, rows: SIZES.map(() => 0) };
      found.rows[nth] = Math.max(found.rows[nth] ?? 0, rows);
      reads.set(key, found);
    });
  }
  const fewOf = (sql: string) =>
    Math.max(...[...reads.values()].filter((one) => one.sql === sql).map(({ rows: [few = 0] }) => few));
  const exceeding = [...reads.values()].filter(({ sql, rows: [, many = 0] }) => {
    const bounded = BOUNDED.find((one) => one.sql.test(sql));
    if (bounded !== undefined) return many > bounded.rowsMax;
    return many > ROWS_MAX || many > GROWTH_MAX * Math.max(fewOf(sql), FEW_ROWS);
  });
  expect(
    exceeding.map(
      ({ operation, sql, rows }) => `${operation} read ${rows.join(", ")} rows: ${sql.slice(0, 80)}`,
    ),
  ).toEqual([]);
});

import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { Clock, Service } from "../support/invocations.ts";
import { captureLog, type Line } from "../support/log.ts";

const MESSAGES = 60;
const CONVERSATIONS = 3;
const OTHERS = scale(20, 6);
const MODES = ["hybrid", "semantic", "keyword"];
const QUERIES = [
  "kettle",
  "When did Ada return the kettle?",
  "How many zebras and horses were there in May 2023?",
  "the garden and the water",
];
/** Rows read may differ by this share. */
const ROWS_TOLERANCE = 0.1;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2023, 4, 1);

const WORDS = "kettle zebra horse refund garden water train museum letter doctor".split(" ");
const OTHER_WORDS = "compiler schema mutex kettle query thread parser cache index kernel".split(" ");

/** `count` generated messages, the same in every organization. */
function sayings(count: number, words: string[]): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, i) => {
    const [one, other] = [words[(7 * i) % 10], words[(3 * i + (i >> 2)) % 10]];
    return {
      role: i % 2 === 0 ? "user" : "assistant",
      name: ["Ada", "Ben", "Cleo"][i % 3],
      content:
        i % 5 === 0 ? `And the ${one}, Ada?` : `The ${one} came ${i} days after the ${other}s, in May.`,
      created_at: new Date(START_MS + i * MINUTE_MS).toISOString(),
    };
  });
}

/** An organization with the given number of messages in three conversations. */
async function createFilled(count: number, words = WORDS): Promise<Caller> {
  const caller = await createOrganization();
  const messages = sayings(count, words);
  const size = Math.ceil(count / CONVERSATIONS);
  for (let from = 0; from < count; from += size) {
    await seedConversation(caller, messages.slice(from, from + size), { external_id: `from ${from}` });
  }
  return caller;
}

/** The response to a search, without ids, and the rows that it read. */
interface Asked {
  results: unknown[];
  /** The response without the results. */
  rest: unknown;
  rowsRead: number;
}

/** Every query in every mode, by "mode: query". */
async function askAll(service: Service, { secret }: Caller, lines: Line[]): Promise<Map<string, Asked>> {
  const caller = service.callerOf(secret);
  // The clock stands still: after its first use the key stays in the cache, and no later request reads it again.
  await caller.call(contracts.getIndexStatus);
  const asked = new Map<string, Asked>();
  for (const mode of MODES) {
    for (const query of QUERIES) {
      lines.length = 0;
      const body = { query, mode, explain: true, limit: 20 };
      const { results, ...rest } = await caller.call(contracts.search, { body });
      const places = results.map(({ conversation, start_sequence, end_sequence, score, matches }) => ({
        conversation: conversation.external_id,
        start_sequence,
        end_sequence,
        score,
        matches: matches.map(({ message_id: _, ...match }) => match),
      }));
      asked.set(`${mode}: ${query}`, { results: places, rest, rowsRead: Number(lines[0]?.rows_read) });
    }
  }
  return asked;
}

test("the results and the rows read of a search do not depend on the data of other organizations", async () => {
  const lines = captureLog();
  const service = new Service({}, new Clock());
  const one = await createFilled(MESSAGES);
  const alone = await askAll(service, one, lines);
  let twin: Caller | undefined;
  for (let i = 0; i < OTHERS; i++) {
    await createFilled(5 + 7 * i, i % 2 === 0 ? WORDS : OTHER_WORDS);
    if (i === OTHERS / 2) twin = await createFilled(MESSAGES);
  }
  const among = await askAll(service, one, lines);
  const twins = twin === undefined ? new Map() : await askAll(service, twin, lines);
  expect(alone.size).toBe(MODES.length * QUERIES.length);
  for (const [name, { results, rest, rowsRead }] of alone) {
    expect(results.length, name).toBeGreaterThan(0);
    expect(rest, name).toMatchObject({ degraded: [], pending: 0 });
    expect(rowsRead, name).toBeGreaterThan(0);
    for (const again of [among.get(name), twins.get(name)]) {
      expect({ results: again?.results, rest: again?.rest }, name).toEqual({ results, rest });
      expect(Math.abs((again?.rowsRead ?? 0) / rowsRead - 1), name).toBeLessThanOrEqual(ROWS_TOLERANCE);
    }
  }
});

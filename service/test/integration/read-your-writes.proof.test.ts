import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import type { AiBinding, EmbeddingInput } from "../../src/platform/ai.ts";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import { appendText, type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { Service } from "../support/invocations.ts";

const MESSAGES = scale(1_000, 40);
/** Organizations that are used concurrently. */
const LANES = 4;
/** Messages whose vectors are pending together. */
const GROUP = 5;

const SYLLABLES = ["bré", "çao", "dün", "fîl", "gør", "hāv", "jöl", "kîm", "lùm", "ñat"];
const digits = (count: number): number[] => Array.from(String(count).padStart(4, "0"), Number);

/** Generated messages, each with unique words: the content, and a query for it. */
const WRITINGS: ((count: number) => { content: string; query: string })[] = [
  (count) => {
    const own = digits(count)
      .map((digit) => SYLLABLES[digit])
      .join("");
    return { content: `Déjà réservé chez ${own}, à côté de l'école.`, query: own };
  },
  (count) => {
    const own = String.fromCodePoint(0x5000 + count, 0x6000 + count);
    return { content: `明日は「${own}」という店で友達に会います。`, query: own };
  },
  (count) => {
    // Odd, so that no two counts have the same words.
    const own = (Math.imul(count, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
    return { content: `src/jobs/refund.ts:17 threw ERR_LEDGER_${own}, twice.`, query: `ERR_LEDGER_${own}` };
  },
  (count) => {
    const own = 10_000 + 37 * count;
    return { content: `Invoice ${own}: €1,284.50, due in 14 days.`, query: String(own) };
  },
];

/** The embedding model, which does not embed messages while it is held, but always embeds queries. */
class HeldModel implements AiBinding {
  #gate: Promise<void> = Promise.resolve();
  #open = () => {};

  hold(): void {
    this.#gate = new Promise((open) => {
      this.#open = open;
    });
  }

  release(): void {
    this.#open();
  }

  async run(model: string, input: EmbeddingInput): Promise<unknown> {
    // A chunk begins with the speaker.
    if (input.text[0]?.startsWith("[user]: ")) await this.#gate;
    return env.AI.run(model, input);
  }
}

/** Appends one message and searches for it at once. Returns whether it was found, and the number of pending ones. */
async function appendAndSearch(caller: Caller, conversationId: string, count: number) {
  const { content, query } = WRITINGS[count % WRITINGS.length]?.(count) ?? { content: "", query: "" };
  const mode = Math.floor(count / WRITINGS.length) % 2 === 0 ? "hybrid" : "keyword";
  const { message_ids } = await appendText(caller, conversationId, content);
  const { results, degraded, pending } = await caller.call(contracts.search, {
    body: { query, mode, limit: 5, neighbors: { before: 0, after: 0 } },
  });
  // The embedding of the query has a time limit, which a busy machine may exceed. Keyword search has none.
  expect(degraded.filter((reason) => reason !== "semantic")).toEqual([]);
  const found = results.some(
    ({ matches, messages }) =>
      matches.some(({ message_id }) => message_id === message_ids[0]) &&
      messages.some((message) => message.content === content),
  );
  return { missed: found ? [] : [{ mode, content }], mode, pending };
}

/** Appends messages to one organization. Returns those that the next request did not find. */
async function runLane(lane: number) {
  // Its vectors are in Vectorize, which shows them later than a cell.
  const { secret } = await createOrganization("test", "d1");
  const model = new HeldModel();
  const service = new Service({ AI: model });
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller);
  const missed: object[] = [];
  for (let done = 0; done < MESSAGES / LANES; done += GROUP) {
    model.hold();
    for (let waiting = 1; waiting <= GROUP; waiting++) {
      const answer = await appendAndSearch(caller, id, lane * (MESSAGES / LANES) + done + waiting - 1);
      missed.push(...answer.missed);
      // Vectors that are not visible yet count too, except in keyword mode, which does not search them.
      expect(answer.pending).toBeGreaterThanOrEqual(waiting);
      expect(answer.pending).toBeLessThanOrEqual(answer.mode === "keyword" ? waiting : done + waiting);
    }
    model.release();
    await service.settle();
    const { pending } = await caller.call(contracts.search, { body: { query: "refund", limit: 1 } });
    expect(pending).toBeGreaterThanOrEqual(GROUP);
    const { pending: untaken } = await caller.call(contracts.search, {
      body: { query: "refund", limit: 1, mode: "keyword" },
    });
    expect(untaken).toBe(0);
  }
  return missed;
}

test("each of 1,000 messages is found by words in the next request, and the response counts those without visible vectors", {
  timeout: 300_000,
}, async () => {
  // Longer than the test, even on a slow machine.
  await env.CONTROL.setVisibilityDelayMs(3_600_000);
  const missed = await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  expect(missed.flat()).toEqual([]);
  const { count } = (await env.DB.prepare("SELECT count(*) AS count FROM messages").first<{
    count: number;
  }>()) ?? { count: 0 };
  expect(count).toBe(MESSAGES);
});

test("a message counts as pending until its vector is visible, even if a run reads it before claiming its job", async () => {
  await env.CONTROL.setVisibilityDelayMs(30_000);
  const reading = Promise.withResolvers<void>();
  const appended = Promise.withResolvers<void>();
  const DB = interceptCalls(env.DB, async ({ statements }, send) => {
    if (statements.some(({ sql }) => /RECURSIVE\s+page/.test(sql))) {
      reading.resolve();
      await appended.promise;
    }
    return send();
  });
  const { secret } = await createOrganization("test", "d1");
  const service = new Service({ DB });
  const caller = service.callerOf(secret);
  const { id } = await caller.call(contracts.createConversation, { body: {} });
  const append = (content: string) => appendText(caller, id, content);
  await append("one");
  await reading.promise;
  await append("two");
  appended.resolve();
  await service.settle();
  const { pending } = await caller.call(contracts.search, { body: { query: "two" } });
  expect(pending).toBe(2);
});

test("a message that is stored while a run records its progress is indexed by that run", async () => {
  const recording = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<void>();
  let claims = 0;
  const DB = interceptCalls(env.DB, async ({ statements }, send) => {
    const includes = (sql: string) => statements.some((statement) => statement.sql.includes(sql));
    if (includes("recent_upserts = (")) {
      recording.resolve();
      await refused.promise;
    }
    const results = await send();
    if (includes("SET lease_id") && ++claims === 2) refused.resolve();
    return results;
  });
  const { secret, organizationId } = await createOrganization();
  const service = new Service({ DB });
  const caller = service.callerOf(secret);
  const id = await seedConversation(caller);
  const append = (content: string) => appendText(caller, id, content);
  await append("one");
  await recording.promise;
  await append("two");
  await service.settle();
  const left = await env.DB.prepare("SELECT count(*) AS count FROM index_jobs WHERE organization_id = ?1")
    .bind(organizationId)
    .first<{ count: number }>();
  expect(left?.count).toBe(0);
});

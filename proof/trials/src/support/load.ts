import type { Engram } from "@engram/sdk";
import { createRandom } from "../../../support/random.ts";
import type { Append, Ledger } from "./ledger.ts";
import type { Capture, MemoryLedger } from "./memory-ledger.ts";

const BATCH = 50;
const CAPTURE_BATCH = 20;
/** Long enough to be stored compressed. */
const LONG_TEXT = " and that was said again, at length, so that it was not forgotten".repeat(8);

/** Writes that continue until the service no longer responds. */
export interface Load {
  ledgers: Ledger[];
  memories: MemoryLedger;
  acknowledged: { messages: number; memories: number; deletions: number };
  /** Resolves when every writer has stopped. */
  ended: Promise<void>;
}

/**
 * Concurrently append one by one, in batches and with `wait`, capture memories in the same ways, some of them
 * twice, and delete messages, conversations and memories.
 *
 * @param client Without retries, so that every write without a response counts as unacknowledged.
 * @param isOver Whether failures are expected now.
 */
export function startLoad(client: Engram, name: string, isOver: () => boolean): Load {
  const ledgers: Ledger[] = [];
  const memories: MemoryLedger = { source: name, captures: [], deletions: new Map() };
  const acknowledged = { messages: 0, memories: 0, deletions: 0 };

  const open = async (): Promise<Ledger> => {
    const { id } = await client.conversations.create();
    const ledger = { id, appends: [], deletions: new Map() };
    ledgers.push(ledger);
    return ledger;
  };
  const append = async (ledger: Ledger, count: number, wait?: "indexed"): Promise<string[]> => {
    const contents = Array.from(
      { length: count },
      (_, i) => `${name}, ${ledger.id}, append ${ledger.appends.length}, ${i}${i % 3 === 1 ? LONG_TEXT : ""}`,
    );
    const one: Append = { contents };
    ledger.appends.push(one);
    const messages = contents.map((content) => ({ role: "user" as const, content }));
    const answer = await client.messages.append(ledger.id, { messages, ...(wait && { wait }) });
    one.answer = { ids: answer.message_ids, firstSequence: answer.first_sequence ?? 0 };
    acknowledged.messages += count;
    return answer.message_ids;
  };
  const deleteMessage = async (ledger: Ledger, messageId: string) => {
    ledger.deletions.set(messageId, false);
    await client.messages.delete(ledger.id, messageId);
    ledger.deletions.set(messageId, true);
    acknowledged.deletions += 1;
  };
  const deleteConversation = async (ledger: Ledger) => {
    ledger.deleted = false;
    await client.conversations.delete(ledger.id);
    ledger.deleted = true;
    acknowledged.deletions += 1;
  };

  const contentOf = (i: number) =>
    `${name}, capture ${memories.captures.length}, ${i}${i % 3 === 1 ? LONG_TEXT : ""}`;
  const capture = async (contents: string[]): Promise<string[]> => {
    const one: Capture = { contents };
    memories.captures.push(one);
    const bodies = contents.map((content) => ({ content, source: name }));
    const [first] = bodies;
    const ids =
      bodies.length === 1 && first !== undefined
        ? [(await client.memories.create(first)).id]
        : (await client.memories.createMany({ memories: bodies })).items.map(({ id }) => id ?? "");
    one.ids = ids;
    acknowledged.memories += contents.length;
    return ids;
  };
  const deleteMemory = async (id: string) => {
    memories.deletions.set(id, false);
    await client.memories.delete(id);
    memories.deletions.set(id, true);
    acknowledged.deletions += 1;
  };

  const writers: (() => Promise<(round: number) => Promise<unknown>>)[] = [
    async () => {
      const ledger = await open();
      return () => append(ledger, 1);
    },
    async () => {
      const ledger = await open();
      return () => append(ledger, 3, "indexed");
    },
    ...[0, 1].map(() => async () => {
      const ledger = await open();
      return () => append(ledger, BATCH);
    }),
    async () => {
      const ledger = await open();
      const random = createRandom(name);
      return async (round) => {
        const ids = await append(ledger, 5);
        await deleteMessage(ledger, random.pick(ids));
        if (round % 3 !== 0) return;
        const brief = await open();
        await append(brief, 4);
        await deleteConversation(brief);
      };
    },
    async () => async (round) => {
      const contents = [contentOf(0)];
      const [id = ""] = await capture(contents);
      if (round % 3 === 0) await capture(contents);
      if (round % 3 === 1) await deleteMemory(id);
    },
    async () => () => {
      const contents = Array.from({ length: CAPTURE_BATCH }, (_, i) => contentOf(i));
      return capture([...contents, ...contents.slice(0, 1)]);
    },
  ];
  const runs = writers.map(async (prepare) => {
    try {
      const write = await prepare();
      for (let round = 0; ; round++) await write(round);
    } catch (error) {
      if (!isOver()) throw error;
    }
  });
  return { ledgers, memories, acknowledged, ended: Promise.all(runs).then(() => undefined) };
}

import { ApiError, type Engram } from "@engram/sdk";
import pMap from "p-map";
import { createRandom, type Random } from "../../support/random.ts";
import { withService } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";

const BATCH = 250;
const CONCURRENCY = 4;
const LENGTH_MAX = 200;
/** Every tenth text is repeated until it is long enough to be stored compressed. */
const LONG_EVERY = 10;
const LONG_TIMES = 20;
/**
 * Ranges of UTF-16 units with equal probability: ASCII, controls, combining and joining characters, and all
 * units.
 */
const RANGES = [
  [0x20, 0x7e],
  [0, 0x9f],
  [0x300, 0x36f],
  [0x200b, 0x202e],
  [0, 0xffff],
] as const;
/** Surrogate pairs, which random single units rarely form. */
const PAIRS = [0x1_0000, 0x10_ffff] as const;
/** One text in ten may contain a lone surrogate. */
const HALVES_EVERY = 10;

export const verbatim: Trial = {
  name: "verbatim",
  promise:
    "Any text comes back to the byte, of a message, its metadata and a memory, or is refused with a 400.",
  counts: { of: "random texts", long: 10_000, short: 1_000 },
  run: ({ count, seed, progress }) =>
    withService({}, async ({ client }) => {
      const findings = new Findings();
      const random = createRandom(`${seed} verbatim`);
      const texts = Array.from({ length: count }, (_, i) => `${i} ${randomText(random, i)}`);
      const whole = texts.filter((text) => text.isWellFormed());
      const halves = texts.filter((text) => !text.isWellFormed());
      const batches = Array.from({ length: Math.ceil(whole.length / BATCH) }, (_, i) =>
        whole.slice(i * BATCH, (i + 1) * BATCH),
      );
      let stored = 0;
      await pMap(
        batches,
        async (batch) => {
          await storeAndRead(client, batch, findings);
          stored += batch.length;
          progress(`verbatim: ${stored} of ${whole.length} texts`);
        },
        { concurrency: CONCURRENCY },
      );
      const { id } = await client.conversations.create();
      await pMap(
        halves,
        async (text) => {
          const ways = [
            () => client.messages.append(id, { messages: [{ role: "user", content: text }] }),
            () => client.memories.create({ content: text }),
          ];
          for (const write of ways) {
            const code = await refusalOf(write);
            findings.expect(
              code === "400 invalid_json",
              () => `${JSON.stringify(text)} was answered ${code}.`,
            );
          }
        },
        { concurrency: CONCURRENCY },
      );
      const { message_count } = await client.conversations.get(id);
      findings.expect(message_count === 0, () => `${message_count} refused texts were stored.`);
      findings.figure("back to the byte, as message, metadata and memory", whole.length);
      findings.figure(
        "of these, UTF-8 bytes",
        whole.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      );
      findings.figure("refused for half of a surrogate pair", halves.length);
      findings.expect(whole.length > 0 && halves.length > 0, () => "Texts of one kind were not made.");
      return findings;
    }),
};

function randomText(random: Random, place: number): string {
  const [low, high] = random.pick([...RANGES, PAIRS]);
  const unit = () => String.fromCodePoint(low + Math.floor(random.next() * (high - low + 1)));
  const text = Array.from({ length: Math.floor(random.next() * LENGTH_MAX) }, unit).join("");
  const sent = place % HALVES_EVERY === 0 ? text : text.toWellFormed();
  return place % LONG_EVERY === 1 ? sent.repeat(LONG_TIMES) : sent;
}

/** Store texts as messages with metadata, and as memories, and read them back. */
async function storeAndRead(client: Engram, texts: string[], findings: Findings): Promise<void> {
  const messages = texts.map((text) => ({ role: "user" as const, content: text, metadata: { text } }));
  const { id } = await client.conversations.create();
  await client.messages.append(id, { messages });
  const read = await client.messages.list(id, { limit: BATCH }).toArray({ max: texts.length + 1 });
  for (const [i, text] of texts.entries()) {
    const { content, metadata } = read[i] ?? {};
    findings.expect(
      content === text && metadata?.text === text,
      () =>
        `${JSON.stringify(text)} came back as ${JSON.stringify(content)} and ${JSON.stringify(metadata)}.`,
    );
  }
  const { items } = await client.memories.createMany({
    memories: texts.map((content) => ({ content, tags: ["x"], summary: "" })),
  });
  for (const [i, { id: memoryId }] of items.entries()) {
    const { content } = await client.memories.get(memoryId);
    findings.expect(
      content === texts[i],
      () => `Memory ${JSON.stringify(texts[i])} is ${JSON.stringify(content)}.`,
    );
  }
}

async function refusalOf(write: () => PromiseLike<unknown>): Promise<string> {
  try {
    await write();
    return "with success";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.status} ${error.code}`;
  }
}

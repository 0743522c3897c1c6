import pMap from "p-map";
import { createRandom } from "../../../support/random.ts";
import { createSentences, type Sentence } from "./sentences.ts";
import type { TrialService } from "./service.ts";
import type { TrialInput } from "./trial.ts";

const CONCURRENCY = 4;
const APPEND = 1_000;
/** Share of the messages in the long conversation; the others have up to a hundred messages each. */
const LONG_SHARE = 0.3;
const SHORT_MESSAGES = 100;
/** Messages per memory. */
const MESSAGES_PER_MEMORY = 10;
const AGENTS = [undefined, "buyer", "seller"];

type Filling = Pick<TrialInput, "count" | "seed" | "progress">;

/** One long conversation and many short ones, some with a deleted or updated message. */
export async function fillConversations(
  { client }: TrialService,
  { count, seed, progress }: Filling,
): Promise<Sentence[]> {
  const random = createRandom(`${seed} conversations`);
  const source = createSentences(seed);
  const sentences: Sentence[] = [];
  const sizes = [Math.ceil(count * LONG_SHARE)];
  for (let left = count - (sizes[0] ?? 0); left > 0; left -= sizes.at(-1) ?? 0) {
    sizes.push(Math.min(left, 1 + Math.floor(random.next() * SHORT_MESSAGES)));
  }
  await pMap(
    sizes.entries(),
    async ([number, size]) => {
      const metadata = { number, nested: [null, { a: "“—”" }] };
      const { id } = await client.conversations.create({
        external_id: `c-${number}`,
        tags: ["b", "a"],
        metadata,
      });
      for (let from = 0; from < size; from += APPEND) {
        const messages = Array.from({ length: Math.min(APPEND, size - from) }, (_, i) => {
          const sentence = source.next().value;
          sentences.push(sentence);
          // Every third is long enough to be stored compressed.
          const content = i % 3 === 0 ? `${sentence.text}. `.repeat(10) : sentence.text;
          return {
            role: "user" as const,
            content,
            name: "Maria",
            external_id: `m-${from + i}`,
            parts: [{ i }],
          };
        });
        const { message_ids } = await client.messages.append(id, { messages });
        if (number % 10 === 1)
          await client.messages.update(id, message_ids[0] ?? "", { metadata: { changed: true } });
        if (number % 10 === 2) {
          await client.messages.delete(id, message_ids.at(-1) ?? "");
          sentences.splice(sentences.length - 1, 1);
        }
        progress(`${sentences.length} of ${count} messages appended`);
      }
    },
    { concurrency: CONCURRENCY },
  );
  return sentences;
}

/**
 * Memories with and without an agent. They leave nothing for the text model to write, because that would
 * happen at any time.
 */
export async function fillMemories(
  { client }: TrialService,
  { count, seed, progress }: Filling,
): Promise<Sentence[]> {
  const source = createSentences(`${seed} memories`);
  const sentences = Array.from({ length: Math.ceil(count / MESSAGES_PER_MEMORY) }, () => source.next().value);
  for (let from = 0; from < sentences.length; from += APPEND) {
    const memories = sentences.slice(from, from + APPEND).map(({ text }, i) => ({
      content: i % 3 === 0 ? `${text}. `.repeat(10) : text,
      ...(AGENTS[i % AGENTS.length] && { agent_id: AGENTS[i % AGENTS.length] }),
      tags: ["b", "a"],
      summary: `“${i}”`,
      metadata: { nested: [null, { a: i }] },
    }));
    await client.memories.createMany({ memories });
    progress(`${from + memories.length} memories captured`);
  }
  return sentences;
}

import { ConnectionError, Engram, type WriteOptions } from "@engram/sdk";
import { createRandom, type Random } from "../../support/random.ts";
import { type Sent, type Stored, whatDiffers } from "./support/history.ts";
import { type Fault, openProxy } from "./support/proxy.ts";
import { withService } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";

const WRITERS = 8;
/** Appends per captured memory. */
const CAPTURE_EVERY = 4;
/**
 * A third of the responses is lost, half of those in transit. Some requests never arrive, some arrive twice.
 */
const FAULTS: [Fault, share: number][] = [
  ["answered", 1 / 6],
  ["amid", 1 / 6],
  ["before", 0.1],
  ["twice", 0.1],
];
const PAGE_MESSAGES = 1_000;

export const lostResponse: Trial = {
  name: "lost-response",
  promise:
    "If connections break before or after a commit, or a request arrives twice, everything that the SDK appends and captures is stored once and in order.",
  counts: { of: "lost responses", long: 1_000, short: 40 },
  run: ({ count, seed, progress }) =>
    withService({}, async (service) => {
      const findings = new Findings();
      const random = createRandom(`${seed} fates`);
      const proxy = await openProxy(service.url, () => faultOf(random));
      try {
        const client = new Engram({ baseUrl: proxy.url, apiKey: service.key });
        const lost = () => proxy.counts.answered + proxy.counts.amid;
        let goneOn = 0;
        const write = async (writer: number) => {
          const { id } = await service.client.conversations.create();
          const sent: Sent[] = [];
          const captured = new Map<string, string>();
          for (let i = 0; lost() < count; i++) {
            const content = `append ${i} of writer ${writer}`;
            const { answer, errors } = await atLast((options) =>
              client.messages.append(id, { messages: [{ role: "user", content }] }, options),
            );
            goneOn += errors;
            sent.push({
              writer,
              content,
              id: answer.message_ids[0] ?? "",
              sequence: answer.first_sequence ?? 0,
            });
            if (i % CAPTURE_EVERY === 0) {
              const note = `note ${i} of writer ${writer}`;
              const agent_id = `writer ${writer}`;
              const memory = await atLast((options) =>
                client.memories.create({ content: note, agent_id }, options),
              );
              goneOn += memory.errors;
              captured.set(note, memory.answer.id);
            }
            progress(`lost-response: ${lost()} of ${count} answers lost`);
          }
          const remembered = new Map<string, string>();
          let memories = 0;
          for await (const memory of service.client.memories.list({ agent_id: `writer ${writer}` })) {
            remembered.set(memory.content, memory.id);
            memories += 1;
          }
          findings.expect(
            memories === captured.size && [...captured].every(([note, its]) => remembered.get(note) === its),
            () =>
              `Writer ${writer} captured ${captured.size} memories, but ${memories} are stored, or others.`,
          );
          const stored: Stored[] = [];
          for await (const message of service.client.messages.list(id, { limit: PAGE_MESSAGES }))
            stored.push(message);
          const differences = whatDiffers(sent, stored);
          findings.expect(differences.length === 0, () => differences.join("\n"));
          const repeated = stored.length - new Set(stored.map(({ content }) => content)).size;
          findings.expect(repeated === 0, () => `${repeated} appends of writer ${writer} are stored twice.`);
          return { sent: sent.length, stored: stored.length, captured: captured.size };
        };
        const written = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
        const sum = (of: "sent" | "stored" | "captured") =>
          written.reduce((total, one) => total + one[of], 0);
        findings.figure("appends acknowledged", sum("sent"));
        findings.figure("messages stored", sum("stored"));
        findings.figure("memories acknowledged, each stored once", sum("captured"));
        const { pass, before, answered, amid, twice } = proxy.counts;
        findings.figure(
          "requests",
          `${pass} passed, ${answered} cut after the commit, ${amid} in the middle of the response, ${before} before the service, ${twice} sent twice`,
        );
        findings.figure(
          "calls repeated after the SDK's last retry, with the idempotency key of its error",
          goneOn,
        );
        findings.expect(lost() >= count, () => `Only ${lost()} responses were lost.`);
        return findings;
      } finally {
        await proxy.close();
      }
    }),
};

function faultOf(random: Random): Fault {
  let left = random.next();
  for (const [fault, share] of FAULTS) {
    if (left < share) return fault;
    left -= share;
  }
  return "pass";
}

/** Write like a persistent caller: after the SDK's retries, repeat with the idempotency key in its error. */
async function atLast<Answer>(
  write: (options: WriteOptions) => PromiseLike<Answer>,
): Promise<{ answer: Answer; errors: number }> {
  let idempotencyKey: string | null = null;
  for (let errors = 0; ; errors++) {
    try {
      return { answer: await write({ idempotencyKey }), errors };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      idempotencyKey = error.idempotencyKey;
    }
  }
}

import { ConnectionError, Engram } from "@engram/sdk";
import { createRandom, type Random } from "../../bench/src/chats/random.ts";
import { type Sent, type Stored, whatDiffers } from "./support/history.ts";
import { type Fate, openProxy } from "./support/proxy.ts";
import { withService } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";

const WRITERS = 8;
/** A third of the answers is lost, half of those in the middle; some requests never arrive or arrive twice. */
const FATES: [Fate, share: number][] = [
  ["answered", 1 / 6],
  ["amid", 1 / 6],
  ["before", 0.1],
  ["twice", 0.1],
];
const PAGE_MESSAGES = 1_000;

export const lostResponse: Trial = {
  name: "lost-response",
  promise:
    "However often connections break after a commit: what the SDK appends is stored once, none lost, in order.",
  counts: { of: "appends", long: 1_000, short: 100 },
  run: ({ count, seed, progress }) =>
    withService({}, async (service) => {
      const findings = new Findings();
      const random = createRandom(`${seed} fates`);
      const proxy = await openProxy(service.url, () => fateOf(random));
      try {
        const client = new Engram({ baseUrl: proxy.url, apiKey: service.key });
        let left = count;
        let goneOn = 0;
        const write = async (writer: number) => {
          const { id } = await service.client.conversations.create();
          const sent: Sent[] = [];
          for (let i = 0; left > 0; i++) {
            left -= 1;
            const content = `append ${i} of writer ${writer}`;
            const { answer, errors } = await appendAtLast(client, id, content);
            goneOn += errors;
            sent.push({
              writer,
              content,
              id: answer.message_ids[0] ?? "",
              sequence: answer.first_sequence ?? 0,
            });
            progress(`lost-response: ${count - left} of ${count} appends`);
          }
          const stored: Stored[] = [];
          for await (const message of service.client.messages.list(id, { limit: PAGE_MESSAGES }))
            stored.push(message);
          const differences = whatDiffers(sent, stored);
          findings.expect(differences.length === 0, () => differences.join("\n"));
          const repeated = stored.length - new Set(stored.map(({ content }) => content)).size;
          findings.expect(repeated === 0, () => `${repeated} appends of writer ${writer} are there twice.`);
          return { sent: sent.length, stored: stored.length };
        };
        const written = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
        const sum = (of: "sent" | "stored") => written.reduce((total, one) => total + one[of], 0);
        findings.figure("appends acknowledged", sum("sent"));
        findings.figure("messages stored", sum("stored"));
        const { pass, before, answered, amid, twice } = proxy.counts;
        findings.figure(
          "requests",
          `${pass} passed, ${answered} cut after the commit, ${amid} amid the answer, ${before} before the service, ${twice} sent twice`,
        );
        findings.figure("calls gone on with after the SDK's last retry, under the error's key", goneOn);
        findings.expect(sum("sent") === count, () => `${sum("sent")} of ${count} appends were acknowledged.`);
        findings.expect(answered + amid > count / 5, () => `Only ${answered + amid} answers were lost.`);
        return findings;
      } finally {
        await proxy.close();
      }
    }),
};

function fateOf(random: Random): Fate {
  let left = random.next();
  for (const [fate, share] of FATES) {
    if (left < share) return fate;
    left -= share;
  }
  return "pass";
}

/** Append as a caller does who does not give up: after the SDK's own retries, again under the key of its error. */
async function appendAtLast(client: Engram, conversationId: string, content: string) {
  let idempotencyKey: string | null = null;
  for (let errors = 0; ; errors++) {
    try {
      const body = { messages: [{ role: "user" as const, content }] };
      const options = idempotencyKey === null ? {} : { idempotencyKey };
      return { answer: await client.messages.append(conversationId, body, options), errors };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      idempotencyKey = error.idempotencyKey;
    }
  }
}

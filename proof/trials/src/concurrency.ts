import type { Engram } from "@engram/sdk";
import { createRandom, type Random } from "../../support/random.ts";
import { raceCaptures } from "./support/capture-race.ts";
import { type Sent, type Stored, whatDiffers } from "./support/history.ts";
import { raceKey } from "./support/key-race.ts";
import { type TrialService, withService } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";

const WRITERS = 64;
const WRITERS_SHORT = 16;
const RACERS = 50;
const PAGE_MESSAGES = 1_000;
/**
 * Text that is easily changed in transit: surrounding whitespace, NUL, line breaks, combined and double-width
 * characters.
 */
const ODD_ENDS = [
  "",
  " ",
  "\u0000",
  "\r\n",
  "\t\n ",
  "👩‍👩‍👧‍👦",
  "e\u0301",
  "\ufeff",
  "日本語",
  "\\u0041",
  "“—”",
];

export const concurrency: Trial = {
  name: "concurrency",
  promise:
    "Whatever writes at the same time: sequences 1, 2, 3… without gaps, every writer's order kept, every byte kept; one idempotency key, one effect; one content, one memory.",
  counts: { of: "messages of each writer", long: 200, short: 50 },
  run: (input) =>
    withService({}, async (service) => {
      const findings = new Findings();
      await writeTogether(service, input, findings);
      await raceKey(service, RACERS, findings);
      await raceCaptures(service, RACERS, findings);
      return findings;
    }),
};

/** Many writers append to one conversation. Each waits for its response before the next append. */
async function writeTogether(
  { client }: TrialService,
  { count, short, seed, progress }: TrialInput,
  findings: Findings,
): Promise<void> {
  const writers = short ? WRITERS_SHORT : WRITERS;
  const { id } = await client.conversations.create();
  const sent: Sent[] = [];
  const startMs = performance.now();
  const write = async (writer: number) => {
    const random = createRandom(`${seed} writer ${writer}`);
    for (let i = 0; i < count; i++) {
      const content = oddText(random, `${writer}/${i}`);
      const { message_ids, first_sequence } = await client.messages.append(id, {
        messages: [{ role: "user", content }],
      });
      sent.push({ writer, content, id: message_ids[0] ?? "", sequence: first_sequence ?? 0 });
      progress(`concurrency: ${sent.length} of ${writers * count} messages`);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - startMs) / 1_000;
  const stored = await readAll(client, id);
  findings.figure("messages acknowledged", sent.length);
  findings.figure("messages stored", stored.length);
  findings.figure("appends a second", Math.round(sent.length / seconds));
  const differences = whatDiffers(sent, stored);
  findings.expect(differences.length === 0, () => differences.join("\n"));
  const last = (await client.conversations.get(id, { message_limit: 1 })).last_sequence;
  findings.expect(last === writers * count, () => `The last sequence is ${last}, not ${writers * count}.`);
}

/** A unique text that starts and ends with one of `ODD_ENDS`. */
function oddText(random: Random, name: string): string {
  return `${random.pick(ODD_ENDS)}message ${name} ${random.next()}${random.pick(ODD_ENDS)}`;
}

async function readAll(client: Engram, conversationId: string): Promise<Stored[]> {
  const stored: Stored[] = [];
  for await (const message of client.messages.list(conversationId, { limit: PAGE_MESSAGES }))
    stored.push(message);
  return stored;
}

import { messagesIn } from "./found.ts";
import { POISON, REPORTED } from "./poison.ts";
import type { Sentence } from "./sentences.ts";
import type { TrialService } from "./service.ts";
import type { Findings } from "./trial.ts";
import { until } from "./until.ts";

const MESSAGES = 30;
/** In the middle, because the windows before and after it must be indexed. */
const POISONED = 15;
const TIMEOUT_MS = 60_000;

/** Append a text that the model rejects among others. Only this text may stay pending. */
export async function endPoison(
  { client }: TrialService,
  sentences: Iterator<Sentence, never>,
  findings: Findings,
): Promise<void> {
  const said = Array.from({ length: MESSAGES }, () => sentences.next().value.text);
  said[POISONED] = `Nobody may eat the ${POISON}`;
  const messages = said.map((content) => ({ role: "user" as const, content }));
  const poisoned = (await client.conversations.create()).id;
  const { message_ids } = await client.messages.append(poisoned, { messages });
  const other = (await client.conversations.create()).id;
  await client.messages.append(other, { messages: messages.filter((_, i) => i !== POISONED) });

  const statusOf = (conversation_id: string) => client.index.status({ conversation_id });
  await until(async () => (await statusOf(other)).pending === 0, TIMEOUT_MS);
  // The last message waits until the conversation is quiet.
  await until(async () => {
    const { last_error, pending, failed } = await statusOf(poisoned);
    return last_error !== null && pending + failed === 1;
  }, TIMEOUT_MS);
  const { pending } = await statusOf(other);
  findings.expect(pending === 0, () => "A rejected text delays another conversation.");
  const { pending: held, last_error, failed } = await statusOf(poisoned);
  findings.figure("messages that wait, one of which the embedder rejects", `${held} of ${MESSAGES}`);
  findings.figure("index status of that message", `${last_error?.message ?? "nothing"}; ${failed} failed`);
  findings.expect(
    held + failed === 1,
    () => `The index status of one rejected text has ${held} pending and ${failed} failed.`,
  );
  findings.expect(
    last_error?.message === REPORTED,
    () => `The index status does not say why a text was rejected, but: ${last_error?.message}.`,
  );

  for (const [i, text] of said.entries()) {
    if (i === POISONED) continue;
    const { results } = await client.search({
      query: text,
      mode: "semantic",
      conversation_id: poisoned,
      limit: 50,
      context: { before: 0, after: 0 },
    });
    const found = messagesIn(results).map(({ id }) => id);
    findings.expect(
      found.includes(message_ids[i] ?? ""),
      () => `Semantic search does not find message ${i}; only message ${POISONED} was rejected.`,
    );
  }
  const { results } = await client.search({ query: POISON, mode: "keyword" });
  findings.expect(
    messagesIn(results).some(({ id }) => id === message_ids[POISONED]),
    () => "Keyword search does not find the rejected text.",
  );
}

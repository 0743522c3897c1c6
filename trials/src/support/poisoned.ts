import { POISON } from "./poison.ts";
import type { Sentence } from "./sentences.ts";
import type { TrialService } from "./service.ts";
import type { Findings } from "./trial.ts";
import { until } from "./until.ts";

const MESSAGES = 30;
/** In the middle, so that windows before and after it must go on. */
const POISONED = 15;
/** A window holds five messages: so many on either side share one with the refused text. */
const NEIGHBOURS = 4;
const TIMEOUT_MS = 60_000;

/** Say something that the model refuses amid what it takes: only the windows that hold it may wait. */
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

  const pending = async (conversation_id: string) => (await client.index.status({ conversation_id })).pending;
  await until(async () => (await pending(other)) === 0, TIMEOUT_MS);
  await until(async () => (await client.index.status()).last_error !== null, TIMEOUT_MS);
  findings.expect((await pending(other)) === 0, () => "A refused text holds up another conversation.");
  const held = await pending(poisoned);
  const { last_error, failed } = await client.index.status();
  findings.figure(
    "messages that a refused text keeps from having all their vectors",
    `${held} of ${MESSAGES}`,
  );
  findings.figure("what the index says of it", `${last_error?.message ?? "nothing"}; ${failed} given up`);
  findings.expect(
    held + failed > 0 && last_error !== null,
    () => "The index says nothing of a refused text.",
  );

  let unfound = 0;
  for (const [i, text] of said.entries()) {
    if (i === POISONED) continue;
    const { results } = await client.search({
      query: text,
      mode: "semantic",
      conversation_id: poisoned,
      limit: 50,
      context: { before: 0, after: 0 },
    });
    if (results.some(({ messages }) => messages.some(({ id }) => id === message_ids[i]))) continue;
    unfound += 1;
    const isNeighbour = Math.abs(i - POISONED) <= NEIGHBOURS;
    findings.expect(
      isNeighbour,
      () => `Meaning does not find message ${i}, for the text refused at ${POISONED}.`,
    );
  }
  findings.figure("neighbours of it that meaning does not find", unfound);
  const { results } = await client.search({ query: POISON, mode: "keyword" });
  findings.expect(results.length > 0, () => "Words do not find the refused text.");
}

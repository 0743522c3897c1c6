import { Engram } from "@engram/sdk";
import type { TrialService } from "./service.ts";
import type { Findings } from "./trial.ts";

const REPLAYED = "idempotent-replayed";

/**
 * Send one append with one idempotency key concurrently, then reuse the key with other bodies and
 * organizations.
 */
export async function raceKey(service: TrialService, racers: number, findings: Findings): Promise<void> {
  const { client } = service;
  const { id } = await client.conversations.create();
  const append = (key: string, conversationId: string, content: string) =>
    fetch(`${service.url}/v1/conversations/${conversationId}/messages`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "raced",
      },
      body: JSON.stringify({ messages: [{ role: "user", content }] }),
    });
  const answers = await Promise.all(
    Array.from({ length: racers }, async () => {
      const response = await append(service.key, id, "once");
      const { status, headers } = response;
      return { status, replayed: headers.get(REPLAYED), body: await response.text() };
    }),
  );
  const first = answers.filter(({ replayed }) => replayed === null);
  findings.figure("one key raced", `${racers} times: ${racers - first.length} replayed`);
  // The contract has no "in flight" response: key and effect are one transaction, so every racer gets a
  // response.
  for (const { status, body } of answers)
    findings.expect(status === 201, () => `A racer was answered ${status}: ${body}`);
  findings.expect(
    first.length === 1,
    () => `${first.length} of ${racers} concurrent requests answered that they came first.`,
  );
  const bodies = new Set(answers.map(({ body }) => body));
  findings.expect(bodies.size === 1, () => `Racers got ${bodies.size} different bodies.`);
  const count = async () => (await client.conversations.get(id)).message_count;
  findings.expect((await count()) === 1, () => "The raced append was stored more than once.");

  const other = await append(service.key, id, "something else");
  findings.expect(other.status === 422, () => `The key with another body was answered ${other.status}.`);
  findings.expect((await count()) === 1, () => "The key with another body was stored.");

  const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
  const { key } = await operator.organizations.create({ name: "another" });
  const theirs = await new Engram({ baseUrl: service.url, apiKey: key.secret }).conversations.create();
  const independent = await append(key.secret, theirs.id, "once");
  findings.expect(
    independent.status === 201 && independent.headers.get(REPLAYED) === null,
    () => `The same key from another organization was answered ${independent.status}, or replayed.`,
  );
}

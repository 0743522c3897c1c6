import { ApiError, Engram, type Operation } from "@engram/sdk";
import type { Sentence } from "../sentences.ts";
import type { TrialService } from "../service.ts";
import type { Findings } from "../trial.ts";
import { answersTo, readsOf, searchesFor } from "./answers.ts";
import { fillBlock } from "./block.ts";
import type { Stored } from "./stored.ts";

const SHARES = 2;
/** Characters of an unexpected response that are shown. */
const SHOWN_CHARACTERS = 200;

/** Fill a new organization, delete it, and check that its key is rejected from the next request on. */
export async function deleteOrganization(
  service: TrialService,
  operator: Engram,
  texts: Iterator<Sentence, never>,
  findings: Findings,
): Promise<{ name: Sentence; stored: Stored[]; receipt: Operation }> {
  const name = texts.next().value;
  const { organization, key } = await operator.organizations.create({ name: name.marker });
  const client = new Engram({ baseUrl: service.url, apiKey: key.secret });
  const { stored } = await fillBlock(service, client, texts, SHARES, findings);
  // One of each kind.
  const asked = [stored.at(0), stored.at(-1)].filter((text) => text !== undefined);
  for (const text of asked) {
    const before = await answersTo(searchesFor(client, text));
    findings.expect(before.includes(text.marker), () => `${text.id} was not found before its deletion.`);
  }
  const receipt = await operator.organizations.delete(organization.id);
  for (const ask of asked.flatMap((text) => [...searchesFor(client, text), ...readsOf(client, text)])) {
    const answer: unknown = await ask().then(undefined, (error: unknown) => error);
    const isRefused = answer instanceof ApiError && answer.code === "unauthenticated";
    findings.expect(
      isRefused,
      () => `The key of a deleted organization gets ${show(answer)} instead of 401.`,
    );
  }
  return { name, stored, receipt };
}

const show = (answer: unknown): string => (JSON.stringify(answer) ?? "").slice(0, SHOWN_CHARACTERS);

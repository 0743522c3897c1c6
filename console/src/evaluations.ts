import type { SearchBody } from "@engram/sdk";
import { findMessage } from "./ids.ts";
import { searchBody } from "./search-body.ts";
import { engram } from "./session.ts";

/** Results of an evaluated search, so that a rank is known beyond the first page. */
const RESULTS = 50;

/** The body of an evaluated search, of the fields that the URL of a search has. */
export const evaluatedBody = (value: (name: string) => string | undefined): SearchBody => ({
  ...searchBody(value),
  ...{ limit: RESULTS, explain: false },
});

/** Keeps a search with an item that it should find, and runs it once. @returns The rank of the item. */
export async function evaluate(request: SearchBody, expected: string): Promise<number | null> {
  const { id } = await engram().evaluations.create({ request, expected: [expected] });
  // Without a first run, it is kept all the same.
  const result = await engram()
    .evaluations.run(id)
    .catch(() => undefined);
  return result?.evaluation.last_run?.ranks[0]?.rank ?? null;
}

/** The id of the message or memory that a text names by a link of the console or an id: `conv_… 12`, `mem_…`. Null if it names none. */
export async function findExpected(text: string): Promise<string | null> {
  const [id] = /\b(?:msg|mem)_\w+/.exec(text) ?? [];
  if (id !== undefined) return id.startsWith("mem_") || (await findMessage(id)) !== null ? id : null;
  const [, conversation, number] = /\b(conv_\w+)(?:\?at=|[\s#,:/]+)(\d+)/.exec(text) ?? [];
  return conversation === undefined ? null : messageAt(conversation, Number(number));
}

/** The id of a message by its number. Null if it is not there. */
export async function messageAt(conversation: string, sequence: number): Promise<string | null> {
  const range = { from_sequence: sequence, to_sequence: sequence, limit: 1 };
  const { items } = await engram().messages.list(conversation, range).page();
  return items[0]?.id ?? null;
}

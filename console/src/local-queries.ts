import { evaluate, evaluatedBody, messageAt } from "./evaluations.ts";
import { storedList } from "./stored-list.ts";

/** A query with its right answer that an earlier release kept in this browser alone. */
export interface LocalQuery {
  /** The search as the page's URL has it, with its filters. */
  search: string;
  expected: { conversation_id: string; sequence: number } | { memory_id: string };
}

const { items, keep } = storedList("engram.queries", isLocalQuery);
export const localQueries = items;

export const discardQueries = (): void => keep([]);

/** Makes evaluations of the queries. Each leaves this browser when it is one. @returns Those of which none was made, with the reasons; null for a right answer that is gone. */
export async function uploadQueries(): Promise<{ query: LocalQuery; error: unknown }[]> {
  const failed: { query: LocalQuery; error: unknown }[] = [];
  for (const query of items.value) {
    const error = await upload(query).catch((reason) => reason);
    if (error === undefined) keep(items.value.filter((each) => each !== query));
    else failed.push({ query, error });
  }
  return failed;
}

/** @returns Null if the right answer is not there any more. */
async function upload({ search, expected }: LocalQuery): Promise<null | undefined> {
  const id =
    "memory_id" in expected
      ? expected.memory_id
      : await messageAt(expected.conversation_id, expected.sequence);
  if (id === null) return null;
  const values = new URLSearchParams(search);
  await evaluate(
    evaluatedBody((name) => values.get(name) ?? undefined),
    id,
  );
}

function isLocalQuery(value: unknown): value is LocalQuery {
  const { search, expected } = (value ?? {}) as Partial<LocalQuery>;
  if (typeof search !== "string" || typeof expected !== "object" || expected === null) return false;
  if ("memory_id" in expected) return typeof expected.memory_id === "string";
  return typeof expected.conversation_id === "string" && typeof expected.sequence === "number";
}

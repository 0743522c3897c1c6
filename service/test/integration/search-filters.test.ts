import * as contracts from "@engram/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";

const RESULTS_MAX = 50;
const DAY_MS = 86_400_000;
const START_MS = Date.parse("2024-01-01T00:00:00Z");
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();

const AGENTS = ["bot", "helper"];
const USERS = ["maria", "juan", "li"];
const TAGS = ["x", "y", "z"];
const NAMES = ["Ada", "Bob", "Zoë"];
const ROLES = ["user", "assistant", "tool"] as const;
const TICKETS = ["T-1", "T-2"];

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** External id of a conversation, by its place in the corpus. */
const idOf = (place: number) => `chat-${place}`;

const said = fc.record({
  role: oneOf(ROLES),
  name: maybe(oneOf(NAMES)),
  created_at: fc.integer({ min: 0, max: 30 }).map(at),
  content: oneOf(["apple", "an apple a day", "apple, pear and plum", "Is it an apple?"]),
});
const conversation = fc.record({
  agent_id: maybe(oneOf(AGENTS)),
  user_id: maybe(oneOf(USERS)),
  tags: fc.subarray(TAGS),
  metadata: maybe(fc.record({ ticket: oneOf(TICKETS), open: fc.boolean() })),
  messages: fc.array(said, { minLength: 1, maxLength: 20 }),
});
type Conversation = typeof conversation extends fc.Arbitrary<infer T> ? T : never;

const filter = fc.record({
  agent_id: maybe(oneOf(AGENTS)),
  user_id: maybe(oneOf(USERS)),
  tags_any: maybe(someOf(TAGS)),
  tags_all: maybe(someOf(TAGS)),
  roles: maybe(someOf(ROLES)),
  names: maybe(someOf(NAMES)),
  metadata: maybe(fc.record({ ticket: oneOf(TICKETS) })),
  created_after: maybe(fc.integer({ min: 0, max: 30 }).map(at)),
  created_before: maybe(fc.integer({ min: 0, max: 30 }).map(at)),
  exclude_conversation: maybe(fc.integer({ min: 0, max: 12 }).map(idOf)),
});
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

/** The meaning of a filter, computed by a scan: the places in the corpus that it allows. */
function scan(corpus: Conversation[], wanted: Filter): string[] {
  return corpus.flatMap((one, c) => {
    const { tags_any: any, tags_all: all } = wanted;
    const fits =
      wanted.exclude_conversation !== idOf(c) &&
      (wanted.agent_id === undefined || wanted.agent_id === one.agent_id) &&
      (wanted.user_id === undefined || wanted.user_id === one.user_id) &&
      (any === undefined || any.some((tag) => one.tags.includes(tag))) &&
      (all === undefined || all.every((tag) => one.tags.includes(tag))) &&
      (wanted.metadata === undefined || wanted.metadata.ticket === one.metadata?.ticket);
    return one.messages.flatMap((message, m) => {
      const { created_after: after, created_before: before, roles, names } = wanted;
      const matches =
        (roles === undefined || roles.includes(message.role)) &&
        (names === undefined || (message.name !== undefined && names.includes(message.name))) &&
        (after === undefined || message.created_at >= after) &&
        (before === undefined || message.created_at < before);
      return fits && matches ? [`${c}.${m}`] : [];
    });
  });
}

/** Stores a corpus in a new organization, with the place of each message as its external id. */
async function store(corpus: Conversation[]): Promise<Caller> {
  const caller = await createOrganization();
  await Promise.all(
    corpus.map(({ messages, ...more }, c) =>
      seedConversation(
        caller,
        messages.map((message, m) => ({ ...message, external_id: `${c}.${m}` })),
        { ...more, external_id: idOf(c) },
      ),
    ),
  );
  return caller;
}

test("a filtered search returns every match up to the limit, and nothing else, for any data and filter", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(conversation, { minLength: 1, maxLength: 12 }),
      fc.array(filter, { minLength: 8, maxLength: 8 }),
      async (corpus, filters) => {
        const caller = await store(corpus);
        for (const wanted of [{}, ...filters] as Filter[]) {
          const expected = scan(corpus, wanted);
          for (const mode of ["hybrid", "keyword", "semantic"]) {
            const body = {
              query: "apple",
              mode,
              limit: RESULTS_MAX,
              neighbors: { before: 0, after: 0 },
              ...wanted,
            };
            const { results, degraded } = await caller.call(contracts.search, { body });
            const found = results.map(({ messages }) => messages[0]?.external_id ?? "");
            const title = `${mode} ${JSON.stringify(wanted)}`;
            expect(new Set(found).size, title).toBe(found.length);
            expect(expected, title).toEqual(expect.arrayContaining(found));
            // Vector search may find fewer messages than a filter on messages allows, and then reports it.
            if (degraded.length > 0)
              expect([mode, degraded], title).toEqual(["semantic", ["semantic_partial"]]);
            else expect(found, title).toHaveLength(Math.min(expected.length, RESULTS_MAX));
          }
        }
      },
    ),
    // Each run stores a corpus, so finding a smaller counterexample would take minutes.
    { numRuns: 4, endOnFailure: true },
  );
});

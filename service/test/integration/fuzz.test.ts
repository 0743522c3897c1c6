import * as contracts from "@engram/spec";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, createOrganization, operator, seedConversation } from "../support/client.ts";
import { readAs, readProblem } from "../support/contract.ts";
import { createWorld, type Ids, operations, requestFor, scopesOf } from "../support/requests.ts";

const RUNS = 100;
/** Slow machines finish, hung requests do not. */
const TIMEOUT_MS = 60_000;
const NO_CHARACTERS: string[] = [
  "\0",
  "\ufeff",
  "\u2028",
  "\uffff",
  "\u{10ffff}",
  "\r\n",
  "é",
  "e\u0301",
  " ",
  "👩‍👩‍👧",
];

/** Any text, all of Unicode, the awkward parts of it more often. */
const anyText = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
    fc.constantFrom(...NO_CHARACTERS),
  ),
  maxLength: 60,
});
/** Any JSON that can be kept: no key `__proto__`, no integer beyond a double, no negative zero. */
const anyJson = fc
  .jsonValue({ maxDepth: 4, stringUnit: "binary" })
  .map(
    (value) =>
      JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"proto"'), (_, item: unknown) =>
        typeof item === "number" && Number.isInteger(item) && !Number.isSafeInteger(item) ? 7 : item,
      ) as unknown,
  );
const anyObject = fc
  .dictionary(
    anyText.filter((key) => key !== "__proto__"),
    anyJson,
    { maxKeys: 6 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

let caller: Caller & { organizationId: string };
let ids: Ids;
beforeAll(async () => {
  ({ caller, ids } = await createWorld());
});

describe("any body", () => {
  test.for(operations.filter(([, contract]) => contract.request?.body !== undefined))(
    "of %s is taken or refused as the contract declares, never with a failure of ours",
    { timeout: TIMEOUT_MS },
    async ([name, contract]) => {
      const asking = scopesOf(contract) === null ? operator : caller;
      const valid = JSON.stringify(requestFor(name, ids).body);
      const anyBody = fc.oneof(
        fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }).map((value) => JSON.stringify(value)),
        // A valid body with one of its values, at any depth, replaced by anything.
        fc
          .tuple(fc.nat(), fc.oneof(fc.jsonValue({ maxDepth: 2 }), anyText, fc.double(), fc.maxSafeInteger()))
          .map(([nth, value]) => {
            const places = [...valid.matchAll(/"(?:[^"\\]|\\.)*"|\d+|true|false/g)];
            const place = places[nth % places.length];
            if (place === undefined) return valid;
            const isKey = valid[place.index + place[0].length] === ":";
            const json = JSON.stringify(isKey ? String(value) : value) ?? "null";
            return valid.slice(0, place.index) + json + valid.slice(place.index + place[0].length);
          }),
        // A valid body with bytes of it gone.
        fc.tuple(fc.nat(), fc.nat(4)).map(([at, length]) => {
          const start = at % valid.length;
          return valid.slice(0, start) + valid.slice(start + length);
        }),
      );
      await fc.assert(
        fc.asyncProperty(anyBody, async (rawBody) => {
          const response = await asking.fetch(contract, {
            ...requestFor(name, ids),
            body: undefined,
            rawBody,
          });
          expect(response.status).toBeLessThan(500);
          await (response.ok ? readAs(contract, response) : readProblem(contract, response));
        }),
        { numRuns: RUNS },
      );
    },
  );
});

describe("any query string and path", () => {
  test.for(operations.filter(([, contract]) => contract.method === "get"))(
    "of %s is answered as the contract declares, never with a failure of ours",
    { timeout: TIMEOUT_MS },
    async ([name, contract]) => {
      const names = [
        "limit",
        "cursor",
        "metadata",
        "tags_any",
        "created_after",
        "around",
        "newest",
        "sort",
        "before",
      ];
      const anyQuery = fc.dictionary(
        fc.oneof(
          fc.constantFrom(...names),
          anyText.filter((key) => key !== ""),
        ),
        fc.oneof(
          anyText,
          fc.constantFrom(
            "1",
            "-1",
            "1e3",
            "0x10",
            "99999999999999999999",
            "true",
            "{}",
            "2026-01-01T00:00:00Z",
          ),
        ),
        { maxKeys: 3 },
      );
      await fc.assert(
        fc.asyncProperty(
          anyQuery,
          anyText.filter((id) => !/^\.{0,2}$/.test(id)),
          async (query, id) => {
            const params = Object.fromEntries(Object.keys(ids).map((slot) => [slot, id]));
            const response = await caller.fetch(contract, { params, query: { ...query } });
            expect(response.status).toBeLessThan(500);
            await (response.ok ? readAs(contract, response) : readProblem(contract, response));
          },
        ),
        { numRuns: 40 },
      );
      expect(name).toBeTruthy();
    },
  );
});

describe("what was stored comes back as it was sent", () => {
  const anyMessage = fc.record(
    {
      role: fc.constantFrom("user", "assistant", "system", "tool"),
      // Long enough, some of them, to be compressed.
      content: fc.tuple(anyText, fc.constantFrom(1, 1, 1, 40)).map(([text, times]) => text.repeat(times)),
      metadata: anyObject,
      parts: fc.oneof(anyObject, fc.array(anyJson, { maxLength: 3 })),
    },
    { requiredKeys: ["role", "content"] },
  );

  test("by get, list, conversation and search: any text, any metadata, any parts", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const organization = await createOrganization();
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyMessage, { minLength: 1, maxLength: 8 }),
        anyObject,
        anyText,
        async (sent, metadata, title) => {
          const conversation_id = await seedConversation(organization, [], { metadata, title });
          const marker = `walrus${conversation_id.slice(5)}`;
          const messages = [...sent, { role: "user", content: marker }];
          const params = { conversation_id };
          const { message_ids } = await organization.call(contracts.appendMessages, {
            params,
            body: { messages },
          });
          const expected = messages.map((message) =>
            JSON.stringify({ metadata: {}, parts: null, ...message }, FIELDS_OF),
          );
          const seen = (items: contracts.Message[]) => items.map((item) => JSON.stringify(item, FIELDS_OF));
          const listed = await organization.call(contracts.listMessages, { params });
          expect(seen(listed.items).map(sorted)).toEqual(expected.map(sorted));
          const got = await organization.call(contracts.getConversation, { params });
          expect([got.title, JSON.stringify(got.metadata)]).toEqual([title, JSON.stringify(metadata)]);
          expect(got.messages.items).toEqual(listed.items);
          const single = await organization.call(contracts.getMessage, {
            params: { ...params, message_id: message_ids[0] ?? "" },
          });
          expect(single).toEqual(listed.items[0]);
          const body = { query: marker, mode: "keyword", conversation_id, context: { before: 20, after: 0 } };
          const { results } = await organization.call(contracts.search, { body });
          expect(results[0]?.messages).toEqual(listed.items);
        },
      ),
      { numRuns: 30 },
    );
  });
});

const SENT = ["role", "content", "metadata", "parts"];
/** Leaves of a message only what a caller sends. */
function FIELDS_OF(this: unknown, key: string, value: unknown): unknown {
  const isTop = typeof this === "object" && this !== null && "role" in this && "content" in this;
  return key === "" || !isTop || SENT.includes(key) ? value : undefined;
}
const sorted = (json: string): unknown => JSON.parse(json);

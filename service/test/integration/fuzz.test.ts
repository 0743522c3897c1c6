import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { anyText } from "../support/arbitrary.ts";
import { type Caller, operator } from "../support/client.ts";
import { readAs, readProblem } from "../support/contract.ts";
import { createWorld, type Ids, operations, requestFor, scopesOf } from "../support/requests.ts";

const RUNS = scale(100, 8);
const QUERY_RUNS = scale(40, 5);
let caller: Caller & { organizationId: string };
let ids: Ids;
beforeAll(async () => {
  ({ caller, ids } = await createWorld());
});

describe("any body", () => {
  test.for(operations.filter(([, contract]) => contract.request?.body !== undefined))(
    "of %s is taken or refused as the contract declares, never with a failure of ours",
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
            const json = JSON.stringify(value) ?? "null";
            const replacement = isKey && typeof value !== "string" ? JSON.stringify(json) : json;
            return valid.slice(0, place.index) + replacement + valid.slice(place.index + place[0].length);
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
    async ([, contract]) => {
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
        { numRuns: QUERY_RUNS },
      );
    },
  );
});

import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { anyText } from "../support/arbitrary.ts";
import { allowedRequests, type Given, isForbidden, responseFaults } from "../support/document.ts";
import { ABSENT, requestFor } from "../support/requests.ts";
import { callerFor, createWorld, fill, isWrite, MARKS, operations, type World } from "../support/worlds.ts";

const RUNS = { read: scale(50, 6), write: scale(30, 2), body: scale(100, 4), query: scale(50, 2) };

/** Operations that need a separate organization: they delete what others need, or they have a low limit. */
const APART = /^(delete(Organization|Conversations|Memories|User)|createWebhook|rotateWebhook)$/;

const GIVEN: Given = {
  ...MARKS,
  external_id: "<unique>",
  "idempotency-key": "<unique>",
  "if-match": "*",
  "last-event-id": "0",
  wait_seconds: 0,
  sources: [{ message_id: MARKS.message_id }],
  // Cursors and moments have separate tests.
  cursor: undefined,
  as_of: undefined,
};
const GIVEN_TO: Record<string, Given> = {
  // It must hold nothing that other operations change.
  createHold: { ids: undefined, filter: { user_id: "nobody" } },
  createEvaluation: { from_recall: undefined, exclude: ["kettle"] },
  // A memory that is superseded must be of the same agent and user. memory-validity.test.ts tries it.
  createMemories: { supersedes: undefined },
  createMemory: { supersedes: undefined },
  putMemory: { supersedes: undefined },
  createWebhook: { after: "now" },
  exportData: { after: "<conversation_id>", after_version: undefined },
  forkConversation: { sequence: 1 },
  getArchiveLines: { part: 1 },
  importLines: { after_line: 0, sources: [] },
  listConversations: { metadata: '{"ticket":"T-1029"}' },
  listEvents: { after: "0" },
  listMemories: { metadata: '{"ticket":"T-1029"}' },
  replaceMessages: { expected_last_sequence: 2 },
  // An item needs a word, which the document states only in words.
  search: { exclude: ["kettle"] },
  searchMemories: { exclude: ["kettle"] },
  streamEvents: { after: "0" },
};

type Sent = Record<string, unknown>;
const countOf = (sent: Sent, ...names: string[]) => names.filter((name) => sent[name] !== undefined).length;
/** Null counts as absent. */
const isEmpty = ({ content, parts = null }: Sent) => content === "" && parts === null;
const neverHolds = ({ valid_from, valid_until }: Sent) =>
  Date.parse(String(valid_from)) >= Date.parse(String(valid_until));
const isSharedOfUser = ({ shared, user_id }: Sent) => shared === true && typeof user_id === "string";
const isNoMemory = (sent: Sent) => isEmpty(sent) || neverHolds(sent) || isSharedOfUser(sent);
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;
const hasInvalidTag = ({ tags_any = [], tags_all = [] }: Sent) =>
  [tags_any, tags_all].flat().some((tag) => !contracts.Tag.safeParse(tag).success);
/** A rule by a time or with a filter that its kind does not have. */
function isNoRule({ kind, by = "created_at", filter = {} }: Sent): boolean {
  if (kind === "conversations") return false;
  if (kind === "memories") return by === "last_message_at";
  return by !== "created_at" || Object.keys(filter as object).length > 0;
}

/** Rules that the document states only in words: whether headers, a query and a body together break one. */
const BREAKS: Record<string, (sent: Sent) => boolean> = {
  broadcast: ({ value }) => JSON.stringify(value).length > contracts.BROADCAST_CHARACTERS_MAX,
  createEvaluation: (sent) => countOf(sent, "request", "expected") < 2,
  createHold: (sent) => countOf(sent, "filter") === 0,
  createKey: (sent) =>
    (sent.scopes as string[]).includes("admin") && countOf(sent, "agent_id", "user_id") > 0,
  createConversation: isSharedOfUser,
  createRetentionRule: isNoRule,
  previewRetentionRule: isNoRule,
  createOrganization: ({ place, jurisdiction, location }) =>
    countOf({ jurisdiction, location }, "jurisdiction", "location") > (place === "d1" ? 0 : 1),
  createMember: (sent) =>
    ["owner", "admin"].includes(sent.role as string) && countOf(sent, "agent_id", "user_id") > 0,
  createMemories: ({ memories }) => (memories as Sent[]).some(isNoMemory),
  createMemory: isNoMemory,
  deleteOrganization: ({ force }) => String(force) === "true",
  deleteMemories: (sent) => countOf(sent, "filter", "all") !== 1,
  // `after` is the id of a conversation.
  exportData: (sent) =>
    countOf(sent, "after") < countOf(sent, "after_sequence") || countOf(sent, "after_version") > 0,
  importLines: (sent) => countOf(sent, "operation_id") === 0 && countOf(sent, "after_line", "last") > 0,
  listConversations: hasInvalidTag,
  listMemories: hasInvalidTag,
  listMessages: (sent) => sent.newest !== undefined && countOf(sent, "from_sequence", "to_sequence") > 0,
  // Each request has an external id of its own, for which no memory is stored.
  putMemory: (sent) => isNoMemory(sent) || countOf(sent, "if-match") > 0,
  updateMemory: (sent) => neverHolds(sent) || isSharedOfUser(sent),
  setPresence: ({ state }) => bytesOf(state) > contracts.PRESENCE_STATE_BYTES_MAX,
};

let shared: World;
beforeAll(async () => {
  shared = await createWorld();
});

/** Fails unless the committed document describes the response. `fetch` also checks it against the contract. */
async function expectDescribed(contract: RouteConfig, response: Response, parts: object): Promise<void> {
  expect(response.status).toBeLessThan(500);
  expect(await responseFaults(contract, response), JSON.stringify(parts)).toEqual([]);
}

test.for(operations)(
  "%s accepts requests that the OpenAPI document allows, and returns what it describes",
  async ([name, contract]) => {
    const requests = allowedRequests(contract, { ...GIVEN, ...GIVEN_TO[name] });
    await fc.assert(
      fc.asyncProperty(requests, async (marked) => {
        const world = APART.test(name) ? await createWorld() : shared;
        const parts = await fill(name, marked, world);
        const response = await (await callerFor(contract, world)).fetch(contract, parts);
        const isBroken =
          BREAKS[name]?.({ ...parts.headers, ...parts.query, ...(parts.body as Sent) }) ?? false;
        const why = `${JSON.stringify(parts)} ${await response.clone().text()}`;
        expect([response.ok, response.status >= 400 && response.status < 500], why).toEqual([
          !isBroken,
          isBroken,
        ]);
        await expectDescribed(contract, response, parts);
        // Only accepted requests count as runs.
        fc.pre(!isBroken);
      }),
      // The first one finds items, which random filters rarely do.
      { numRuns: isWrite(contract) ? RUNS.write : RUNS.read, examples: [[requestFor(name, MARKS)]] },
    );
  },
);

test.for<[what: string, contract: RouteConfig, body: object]>([
  ["an update of a conversation without a field", contracts.updateConversation, {}],
  ["an update of a message without a field", contracts.updateMessage, {}],
  ["an update of a memory without a field", contracts.updateMemory, {}],
  ["a key with a scope twice", contracts.createKey, { name: "x", scopes: ["read", "read"] }],
])("%s rejects the same invalid values as the OpenAPI document", async ([, contract, body]) => {
  const response = await shared.caller.fetch(contract, { params: { ...shared.ids }, body });
  expect([response.status, isForbidden(contract, { rawBody: JSON.stringify(body) })]).toEqual([400, true]);
});

test.for(operations.filter(([, contract]) => contract.request?.body !== undefined))(
  "%s rejects any body that the OpenAPI document does not allow, without an internal error",
  async ([name, contract]) => {
    const caller = await callerFor(contract, shared);
    const request = requestFor(name, shared.ids);
    const valid = JSON.stringify(request.body);
    const anyBody = fc.oneof(
      fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }).map((value) => JSON.stringify(value)),
      // A valid body with one of its values, at any depth, replaced by any JSON.
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
      // A valid body without some of its bytes.
      fc.tuple(fc.nat(), fc.nat(4)).map(([at, length]) => {
        const start = at % valid.length;
        return valid.slice(0, start) + valid.slice(start + length);
      }),
    );
    await fc.assert(
      fc.asyncProperty(anyBody, async (rawBody) => {
        const response = await caller.fetch(contract, { ...request, body: undefined, rawBody });
        if (isForbidden(contract, { rawBody })) expect(response.ok, rawBody).toBe(false);
        await expectDescribed(contract, response, { rawBody });
      }),
      { numRuns: RUNS.body },
    );
  },
);

test.for(operations)(
  "%s rejects any query that the OpenAPI document does not allow, without an internal error",
  async ([, contract]) => {
    const caller = await callerFor(contract, shared);
    const names = ["limit", "cursor", "metadata", "tags_any", "created_after", "newest", "sort"];
    const values = ["1", "-1", "1e3", "0x10", "99999999999999999999", "true", "{}", "2026-01-01T00:00:00Z"];
    const anyQuery = fc.dictionary(
      fc.oneof(
        fc.constantFrom(...names),
        anyText.filter((name) => name !== ""),
      ),
      fc.oneof(anyText, fc.constantFrom(...values)),
      { maxKeys: 3 },
    );
    const anyId = anyText.filter((id) => !/^\.{0,2}$/.test(id));
    await fc.assert(
      fc.asyncProperty(anyQuery, anyId, async (own, id) => {
        const params = Object.fromEntries(Object.keys({ ...ABSENT, user_id: "" }).map((name) => [name, id]));
        const query = { ...own };
        const response = await caller.fetch(contract, { params, query });
        if (isForbidden(contract, { query })) expect(response.ok, JSON.stringify(query)).toBe(false);
        await expectDescribed(contract, response, { id, query });
      }),
      { numRuns: RUNS.query },
    );
  },
);

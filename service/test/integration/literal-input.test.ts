import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import { toTools } from "../../src/mcp/tools.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { createStemmer } from "../../src/text/stems.ts";
import { splitWords } from "../../src/text/words.ts";
import { INJECTIONS } from "../support/arbitrary.ts";
import {
  type Caller,
  createOrganization,
  operator,
  type RequestParts,
  seedConversation,
} from "../support/client.ts";
import { readEvents } from "../support/contract.ts";
import { env } from "../support/env.ts";
import { Service, selectPostings, selectRows } from "../support/invocations.ts";
import { connect } from "../support/mcp.ts";
import { createWorld, type Ids, isWrite, operations, requestFor, scopesOf } from "../support/requests.ts";
import {
  type Form,
  listForms,
  placesOf,
  type TextPlace,
  takesAll,
  valueAt,
  valueFor,
  withText,
} from "../support/text-places.ts";

/** What is looked up by its name, and so refused where it names nothing. */
const NAMING = new Set([
  ...["organization_id", "key_id", "conversation_id", "message_id", "memory_id", "operation_id", "around"],
  ...["webhook_id", "delivery_id", "entity_id"],
  ...["after_conversation_id", "after_memory_id", "cursor", "message_cursor", "if-match", "idempotency-key"],
]);
/** What a text is that names nothing: of every other place, a thing that is not found. */
const UNNAMED: Record<string, object> = {
  cursor: { status: 400, body: { code: "invalid_cursor" } },
  message_cursor: { status: 400, body: { code: "invalid_cursor" } },
  "search conversation_id": { status: 200, body: { results: [] } },
  "listEvents conversation_id": { status: 200, body: { items: [] } },
  "streamEvents conversation_id": { status: 200, body: [] },
  "listUsage key_id": { status: 200, body: { items: [] } },
  // Only a place: what follows is one's own.
  after_conversation_id: { status: 200 },
  after_memory_id: { status: 200 },
};
const NOT_FOUND = { status: 404, body: { code: "not_found" } };
/** Those that are tried. */
const TEXTS = sample(INJECTIONS, 2);
/** What a header can carry. */
const HEADER_TEXTS = TEXTS.filter((text) => /^[ -~]+$/.test(text));

/** Requests on their way at once, where none waits for another. */
const LANES = 6;

const forms = listForms();
const titled = forms.map((form): [string, Form] => [
  form.type === null ? form.operationId : `${form.operationId} (${form.type})`,
  form,
]);
type World = Awaited<ReturnType<typeof createWorld>>;
let readWorld: Promise<World> | undefined;
/** A world to call this operation in. Operations that only read share one. */
const worldFor = (id: string): Promise<World> => {
  if (isWrite(contractOf(id))) return createWorld();
  readWorld ??= createWorld();
  return readWorld;
};
const lastLine = (text: string) => JSON.parse(text.trimEnd().split("\n").at(-1) ?? "null");
const contractOf = (id: string) => operations.find(([name]) => name === id)?.[1] as RouteConfig;
const lastOf = ({ names }: TextPlace) => names.findLast((name) => name !== "0") ?? "";
/** Arguments that take free text, and may all have it in one request. */
const freeOf = (form: Form) =>
  form.places.filter(
    (place) =>
      // The value of an entity is refused without its kind.
      !NAMING.has(lastOf(place)) && !place.names.includes("entities") && takesAll(place, INJECTIONS),
  );

/** All rows that an organization has in any table, and its words in the keyword index. */
async function contentsOf(organizationId: string): Promise<unknown> {
  const tables = await selectRows<{ name: string }>(
    // What is counted of requests is written whenever the next one comes.
    `SELECT name FROM sqlite_master
      WHERE type = 'table' AND sql LIKE '%organization_id TEXT%' AND name <> 'usage' ORDER BY name`,
  );
  expect(tables.length).toBeGreaterThan(9);
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const stored = await selectRows(`SELECT * FROM ${name} WHERE organization_id = ?1`, organizationId);
      return stored.map((row) => JSON.stringify(row)).sort();
    }),
  );
  return { rows, words: await selectPostings(organizationId) };
}

/** What no request may change: the schema, and rows without an organization. */
async function frameOfDatabase(): Promise<unknown> {
  return Promise.all([
    selectRows("SELECT type, name, sql FROM sqlite_master ORDER BY name"),
    selectRows("SELECT name FROM d1_migrations ORDER BY name"),
    selectRows("SELECT unauthenticated FROM assertions"),
  ]);
}

let caller: Caller & { organizationId: string };
let before: unknown;
let bystander: Caller & { organizationId: string };
beforeAll(async () => {
  caller = await createOrganization();
  ({ caller: bystander } = await createWorld());
  await seedConversation(bystander, ["walrus"], aboutConversation("%"));
  await bystander.call(contracts.createMemory, { body: { ...aboutMemory("%"), wait: "indexed" } });
  before = [await contentsOf(bystander.organizationId), await frameOfDatabase()];
});
afterAll(async () => {
  const after = [await contentsOf(bystander.organizationId), await frameOfDatabase()];
  expect(after, "what another organization has, and the tables").toEqual(before);
  // Apart from what was written and deleted, no row is missing or added.
  expect(
    await selectRows(
      `SELECT o.organization_id FROM organization_counters AS o
        WHERE message_count + memory_count + conversation_count <>
              (SELECT coalesce(sum(kind <> 'conversation'), 0)
                    + coalesce(sum((kind = 'conversation') * (1 + message_count)), 0)
                 FROM conversations AS c
                WHERE c.organization_id = o.organization_id AND c.deleted_at_ms IS NULL)`,
    ),
  ).toEqual([]);
});

const meta = (text: string) => valueFor({ isObject: true }, text);
const aboutConversation = (text: string) => ({
  external_id: text,
  agent_id: text,
  user_id: text,
  tags: [text],
  metadata: meta(text),
});
const aboutMemory = (text: string) => ({
  content: `walrus ${text}`,
  agent_id: text,
  user_id: text,
  external_id: text,
  source: text,
  tags: [text],
  metadata: meta(text),
});

/** Lines that import takes as they are, with ids of a number. */
const TIMES = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(20, "0")}`;
const LINES: Record<string, (ids: Ids, number: number, text: string) => Promise<object>> = {
  conversation: async (_, number) => ({
    ...{ type: "conversation", id: idOf("conv", number), external_id: null, title: null, agent_id: null },
    ...{ user_id: null, tags: [], metadata: {}, message_count: 0, last_sequence: 0, ...TIMES },
  }),
  message: async ({ conversation_id }, number) => ({
    ...{ type: "message", id: idOf("msg", number), conversation_id, sequence: 100 + number, role: "user" },
    ...{ content: "walrus", name: null, tool_call_id: null, tool_name: null, metadata: {}, parts: null },
    ...{ external_id: "x", external_digest: "0".repeat(64), stored_at: TIMES.created_at, ...TIMES },
  }),
  memory: async (_, number, text) => ({
    ...{ type: "memory", id: idOf("mem", number), kind: "note", content: text, source: null, agent_id: null },
    ...{ tags: [], summary: null, metadata: {}, enriched_by: "x", content_hash: await sha256Hex(text) },
    ...{ given: { tags: true, summary: false }, ...TIMES },
  }),
  end: async () => ({ type: "end", complete: true, conversations: 0, messages: 0, memories: 0 }),
};

/** Do something with each of some texts, several at a time. */
async function withEach(
  texts: readonly string[],
  work: (text: string, number: number) => Promise<void>,
): Promise<void> {
  const waiting = texts.entries();
  const lane = async () => {
    for (const [i, text] of waiting) await work(text, i);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** A valid request of a form, whatever was done before. */
async function requestOf(
  { operationId, type }: Form,
  world: { caller: Caller; ids: Ids },
  [number, text]: [number, string],
): Promise<RequestParts> {
  const parts = requestFor(operationId, world.ids);
  if (type !== null) return { ...parts, body: await LINES[type]?.(world.ids, number, text) };
  // Around a message there are no pages.
  if (operationId === "listMessages") return { ...parts, query: {} };
  if (operationId === "updateMemory") {
    // Only a memory without a user can get one.
    const { id } = await world.caller.call(contracts.createMemory, {
      body: { content: `${number} ${text}` },
    });
    return { ...parts, params: { ...parts.params, memory_id: id } };
  }
  if (operationId !== "replaceMessages") return parts;
  const { last_sequence } = await world.caller.call(contracts.getConversation, { params: { ...world.ids } });
  const body = { ...(parts.body as object), expected_last_sequence: last_sequence };
  return { ...parts, body: { ...body, from_sequence: last_sequence + 1 } };
}

interface Written {
  id: string;
  message_ids?: string[];
  items?: { id: string }[];
  target_id?: string;
  organization?: { id: string };
}
const conversation = (of: Caller, conversation_id: string) =>
  of.call(contracts.getConversation, { params: { conversation_id } });
const message = (of: Caller, { conversation_id }: Ids, message_id: string) =>
  of.call(contracts.getMessage, { params: { conversation_id, message_id } });
const memory = (of: Caller, memory_id: string) => of.call(contracts.getMemory, { params: { memory_id } });

/** How to read again what was written, by what takes it. */
const READ: Record<string, (of: Caller, written: Written, ids: Ids, number: number) => Promise<unknown>> = {
  createOrganization: (_, { organization }) =>
    operator.call(contracts.getOrganization, { params: { organization_id: organization?.id ?? "" } }),
  createKey: (of, { id }) => of.call(contracts.getKey, { params: { key_id: id } }),
  createConversation: (of, { id }) => conversation(of, id),
  updateConversation: (of, { id }) => conversation(of, id),
  forkConversation: (of, { id }) => conversation(of, id),
  appendMessages: (of, { message_ids }, ids) => message(of, ids, message_ids?.[0] ?? ""),
  replaceMessages: (of, { message_ids }, ids) => message(of, ids, message_ids?.[0] ?? ""),
  updateMessage: (of, { id }, ids) => message(of, ids, id),
  createMemory: (of, { id }) => memory(of, id),
  putMemory: (of, { id }) => memory(of, id),
  deleteUser: async (_, { target_id }) => ({ user_id: target_id }),
  createMemories: (of, { items }) => memory(of, items?.[0]?.id ?? ""),
  updateMemory: (of, { id }) => memory(of, id),
  "importConversations (conversation)": (of, _, _ids, number) => conversation(of, idOf("conv", number)),
  "importConversations (message)": (of, _, ids, number) => message(of, ids, idOf("msg", number)),
  "importConversations (memory)": (of, _, _ids, number) => memory(of, idOf("mem", number)),
};
/** Of these a filter finds what bears it; each is tried on its own below. The last five store nothing that can be read. */
const FILTERING = [
  ...[
    "listConversations",
    "listMemories",
    "listEvents",
    "streamEvents",
    "search",
    "searchMemories",
    "getContext",
  ],
  ...["deleteConversations", "deleteMemories", "enrichMemories"],
  ...["createTicket", "broadcast", "setPresence"],
  ...["listEntities", "listMentions", "exportConversations"],
];
const READ_LOG = ["listEvents", "streamEvents"];

/** Fails unless an import leaves out every line with one of these places filled. */
async function expectLinesRefused(
  { caller: own, ids }: { caller: Caller; ids: Ids },
  form: Form,
  places: TextPlace[],
): Promise<void> {
  for (const place of places) {
    const lines = TEXTS.map(async (text, i) => {
      const { body } = withText(await requestOf(form, { caller: own, ids }, [i, text]), [place], text);
      return JSON.stringify(body);
    });
    const rawBody = (await Promise.all(lines)).join("\n");
    const { problems } = await own.call(contracts.importConversations, { rawBody });
    const codes = problems.map(({ code }) => code);
    expect(codes, place.names.join(".")).toEqual(TEXTS.map(() => "validation_failed"));
  }
}

describe.for(titled)("%s", ([title, form]) => {
  const contract = contractOf(form.operationId);
  const asking = scopesOf(contract) === null ? operator : null;
  const free = freeOf(form);
  const keys = form.places.filter((place) => lastOf(place) === "idempotency-key");
  let world: World;
  beforeAll(async () => {
    world = await worldFor(form.operationId);
  });
  const ask = async (parts: RequestParts) => {
    const response = await (asking ?? world.caller).fetch(contract, parts);
    const text = await response.text();
    expect(response.status, text).toBeLessThan(500);
    const body =
      response.headers.get("content-type") === contracts.EVENT_STREAM_TYPE
        ? readEvents(text)
        : lastLine(text);
    return { status: response.status, body };
  };

  if (free.length > 0)
    test("takes what means something elsewhere in every free text, and gives it back as it is", async () => {
      const read = READ[title];
      expect(read !== undefined || FILTERING.includes(title), "how to read it again").toBe(true);
      for (const [i, text] of TEXTS.entries()) {
        const places = HEADER_TEXTS.includes(text) ? [...free, ...keys] : free;
        const parts = withText(await requestOf(form, world, [i, text]), places, text);
        const { status, body } = await ask(parts);
        expect([status < 300, body.problems ?? []], `${text}: ${JSON.stringify(body)}`).toEqual([true, []]);
        if (read === undefined) continue;
        const stored = await read(asking ?? world.caller, body, world.ids, i);
        for (const place of free) {
          const names = /^(messages|memories)$/.test(place.names[0] ?? "")
            ? place.names.slice(2)
            : place.names;
          expect(valueAt(stored, names), place.names.join(".")).toEqual(valueFor(place, text));
        }
      }
    });

  const naming = form.places.filter(
    (place) =>
      NAMING.has(lastOf(place)) && takesAll(place, INJECTIONS) && !(free.length > 0 && keys.includes(place)),
  );
  if (naming.length > 0)
    test("finds nothing by it where something is named", async () => {
      for (const place of naming) {
        const name = lastOf(place);
        const expected = UNNAMED[name] ?? UNNAMED[`${title} ${name}`] ?? NOT_FOUND;
        await withEach(place.at === "headers" ? HEADER_TEXTS : TEXTS, async (text, i) => {
          const parts = withText(await requestOf(form, world, [i, `${text} named`]), [place], text);
          const answer = await ask(parts);
          if (place.at !== "headers") expect(answer, `${name} ${text}`).toMatchObject(expected);
        });
      }
    });

  const bound = form.places.filter((place) => !takesAll(place, INJECTIONS));
  if (bound.length > 0)
    test("refuses it where only some texts may stand, and says where", async () => {
      // A position in the event log may be 0.
      const isRefused = (text: string) => !READ_LOG.includes(form.operationId) || text !== "0";
      for (const place of bound)
        for (const text of INJECTIONS.filter(isRefused))
          expect(takesAll(place, [text]), place.names.join(".")).toBe(false);
      if (form.type !== null) return expectLinesRefused(world, form, bound);
      // The parts of a request are validated one after another.
      for (const at of new Set(bound.map((place) => place.at))) {
        const places = bound.filter((place) => place.at === at);
        await withEach(TEXTS.filter(isRefused), async (text, i) => {
          const { status, body } = await ask(withText(await requestOf(form, world, [i, text]), places, text));
          expect([status, body.code], text).toEqual([400, "validation_failed"]);
          const paths: string[] = body.errors.map(({ path }: { path: string }) => path);
          expect(paths, text).toEqual(expect.arrayContaining(places.map(({ names }) => names.join("."))));
        });
      }
    });

  for (const place of free.filter(({ at, isObject }) => at === "query" && isObject))
    test(`refuses it in ${lastOf(place)} where it is no object`, async () => {
      for (const text of TEXTS) {
        const answer = await ask({ query: { [lastOf(place)]: text } });
        const isObject = text === '{"$ne":1}';
        expect(answer, text).toMatchObject(
          isObject ? { status: 200 } : { body: { code: "validation_failed" } },
        );
      }
    });
});

describe.for(toTools(contracts.openApiDocument()).map((tool) => [tool.name, tool] as const))(
  "the tool %s",
  ([name, tool]) => {
    const at = { path: "params", query: "query", body: "body" } as const;
    const operationId =
      operations.find(
        ([, { method, path }]) => method.toUpperCase() === tool.method && path === tool.path,
      )?.[0] ?? "";
    const form = forms.find((one) => one.operationId === operationId);
    /** The parameters of the operation that the arguments set. */
    const places = placesOf("body", [], tool.inputSchema, {}).map(({ names: [argument = "", ...inner] }) => {
      const to = tool.places[argument];
      const path = JSON.stringify([to?.name, ...inner]);
      const found = form?.places.find(
        (place) => to !== undefined && place.at === at[to.in] && JSON.stringify(place.names) === path,
      );
      if (found === undefined) throw new Error(`${name} takes ${argument} for nothing of ${operationId}`);
      return found;
    });
    const free = places.filter((place) => !NAMING.has(lastOf(place)) && takesAll(place, INJECTIONS));
    const others = places.filter((place) => !free.includes(place));
    const toArguments = (parts: RequestParts) =>
      Object.fromEntries(
        Object.entries(tool.places).flatMap(([argument, to]) => {
          const value = valueAt(parts, [at[to.in], to.name]);
          return value === undefined ? [] : [[argument, value]];
        }),
      );

    if (places.length > 0)
      test("takes it in every argument, or says what is wrong with it", async () => {
        const { caller: own, ids } = await worldFor(operationId);
        const { call } = await connect(own.secret, undefined, undefined, `/mcp?tools=${tool.set}`);
        await withEach(TEXTS, async (text) => {
          const request = requestFor(operationId, ids);
          if (others.length > 0) {
            const { isError, texts } = await call(name, toArguments(withText(request, others, text)));
            // Nothing is found in what names nothing.
            if (isError) expect(texts.join("\n")).toMatch(/^(not_found|invalid_cursor|validation_failed): /);
            else expect(others.map(lastOf)).toEqual(["conversation_id"]);
          }
          if (free.length > 0) {
            const { isError, texts } = await call(name, toArguments(withText(request, free, text)));
            expect(isError, `${text}: ${texts.join("\n")}`).toBe(false);
          }
        });
      });
  },
);

describe("a filter by what means something elsewhere", () => {
  const found = { conversations: new Map<string, string>(), memories: new Map<string, string>() };
  beforeAll(async () => {
    await withEach(TEXTS, async (text) => {
      const said = { role: "user", content: `walrus ${text}`, name: text };
      found.conversations.set(text, await seedConversation(caller, [said], aboutConversation(text)));
    });
    await seedConversation(caller, ["walrus"]); // with nothing that a filter could match
    await withEach(TEXTS, async (text) => {
      const body = { ...aboutMemory(text), wait: "indexed" };
      found.memories.set(text, (await caller.call(contracts.createMemory, { body })).id);
    });
    await caller.call(contracts.createMemory, { body: { content: "walrus" } });
  });

  const words = ["keyword", "semantic"].map((mode) => ({ body: { query: "walrus", mode } }));
  const total = { query: { include_total: true } };
  const created: Reading = {
    of: "conversations",
    ways: [{ query: { type: ["conversation.created"] } }],
    ids: ({ items }) => [...items.map(({ conversation_id }) => conversation_id), items.length],
  };
  /** How to ask for what a filter finds, and what that is. */
  const READS = {
    listConversations: {
      of: "conversations",
      ways: [total],
      ids: ({ items, total: count }) => [...items.map(({ id }) => id), count],
    },
    listMemories: {
      of: "memories",
      ways: [total],
      ids: ({ items, total: count }) => [...items.map(({ id }) => id), count],
    },
    listEvents: created,
    streamEvents: created,
    search: {
      of: "conversations",
      ways: words,
      ids: ({ results }) => [...results.map(({ conversation_id }) => conversation_id), results.length],
    },
    searchMemories: {
      of: "memories",
      ways: words,
      ids: ({ results }) => [...results.map(({ memory: { id } }) => id), results.length],
    },
  } as const satisfies Record<string, Reading>;
  interface Reading {
    of: keyof typeof found;
    ways: RequestParts[];
    ids(answer: Found): unknown[];
  }
  interface Found {
    items: { id: string; conversation_id: string }[];
    total: number;
    results: { conversation_id: string; memory: { id: string } }[];
  }
  const filters = (name: string) =>
    forms
      .filter(({ operationId }) => operationId === name)
      .flatMap((form) => freeOf(form).map((place) => [name, place.names.join("."), place] as const))
      // An exclusion finds what does not bear the text.
      .filter(([, , place]) => lastOf(place) !== "query" && place.names[0] !== "exclude");

  test.for(Object.keys(READS).flatMap(filters))("in %s, as %s, finds what bears it alone", async (one) => {
    const [name, , place] = one;
    const { of, ways, ids }: Reading = READS[name as keyof typeof READS];
    await withEach(TEXTS, async (text) => {
      for (const parts of ways) {
        const answer: unknown = await caller.call(contractOf(name), withText(parts, [place], text));
        const page = Array.isArray(answer) ? { items: answer } : answer;
        expect(ids(page as Found), `${text} ${JSON.stringify(parts)}`).toEqual([found[of].get(text), 1]);
      }
    });
  });

  /** Ids of what is not deleted of an organization. */
  const living = async (organizationId: string) =>
    (
      await selectRows<{ id: string }>(
        "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL",
        organizationId,
      )
    ).map(({ id }) => id);

  test.for([...filters("deleteConversations"), ...filters("deleteMemories")])(
    "in %s, as %s, deletes what bears it alone",
    async ([name, , place]) => {
      const own = await createOrganization();
      const ids = new Map<string, string>();
      if (name === "deleteConversations")
        for (const text of TEXTS) ids.set(text, await seedConversation(own, [], aboutConversation(text)));
      else {
        const body = { memories: [...TEXTS.map(aboutMemory), { content: "walrus" }] };
        const { items } = await own.call(contracts.createMemories, { body });
        for (const [i, text] of TEXTS.entries()) ids.set(text, items[i]?.id ?? "");
      }
      let left = new Set(await living(own.organizationId));
      for (const text of TEXTS) {
        const filter = withText({ body: {} }, [place], text);
        const dry = { body: { ...(filter.body as object), dry_run: true } };
        const [counted] = Object.values((await own.call(contractOf(name), dry)) as object);
        expect(counted, `a dry run of ${text}`).toBe(1);
        await own.call(contractOf(name), filter);
        left.delete(ids.get(text) ?? "");
        const now = new Set(await living(own.organizationId));
        expect(now, text).toEqual(left);
        left = now;
      }
    },
  );

  test.for(filters("enrichMemories"))("in %s, as %s, takes what bears it alone", async ([name, , place]) => {
    const own = await createOrganization();
    // They are not enriched yet.
    const service = new Service({ ENRICHMENT_MODEL: "" });
    const body = { memories: [...TEXTS.map(aboutMemory), { content: "walrus" }] };
    const { items } = await service.callerOf(own.secret).call(contracts.createMemories, { body });
    await service.settle();
    for (const [i, text] of TEXTS.entries()) {
      const { id, progress } = (await own.call(
        contractOf(name),
        withText({ body: {} }, [place], text),
      )) as contracts.OperationOf<"enrich_memories">;
      expect(progress.total, text).toBe(1);
      const jobs = await selectRows("SELECT memory_id FROM enrichment_jobs WHERE operation_id = ?1", id);
      expect(jobs, text).toEqual([{ memory_id: items[i]?.id }]);
    }
  });

  test.for([
    ["search", "conversations"],
    ["searchMemories", "memories"],
  ] as const)("as the query of %s obeys no operator, in every mode", async ([name, of]) => {
    await withEach(TEXTS, async (text) => {
      for (const mode of ["keyword", "semantic", "hybrid"]) {
        const body = { query: text, mode, limit: 50 };
        const { results } = (await caller.call(contractOf(name), { body })) as unknown as Found;
        // An operator would find what holds no word of the query, or hide what does.
        if (mode !== "keyword") continue;
        const said: string[] = text.match(/[a-z]{3,}/g) ?? [];
        const has = results.some(
          (result) => (result.conversation_id ?? result.memory.id) === found[of].get(text),
        );
        if (said.includes("walrus")) expect(results.length, text).toBeGreaterThan(1);
        if (said.length > 0 && said.every((word) => word !== "not")) expect(has, text).toBe(true);
        if (said.length === 0 && !/[\p{L}\p{N}]/u.test(text)) expect(results, text).toEqual([]);
      }
    });
  });

  test("as an exclusion obeys no operator, in every mode", async () => {
    const own = await createOrganization();
    await seedConversation(own, ["kettle"]);
    for (const text of TEXTS) {
      const { words } = splitWords(createStemmer(), text);
      for (const mode of ["keyword", "semantic", "hybrid"] as const) {
        const body = { query: "kettle", mode, exclude: [text] };
        const answer = await own.fetch(contracts.search, { body });
        // A text without a word excludes nothing, and is refused.
        expect(answer.status, text).toBe(words.length === 0 ? 400 : 200);
        const { results } = await answer.json<Found>();
        if (answer.ok && mode === "keyword") expect(results, text).toHaveLength(1);
      }
    }
  });

  test("as an idempotency key is a key of its own", async () => {
    const ids = new Set<string>();
    for (const text of HEADER_TEXTS) {
      const create = { body: { title: "once" }, headers: { "idempotency-key": text } };
      const { id } = await caller.call(contracts.createConversation, create);
      expect(await caller.call(contracts.createConversation, create), text).toMatchObject({ id });
      ids.add(id);
    }
    expect(ids.size).toBe(HEADER_TEXTS.length);
  });
});

describe("what means something elsewhere means itself here", () => {
  test("metadata is compared by type as well as by value", async () => {
    const metadata = {
      flag: true,
      count: 1,
      text: "1",
      "a.b": "dot",
      "": "empty",
      'q"': "quote",
      "n\0": "nul\0x",
    };
    const id = await seedConversation(caller, [], { metadata });
    const list = async (filter: object) => {
      const query = { metadata: JSON.stringify(filter) };
      return (await caller.call(contracts.listConversations, { query })).items.map((item) => item.id);
    };
    for (const [key, value] of Object.entries(metadata))
      expect(await list({ [key]: value }), key).toEqual([id]);
    for (const other of [
      { flag: 1 },
      { flag: "true" },
      { count: true },
      { count: "1" },
      { text: 1 },
      { "n\0": "nul" },
      { "n\0": "nul\0y" },
      { n: "nul\0x" },
    ]) {
      expect(await list(other), JSON.stringify(other)).toEqual([]);
    }
  });
});

describe("while a service that this one calls fails", () => {
  let conversation_id: string;
  beforeAll(async () => {
    conversation_id = await seedConversation(caller, ["the narwhal dives"]);
  });
  afterEach(() => env.CONTROL.clearFaults());

  test.for([
    ["the embedding model", { ai: "3040" }],
    ["the vector store", { vectorize: "40041" }],
    ["both", { ai: "3007", vectorize: "500" }],
  ] as const)(
    "(%s) messages are stored and found by their words, and what is missing is said",
    async ([, fault]) => {
      await env.CONTROL.setFault(fault);
      const word = `narwhal${crypto.randomUUID().slice(0, 8)}`;
      const body = { messages: [{ role: "user", content: `the ${word} sings` }] };
      const params = { conversation_id };
      expect(await caller.call(contracts.appendMessages, { params, body })).toMatchObject({ indexed: false });
      const waiting = { messages: [{ role: "user", content: "and waits" }], wait: "indexed" };
      expect(await caller.call(contracts.appendMessages, { params, body: waiting })).toMatchObject({
        indexed: false,
      });

      const hybrid = await caller.call(contracts.search, { body: { query: word } });
      expect(hybrid).toMatchObject({ degraded: ["semantic"], results: [{ conversation_id }] });
      expect(hybrid.pending).toBeGreaterThan(0);
      // Nothing of what was asked for is missing here.
      const keyword = await caller.call(contracts.search, { body: { query: word, mode: "keyword" } });
      expect(keyword).toMatchObject({ degraded: [], results: [{ conversation_id }] });

      const semantic = await caller.fetch(contracts.search, { body: { query: word, mode: "semantic" } });
      expect([semantic.status, semantic.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await semantic.json()).toMatchObject({ code: "unavailable" });
    },
  );
});

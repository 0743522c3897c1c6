import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import { sample, scale } from "../../../proof/support/scale.ts";
import { type McpTool, toTools } from "../../src/mcp/tools.ts";
import { type Caller, createKey, createOrganization } from "../support/client.ts";
import { nameOf, type TextField, textFieldsIn, textFieldsOf, withValue } from "../support/document.ts";
import { type Named, namedBy } from "../support/fields.ts";
import { Clock, Service, vectorsOf } from "../support/invocations.ts";
import { post, toArguments } from "../support/mcp.ts";
import {
  ABSENT,
  freshIds,
  type Ids,
  type RequestParts,
  requestFor,
  seedData,
  seedIds,
} from "../support/requests.ts";
import { contentsOf } from "../support/stored.ts";
import {
  callOf,
  contractOf,
  contractOfTool,
  insertDelivery,
  isWrite,
  operations,
  scopesOf,
} from "../support/worlds.ts";

/** Scopes of a key that is bound to an agent or a user. */
const OF_BOUND: contracts.Scope[] = ["read", "write", "search", "delete"];
/** Operations that such a key may not call, whatever its scopes. */
const NOT_BOUND = ["getOrganization", "deleteUser", "getUser", "listUsers"];
const TOOLS = toTools(contracts.openApiDocument());
const KINDS = Object.keys(ABSENT) as (keyof Ids)[];
const isId = (named: Named): named is keyof Ids => named in ABSENT;

/** Begin every text of a victim, and every text that nobody has. */
const [THEIRS, NOBODYS] = ["opal", "zinc"] as const;
const THEIR_TEXTS = new RegExp(`\\b${THEIRS}\\w*`, "g");
const IDEMPOTENCY_KEY = `${THEIRS}key`;

/** Fields of a valid request that would hide what another field finds. */
const NARROWING = ["conversation_id", "key_id", "filter"];
/** What describes an item and neither names nor owns it: tried in the gate only between organizations. */
const DESCRIBING: Named[] = ["tag", "name", "source", "metadata", "word"];
/** Further requests of operations that look items up in several ways. */
const VARIANTS: Record<string, Pick<RequestParts, "query" | "body">[]> = {
  deleteConversations: [{ body: { dry_run: true } }, {}],
  deleteMemories: [{ body: { dry_run: true } }, {}],
  getConversation: [{}, { query: { from_sequence: "1" } }],
  listMessages: [{}, { query: { newest: "5" } }, { query: { from_sequence: "1" } }],
  // In semantic mode, there are results for any query.
  search: ["keyword", "hybrid"].map((mode) => ({
    body: { mode, in: ["conversations", "memories", "summaries"] },
  })),
  searchMemories: ["keyword", "hybrid"].map((mode) => ({ body: { mode } })),
};

/** Reads whose responses contain no id of an item. */
const WITHOUT_IDS = ["listPresences", "listUsers", "getUser", "listUsage", "getIndexStatus"];

interface Party {
  caller: Caller;
  scopes: readonly contracts.Scope[];
  ids: Ids;
}

interface Victim extends Party {
  /** The agent and the user of its items. */
  owner: { agent_id?: string; user_id?: string };
  /** A value of each kind, all of the same items. */
  values: Readonly<Record<Exclude<Named, "cursor">, unknown>>;
  /** Cursors of second pages, by list. */
  cursors: Map<string, string>;
  before: unknown;
  /** Ids that no response to the attacker may contain. */
  secretIds: string[];
}

interface Pair {
  attacker: Party;
  victim: Victim;
  /** Texts of the victim that the attacker stored as its own. */
  said: Set<string>;
}

const service = new Service({}, new Clock());
const pairs = new Map<string, Pair>();

beforeAll(async () => {
  const [own, other] = [await createOrganization(), await createOrganization()];
  const pair = async (relation: string, attacker: Promise<Party>, victim: Promise<Victim>) =>
    pairs.set(relation, { attacker: await attacker, victim: await victim, said: new Set() });
  const owner = { agent_id: `${THEIRS}agent`, user_id: `${THEIRS}user` };
  await pair(
    "another organization",
    createParty(own.secret, own.organizationId, contracts.SCOPES),
    createVictim(owner, other.secret, other.organizationId, contracts.SCOPES),
  );
  for (const name of ["agent_id", "user_id"] as const) {
    // Of its own, because a user's items can be of any agent.
    const shared = await createOrganization();
    const bind = async (value: string) =>
      (await createKey(shared, { scopes: OF_BOUND, [name]: value })).secret;
    await pair(
      name === "agent_id" ? "another agent" : "another user",
      createParty(await bind("own"), shared.organizationId, OF_BOUND),
      createVictim({ [name]: owner[name] }, await bind(owner[name]), shared.organizationId, OF_BOUND),
    );
  }
});

async function createParty(
  secret: string,
  organization_id: string,
  scopes: readonly contracts.Scope[],
): Promise<Party> {
  const caller = service.callerOf(secret);
  const call = callOf(caller);
  const ids = scopes.includes("admin")
    ? await seedIds(call, organization_id)
    : { ...ABSENT, organization_id, ...(await seedData(call)) };
  return { caller, scopes, ids };
}

async function createVictim(
  owner: { agent_id?: string; user_id?: string },
  ...input: Parameters<typeof createParty>
): Promise<Victim> {
  const { caller, scopes, ids: seeded } = await createParty(...input);
  const text = (of: string) => `${THEIRS}${of}`;
  const marked = { ...owner, tags: [text("tag")], metadata: { case: text("metadata") } };
  const body = { ...marked, external_id: text("external"), title: text("title") };
  const { id: conversation_id } = await caller.call(contracts.createConversation, { body });
  const params = { conversation_id };
  const messages = [1, 2].map((i) => ({
    ...{ role: "user", name: text("name"), external_id: text(`external${i}`) },
    content: `${text("word")} the walrus wrote from ${text("word")}@host.example, part ${i}`,
  }));
  const { message_ids } = await caller.call(contracts.appendMessages, {
    params,
    body: { messages, wait: "indexed" },
  });
  await caller.call(contracts.createSummaries, { params });
  await service.settle();
  const content = `${text("word")} the walrus was kept`;
  const sources = [{ message_id: message_ids[0], quote: `${text("word")} the walrus wrote` }];
  const { id: memory_id } = await caller.call(contracts.createMemory, {
    body: { ...marked, content, sources, source: text("source"), summary: text("summary"), wait: "indexed" },
  });
  await caller.call(contracts.putMemory, {
    body: { ...marked, content: `${content} by name`, summary: "Kept.", external_id: text("external") },
  });
  const { items } = await caller.call(contracts.listEntities, { query: { ...params, kind: "email" } });
  const asked = { query: text("word"), mode: "keyword", record: true, user_id: owner.user_id };
  const { recall_id } = await caller.call(contracts.search, { body: asked });
  // A second operation, for a second page.
  const { id: deleted } = await caller.call(contracts.createConversation, { body: {} });
  await caller.call(contracts.deleteConversation, { params: { conversation_id: deleted } });
  if (scopes.includes("admin")) {
    await insertDelivery(seeded);
    // A second user, for a second page.
    await caller.call(contracts.createConversation, { body: { user_id: text("other") } });
    // Nobody's, as what an attacker without an agent and a user creates.
    const external_id = text("external");
    await caller.call(contracts.createConversation, { body: { external_id } });
    await caller.call(contracts.putMemory, {
      body: { external_id, content: text("by_name"), summary: "Kept." },
    });
    await caller.call(contracts.createMemory, { body: { content, summary: "Kept.", tags: [] } });
  }
  const ids = {
    ...seeded,
    ...{ conversation_id, memory_id, message_id: message_ids[0] ?? "", entity_id: items[0]?.id ?? "" },
    recall_id: recall_id ?? "",
  };
  const party = { caller, scopes, ids };
  for (const [name, contract] of operations) {
    const isRepeatable = textFieldsOf(contract).some((field) => nameOf(field) === "idempotency-key");
    if (!isRepeatable || !mayCall(party, name)) continue;
    const fresh = await freshIds(name, ids, callOf(caller));
    const headers = { "idempotency-key": IDEMPOTENCY_KEY };
    await caller.call(contract, { ...requestFor(name, fresh), headers });
  }
  const cursors = new Map<string, string>();
  for (const [name, contract] of operations) {
    const field = textFieldsOf(contract).find((one) => nameOf(one) === "cursor");
    if (field === undefined || !mayCall(party, name)) continue;
    const valid = withoutNarrowing(requestFor(name, ids));
    const page = await caller.fetch(contract, { ...valid, query: { limit: "1" } });
    const [, cursor] = /"next_cursor":"([^"]+)"/.exec(await page.text()) ?? [];
    if (cursor !== undefined) cursors.set(name, cursor);
  }
  await service.settle();
  const victim: Victim = {
    ...{ ...party, owner, cursors },
    values: {
      ...ids,
      ...{ agent_id: text("agent"), user_id: text("user"), external_id: text("external") },
      ...{ tag: text("tag"), name: text("name"), source: text("source"), word: text("word"), content },
      ...{ metadata: marked.metadata, idempotency_key: IDEMPOTENCY_KEY },
    },
    before: null,
    secretIds: [],
  };
  victim.before = await snapshotOf(victim);
  const shared = Object.values(ABSENT).concat(scopes.includes("admin") ? [] : ids.organization_id);
  victim.secretIds = [...idsIn(JSON.stringify([victim.before, ids]))].filter((id) => !shared.includes(id));
  return victim;
}

const idsIn = (text: string): Set<string> => new Set(text.match(/\b[a-z]{2,6}_[0-9a-z]{20,32}(_\d+)?\b/g));

const mayCall = ({ scopes }: Party, name: string): boolean =>
  (scopesOf(contractOf(name))?.every((scope) => scopes.includes(scope)) ?? false) &&
  (scopes.includes("admin") || !NOT_BOUND.includes(name));

function withoutNarrowing(parts: RequestParts): RequestParts {
  const without = <Part>(part: Part): Part =>
    Object.fromEntries(Object.entries(part as object).filter(([name]) => !NARROWING.includes(name))) as Part;
  return {
    ...parts,
    query: without(parts.query ?? {}),
    ...(parts.body === undefined ? {} : { body: without(parts.body) }),
  };
}

/** Everything that the holder of a key can list and find, and all rows and vectors of an organization. */
async function snapshotOf({ caller, scopes, ids }: Victim): Promise<unknown> {
  const read = [];
  const lists = [
    ...["listConversations", "listMemories", "listMemoryVersions", "listMessages", "listEntities"],
    ...["listOperations", "listRecalls", "listEvaluations"],
  ];
  for (const name of lists) {
    const contract = contractOf(name);
    read.push(await caller.call(contract, { params: { ...ids }, query: { limit: 100 } }));
  }
  for (const mode of ["keyword", "semantic"]) {
    const body = { mode, query: `${THEIRS}word`, in: ["conversations", "memories"] };
    const answer = await caller.call(contracts.search, { body });
    read.push([...idsIn(JSON.stringify(answer.results))].sort());
  }
  const { organization_id } = ids;
  if (scopes.includes("admin"))
    read.push(await contentsOf(organization_id), await vectorsOf(organization_id));
  return read;
}

/** A response without what differs between any two requests. */
async function normalized(
  response: Response,
): Promise<{ text: string; plain: [status: number, ...rest: unknown[]] }> {
  const headers = new Headers(response.headers);
  for (const name of ["date", "x-request-id", "server-timing", "content-length"]) headers.delete(name);
  const text = await response.text();
  const plain = text
    .replace(new RegExp(`\\b(${THEIRS}|${NOBODYS})\\w*`, "g"), "text")
    .replace(/\b([a-z]{2,6})_[0-9a-z]{20,32}(_\d+)?\b/g, "$1_…")
    .replace(/engram_\w+/g, "secret")
    .replace(/whsec_[\w+/=]+/g, "secret")
    .replace(/\b(oysters|walrus|changed) \d+/g, "$1")
    .replace(/(\\?"content_hash\\?":\\?")[0-9a-f]{64}/g, "$1…")
    .replace(/(\\?"next_cursor\\?":\\?")[^"\\]+/g, "$1…")
    // Where a new webhook begins, and what a repair or an export counts: the caller's own data.
    .replace(/(\\?"(?:after|total|pending)\\?"):\d+/g, "$1:…");
  return { text, plain: [response.status, Object.fromEntries(headers), plain] };
}

/** How a request reaches an operation. */
type Way = (party: Party, contract: RouteConfig, parts: RequestParts) => Promise<Response>;

const overRest: Way = ({ caller }, contract, parts) => caller.fetch(contract, parts);
const overTool =
  (tool: McpTool): Way =>
  ({ caller }, _, parts) => {
    const params = { name: tool.name, arguments: toArguments(tool, parts) };
    return post(caller.secret, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, {}, (path, init) =>
      service.send(`${path}?tools=${tool.set}`, init),
    );
  };

/** A request of the party with some fields set to values. */
async function requestWith(
  party: Party,
  name: string,
  set: [TextField, unknown][],
  variant: Pick<RequestParts, "query" | "body">,
): Promise<RequestParts> {
  // A request for another's item changes nothing.
  const isOnOthers = set.some(([{ at }]) => at === "params");
  const ids = isOnOthers ? party.ids : await freshIds(name, party.ids, callOf(party.caller));
  const valid = withoutNarrowing(requestFor(name, ids));
  const { query, body } = variant;
  const parts: RequestParts = {
    ...valid,
    query: { ...valid.query, ...query },
    ...(valid.body === undefined ? {} : { body: { ...valid.body, ...(body as object) } }),
  };
  return set.reduce((changed, [field, value]) => withValue(changed, field, value), parts);
}

/** A field, and the kind of a value for it. */
interface Place {
  field: TextField;
  named: Named;
}

/** The victim's value of a kind, and one that nobody has. */
function valuesOf(
  { values, cursors }: Victim,
  named: Named,
  name: string,
): { theirs: unknown; nobodys: unknown } {
  if (named === "cursor") {
    const theirs = cursors.get(name) ?? [...cursors.values()][0];
    return { theirs, nobodys: "x".repeat(theirs?.length ?? 1) };
  }
  const theirs = values[named];
  const nobodys = JSON.parse(JSON.stringify(theirs).replaceAll(THEIRS, NOBODYS)) as unknown;
  return { theirs, nobodys: isId(named) ? ABSENT[named] : nobodys };
}

/** Whether the two responses may differ: another text is as near to other items, and a list goes on after any id. */
const mayDiffer = (named: Named, field: TextField, parts: RequestParts): boolean =>
  nameOf(field) === "after" ||
  (named === "word" && nameOf(field) === "query" && (parts.body as { mode?: string }).mode !== "keyword");

const isWholeId = ({ field, named }: Place) =>
  field.at === "params" && isId(named) && namedBy(nameOf(field), "") === named;
/** Fails unless the responses for the victim's value and for one that nobody has are equal and reveal nothing. */
async function expectSame(
  pair: Pair,
  way: Way,
  name: string,
  places: Place[],
  variant: Pick<RequestParts, "query" | "body">,
): Promise<void> {
  const { attacker, victim, said } = pair;
  const contract = contractOf(name);
  const what = places.map(({ field, named }) => `${field.names.join(".")} ${named}`).join();
  const answers: [status: number, ...rest: unknown[]][] = [];
  let isFree = false;
  for (const whose of ["theirs", "nobodys"] as const) {
    const set = places.map(({ field, named }): [TextField, unknown] => [
      field,
      valuesOf(victim, named, name)[whose],
    ]);
    const parts = await requestWith(attacker, name, set, variant);
    isFree ||= places.some(({ field, named }) => mayDiffer(named, field, parts));
    const { text, plain } = await normalized(await way(attacker, contract, parts));
    const sent = JSON.stringify(parts);
    if (isWrite(contract)) for (const word of sent.match(THEIR_TEXTS) ?? []) said.add(word);
    const leaks = [...victim.secretIds, ...(text.match(THEIR_TEXTS) ?? [])].filter(
      (secret) => text.includes(secret) && !sent.includes(secret) && !said.has(secret),
    );
    expect(leaks, `${what} ${sent}: ${text}`).toEqual([]);
    expect(plain[0], `${what} ${sent}: ${text}`).toBeLessThan(500);
    answers.push(plain);
  }
  if (!isFree) expect(answers[0], what).toEqual(answers[1]);
  if (way === overRest && places.every(isWholeId)) expect(answers[0]?.[0], what).toBe(404);
}

/** Reads come first, while the attacker has no such values itself, and imports, which store given ids, last. */
const orderOf = (name: string): number => (name === "importLines" ? 2 : Number(isWrite(contractOf(name))));
type WayTo = [title: string, operation: string, tool: McpTool | null];
const byOrder = ([, one]: WayTo, [, other]: WayTo) => orderOf(one) - orderOf(other);
const REST = operations
  .filter(([, contract]) => scopesOf(contract) !== null)
  .map(([name]): WayTo => [name, name, null]);
const OVER_TOOLS = TOOLS.map((tool): WayTo => {
  return [`the tool ${tool.name} (${tool.set})`, contractOfTool(tool).operationId, tool];
});
/** Every way to every operation that a key may call. */
const WAYS = [...REST, ...OVER_TOOLS].toSorted(byOrder);

/** The fields of an operation that name something, as far as a tool takes them. */
function placesOf(name: string, tool: McpTool | null): Place[] {
  const own = textFieldsOf(contractOf(name));
  const taken =
    tool &&
    textFieldsIn("body", [], tool.inputSchema as object).map(({ names: [first = "", ...inner] }) =>
      [tool.places[first]?.name, ...inner].join("."),
    );
  const fields = taken === null ? own : own.filter(({ names }) => taken.includes(names.join(".")));
  expect(fields.length).toBe(taken?.length ?? own.length);
  return fields.flatMap((field) => {
    // What is only kept with a receipt of recall.
    if (field.names[0] === "record") return [];
    const named = field.isOpen ? namedBy(nameOf(field), name) : undefined;
    return named === undefined ? [] : [{ field, named }];
  });
}

describe.for(["another organization", "another agent", "another user"])("a value of %s", (relation) => {
  const pairOf = () => pairs.get(relation) as Pair;
  const isWhole = relation === "another organization" || scale(1, 0) === 1;
  const placesFor = (name: string, tool: McpTool | null) =>
    placesOf(name, tool).filter(({ named }) => isWhole || !DESCRIBING.includes(named));

  // The keys of an MCP URL for one agent or user are tested with every tool in mcp-security.test.ts. In the gate, one half
  // of the operations is tried between agents and the other between users, since one function writes both conditions.
  const half = REST.filter((_, i) => i % 2 === Number(relation === "another user"));
  test.for(isWhole ? WAYS : [...half, ...sample(OVER_TOOLS, 3)].toSorted(byOrder))(
    "gets, from %s in any place, the response to a value that nobody has",
    async ([, name, tool]) => {
      const pair = pairOf();
      if (!mayCall(pair.attacker, name)) return;
      const places = placesFor(name, tool);
      const way = tool === null ? overRest : overTool(tool);
      const inPath = places.filter(({ field, named }) => field.at === "params" && isId(named));
      const fillings = [
        ...places.map((place) => [place]),
        ...(inPath.length > 1 ? [inPath] : []),
        // An id of another kind.
        ...places.flatMap(({ field, named }) =>
          (isId(named) && tool === null ? sample(KINDS, 1) : [])
            .filter((kind) => field.allows(String(pair.victim.values[kind])))
            .map((kind) => [{ field, named: kind }]),
        ),
      ];
      const variants = VARIANTS[name] ?? [{}];
      for (const variant of isWhole && tool === null ? variants : sample(variants, 1))
        for (const filling of fillings) await expectSame(pair, way, name, filling, variant);
    },
  );

  test("is unchanged after all of these requests", async () => {
    await service.settle();
    const { victim } = pairOf();
    expect(await snapshotOf(victim)).toEqual(victim.before);
  });

  // Otherwise the requests above could reveal nothing.
  test.for(REST.filter(([, name]) => !isWrite(contractOf(name))))(
    "is found by its owner in every place of %s",
    async ([, name]) => {
      const { victim } = pairOf();
      if (!mayCall(victim, name)) return;
      const variants = VARIANTS[name] ?? [{}];
      for (const variant of variants)
        for (const place of placesFor(name, null)) {
          const { field, named } = place;
          const isOthers = (named === "agent_id" || named === "user_id") && !(named in victim.owner);
          if (isOthers || field.names[0] === "exclude" || (isId(named) && field.at !== "params")) continue;
          // A cursor is of one variant, the first.
          if (named === "cursor" && (variant !== variants[0] || !victim.cursors.has(name))) continue;
          const set: [TextField, unknown][] = [[field, valuesOf(victim, named, name).theirs]];
          const parts = await requestWith(victim, name, set, variant);
          const text = await (await overRest(victim, contractOf(name), parts)).text();
          const isFound = victim.secretIds.some((id) => text.includes(id));
          expect([field.names, isFound, text]).toEqual([field.names, !WITHOUT_IDS.includes(name), text]);
        }
    },
  );
});

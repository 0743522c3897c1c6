import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sample } from "../../../proof/support/scale.ts";
import { toTools } from "../../src/mcp/tools.ts";
import { createStemmer } from "../../src/text/stems.ts";
import { splitWords } from "../../src/text/words.ts";
import { INJECTIONS } from "../support/arbitrary.ts";
import { createOrganization, operator, seedConversation } from "../support/client.ts";
import { readEvents } from "../support/contract.ts";
import { nameOf, type TextField, textFieldsIn, textFieldsOf, withText } from "../support/document.ts";
import { exportOnce } from "../support/exports.ts";
import { Service, selectRows } from "../support/invocations.ts";
import { connect, toArguments } from "../support/mcp.ts";
import { type RequestParts, requestFor } from "../support/requests.ts";
import { contentsOf } from "../support/stored.ts";
import {
  callerFor,
  contractOf,
  contractOfTool,
  createWorld,
  fill,
  MARKS,
  operations,
  type World,
} from "../support/worlds.ts";

/** Texts with a meaning in SQL, FTS5, JSON paths or this service, which must be treated as plain text. */
const TEXTS = sample(INJECTIONS, 2);
/** Texts that a header can contain. */
const HEADER_TEXTS = TEXTS.filter((text) => /^[ -~]+$/.test(text));
/** Fields whose text must name something that exists, or is a position in a list. */
const NAMING =
  /(^|_)(organization|key|grant|member|conversation|message|memory|operation|tombstone|archive|hold|rule|recall|evaluation|webhook|delivery|entity)_id$|^(supersedes|as_of|from_recall|ids)$|cursor$|^if-match$/;
const POSITION = /^(after|last-event-id|after_(conversation|memory)_id)$/;
/** Operations that store the texts of their body. */
const STORES = /^(create(Organization|Key|Conversation|Memory|Memories)|update|append|replace|put|fork)/;

const isFree = (field: TextField) =>
  !NAMING.test(nameOf(field)) &&
  !POSITION.test(nameOf(field)) &&
  // The value of an entity is rejected without its kind, and a quotation without its message.
  !["entities", "sources"].some((name) => field.names.includes(name)) &&
  INJECTIONS.every(field.allows);
/** The fields that take any text, all of which one request can set. */
const freeOf = (contract: RouteConfig) => textFieldsOf(contract).filter(isFree);

const filled = (text: string) => ({
  external_id: text,
  agent_id: text,
  user_id: text,
  tags: [text],
  metadata: { [text === "__proto__" ? "proto" : text]: text },
});
const filledMemory = (text: string) => ({ ...filled(text), content: `walrus ${text}`, source: text });

/** Everything that a request can store: of the organization, and the organization itself. */
async function storedBy({ caller }: World, answer: { organization?: { id: string } }): Promise<unknown[]> {
  const { lines } = await exportOnce(caller);
  const { items } = await caller.call(contracts.listKeys);
  const rules = await caller.call(contracts.listRetentionRules);
  const created = answer.organization;
  if (created === undefined) return [...lines, ...items, ...rules.items];
  return [await operator.call(contracts.getOrganization, { params: { organization_id: created.id } })];
}

describe("query and injection syntax", () => {
  let bystander: World["caller"];
  let before: unknown;
  let caller: World["caller"];
  let own: World;
  let ofTools: World;
  const found = { conversations: new Map<string, string>(), memories: new Map<string, string>() };
  beforeAll(async () => {
    bystander = await createOrganization();
    await seedConversation(bystander, ["walrus"], filled("%"));
    await bystander.call(contracts.createMemory, {
      body: { ...filledMemory("%"), summary: "%", wait: "indexed" },
    });
    before = await contentsOf(bystander.organizationId);
    own = await createWorld();
    ofTools = await createWorld();
    caller = await createOrganization();
    for (const text of TEXTS) {
      const said = { role: "user", content: `walrus ${text}`, name: text };
      found.conversations.set(text, await seedConversation(caller, [said], filled(text)));
      const body = { ...filledMemory(text), wait: "indexed" };
      found.memories.set(text, (await caller.call(contracts.createMemory, { body })).id);
    }
    // With nothing that a filter could match.
    await seedConversation(caller, ["walrus"]);
    await caller.call(contracts.createMemory, { body: { content: "walrus" } });
  });
  afterAll(async () => {
    expect(await contentsOf(bystander.organizationId), "what another organization has").toEqual(before);
    // Except for the rows written and deleted, no row is missing or added.
    const wrong = `SELECT o.organization_id FROM organization_counters AS o
      WHERE message_count + memory_count + conversation_count <>
            (SELECT coalesce(sum(kind <> 'conversation'), 0)
                  + coalesce(sum((kind = 'conversation') * (1 + message_count)), 0)
               FROM conversations AS c
              WHERE c.organization_id = o.organization_id AND c.deleted_at_ms IS NULL)`;
    expect(await selectRows(wrong)).toEqual([]);
  });

  /** One world for most operations. Others have a limit, or reject a text that another memory has. */
  const worldFor = async (name: string, most = own) =>
    /^(updateMemory|createWebhook|createEvaluation)$/.test(name) ? createWorld() : most;

  const withTexts = operations.filter(([, contract]) => textFieldsOf(contract).length > 0);

  const ask = async (name: string, world: World, fields: TextField[], text: string) => {
    const contract = contractOf(name);
    const parts = withText(await fill(name, requestFor(name, MARKS), world), fields, text);
    const response = await (await callerFor(contract, world)).fetch(contract, parts);
    const answer = await response.text();
    const isStream = response.headers.get("content-type") === contracts.EVENT_STREAM_TYPE;
    const body = isStream ? readEvents(answer) : JSON.parse(answer.trimEnd().split("\n").at(-1) || "null");
    return { parts, status: response.status, body };
  };

  test.for(withTexts.filter(([, contract]) => freeOf(contract).length > 0))(
    "is accepted by %s in every free-text field, and stored unchanged",
    async ([name, contract]) => {
      // Lines of an import have a test of their own.
      const free = freeOf(contract).filter(({ at }) => name !== "importLines" || at !== "body");
      for (const text of TEXTS) {
        const world = await worldFor(name);
        const fields = free.filter(({ at }) => at !== "headers" || HEADER_TEXTS.includes(text));
        const { parts, status, body } = await ask(name, world, fields, text);
        expect(status, `${text}: ${JSON.stringify(body)}`).toBeLessThan(300);
        if (!STORES.test(name)) continue;
        const { messages, memories, ...own } = parts.body as Record<string, object>;
        const sent = [messages ?? memories ?? own].flat()[0] as Record<string, unknown>;
        const names = free.filter(({ at }) => at === "body").map(nameOf);
        const texts = Object.entries(sent).filter(([field]) => names.includes(field));
        expect(await storedBy(world, body), text).toContainEqual(
          expect.objectContaining(Object.fromEntries(texts)),
        );
      }
    },
  );

  test.concurrent.for(withTexts)(
    "is rejected by %s where the format is limited, and the field is named; in place of an id, it finds nothing",
    async ([name, contract]) => {
      for (const field of textFieldsOf(contract).filter((one) => !isFree(one)))
        for (const text of field.at === "headers" ? HEADER_TEXTS : TEXTS) {
          if (name === "importLines" && field.at === "body") continue;
          // It matches any version, and is no injection there.
          if (nameOf(field) === "if-match" && text === "*") continue;
          const { status, body } = await ask(name, own, [field], text);
          const path = field.names.join(".");
          const why = `${path} ${text}: ${JSON.stringify(body)}`;
          if (!field.allows(text)) {
            expect([status, body.code], why).toEqual([400, "validation_failed"]);
            expect(
              body.errors.map((error: { path: string }) => error.path),
              why,
            ).toContain(path);
          } else if (["entities", "sources", "from_recall", "ids"].some((one) => field.names.includes(one)))
            expect(body.code, why).toBe("validation_failed");
          else if (nameOf(field) === "if-match") expect(status, why).toBeLessThan(500);
          else if (POSITION.test(nameOf(field))) expect(status, why).toBe(200);
          else if (nameOf(field).endsWith("cursor")) expect(body.code, why).toBe("invalid_cursor");
          else if (status === 200) expect([body.items ?? body.results ?? body].flat(), why).toEqual([]);
          else expect([status, body.code], why).toEqual([404, "not_found"]);
        }
      for (const field of freeOf(contract).filter(({ at, isObject }) => at === "query" && isObject))
        for (const text of TEXTS.filter((one) => one !== '{"$ne":1}'))
          expect(await own.caller.fail(contract, { query: { [nameOf(field)]: text } })).toMatchObject({
            code: "validation_failed",
          });
    },
  );

  test("is imported unchanged, and rejected in fields of lines with a limited format", async () => {
    const { lines, end } = await exportOnce(caller);
    const copy = await createOrganization();
    const send = async (some: readonly object[]) => {
      const rawBody = some.map((line) => JSON.stringify(line)).join("\n");
      return copy.call(contracts.importLines, { rawBody });
    };
    expect((await send([...lines, end])).problems).toEqual([]);
    expect((await exportOnce(copy)).lines).toEqual(lines);
    const fields = textFieldsOf(contracts.importLines).filter(({ at }) => at === "body");
    for (const field of fields)
      for (const line of ["conversation", "message", "memory"].map((type) =>
        lines.find((one) => one.type === type),
      ))
        if (line !== undefined && (field.names[0] ?? "") in line)
          for (const text of TEXTS.filter(
            (one) => !fields.some((other) => other.names.join() === field.names.join() && other.allows(one)),
          )) {
            const { problems } = await send([withText({ body: line }, [field], text).body as object]);
            expect(
              problems.map(({ code }) => code),
              `${field.names} ${text}`,
            ).toEqual(["validation_failed"]);
          }
  });

  test.for(toTools(contracts.openApiDocument()).map((tool) => [tool.name, tool] as const))(
    "is accepted by the MCP tool %s in every argument, or the invalid argument is named",
    async ([name, tool]) => {
      const contract = contractOfTool(tool);
      const { operationId } = contract;
      const fields = textFieldsIn("body", [], tool.inputSchema as object).map((field) => {
        const own = textFieldsOf(contract);
        const to = tool.places[field.names[0] ?? ""]?.name;
        const same = own.find(({ names }) => `${names}` === `${[to, ...field.names.slice(1)]}`);
        if (same === undefined) throw new Error(`${name} takes ${field.names} for nothing of ${operationId}`);
        return same;
      });
      const free = fields.filter(isFree);
      const others = fields.filter((field) => !isFree(field));
      for (const text of fields.length > 0 ? TEXTS : []) {
        const world = await worldFor(operationId, ofTools);
        const { call } = await connect(world.caller.secret, undefined, undefined, `/mcp?tools=${tool.set}`);
        const valid = await fill(operationId, requestFor(operationId, MARKS), world);
        const tell = async (some: TextField[]) => call(name, toArguments(tool, withText(valid, some, text)));
        if (others.length > 0) {
          const { isError, texts } = await tell(others);
          // Nothing is found for an unknown id or name.
          if (isError) expect(texts.join("\n")).toMatch(/^(not_found|invalid_cursor|validation_failed): /);
          else expect(others.map(nameOf)).toEqual(["conversation_id"]);
        }
        if (free.length === 0) continue;
        const { isError, texts } = await tell(free);
        expect(isError, `${text}: ${texts.join("\n")}`).toBe(false);
      }
    },
  );

  /** The fields of an operation that filter what it finds. */
  const filtersOf = (...names: string[]) =>
    names.flatMap((name) =>
      freeOf(contractOf(name))
        .filter(
          (field) =>
            nameOf(field) !== "query" &&
            !["exclude", "exclude_conversation", "record"].includes(field.names[0] ?? "") &&
            field.at !== "headers",
        )
        .map((field) => [name, field.names.join("."), field] as const),
    );
  interface Found {
    items?: { id: string; conversation_id?: string }[];
    results?: { conversation_id?: string; memory?: { id: string } }[];
  }
  const words = ["keyword", "semantic"].map((mode) => ({ body: { query: "walrus", mode } }));
  const created = [{ query: { type: ["conversation.created"] } }];
  const READS: Record<string, RequestParts[]> = {
    listConversations: [{ query: { include_total: true } }],
    listMemories: [{ query: { include_total: true } }],
    listEvents: created,
    streamEvents: created,
    search: words,
    searchMemories: words,
  };
  const idsOf = (answer: Found & { total?: number }) => [
    ...(answer.items ?? []).map((item) => item.conversation_id ?? item.id),
    ...(answer.results ?? []).map((result) => result.conversation_id ?? result.memory?.id),
  ];

  test.concurrent.for(filtersOf(...Object.keys(READS)))(
    "finds, in %s as %s, only the item with exactly this value",
    async ([name, , field]) => {
      const of = /emor/.test(name) ? found.memories : found.conversations;
      for (const text of TEXTS)
        for (const parts of READS[name] ?? []) {
          const answer: unknown = await caller.call(contractOf(name), withText(parts, [field], text));
          const page = (Array.isArray(answer) ? { items: answer } : answer) as Found & { total?: number };
          expect([idsOf(page), page.total ?? 1], `${text} ${JSON.stringify(parts)}`).toEqual([
            [of.get(text)],
            1,
          ]);
        }
    },
  );

  test.concurrent.for(filtersOf("deleteConversations", "deleteMemories", "enrichMemories"))(
    "selects, in %s as %s, only the item with exactly this value",
    async ([name, , field]) => {
      const some = await createOrganization();
      // The memories are not enriched yet.
      const service = new Service({ ENRICHMENT_MODEL: "" });
      const ids = new Map<string, string | undefined>();
      if (name === "deleteConversations")
        for (const text of TEXTS) ids.set(text, await seedConversation(some, [], filled(text)));
      else {
        const body = { memories: [...TEXTS.map(filledMemory), { content: "walrus" }] };
        const { items } = await service.callerOf(some.secret).call(contracts.createMemories, { body });
        for (const [i, text] of TEXTS.entries()) ids.set(text, items[i]?.id ?? undefined);
      }
      if (name === "enrichMemories") await service.settle();
      const living = "SELECT id FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NULL";
      const left = async () =>
        (await selectRows<{ id: string }>(living, some.organizationId)).map(({ id }) => id);
      for (const text of TEXTS) {
        const filter = withText({ body: {} }, [field], text);
        if (name === "enrichMemories") {
          const { id } = (await some.call(contractOf(name), filter)) as { id: string };
          const jobs = await selectRows("SELECT memory_id FROM enrichment_jobs WHERE operation_id = ?1", id);
          expect(jobs, text).toEqual([{ memory_id: ids.get(text) }]);
          continue;
        }
        const all = await left();
        const dry = { body: { ...(filter.body as object), dry_run: true } };
        expect(Object.values((await some.call(contractOf(name), dry)) as object)[0], text).toBe(1);
        await some.call(contractOf(name), filter);
        expect(await left(), text).toEqual(all.filter((id) => id !== ids.get(text)));
      }
    },
  );

  test("is no operator of a query or an exclusion, in any mode", async () => {
    for (const text of TEXTS)
      for (const mode of ["keyword", "semantic", "hybrid"])
        for (const contract of [contracts.search, contracts.searchMemories]) {
          const { results } = (await caller.call<RouteConfig>(contract, {
            body: { query: text, mode, limit: 50 },
          })) as Required<Found>;
          // A text without a word excludes nothing, and is rejected.
          const exclude = { body: { query: "walrus", mode, exclude: [text] } };
          const excluding = await caller.fetch(contract, exclude);
          const hasWord = splitWords(createStemmer(), text).words.length > 0;
          expect(excluding.status, text).toBe(hasWord ? 200 : 400);
          // An operator would find items without a word of the query, or hide items with it.
          if (mode !== "keyword") continue;
          const said: string[] = text.match(/[a-z]{3,}/g) ?? [];
          const own = (contract === contracts.search ? found.conversations : found.memories).get(text);
          if (said.includes("walrus")) expect(results.length, text).toBeGreaterThan(1);
          if (said.length > 0 && !said.includes("not")) expect(idsOf({ results }), text).toContain(own);
          if (said.length === 0 && !/[\p{L}\p{N}]/u.test(text)) expect(results, text).toEqual([]);
          // An item with other words is not excluded, unless they are all walrus.
          if (hasWord && !said.includes("walrus"))
            expect((await excluding.json<Required<Found>>()).results.length, text).toBeGreaterThan(0);
        }
  });

  test("is a different idempotency key for each text", async () => {
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

import { describe, expect, test } from "vitest";
import { normalized } from "../src/support/isolation/answers.ts";
import { waysOf } from "../src/support/isolation/cases.ts";
import { type Marker, type Operation, toTool } from "../src/support/isolation/operations.ts";
import { EVERYBODY, Owners } from "../src/support/isolation/owners.ts";
import { nameOf, toRequest } from "../src/support/isolation/requester.ts";
import { type Schema, type Slot, slotsOf } from "../src/support/isolation/slots.ts";
import { recipeOf } from "../src/support/isolation/tenants.ts";

const THEIRS = "conv_06e3tqz8m1k4v9x2c7d0";
const MARKER = "bcdfghjkqzxvkwmnpqrtvw";

describe("slotsOf finds the places of a request that may name an item of another organization", () => {
  const slots = (properties: Record<string, Schema>) =>
    slotsOf("body", "body", { type: "object", properties }, { Tag: { type: "string" } });

  test("at any depth of a body", () => {
    const filter = { properties: { tags: { items: { $ref: "#/components/schemas/Tag" } } } };
    expect(slots({ filter, messages: { items: { properties: { external_id: {} } } } })).toMatchObject([
      { names: ["filter", "tags", "0"], kinds: ["tag"] },
      { names: ["messages", "0", "external_id"], kinds: ["external_id"] },
    ]);
  });

  test("but not numbers, enums, times, and texts that are only stored", () => {
    const properties = {
      limit: { type: "integer" },
      role: { type: "string", enum: ["user"] },
      created_at: { type: ["string", "null"], format: "date-time" },
      title: { type: "string" },
    };
    expect(slots(properties)).toEqual([]);
  });

  test("and throws for a field that slots.ts does not classify", () => {
    expect(() => slots({ folder_id: { type: "string" } })).toThrow("folder_id");
  });
});

test("recipeOf throws for an operation without a recipe", () => {
  const operation = {
    method: "GET",
    path: "/v1/folders",
    scopes: [],
    slots: [],
    bodyType: "",
    tools: [],
  };
  expect(() => recipeOf({ ...operation, id: "listFolders" })).toThrow("listFolders has no recipe");
});

describe("the tool calls for an operation in the isolation trial", () => {
  const tools = (...markers: Marker[]) => markers.map((marker) => toTool("listNotes", marker));
  const operation: Operation = {
    ...{ id: "listNotes", method: "GET", path: "/v1/notes", scopes: [], slots: [], bodyType: "" },
    tools: tools(
      { set: "notes", omits: ["total"] },
      { set: "thoughts", name: "list_recent", takes: { most: "limit" } },
    ),
  };
  const slot = (name: string) => ({ slot: { at: "query", names: [name] } as Slot, kind: "tag" as const });

  test("use the set, name and arguments of each tool", () => {
    const parts = { path: {}, query: { limit: "3", tag: "x", total: "true" }, headers: {}, body: undefined };
    const calls = waysOf(operation)
      .slice(1)
      .map((way) => toRequest(way, operation, parts))
      .map(({ path, body }) => [path, JSON.parse(body ?? "").params]);
    expect(calls).toEqual([
      ["/mcp?tools=notes", { name: "list_notes", arguments: { limit: 3, tag: "x" } }],
      ["/mcp?tools=thoughts", { name: "list_recent", arguments: { most: 3 } }],
    ]);
  });

  test("include only tools that accept the argument with another's value", () => {
    const names = (name: string) => waysOf(operation, [slot(name)]).map(nameOf);
    expect(names("limit")).toEqual(["rest", "list_notes", "list_recent"]);
    expect(names("tag")).toEqual(["rest", "list_notes"]);
    expect(names("total")).toEqual(["rest"]);
  });
});

describe("data of others in a response, in the isolation trial,", () => {
  const agent = { organization: 1, agent: "one", user: null };
  const answer = `{"id":"${THEIRS}","title":"${MARKER}"}`;
  const ownedBy = (organization: number, of: string | null) => {
    const owners = new Owners();
    owners.note(answer, { organization, agent: of, user: null });
    return owners;
  };

  test.for<[whose: string, organization: number, agent: string | null]>([
    ["another organization", 2, "one"],
    ["another agent", 1, "other"],
    ["no agent", 1, null],
  ])("is reported when it is of %s", ([, organization, of]) => {
    expect(ownedBy(organization, of).leaks(answer, agent, "")).toEqual([THEIRS, MARKER]);
  });

  test.for<[whose: string, organization: number, agent: string | null]>([
    ["its own", 1, "one"],
    ["its whole organization's", 1, EVERYBODY],
  ])("is not reported when it is %s", ([, organization, of]) => {
    expect(ownedBy(organization, of).leaks(answer, agent, "")).toEqual([]);
  });

  test("does not include ids that the request named, and texts that the tenant wrote itself", () => {
    const owners = ownedBy(2, null);
    owners.allow(agent, MARKER);
    expect(owners.leaks(answer, agent, `/v1/conversations/${THEIRS}`)).toEqual([]);
  });

  test("includes a text that an agent wrote only for keys of other agents, not for keys of the whole organization", () => {
    const owners = ownedBy(2, null);
    owners.allow(agent, MARKER);
    const leaksTo = (of: string | null) =>
      owners.leaks(MARKER, { organization: 1, agent: of, user: null }, "");
    expect([leaksTo(null), leaksTo("other")]).toEqual([[], [MARKER]]);
  });
});

test("responses that differ only in ids and times are equal after `normalized`", () => {
  const answer = (id: string, count: number) =>
    normalized({
      status: 200,
      headers: `x-request-id: req_${id}\netag: "1"`,
      text: `{"id":"msg_${id}","created_at":"2026-11-22T11:53:${id.slice(0, 2)}.814Z","total":${count}}`,
      ms: 1,
    });
  const [one, other] = ["06e3tqz8m1k4v9x2c7d0", "16e3tqz8m1k4v9x2c7d0"] as const;
  expect(answer(one, 0)).toBe(answer(other, 0));
  expect(answer(one, 0)).not.toBe(answer(one, 1));
});

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { renderFiles } from "../generate.ts";
import { type Contract, fullName, type Method, methodsOf } from "../generator/contract.ts";
import { renderResources } from "../generator/resources.ts";
import { recall } from "../src/adapters/recall.ts";
import { Engram } from "../src/index.ts";

type Tools = { defaults?: Record<string, number> }[];

const file = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
const document = JSON.parse(await file("../../spec/openapi.json")) as Contract;
const methods = methodsOf(document);
const CODE = "engram_code_a_b_c";

type Call = (
  ...input: unknown[]
) => PromiseLike<unknown> & { page?(): unknown; next?(): PromiseLike<unknown> };

/** Arguments of the methods that are written by hand, where they are not ids, then a body or query, then options. */
const BY_HAND: Record<string, unknown[]> = {
  "conversations.deleteMany": [{ user_id: "a" }],
  "memories.deleteMany": [{ agent_id: "a" }],
  "signInCodes.redeem": [CODE],
  import: [["{}"], { operationId: "operation_id" }],
};
/** Parameters that a method has no argument for: the name and the value mean the same as those of another one. */
const NO_ARGUMENTS = ["last-event-id"];
const VALUES: Record<string, unknown> = { metadata: { a: 1 }, after: 1, after_sequence: 1 };

/** The arguments of a method: each id is the name of its parameter, and all parameters and fields have a value. */
function inputOf(method: Method): unknown[] {
  const { parameters = [], requestBody } = method.operation;
  const at = (place: string) => parameters.flatMap((each) => (each.in === place ? [each.name] : []));
  const query = Object.fromEntries(at("query").map((name) => [name, VALUES[name] ?? "a"]));
  const options = at("header").includes("if-match") ? { ifMatch: '"7"' } : {};
  // A deletion has its parameters among the options.
  const last = method.verb === "DELETE" ? [{ ...query, ...options }] : [query, options];
  return (
    BY_HAND[fullName(method)] ?? [
      ...at("path"),
      ...(requestBody === undefined ? [] : [{ query: "refund" }]),
      ...last.filter((one) => Object.keys(one).length > 0),
    ]
  );
}

/** Calls the method, and reads the first page or line if it returns a list or a loop. */
async function callOf(client: Engram, method: Method): Promise<void> {
  const owner = method.resource === null ? client : client[method.resource as "keys"];
  const called = (owner as unknown as Record<string, Call>)[method.name]?.(...inputOf(method));
  await (called?.page?.() ?? called?.next?.() ?? called);
}

/** The only request of a call. An import that resumes first requests its position. */
async function requestOf(call: (client: Engram) => unknown): Promise<Request> {
  const requests: Request[] = [];
  const fetch = (request: Request) => {
    requests.push(request);
    // The end line of an export, the response to an import or a search, and otherwise an object.
    const answer = {
      type: "end",
      complete: true,
      conversations: {},
      messages: {},
      memories: {},
      memory_versions: {},
      problems: [],
      skipped: [],
      results: [],
    };
    if (request.url.includes("/stream"))
      return new Response("id: 2\ndata: {}\n\n", { headers: { "content-type": "text/event-stream" } });
    return new Response(`${JSON.stringify(answer)}\n`, {
      headers: { "content-type": "application/x-ndjson" },
    });
  };
  await call(new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test/under/", fetch }));
  const [request, ...more] = requests.filter(({ method }) => requests.length === 1 || method !== "GET");
  if (request === undefined || more.length > 0) throw new Error(`${requests.length} requests`);
  return request;
}

describe("the SDK and the contract", () => {
  test.for(methods.map((method) => [fullName(method), method] as const))(
    "%s sends the request of its operation, with all parameters",
    async ([, method]) => {
      const { path, verb, operation } = method;
      const request = await requestOf((client) => callOf(client, method));
      const { pathname, searchParams } = new URL(request.url);
      expect(`${request.method} ${pathname}`).toBe(`${verb} /under${path.replaceAll(/[{}]/g, "")}`);
      const named = (place: string) =>
        operation.parameters?.flatMap((each) => (each.in === place ? [each.name] : [])).sort() ?? [];
      expect([...searchParams.keys()].sort()).toEqual(named("query"));
      const fixed = ["authorization", "content-type"];
      const headers = named("header").filter((name) => !NO_ARGUMENTS.includes(name));
      expect([...request.headers.keys()].filter((name) => !fixed.includes(name))).toEqual(headers);
      const token = method.name === "redeem" ? CODE : "engram_sk_live_test";
      expect(request.headers.get("authorization")).toBe(`Bearer ${token}`);
      const [type = null] = Object.keys(operation.requestBody?.content ?? {});
      expect(request.headers.get("content-type")).toBe(type);
      expect((await request.text()) !== "").toBe(type !== null);
    },
  );

  test.for(methods.map((method) => [fullName(method), method] as const))(
    "%s is called in the example that the contract gives of its operation",
    ([name, { operation }]) => {
      const [example] = operation["x-codeSamples"];
      expect(example?.source).toMatch(new RegExp(`(engram|operator)\\.${name}\\(`));
    },
  );

  test("use the same minimum relevance in recall() and in the MCP tools", async () => {
    const request = await requestOf((client) => recall(client, "Where is my refund?", {}));
    const { min_relevance } = (await request.json()) as { min_relevance: number };
    const ofTools = methods.flatMap(({ operation }) =>
      ((operation as { "x-mcp"?: Tools })["x-mcp"] ?? []).flatMap(
        ({ defaults = {} }) => defaults.min_relevance ?? [],
      ),
    );
    expect(ofTools.length).toBeGreaterThan(2);
    expect(new Set(ofTools)).toEqual(new Set([min_relevance]));
  });

  test("agree: the generated files are current", async () => {
    for (const [name, code] of Object.entries(await renderFiles()))
      expect(await file(`../src/generated/${name}`), name).toBe(code);
  });
});

describe("the generator of the SDK's resources", () => {
  const contractWith = (...operations: object[]) => {
    const [, get] = Object.entries(document.paths["/v1/keys/{key_id}"] ?? {})[0] ?? [];
    const paths = Object.fromEntries(operations.map((each, i) => [`/v1/${i}`, { get: { ...get, ...each } }]));
    return { ...document, paths } as Contract;
  };
  const namesOf = (...operations: object[]) => methodsOf(contractWith(...operations)).map(fullName);

  test("names a method after the operation, without the noun of its tag", () => {
    expect(namesOf({ operationId: "archiveKey" })).toEqual(["keys.archive"]);
    expect(namesOf({ operationId: "countMemories", tags: ["Memories"] })).toEqual(["memories.count"]);
    expect(namesOf({ operationId: "listAuditEvents", tags: ["Audit events"] })).toEqual(["auditEvents.list"]);
    expect(namesOf({ operationId: "getIt", "x-sdk": { method: "index.it" } })).toEqual(["index.it"]);
    expect(namesOf({ operationId: "ping", "x-sdk": { method: "ping" } })).toEqual(["ping"]);
  });

  test("refuses two operations with the same method", () => {
    expect(() => namesOf({ operationId: "listKeys" }, { operationId: "listKey" })).toThrow("keys.list");
  });

  test("gives a new operation a method, documented from the contract, and exports its types", () => {
    const { "resources.ts": code, "client.ts": client } = renderResources(
      contractWith({ operationId: "readLamp", tags: ["Lamps"], description: "Reads a lamp." }),
    );
    expect(client).toContain("readonly lamps: Lamps;");
    expect(code).toContain("export class Lamps {");
    expect(code).toMatch(
      /Reads a lamp\.\n \*\n \* Needs the scope `admin`\.\n \*\n \* @throws {ApiError} `not_found`: /,
    );
    expect(code).toContain("read(keyId: string, options: CallOptions = {}): Call<ApiKey>");
    expect(code).toContain('client.GET("/v1/0"');
  });
});

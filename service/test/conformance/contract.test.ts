import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import asyncApi from "../../../spec/asyncapi.json" with { type: "json" };
import committed from "../../../spec/openapi.json" with { type: "json" };
import { createApp } from "../../src/app.ts";
import { openIsolate } from "../../src/isolate.ts";
import { middlewareOf } from "../../src/routes.ts";
import { type Caller, createKey, operator, send } from "../support/client.ts";
import { readProblem } from "../support/contract.ts";
import { nameOf, textFieldsOf } from "../support/document.ts";
import { env } from "../support/env.ts";
import { namedBy } from "../support/fields.ts";
import { type Ids, REQUESTS, type RequestParts, requestFor, toRequest } from "../support/requests.ts";
import { promptRuntime } from "../support/runtime.ts";
import { createWorld, fetchWith, operations, scopesOf } from "../support/worlds.ts";

/** OpenAPI cannot describe a WebSocket. */
const SOCKET = "GET /v1/events/socket";
/** OpenAI documents these. */
const OPENAI = / \/v1\/openai\//;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const codes = Object.keys(contracts.PROBLEMS) as contracts.ProblemCode[];
const places = operations.map(([, contract]) => `${contract.method.toUpperCase()} ${contract.path}`);
const served = createApp(openIsolate(promptRuntime))
  .routes.filter(({ method }) => METHODS.includes(method))
  .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);

let caller: Caller & { organizationId: string };
let ids: Ids;
beforeAll(async () => {
  ({ caller, ids } = await createWorld());
});

describe("the contracts and the routes of the app", () => {
  test("have the same operations", () => {
    const underVersion = served.filter(
      (place) => / \/(v1|health|ready)/.test(place) && place !== SOCKET && !OPENAI.test(place),
    );
    expect([...new Set(underVersion)].sort()).toEqual([...places].sort());
  });

  test("have a unique path and name for every operation", () => {
    expect(new Set(places).size).toBe(operations.length);
    expect(new Set(operations.map(([name]) => name)).size).toBe(operations.length);
  });

  test("are those of the list of requests that tests send", () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(operations.map(([name]) => name).sort());
  });

  test.for(operations)("take in %s no text that the list of fields lacks", ([name, contract]) => {
    for (const field of textFieldsOf(contract)) if (field.isOpen) namedBy(nameOf(field), name);
  });

  test.for(operations)("serve %s also with a slash at the end of its path", async ([name, contract]) => {
    const [path, init] = toRequest(contract, { ...requestFor(name, ids), query: {} });
    const [plain, slash] = await Promise.all([path, `${path}/`].map((each) => send(each, init)));
    expect([slash?.status, slash?.headers.get("content-type")]).toEqual([
      plain?.status,
      plain?.headers.get("content-type"),
    ]);
    expect([200, 401]).toContain(slash?.status);
  });

  test("need a key for every operation that returns stored data", () => {
    const open = operations.filter(([, { security }]) =>
      (security ?? []).some((way) => Object.keys(way).length === 0),
    );
    expect(open.map(([name]) => name)).toEqual(["getHealth", "getReadiness"]);
    const withoutKeys = operations
      .filter(([, contract]) => scopesOf(contract) === null)
      .map(([name]) => name);
    expect(withoutKeys.sort()).toEqual([
      "createOrganization",
      "getHealth",
      "getOrganizationHealth",
      "getReadiness",
      "listOrganizations",
      "moveOrganization",
      "redeemSignInCode",
    ]);
  });

  test.for(operations)("declare for %s who may call it", ([name, contract]) => {
    expect(contract.security).not.toHaveLength(0);
    for (const scope of scopesOf(contract) ?? []) expect(contracts.SCOPES).toContain(scope);
    // Whoever may call anything may ask who they are.
    if (scopesOf(contract) !== null) expect(scopesOf(contract)?.length === 0).toBe(name === "getMe");
  });

  test.for([
    ["no security schemes", {}],
    ["an empty list of security schemes", { security: [] }],
  ] as const)("cannot start with a contract of %s", ([, more]) => {
    const contract = {
      operationId: "unguarded",
      method: "get",
      path: "/v1/unguarded",
      responses: {},
      ...more,
    } as const;
    expect(() => middlewareOf(contract as RouteConfig)).toThrow("unguarded does not say who may call it");
  });
});

/** Content types of successes other than JSON. */
const STREAMS: Record<string, string> = {
  exportData: contracts.NDJSON_TYPE,
  getArchiveLines: contracts.NDJSON_TYPE,
  streamEvents: contracts.EVENT_STREAM_TYPE,
};

interface Documented {
  security: unknown;
  responses: Record<string, DocumentedResponse | { $ref: string }>;
}
interface DocumentedResponse {
  description: string;
  content?: object;
}
const shared: Record<string, DocumentedResponse> = committed.components.responses;
const documentedOf = ({ path, method }: RouteConfig): Documented =>
  (committed.paths as unknown as Record<string, Record<string, Documented>>)[path]?.[method] as Documented;
const whole = (response: DocumentedResponse | { $ref: string }): DocumentedResponse =>
  "$ref" in response
    ? (shared[response.$ref.replace("#/components/responses/", "")] as DocumentedResponse)
    : response;

describe("the OpenAPI document", () => {
  test("committed in the repository is the one generated from the contracts", () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(contracts.openApiDocument())));
  });

  test("served by the app is the committed one", async () => {
    const response = await send("/openapi.json");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(committed);
  });

  test.for(operations)("describes every failure of %s as a problem", ([name, contract]) => {
    const documented = documentedOf(contract);
    expect(documented.security, name).toEqual(contract.security);
    for (const [status, response] of Object.entries(documented.responses)) {
      const types = Object.keys(whole(response).content ?? {});
      expect(types, `${name} ${status}`).toEqual([
        Number(status) >= 400 ? "application/problem+json" : (STREAMS[name] ?? "application/json"),
      ]);
    }
  });

  test("has each error response once, and every operation refers to those of its contract", () => {
    const texts = Object.values(shared).map((response) => JSON.stringify(response));
    expect(new Set(texts).size).toBe(texts.length);
    for (const [name, contract] of operations) {
      for (const [status, response] of Object.entries(documentedOf(contract).responses)) {
        expect("$ref" in response, `${name} ${status}`).toBe(Number(status) >= 400);
        const { description } = contract.responses[status] as { description: string };
        expect(whole(response).description, `${name} ${status}`).toBe(description);
      }
    }
  });
});

describe("the AsyncAPI document", () => {
  const { messages, schemas } = asyncApi.components;
  const typesOf = (operations: { action: string; messages: { $ref: string }[] }[], action: string) =>
    operations
      .filter((operation) => operation.action === action)
      .flatMap(({ messages: sent }) =>
        sent.map(({ $ref }) => $ref.split("/").at(-1) as keyof typeof messages),
      )
      .flatMap((name) => {
        const { payload } = messages[name];
        if (!("$ref" in payload)) return [];
        const schema = payload.$ref.replace("#/components/schemas/", "") as "Subscribe";
        return schemas[schema].properties.type.enum;
      });

  test("committed in the repository is the one generated from the frames", () => {
    expect(asyncApi).toEqual(JSON.parse(JSON.stringify(contracts.asyncApiDocument())));
  });

  test("served by the app is the committed one", async () => {
    const response = await send("/asyncapi.json");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual(asyncApi);
  });

  test.for([
    ["receive", contracts.ClientFrame],
    ["send", contracts.ServerFrame],
  ] as const)("has every frame that the service can %s", ([action, frame]) => {
    const types = frame.options.map(({ shape }) => shape.type.value);
    expect(typesOf(Object.values(asyncApi.operations), action).toSorted()).toEqual(types.toSorted());
  });

  test("has every type of event, and every code with which the service closes a socket", () => {
    expect(schemas.Event.properties.type.enum).toEqual([...contracts.EVENT_TYPES]);
    const closes = asyncApi.channels.socket["x-close-codes"].map(({ code }) => code);
    expect(closes.toSorted()).toEqual(Object.values(contracts.LIVE_CLOSE).toSorted());
  });
});

describe("the OpenAPI document's examples", () => {
  test.for(codes)("show %s as a valid problem", (code) => {
    const { value, description } = committed.components.examples[code];
    const { status, title, meaning, action } = contracts.PROBLEMS[code];
    expect(contracts.Problem.parse(value)).toMatchObject({ code, status, title });
    expect(value.type).toBe(`https://engram.dev/problems/${code}`);
    expect(description).toBe(`${meaning}\n\n${action}`);
  });

  test("exist for every failure that an operation can have, under its code", () => {
    for (const [name, { responses }] of operations) {
      for (const response of Object.values(responses) as { description: string; content?: object }[]) {
        const content = (response.content ?? {}) as Record<string, { examples?: Record<string, object> }>;
        const named = [...response.description.matchAll(/`(\w+)`: /g)].map(([, code]) => code);
        const examples = content["application/problem+json"]?.examples ?? {};
        expect(Object.keys(examples), name).toEqual(named);
        for (const code of named) {
          expect(examples[String(code)]).toEqual({ $ref: `#/components/examples/${code}` });
        }
      }
    }
  });
});

describe("every failure is a problem in the format of RFC 9457", () => {
  /** Fails unless a response is a complete problem: code, status, title and type agree. */
  const expectProblem = async (response: Response, code: contracts.ProblemCode) => {
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const problem = contracts.Problem.parse(await response.json());
    const { status, title } = contracts.PROBLEMS[code];
    expect(problem).toMatchObject({
      code,
      status,
      title,
      type: `https://engram.dev/problems/${code}`,
    });
    expect(response.status).toBe(status);
    expect(problem.request_id).toBe(response.headers.get("x-request-id"));
    expect(problem.detail).not.toBe("");
  };

  test("whose code has one status, and every code is declared by an operation, unless no operation can have it", () => {
    const declared = operations.flatMap(([, { responses }]) =>
      Object.entries(responses).flatMap(([status, response]) =>
        [...(response as { description: string }).description.matchAll(/`(\w+)`: /g)].map(([, code]) => [
          code,
          Number(status),
        ]),
      ),
    );
    for (const [code, status] of declared) {
      expect(contracts.PROBLEMS[code as contracts.ProblemCode]?.status, String(code)).toBe(status);
    }
    // An operation is a path with a method.
    const possible = codes.filter((code) => code !== "method_not_allowed");
    expect([...new Set(declared.map(([code]) => code))].sort()).toEqual(possible.sort());
  });

  test.for([
    "/v1",
    "/v1/",
    "/v2/keys",
    "/v1/nothing",
    "/v1/keys//",
    "/v1//keys",
    "//v1/keys",
    "/V1/keys",
    "/v1/keys/a/b/c",
    "/%",
    "/v1/%00",
  ])("on an unknown path: %s", async (path) => {
    for (const method of METHODS) await expectProblem(await send(path, { method }), "not_found");
  });

  test.for([...new Set(served.map((place) => place.split(" ")[1] ?? ""))])(
    "for every method that %s does not have, with `Allow`, as OPTIONS and a slash at the end have it",
    async (path) => {
      const target = path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name] ?? "x");
      // Other routes may match: for GET, `replace` is a message id.
      const own = served.filter((place) => matches(place, target)).map((place) => place.split(" ")[0] ?? "");
      const allowed = [...new Set([...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].sort();
      const slash = target === "/" ? "" : "/";
      for (const method of [...METHODS, "HEAD"].filter((other) => !allowed.includes(other))) {
        for (const each of [target, `${target}${slash}`]) {
          const response = await send(each, { method });
          expect([response.status, response.headers.get("allow")]).toEqual([405, allowed.join(", ")]);
          // Errors of OpenAI have another form.
          if (method !== "HEAD" && !OPENAI.test(` ${path}`))
            await expectProblem(response, "method_not_allowed");
        }
      }
      const options = await send(`${target}${slash}`, { method: "OPTIONS" });
      expect([options.status, options.headers.get("allow")]).toEqual([204, allowed.join(", ")]);
    },
  );
  const matches = (place: string, target: string) =>
    new RegExp(`^\\w+ ${place.split(" ")[1]?.replace(/\{\w+\}/g, "[^/]+")}$`).test(`X ${target}`);

  test("also for HEAD, which gets the same response as GET without a body", async () => {
    const response = await send("/v1/keys", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([401, ""]);
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  });

  test.for<[code: contracts.ProblemCode, name: string, parts: object]>([
    ["validation_failed", "search", { body: {} }],
    ["invalid_json", "search", { body: undefined, rawBody: "{" }],
    ["invalid_cursor", "listConversations", { query: { cursor: "x" } }],
    ["not_found", "getKey", { params: { key_id: "x" } }],
    ["payload_too_large", "search", { headers: { "content-length": "9000000" } }],
    ["unsupported_media_type", "search", { headers: { "content-type": "text/plain" } }],
    ["precondition_failed", "deleteConversation", { headers: { "if-match": '"x"' } }],
    [
      "sequence_conflict",
      "replaceMessages",
      { body: { expected_last_sequence: 9, from_sequence: 1, messages: [] } },
    ],
  ])("with the status of its code: %s", async ([code, name, parts]) => {
    const [, contract] = operations.find(([other]) => other === name) ?? [];
    if (contract === undefined) throw new Error(`no operation ${name}`);
    const asked = { ...requestFor(name, ids), ...parts };
    const headers = { ...asked.headers, authorization: `Bearer ${caller.secret}` };
    await expectProblem(await fetchWith({}, contract, { ...asked, headers }), code);
  });

  test("with the status of its code: unauthenticated, forbidden", async () => {
    await expectProblem(await send("/v1/keys"), "unauthenticated");
    const reader = await createKey(caller, { scopes: ["read"] });
    await expectProblem(await reader.fetch(contracts.listKeys), "forbidden");
  });

  test.for([
    ["internal", "SQLITE_CORRUPT: table api_keys, secret words", 500],
    ["unavailable", "D1_ERROR: D1 DB is overloaded. secret words", 503],
    ["unavailable", "Cannot resolve Durable Object due to transient issue on remote node. secret words", 503],
    ["unavailable", "Durable Object reset because its organization was deleted. secret words", 503],
  ] as const)("(%s) that contains no details of an internal error", async ([code, message, status]) => {
    const DB = {
      prepare: () => {
        throw new Error(message);
      },
    } as unknown as D1Database;
    const { secret } = await createKey(caller, { scopes: ["read"] });
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetchWith({ DB }, contracts.listConversations, { headers });
    expect(response.headers.has("retry-after")).toBe(status === 503);
    expect(await response.clone().text()).not.toMatch(/secret words|SQLITE|D1/);
    await expectProblem(response, code);
  });

  test("(insufficient_storage) if D1 reports that the database is full", async () => {
    for (const message of [
      "D1_ERROR: database or disk is full: SQLITE_FULL",
      "D1_ERROR: Exceeded maximum DB size",
    ]) {
      const DB = {
        prepare: () => {
          throw new Error(message);
        },
      } as unknown as D1Database;
      const { secret } = await createKey(caller, { scopes: ["write"] });
      const headers = { authorization: `Bearer ${secret}` };
      const response = await fetchWith({ DB }, contracts.createConversation, { headers, body: {} });
      await expectProblem(response, "insufficient_storage");
    }
  });

  test("that lists at most 100 invalid fields", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field${i}`, 1]));
    const response = await caller.fetch(contracts.search, { body: { query: "x", ...unknown } });
    const problem = await readProblem(contracts.search, response);
    expect(problem.errors).toHaveLength(100);
  });
});

describe("null", () => {
  type Fields = {
    properties: Record<string, { type?: string | string[]; $ref?: string }>;
    required?: string[];
  };
  const schemas = committed.components.schemas as unknown as Record<string, Fields>;
  const nullable = ({ properties }: Fields) =>
    Object.keys(properties).filter((name) => [properties[name]?.type].flat().includes("null"));

  test.for([
    ["Conversation", "CreateConversationBody", "ForkConversationBody"],
    ["Message", "NewMessage"],
    ["Memory", "NewMemory", "CreateMemoryBody", "PutMemoryBody"],
    ["ApiKey", "CreateKeyBody"],
    ["Member", "CreateMemberBody"],
    ["Webhook", "CreateWebhookBody"],
    ["Event", "CreateTicketBody"],
  ] as const)("in a %s counts as absent wherever the item is created", ([read, ...written]) => {
    for (const name of written) {
      const { properties, required = [] } = schemas[name] as Fields;
      const given = nullable(schemas[read] as Fields).filter((field) => field in properties);
      expect(given, name).not.toEqual([]);
      const optional = given.filter((field) => !required.includes(field));
      expect(nullable(schemas[name] as Fields), name).toEqual(expect.arrayContaining(optional));
    }
  });
});

/** Operations that write nothing to the database though they are no GET. */
const READS = [
  ...["broadcast", "createTicket", "getContext", "previewRetentionRule", "replayRecall", "search"],
  ...["searchMemories", "setPresence"],
];
/** Each is a GET that writes an audit event. */
const WRITES = ["exportData", "getArchiveLines"];

describe("while the disk of the database is nearly full", () => {
  const STORAGE = { fetch: async () => new Response("full") } as unknown as Fetcher;
  const isWrite = (name: string, method: string) =>
    WRITES.includes(name) || (method !== "get" && !READS.includes(name));
  // The one lasts for minutes, and the other sends to the network.
  const asked = operations.filter(([name]) => !["streamEvents", "testWebhook"].includes(name));

  test.for(asked)("%s answers insufficient_storage exactly if it writes", async ([name, contract]) => {
    const parts = requestFor(name, ids);
    const token = scopesOf(contract) === null ? env.ADMIN_TOKEN : caller.secret;
    const headers = { ...parts.headers, authorization: `Bearer ${token}` };
    const response = await fetchWith({ STORAGE }, contract, { ...parts, headers });
    if (name === "redeemSignInCode") return expect(response.status).toBe(401);
    if (!isWrite(name, contract.method))
      return expect([name, response.status]).toEqual([name, expect.toSatisfy((status) => status < 300)]);
    expect(await readProblem(contract, response)).toMatchObject({ code: "insufficient_storage" });
  });
});

describe("an invalid field", () => {
  type Schema = { $ref?: string; type?: string | string[]; enum?: string[]; [limit: string]: unknown };
  interface Documented {
    parameters?: { name: string; in: string; schema: Schema }[];
    requestBody?: { content: Record<string, { schema: Schema }> };
  }
  const { schemas } = committed.components as unknown as { schemas: Record<string, Schema> };
  const resolve = (schema: Schema): Schema => schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;

  /** For a field each, a value that breaks one limit, with the text of the limit. */
  function breaking(field: Schema): [value: unknown, limit: string][] {
    const shown = (n: number) => n.toLocaleString("en-US");
    const { maxLength, minLength, maximum, minimum, maxItems, minItems, enum: choices } = resolve(field);
    return [
      ...(typeof maxLength === "number" ? [["x".repeat(maxLength + 1), shown(maxLength)]] : []),
      ...(typeof minLength === "number" ? [["", shown(minLength)]] : []),
      ...(typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER
        ? [[maximum + 1, shown(maximum)]]
        : []),
      ...(typeof minimum === "number" && minimum > 0 ? [[minimum - 1, shown(minimum)]] : []),
      ...(typeof maxItems === "number" ? [[Array(maxItems + 1).fill("x"), shown(maxItems)]] : []),
      ...(typeof minItems === "number" ? [[[], shown(minItems)]] : []),
      ...(choices === undefined ? [] : [["neither", `\`${choices[0]}\``]]),
    ] as [unknown, string][];
  }

  test.for(operations)(
    "is named in the detail with the limit that it exceeds: %s",
    async ([name, contract]) => {
      const paths = committed.paths as unknown as Record<string, Record<string, Documented>>;
      const { parameters = [], requestBody } = paths[contract.path]?.[contract.method] ?? {};
      const params = ids as unknown as Record<string, string>;
      const isLines = requestBody?.content[contracts.NDJSON_TYPE] !== undefined;
      const body = resolve(requestBody?.content["application/json"]?.schema ?? {});
      const cases = [
        ...parameters.flatMap((parameter) =>
          // An invalid cursor has its own code, and a list in a query may be a single text.
          parameter.in !== "query" || parameter.name.includes("cursor") || parameter.schema.type === "array"
            ? []
            : breaking(parameter.schema).map(([value, limit]) => [
                { params, query: { [parameter.name]: value as string }, ...(isLines ? { rawBody: "" } : {}) },
                parameter.name,
                limit,
              ]),
        ),
        ...Object.entries((body.properties ?? {}) as Record<string, Schema>).flatMap(([field, schema]) =>
          breaking(schema).map(([value, limit]) => [
            { params, body: { ...(body.example as object), [field]: value } },
            field,
            limit,
          ]),
        ),
      ] as [RequestParts, string, string][];
      const asking = contract.path === "/v1/organizations" ? operator : caller;
      for (const [parts, field, limit] of cases) {
        const problem = await asking.fail(contract, parts);
        expect([problem.code, problem.detail], `${name} ${field} ${limit}`).toEqual([
          "validation_failed",
          expect.stringContaining(`\`${field}\`: must`),
        ]);
        expect(problem.detail, `${name} ${field}`).toContain(limit);
      }
    },
  );
});

// `engram api`: the operations of the contract, on a running service.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { createPerson, type Person } from "./support/program.ts";
import { serve } from "./support/servers.ts";

const HOOK = "https://hooks.example.com/engram";

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}
const { paths, components }: Contract = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../spec/openapi.json"), "utf8"),
);
const operations = Object.values(paths).flatMap((path) => Object.values(path));

function fieldsOf({ parameters = [], requestBody }: Operation): string[] {
  const schema = requestBody?.content["application/json"]?.schema ?? {};
  const { properties = {} } = components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
  return [...parameters.map(({ name }) => name), ...Object.keys(properties)];
}

const api = createProgram().commands.find((command) => command.name() === "api");

test("there is a command for every operation of the contract, and no other, with its summary", () => {
  const commands = api?.commands.map((command) => [command.name(), command.summary()]) ?? [];
  const contracts = operations.map(({ operationId, summary }) => [operationId, summary]);
  expect(commands.sort()).toEqual(contracts.sort());
});

test.for(operations.map((operation) => [operation.operationId, operation] as const))(
  "%s has an option for each parameter and field, by its name with underscores or hyphens",
  ([id, operation]) => {
    const options = api?.commands.find((command) => command.name() === id)?.options ?? [];
    const longs = options.map(({ long }) => long);
    for (const name of fieldsOf(operation)) {
      expect(longs).toContain(`--${name}`);
      expect(longs).toContain(`--${name.replaceAll("_", "-")}`);
    }
  },
);

/** Runs an operation with these arguments, separated by spaces, and reads its JSON. */
const call = async ({ run }: Person, words: string, ...more: string[]) => {
  const { code, stdout, stderr } = await run(["api", ...words.split(" "), ...more, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe("engram api", () => {
  test("lists the operations with their summaries, by group", async () => {
    const { run } = await createPerson();
    const { code, stdout, stderr } = await run(["api"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Webhooks:\n {2}createWebhook \[options\] +Create a webhook$/m);
  });

  test("shows what an operation needs, and what its fields mean", async () => {
    const { run } = await createPerson();
    const { code, stdout } = await run(["api", "updateWebhook", "--help"]);
    expect(code).toBe(0);
    const help = stdout.replace(/\s+/g, " ");
    expect(help).toContain("Needs a key with the scope admin.");
    expect(help).toContain("--types <item> Types of events to send; null for all. Repeatable.");
    expect(help).toContain("$ engram api updateWebhook --webhook-id wh_06e3tqz8m1k4v9x2c7d0");
  });

  test.for([
    [["createWebhok"], 2, "(Did you mean createWebhook?)"],
    [["createWebhook", "--tipes", "x"], 2, "(Did you mean --types?)"],
    [["getWebhook"], 2, "required option '--webhook-id <string>' not specified"],
    [["listWebhooks", "extra"], 2, "too many arguments"],
    [["listMemories", "--limit", "many"], 2, '--limit must be an integer, not "many".'],
    [["search", "--query", "x", "--explain", "perhaps"], 2, "--explain must be true or false"],
    [["search", "--query", "x", "--metadata", "{"], 2, "--metadata must be a JSON object"],
    [["createMemory", "--content", "x", "--body", "[]"], 2, "--body must be a JSON object"],
    [["createMemory", "--body", "absent.json"], 1, "absent.json does not exist, and is not a JSON object."],
    [["importLines"], 2, "importLines needs --body"],
    [["deleteConversation", "--conversation-id", "conv_1"], 2, "Pass --yes to confirm."],
    [["deleteMemories", "--all"], 2, "Pass --yes to confirm."],
    [["getConversation", "--conversation-id", "conv_absent"], 1, "(not_found)"],
    [["createKey", "--name", "x", "--scopes", "fly"], 1, "scopes"],
    [["createOrganization", "--name", "x"], 1, "(unauthenticated)"],
  ] as const)("refuses %j with exit code %d", async ([args, code, says]) => {
    const { run } = await createPerson();
    expect(await run(["api", ...args])).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringContaining(says),
    });
  });

  test("prints the code, the status, the fields and the request id of a problem as JSON", async () => {
    const { run } = await createPerson();
    const { stderr } = await run(["api", "search", "--query", "", "--json"]);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "validation_failed",
        message: expect.any(String),
        status: 400,
        errors: [{ path: expect.stringContaining("query"), message: expect.any(String) }],
        request_id: expect.stringMatching(/^req_/),
      },
    });
  });

  test("reports a server that is not Engram, and none at all, like other commands", async () => {
    const { run, url } = await createPerson();
    const none = { ENGRAM_URL: "http://127.0.0.1:2" };
    for (const args of [["listWebhooks"], ["streamEvents"]])
      expect(await run(["api", ...args], { env: none })).toMatchObject({ code: 1, stdout: "" });
    const elsewhere = await run(["api", "listWebhooks", "--json"], { env: { ENGRAM_URL: `${url}/docs` } });
    expect(JSON.parse(elsewhere.stderr)).toMatchObject({ error: { code: expect.any(String), status: 404 } });
  });

  test("manages webhooks, whose URL is not that of the service", async () => {
    const person = await createPerson();
    const { run, client, url } = person;
    const types = "--types memory.created --types=memory.deleted";
    const created = await call(person, `createWebhook --url ${HOOK} ${types} --after 0`);
    expect(created).toMatchObject({ url: HOOK, types: ["memory.created", "memory.deleted"], after: 0 });
    const { code, stdout } = await run(["--url", url, "api", "listWebhooks"], {
      env: { ENGRAM_URL: "http://127.0.0.1:2" },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ID +URL +TYPES +.*\nwh_\w+ +https:\S+ +memory\.created,memory\.deleted +/);
    await call(person, `updateWebhook --webhook-id ${created.id} --types null --enabled=false`);
    expect(await client.webhooks.get(created.id)).toMatchObject({ types: null, enabled: false });
    await call(person, `updateWebhook --webhook_id ${created.id} --enabled`);
    const shown = await run(["api", "getWebhook", "--webhook-id", created.id]);
    expect(shown.stdout).toMatch(/^enabled +true$/m);
    await run(["api", "deleteWebhook", "--webhook-id", created.id, "--yes"]);
    expect(await run(["api", "listWebhooks"])).toEqual({ code: 0, stdout: "", stderr: "No items found.\n" });
  });

  test("follows pages with --all, and otherwise says how to go on", async () => {
    const person = await createPerson();
    for (const name of ["one", "two", "three"]) await person.client.conversations.create({ title: name });
    const list = "listConversations --limit 2";
    expect((await call(person, `${list} --all`)).items).toHaveLength(3);
    const { stdout, stderr } = await person.run(["api", ...list.split(" ")]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    const [, cursor = ""] = /^More items follow: pass --all, or --cursor (\S+)\n$/.exec(stderr) ?? [];
    expect((await call(person, `${list} --cursor ${cursor}`)).items).toMatchObject([{ title: "one" }]);
  });

  test("takes objects and lists of objects as JSON, and texts as they are", async () => {
    const person = await createPerson();
    const fields = '--title 5 --tags ["a","b,c"] --metadata {"n":1}';
    const conversation = await call(person, `createConversation ${fields}`);
    expect(conversation).toMatchObject({ title: "5", tags: ["a", "b,c"], metadata: { n: 1 } });
    const messages = ["first", "second"].map(
      (content) => `--messages=${JSON.stringify({ role: "user", content })}`,
    );
    await call(person, `appendMessages --conversation-id ${conversation.id}`, ...messages);
    const { stdout } = await person.run(["api", "getConversation", "--conversation-id", conversation.id]);
    expect(stdout).toMatch(/^title +5$[\s\S]*^ID .*SEQUENCE[\s\S]*first[\s\S]*second/m);
    await call(person, `updateConversation --conversation-id ${conversation.id} --title null`);
    expect(await person.client.conversations.get(conversation.id)).toMatchObject({ title: null });
  });

  test.for(["argument", "file", "standard input"] as const)(
    "takes a whole body by %s, and adds fields to it",
    async (how) => {
      const person = await createPerson();
      const body = '{"content": "from a body", "source": "desk"}';
      const file = join(person.home, "body.json");
      writeFileSync(file, body);
      const given = { argument: body, file, "standard input": "-" }[how];
      const { stdout } = await person.run(
        ["api", "createMemory", "--body", given, "--source", "cli", "--json"],
        { input: body },
      );
      expect(JSON.parse(stdout)).toMatchObject({ content: "from a body", source: "cli" });
    },
  );

  test("applies a write with the same idempotency key once, and a change only to the version that is named", async () => {
    const person = await createPerson();
    const create = () => call(person, "createConversation --idempotency-key once");
    const { id } = await create();
    expect((await create()).id).toBe(id);
    const update = `api updateConversation --conversation-id ${id} --title x --if-match "stale"`.split(" ");
    expect(await person.run(update)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(precondition_failed)"),
    });
  });

  test("repeats a write that failed for a moment, with the same idempotency key", async () => {
    const keys: unknown[] = [];
    const url = await serve(({ headers }, response) => {
      keys.push(headers["idempotency-key"]);
      response.writeHead(keys.length === 1 ? 503 : 201, { "retry-after": "0" }).end('{"id":"conv_1"}');
    });
    const { run } = await createPerson();
    const { code, stdout } = await run(["api", "createConversation", "--title", "x"], {
      env: { ENGRAM_URL: url },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "id  conv_1\n" });
    expect(keys).toEqual([expect.stringMatching(/^\S+$/), keys[0]]);
  });

  test("passes an export on, line by line, and imports it from standard input", async () => {
    const [from, to] = [await createPerson(), await createPerson()];
    await from.client.memories.create({ content: "Maria\u0085 wants refunds." });
    const exported = await from.run(["api", "exportData"]);
    const raw = await fetch(`${from.url}/v1/export`, { headers: { authorization: `Bearer ${from.key}` } });
    expect(exported).toEqual({ code: 0, stdout: await raw.text(), stderr: "" });
    const { stdout } = await to.run(["api", "importLines", "--body", "-", "--json"], {
      input: exported.stdout,
    });
    expect(JSON.parse(stdout)).toMatchObject({ memories: { created: 1 }, problems: [] });
    expect(await from.run(["api", "exportData", "--after-sequence", "1"])).toMatchObject({
      code: 1,
      stdout: "",
    });
  });

  test("waits for the end of an operation with --wait, and exits with 1 if it was canceled", async () => {
    const person = await createPerson();
    // The command that `engram doctor` recommends.
    const repaired = await call(person, "repairIndex --wait");
    expect(repaired).toMatchObject({ type: "repair_index", status: "succeeded" });
    const { id } = await person.client.createImport({ lines: 5 });
    const listed = await person.run(["api", "listOperations", "--type", "import", "--status", "running"]);
    expect(listed.stdout).toMatch(new RegExp(`${id}.*\\{"done":0,"total":5\\}`));
    await person.client.operations.cancel(id);
    const canceled = await person.run(["api", "getOperation", "--operation-id", id, "--wait"]);
    expect(canceled).toMatchObject({ code: 1, stdout: expect.stringMatching(/^status +canceled$/m) });
  });

  test("needs no key for operations that need none", async () => {
    const { run } = await createPerson();
    expect(await run(["api", "getHealth"], { env: { ENGRAM_API_KEY: "" } })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^status +ok$/m),
    });
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEnrichmentChoice, readSummaryVars } from "../../src/enrichment/choice.ts";
import { EndpointTextModel, type TextInput } from "../../src/enrichment/endpoint.ts";
import { StartError } from "../../src/start/start-error.ts";
import { type Answer, answerJson, type EndpointServer, openEndpoint } from "../support/endpoint-server.ts";

const KEY = "sk-secret-0123456789";
const INPUT: TextInput = {
  messages: [{ role: "user", content: "a note" }],
  response_format: { type: "json_schema", json_schema: { type: "object" } },
  temperature: 0.2,
  max_tokens: 512,
};

let endpoint: EndpointServer;
const said: string[] = [];

const says =
  (content: unknown): Answer =>
  (_, response) =>
    answerJson(response, 200, { choices: [{ message: { role: "assistant", content } }] });
const raw =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200).end(text);
const refuses =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (received, response) =>
    void response.writeHead(status, headers).end(
      JSON.stringify({
        error: { message: `bad: ${received.headers.authorization} ${JSON.stringify(received.body)}` },
      }),
    );

beforeEach(async () => {
  endpoint = await openEndpoint(says("hello"));
  said.length = 0;
});
afterEach(() => endpoint.close());

/** Only a test that hangs reaches the default time limit. */
const open = (timeoutMs = 60_000) =>
  new EndpointTextModel(
    { url: `${endpoint.url}/v1/chat/completions`, model: "tiny", apiKey: KEY },
    (line) => said.push(line),
    timeoutMs,
  );

describe("a call of the enrichment endpoint", () => {
  test("posts model, messages and schema with the key, and returns the content of the first choice", async () => {
    const model = open();
    expect(model.model).toBe("endpoint/tiny");
    expect(await model.answer(INPUT)).toBe("hello");
    expect(endpoint.received).toMatchObject([
      { path: "/v1/chat/completions", model: "tiny", headers: { authorization: `Bearer ${KEY}` } },
    ]);
    expect(endpoint.received[0]?.body).toEqual({
      model: "tiny",
      messages: INPUT.messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: { type: "object" } },
      },
      temperature: 0.2,
      max_tokens: 512,
    });
    expect(said).toEqual([]);
  });

  test.for<[refused: string[], last: string[], asked: number]>([
    [["response_format"], ["temperature", "max_tokens"], 3],
    [["response_format", "max_tokens"], ["temperature"], 4],
    [["temperature"], [], 5],
  ])("of an endpoint that rejects %j uses %j from then on", async ([refused, last, asked]) => {
    endpoint.answer = (received, response) =>
      (refused.some((name) => name in received.body) ? refuses(400) : says("plain"))(received, response);
    const model = open();
    expect([await model.answer(INPUT), await model.answer(INPUT)]).toEqual(["plain", "plain"]);
    const sent = endpoint.received.map(({ body }) => Object.keys(body));
    expect(sent).toHaveLength(asked);
    expect(sent.slice(-2)).toEqual(Array(2).fill(["model", "messages", ...last]));
  });

  test.for([null, undefined, [{ type: "text" }]])("returns nothing for the content %j", async (content) => {
    endpoint.answer = says(content);
    expect(await open().answer(INPUT)).toBe("");
  });

  test.for<[string, string, Answer]>([
    ["HTML", "not JSON", raw("<html>")],
    ["null", "without a list `choices`", raw("null")],
    ["an empty list of choices", "without a list `choices`", raw('{"choices":[]}')],
    ["choices that are not a list", "without a list `choices`", raw('{"choices":{"0":{}}}')],
    ["a response that is too long", "more than 16000000 bytes", raw(" ".repeat(17_000_000))],
    ["a cut connection", "", (_, response) => void response.socket?.destroy()],
    ["401", "status 401", refuses(401)],
    ["400 for every request", "status 400", refuses(400)],
    ["429", "status 429", refuses(429)],
    ["500", "status 500", refuses(500)],
  ])("fails for %s, with one log line that does not quote the endpoint", async ([, reason, answer]) => {
    endpoint.answer = answer;
    const model = open();
    const failure = () => model.answer(INPUT).catch(({ message }: Error) => message);
    const [first, second] = [await failure(), await failure()];
    expect(first).toMatch(/^3040: the enrichment endpoint fails: /);
    expect(first).toContain(reason);
    expect(second).toBe(first);
    expect(said).toEqual([expect.stringContaining("memories get no summary")]);
    expect(`${first}${said}`).not.toMatch(new RegExp(`${KEY}|a note|bad`));
    endpoint.answer = says("back");
    expect(await model.answer(INPUT)).toBe("back");
    expect(said[1]).toBe("The enrichment endpoint answers again.");
  });

  test.for([301, 302, 303, 307, 308])(
    "follows no redirect (%i), which would send key and note elsewhere",
    async (status) => {
      let calls = 0;
      const elsewhere = createServer((_, response) => {
        calls++;
        response.end();
      }).listen(0, "127.0.0.1");
      await new Promise((done) => elsewhere.once("listening", done));
      const { port } = elsewhere.address() as AddressInfo;
      endpoint.answer = refuses(status, { location: `http://127.0.0.1:${port}/v1?token=t0ken` });
      await expect(open().answer(INPUT)).rejects.toThrow(
        `status ${status}, a redirect, which is not followed: name the right address in ENGRAM_ENRICHMENT_URL`,
      );
      expect(calls).toBe(0);
      expect(said.join()).not.toContain("t0ken");
      elsewhere.close();
    },
  );

  test.for<[string, Answer]>([
    ["never responds", () => {}],
    ["begins a response and never ends it", (_, response) => void response.writeHead(200).write("{")],
  ])("times out if the endpoint %s", async ([, answer]) => {
    endpoint.answer = answer;
    await expect(open(50).answer(INPUT)).rejects.toThrow(
      "3007: the enrichment endpoint fails: no answer within 50 ms",
    );
  });

  test("ends without a log line when it is aborted", async () => {
    const model = open();
    const called = new Promise<void>((done) => {
      endpoint.answer = () => done();
    });
    const call = model.answer(INPUT);
    call.catch(() => {});
    await called;
    model.stop();
    await expect(call).rejects.toThrow("stopping");
    expect(said).toEqual([]);
  });
});

describe("the variables ENGRAM_ENRICHMENT…", () => {
  const ENV = { ENGRAM_ENRICHMENT_URL: "http://localhost:11434", ENGRAM_ENRICHMENT_MODEL: "llama3.2" };

  test("select the built-in model without a URL", () => {
    expect(readEnrichmentChoice({})).toBeUndefined();
    expect(readEnrichmentChoice({ ...ENV, ENGRAM_ENRICHMENT_URL: "" })).toBeUndefined();
  });

  test("select an endpoint, with or without a key", () => {
    const address = { url: "http://localhost:11434/v1/chat/completions", model: "llama3.2" };
    expect(readEnrichmentChoice(ENV)).toEqual({ ...address, apiKey: undefined });
    expect(readEnrichmentChoice({ ...ENV, ENGRAM_ENRICHMENT_API_KEY: " sk-1\n" })).toEqual({
      ...address,
      apiKey: "sk-1",
    });
  });

  test.for<[string, Record<string, string>, RegExp]>([
    ["no model", { ENGRAM_ENRICHMENT_MODEL: "" }, /needs ENGRAM_ENRICHMENT_MODEL/],
    ["no URL", { ENGRAM_ENRICHMENT_URL: "localhost" }, /^ENGRAM_ENRICHMENT_URL must be an http/],
    ["a password", { ENGRAM_ENRICHMENT_URL: "http://a:s3cret@a.example" }, /into ENGRAM_ENRICHMENT_API_KEY/],
    ["a key with spaces", { ENGRAM_ENRICHMENT_API_KEY: "s3cret key" }, /^ENGRAM_ENRICHMENT_API_KEY holds/],
  ])("reject %s, without printing a secret", ([, env, reason]) => {
    const read = () => readEnrichmentChoice({ ...ENV, ...env });
    expect(read).toThrow(StartError);
    expect(read).toThrow(reason);
    expect(read).not.toThrow(/s3cr/);
  });
});

describe("the variable ENGRAM_SUMMARIES", () => {
  const address = { url: "http://localhost:11434/v1/chat/completions", model: "llama3.2", apiKey: undefined };

  test("lets the endpoint write summaries of conversations, which it does not by default", () => {
    expect(readSummaryVars({}, address)).toEqual({});
    expect(readSummaryVars({ ENGRAM_SUMMARIES: "" }, undefined)).toEqual({});
    expect(readSummaryVars({ ENGRAM_SUMMARIES: "model" }, address)).toEqual({
      SUMMARY_MODEL: "endpoint/llama3.2",
    });
  });

  test("rejects other values, and model without an endpoint", () => {
    expect(() => readSummaryVars({ ENGRAM_SUMMARIES: "yes" }, address)).toThrow(/must be model/);
    expect(() => readSummaryVars({ ENGRAM_SUMMARIES: "model" }, undefined)).toThrow(
      /needs ENGRAM_ENRICHMENT_URL/,
    );
  });
});

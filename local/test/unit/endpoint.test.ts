import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readVectors } from "../../src/embeddings/endpoint/answers.ts";
import {
  EndpointClient,
  type EndpointPatience,
  readRetryAfter,
} from "../../src/embeddings/endpoint/calls.ts";
import { learnDimensions } from "../../src/embeddings/endpoint/dimensions.ts";
import { EndpointSource } from "../../src/embeddings/endpoint/source.ts";
import { EmbeddingMemory } from "../../src/embeddings/memory.ts";
import { Outage, RefusedText } from "../../src/embeddings/source.ts";
import { StartError } from "../../src/start/start-error.ts";
import {
  type Answer,
  answerJson,
  answerVectors,
  type EndpointServer,
  embed,
  openEndpoint,
} from "../support/endpoint-server.ts";

const DIMENSIONS = 16;
const KEY = "sk-secret-0123456789";

/** Reached only if a test hangs. */
const LIMIT_MS = 60_000;
/** A pause that exceeds the deadline. */
const WITHOUT_RETRIES = { pauseMs: 10 * LIMIT_MS };

let endpoint: EndpointServer;
const said: string[] = [];
/** The pauses before retries. None takes time. */
const pausesMs: number[] = [];

beforeEach(async () => {
  endpoint = await openEndpoint();
  said.length = 0;
  pausesMs.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await endpoint.close();
});

function open(patience: Partial<EndpointPatience> = {}): EndpointSource {
  const address = { url: `${endpoint.url}/v1/embeddings`, model: "tiny", apiKey: KEY };
  const client = new EndpointClient(
    address,
    { callTimeoutMs: LIMIT_MS, deadlineMs: LIMIT_MS, pauseMs: 100, ...patience },
    async (ms) => void pausesMs.push(ms),
  );
  return new EndpointSource(client, DIMENSIONS, (line) => said.push(line));
}

/** Stops the clock. The time limit of a call expires when the endpoint has received it and calls `expire`. */
function stopClock() {
  vi.useFakeTimers({ toFake: ["Date"] });
  let limit = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    limit = new AbortController();
    return limit.signal;
  });
  return { expire: () => limit.abort() };
}

/** Responds with these in turn, and then with the last one. */
function inTurn(...answers: Answer[]): Answer {
  let next = 0;
  return (received, response) => answers[Math.min(next++, answers.length - 1)]?.(received, response);
}

const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: unknown = { error: { message: "no" } },
  ): Answer =>
  (_, response) =>
    void response
      .writeHead(code, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));

const splitAtBoundaries: Answer = (_, response) => void response.socket?.destroy();
const raw =
  (text: string): Answer =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(text);

const vectorOf = (text: string) => Float32Array.from(embed(text));

describe("a call of the embedding endpoint", () => {
  test("posts model and texts with the key, and orders the vectors by their index", async () => {
    endpoint.answer = ({ input }, response) => {
      const data = input.map((text, index) => ({ index, embedding: embed(text) })).reverse();
      answerJson(response, 200, { data });
    };
    expect(await open().embed(["a dog", "a cat"])).toEqual([vectorOf("a dog"), vectorOf("a cat")]);
    expect(endpoint.received).toMatchObject([
      {
        path: "/v1/embeddings",
        model: "tiny",
        input: ["a dog", "a cat"],
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      },
    ]);
  });

  test("takes vectors without an index in the order of the response", async () => {
    endpoint.answer = ({ input }, response) =>
      answerJson(response, 200, { data: input.map((text) => ({ embedding: embed(text) })) });
    expect(await open().embed(["a dog", "a cat"])).toEqual([vectorOf("a dog"), vectorOf("a cat")]);
  });

  test.for<[string, Answer]>([
    ["500", status(500)],
    ["503", status(503)],
    ["429 without Retry-After", status(429)],
    ["429 with seconds", status(429, { "retry-after": "0" })],
    ["429 with a date", status(429, { "retry-after": new Date(0).toUTCString() })],
    ["a cut connection", splitAtBoundaries],
  ])("is retried after %s", async ([, failure]) => {
    endpoint.answer = inTurn(failure, failure, answerVectors());
    expect(await open().embed(["a dog"])).toEqual([vectorOf("a dog")]);
    expect(endpoint.received).toHaveLength(3);
    expect(said).toEqual([]);
  });

  test("is retried after a random delay, the second time after twice the delay", async () => {
    endpoint.answer = status(503);
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    await expect(open().embed(["a dog"])).rejects.toThrow(Outage);
    random.mockReturnValue(1);
    await expect(open().embed(["a dog"])).rejects.toThrow(Outage);
    expect(pausesMs).toEqual([50, 100, 150, 300]);
  });

  test.for([401, 403, 404])("is not retried after the status %i", async (code) => {
    endpoint.answer = status(code, {}, { error: "who are you?" });
    await expect(open().embed(["a dog"])).rejects.toThrow(new RegExp(`: status ${code}$`));
    expect(endpoint.received).toHaveLength(1);
  });

  test("waits as long as Retry-After says before a retry", async () => {
    endpoint.answer = inTurn(status(429, { "retry-after": "0.2" }), answerVectors());
    await open().embed(["a dog"]);
    expect(pausesMs).toEqual([200]);
  });

  test("fails at once if Retry-After exceeds the remaining time, and calls pause for that time", async () => {
    stopClock();
    endpoint.answer = status(429, { "retry-after": "61" });
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow("429");
    endpoint.answer = answerVectors();
    vi.setSystemTime(Date.now() + 60_999);
    await expect(source.embed(["a dog"])).rejects.toThrow("left alone");
    expect(endpoint.received).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1);
    expect(await source.embed(["a dog"])).toEqual([vectorOf("a dog")]);
  });

  test("is retried twice, and not at all while the endpoint is known to be down", async () => {
    endpoint.answer = status(503);
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow(Outage);
    expect(endpoint.received).toHaveLength(3);
    await expect(source.embed(["a dog"])).rejects.toThrow(Outage);
    expect(endpoint.received).toHaveLength(4);
  });

  test("times out if the endpoint never responds, and calls pause for a while", async () => {
    const clock = stopClock();
    endpoint.answer = () => clock.expire();
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow("no answer in time");
    endpoint.answer = answerVectors();
    vi.setSystemTime(Date.now() + 4_999);
    await expect(source.embed(["a dog"])).rejects.toThrow("left alone");
    expect(endpoint.received.map(({ input }) => input)).toEqual([["a dog"], ["hello"]]);
    vi.setSystemTime(Date.now() + 1);
    expect(await source.embed(["a dog"])).toEqual([vectorOf("a dog")]);
  });

  test("times out if the endpoint begins a response and never ends it", async () => {
    endpoint.answer = (_, response) => void response.writeHead(200).write('{"data":[');
    await expect(open({ callTimeoutMs: 50 }).embed(["a dog"])).rejects.toThrow("no answer in time");
  });

  test("fails with the port if nothing listens on it", async () => {
    await endpoint.close();
    const { port } = new URL(endpoint.url);
    await expect(open(WITHOUT_RETRIES).embed(["a dog"])).rejects.toThrow(`ECONNREFUSED 127.0.0.1:${port}`);
    endpoint = await openEndpoint();
  });

  test("ends without a log line when it is aborted", async () => {
    const source = open();
    const called = new Promise<void>((resolve) => {
      endpoint.answer = () => resolve();
    });
    const call = source.embed(["a dog"]);
    call.catch(() => {});
    await called;
    source.stop();
    await expect(call).rejects.toThrow("stopping");
    expect(said).toEqual([]);
  });
});

describe("a response of the embedding endpoint", () => {
  const one = (embedding: unknown) => raw(JSON.stringify({ data: [{ index: 0, embedding }] }));
  const numbers = embed("a dog");

  test.for<[string, string, Answer]>([
    ["is not JSON", "not JSON", raw("<html>")],
    ["contains NaN, as Python writes it", "not JSON", raw(`{"data":[{"index":0,"embedding":[NaN]}]}`)],
    ["has no data", "without a list", raw("{}")],
    ["is null", "without a list", raw("null")],
    ["has too few vectors", "0 vectors for 1 texts", raw('{"data":[]}')],
    ["has too many vectors", "2 vectors for 1 texts", raw('{"data":[{},{}]}')],
    ["has an index out of range", "`index`", raw('{"data":[{"index":1,"embedding":[1]}]}')],
    ["has null in place of a vector", "finite numbers", raw('{"data":[null]}')],
    ["has a vector of strings", "finite numbers", one(numbers.map(String))],
    ["has a vector in base64", "finite numbers", one("AACAPw==")],
    ["has a number that float32 cannot hold", "finite numbers", one([1e39, ...numbers.slice(1)])],
    ["has an empty vector", "finite numbers", one([])],
    ["is far too long", "more than 16000000 bytes", raw(" ".repeat(17_000_000))],
  ])("counts as an outage if it %s", async ([, reason, answer]) => {
    endpoint.answer = answer;
    await expect(open().embed(["a dog"])).rejects.toThrow(reason);
  });

  test("is invalid if an index is repeated, or if its vectors differ in length", () => {
    const answer = (...data: unknown[]) => JSON.stringify({ data });
    const first = { index: 0, embedding: [1, 2] };
    expect(readVectors(answer(first, first), 2)).toContain("`index`");
    expect(readVectors(answer(first, { index: 1, embedding: [1] }), 2)).toBe(
      "vectors of different dimensions",
    );
  });

  test("counts as an outage if its vectors do not have the index's dimensions, which is logged once", async () => {
    endpoint.answer = answerVectors(DIMENSIONS / 2);
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow("8 dimensions, where the index has 16");
    await expect(source.embed(["a cat"])).rejects.toThrow(Outage);
    expect(said).toEqual([expect.stringContaining("its model has changed")]);
    expect(endpoint.received).toHaveLength(2);
  });
});

describe("a text that the embedding endpoint rejects", () => {
  /** Fails every call that contains this text. */
  const without =
    (bad: string, failure: Answer): Answer =>
    (received, response) =>
      (received.input.includes(bad) ? failure : answerVectors())(received, response);

  test.for<[string, Answer]>([
    ["400", status(400, {}, { error: { message: "too long" } })],
    ["413", status(413)],
    ["422", status(422, {}, { detail: [{ msg: "too long" }] })],
    ["500 on every attempt", status(500)],
    ["a cut connection", splitAtBoundaries],
    ["an invalid response", raw('{"data":[{"embedding":[NaN]}]}')],
  ])("by %s, is refused alone, and the other texts of the call get their vectors", async ([, failure]) => {
    endpoint.answer = without("bad", failure);
    const texts = ["one", "two", "bad", "four", "five"];
    const embedded = await open(WITHOUT_RETRIES).embed(texts);
    expect(embedded).toEqual(
      texts.map((text) => (text === "bad" ? expect.any(RefusedText) : vectorOf(text))),
    );
    expect(said).toEqual([]);
  });

  test("is distinguished from an endpoint that rejects every text", async () => {
    endpoint.answer = status(400, {}, { error: { message: "unknown model" } });
    await expect(open().embed(["one", "two"])).rejects.toThrow(/: status 400$/);
    expect(endpoint.received.map(({ input }) => input)).toEqual([["one", "two"], ["hello"]]);
  });
});

describe("the number of texts in a call", () => {
  const texts = Array.from({ length: 32 }, (_, i) => `text ${i}`);

  test("is halved until the endpoint accepts it, and does not exceed that number again", async () => {
    endpoint.answer = (received, response) =>
      (received.input.length > 8 ? status(413) : answerVectors())(received, response);
    const source = open();
    expect(source.textsMax).toBe(32);
    expect(await source.embed(texts)).toEqual(texts.map(vectorOf));
    expect(source.textsMax).toBe(8);
    await source.embed(texts.slice(0, 8));
    expect(source.textsMax).toBe(8);
  });

  test("is reduced for a slow endpoint, and raised again when it is fast", async () => {
    const clock = stopClock();
    endpoint.answer = (received, response) =>
      received.input.length > 8 ? clock.expire() : answerVectors()(received, response);
    const source = open();
    expect(await source.embed(texts)).toEqual(texts.map(vectorOf));
    expect(source.textsMax).toBe(8);
    endpoint.answer = answerVectors();
    await source.embed(texts.slice(0, 8));
    expect(source.textsMax).toBe(16);
    endpoint.answer = (received, response) => {
      vi.setSystemTime(Date.now() + 2_000);
      answerVectors()(received, response);
    };
    await source.embed(texts.slice(0, 16));
    expect(source.textsMax).toBe(16);
    endpoint.answer = answerVectors();
    await source.embed(texts.slice(0, 16));
    expect(source.textsMax).toBe(32);
  });
});

describe("the key of the embedding endpoint", () => {
  let elsewhere: EndpointServer;
  beforeEach(async () => {
    elsewhere = await openEndpoint();
  });
  afterEach(() => elsewhere.close());

  test.for([301, 302, 303, 307, 308])("is not sent along a redirect (%i)", async (code) => {
    endpoint.answer = status(code, { location: `${elsewhere.url}/v1/embeddings?token=t0ken` });
    const call = open().embed(["a dog"]);
    await expect(call).rejects.toThrow(`status ${code}, a redirect, which is not followed`);
    expect(elsewhere.received).toEqual([]);
    expect(endpoint.received).toHaveLength(1);
    expect(said.join()).not.toContain("t0ken");
  });

  test.for([400, 401, 500])("is in no error message, even if the response repeats it (%i)", async (code) => {
    endpoint.answer = ({ headers, input }, response) =>
      answerJson(response, code, { error: { message: `bad: ${headers.authorization} ${input}` } });
    const failure = await open(WITHOUT_RETRIES)
      .embed(["a dog"])
      .catch((error: Error) => error.message);
    expect(failure).toBe(`the embeddings endpoint fails: status ${code}`);
    expect(said).toEqual([expect.stringContaining(`fails: status ${code}.`)]);
    // The log contains no texts either.
    expect(said.join()).not.toMatch(new RegExp(`${KEY}|dog|bad`));
  });
});

describe("a failing embedding endpoint", () => {
  test("is logged once when it fails, and once when it responds again", async () => {
    const source = open();
    endpoint.answer = status(401);
    for (const text of ["one", "two", "three"]) await source.embed([text]).catch(() => {});
    endpoint.answer = answerVectors();
    for (const text of ["one", "two"]) await source.embed([text]);
    expect(said).toEqual([
      "The embeddings endpoint fails: status 401. Until it answers, messages are found by their words only.",
      "The embeddings endpoint answers again.",
    ]);
  });
});

test("Retry-After is read as seconds or as a date, and otherwise ignored", () => {
  const nowMs = Date.UTC(2026, 10, 22, 12);
  expect(readRetryAfter("120", nowMs)).toBe(120_000);
  expect(readRetryAfter("Sun, 22 Nov 2026 12:00:30 GMT", nowMs)).toBe(30_000);
  expect(readRetryAfter("Sun, 22 Nov 2026 11:00:00 GMT", nowMs)).toBe(0);
  expect(readRetryAfter("soon", nowMs)).toBeUndefined();
  expect(readRetryAfter(null, nowMs)).toBeUndefined();
});

describe("the dimensions of an embedding endpoint", () => {
  let dataPath: string;
  beforeEach(() => {
    dataPath = mkdtempSync(join(tmpdir(), "engram-dimensions-"));
  });
  afterEach(() => rmSync(dataPath, { recursive: true }));

  const learn = (model = "tiny") => {
    const address = { url: `${endpoint.url}/v1/embeddings?token=t0ken`, model, apiKey: KEY };
    const client = new EndpointClient(address, { callTimeoutMs: LIMIT_MS });
    return learnDimensions(client, address, new EmbeddingMemory(dataPath), (line) => said.push(line));
  };

  test("are requested at each start, and stored for starts while it is down", async () => {
    expect(await learn()).toBe(16);
    endpoint.answer = answerVectors(8);
    expect(await learn()).toBe(8);
    expect(said).toEqual([]);
    endpoint.answer = status(500);
    expect(await learn()).toBe(8);
    expect(said).toEqual([
      expect.stringContaining(`${endpoint.url}/v1/embeddings (model "tiny") fails: status 500.`),
    ]);
  });

  test("are not taken from another model", async () => {
    await learn();
    endpoint.answer = status(404, {}, { error: { message: "no such model" } });
    const failure = await learn("other").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toContain(`${endpoint.url}/v1/embeddings (model "other") fails: status 404.`);
  });

  test("are requested again if the stored file is invalid", async () => {
    writeFileSync(join(dataPath, "embeddings.json"), "{");
    expect(await learn()).toBe(16);
    endpoint.answer = status(500);
    expect(await learn()).toBe(16);
  });

  test("are stored without the key and without secret parts of the URL", async () => {
    await learn();
    endpoint.answer = status(500);
    await learn();
    const kept = readFileSync(join(dataPath, "embeddings.json"), "utf8");
    expect(`${kept}${said.join()}`).not.toMatch(/t0ken|secret/);
  });
});

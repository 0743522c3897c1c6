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

/** Only a test that hangs reaches it. */
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

/** Answers one after the other, the last one for good. */
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

describe("a call", () => {
  test("posts model and texts with the key, and takes the vectors in order of their index", async () => {
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

  test("takes vectors without an index in the order in which they come", async () => {
    endpoint.answer = ({ input }, response) =>
      answerJson(response, 200, { data: input.map((text) => ({ embedding: embed(text) })) });
    expect(await open().embed(["a dog", "a cat"])).toEqual([vectorOf("a dog"), vectorOf("a cat")]);
  });

  test.for<[string, Answer]>([
    ["500", status(500)],
    ["503", status(503)],
    ["429 with no time named", status(429)],
    ["429 with seconds", status(429, { "retry-after": "0" })],
    ["429 with a date", status(429, { "retry-after": new Date(0).toUTCString() })],
    ["a cut connection", splitAtBoundaries],
  ])("is repeated after %s", async ([, failure]) => {
    endpoint.answer = inTurn(failure, failure, answerVectors());
    expect(await open().embed(["a dog"])).toEqual([vectorOf("a dog")]);
    expect(endpoint.received).toHaveLength(3);
    expect(said).toEqual([]);
  });

  test("is repeated after a random pause, the second time twice as long", async () => {
    endpoint.answer = status(503);
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    await expect(open().embed(["a dog"])).rejects.toThrow(Outage);
    random.mockReturnValue(1);
    await expect(open().embed(["a dog"])).rejects.toThrow(Outage);
    expect(pausesMs).toEqual([50, 100, 150, 300]);
  });

  test.for([401, 403, 404])("is not repeated after %i", async (code) => {
    endpoint.answer = status(code, {}, { error: "who are you?" });
    await expect(open().embed(["a dog"])).rejects.toThrow(new RegExp(`: status ${code}$`));
    expect(endpoint.received).toHaveLength(1);
  });

  test("waits as long as Retry-After says", async () => {
    endpoint.answer = inTurn(status(429, { "retry-after": "0.2" }), answerVectors());
    await open().embed(["a dog"]);
    expect(pausesMs).toEqual([200]);
  });

  test("fails at once when Retry-After says more than there is time for, and leaves the endpoint alone so long", async () => {
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

  test("is repeated twice, and no more once the endpoint is known to fail", async () => {
    endpoint.answer = status(503);
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow(Outage);
    expect(endpoint.received).toHaveLength(3);
    await expect(source.embed(["a dog"])).rejects.toThrow(Outage);
    expect(endpoint.received).toHaveLength(4);
  });

  test("gives up an endpoint that never answers, and leaves it alone for a while", async () => {
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

  test("gives up an endpoint that begins an answer and never ends it", async () => {
    endpoint.answer = (_, response) => void response.writeHead(200).write('{"data":[');
    await expect(open({ callTimeoutMs: 50 }).embed(["a dog"])).rejects.toThrow("no answer in time");
  });

  test("says that nothing listens, and on which port", async () => {
    await endpoint.close();
    const { port } = new URL(endpoint.url);
    await expect(open(WITHOUT_RETRIES).embed(["a dog"])).rejects.toThrow(`ECONNREFUSED 127.0.0.1:${port}`);
    endpoint = await openEndpoint();
  });

  test("ends when it is aborted, without a log line", async () => {
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

describe("an answer", () => {
  const one = (embedding: unknown) => raw(JSON.stringify({ data: [{ index: 0, embedding }] }));
  const numbers = embed("a dog");

  test.for<[string, string, Answer]>([
    ["is not JSON", "not JSON", raw("<html>")],
    ["holds NaN, as Python writes it", "not JSON", raw(`{"data":[{"index":0,"embedding":[NaN]}]}`)],
    ["has no data", "without a list", raw("{}")],
    ["is null", "without a list", raw("null")],
    ["has a vector too few", "0 vectors for 1 texts", raw('{"data":[]}')],
    ["has a vector too many", "2 vectors for 1 texts", raw('{"data":[{},{}]}')],
    ["has an index that is out of place", "`index`", raw('{"data":[{"index":1,"embedding":[1]}]}')],
    ["has a hole in the place of a vector", "finite numbers", raw('{"data":[null]}')],
    ["has a vector of strings", "finite numbers", one(numbers.map(String))],
    ["has a vector in base64", "finite numbers", one("AACAPw==")],
    ["has a number that float32 cannot hold", "finite numbers", one([1e39, ...numbers.slice(1)])],
    ["has a vector of nothing", "finite numbers", one([])],
    ["is far too long", "more than 16000000 bytes", raw(" ".repeat(17_000_000))],
  ])("is an outage when it %s", async ([, reason, answer]) => {
    endpoint.answer = answer;
    await expect(open().embed(["a dog"])).rejects.toThrow(reason);
  });

  test("is none when an index comes twice, or its vectors differ in size", () => {
    const answer = (...data: unknown[]) => JSON.stringify({ data });
    const first = { index: 0, embedding: [1, 2] };
    expect(readVectors(answer(first, first), 2)).toContain("`index`");
    expect(readVectors(answer(first, { index: 1, embedding: [1] }), 2)).toBe(
      "vectors of different dimensions",
    );
  });

  test("is an outage when its vectors have other dimensions than the index, said once", async () => {
    endpoint.answer = answerVectors(DIMENSIONS / 2);
    const source = open();
    await expect(source.embed(["a dog"])).rejects.toThrow("8 dimensions, where the index has 16");
    await expect(source.embed(["a cat"])).rejects.toThrow(Outage);
    expect(said).toEqual([expect.stringContaining("its model has changed")]);
    expect(endpoint.received).toHaveLength(2);
  });
});

describe("a text that the endpoint does not take", () => {
  /** Fails every call that has it in it. */
  const without =
    (bad: string, failure: Answer): Answer =>
    (received, response) =>
      (received.input.includes(bad) ? failure : answerVectors())(received, response);

  test.for<[string, Answer]>([
    ["400", status(400, {}, { error: { message: "too long" } })],
    ["413", status(413)],
    ["422", status(422, {}, { detail: [{ msg: "too long" }] })],
    ["500, as often as it is asked", status(500)],
    ["a cut connection", splitAtBoundaries],
    ["an answer that is no answer", raw('{"data":[{"embedding":[NaN]}]}')],
  ])("by %s, is refused alone, and the others of its call get their vectors", async ([, failure]) => {
    endpoint.answer = without("bad", failure);
    const texts = ["one", "two", "bad", "four", "five"];
    const embedded = await open(WITHOUT_RETRIES).embed(texts);
    expect(embedded).toEqual(
      texts.map((text) => (text === "bad" ? expect.any(RefusedText) : vectorOf(text))),
    );
    expect(said).toEqual([]);
  });

  test("is distinguished from an endpoint that accepts none", async () => {
    endpoint.answer = status(400, {}, { error: { message: "unknown model" } });
    await expect(open().embed(["one", "two"])).rejects.toThrow(/: status 400$/);
    expect(endpoint.received.map(({ input }) => input)).toEqual([["one", "two"], ["hello"]]);
  });
});

describe("the texts of a call", () => {
  const texts = Array.from({ length: 32 }, (_, i) => `text ${i}`);

  test("are halved until the endpoint takes them, and never again more than it took", async () => {
    endpoint.answer = (received, response) =>
      (received.input.length > 8 ? status(413) : answerVectors())(received, response);
    const source = open();
    expect(source.textsMax).toBe(32);
    expect(await source.embed(texts)).toEqual(texts.map(vectorOf));
    expect(source.textsMax).toBe(8);
    await source.embed(texts.slice(0, 8));
    expect(source.textsMax).toBe(8);
  });

  test("are fewer for an endpoint that is slow, and more again when it is fast", async () => {
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

describe("the key", () => {
  let elsewhere: EndpointServer;
  beforeEach(async () => {
    elsewhere = await openEndpoint();
  });
  afterEach(() => elsewhere.close());

  test.for([301, 302, 303, 307, 308])("does not follow a redirect (%i)", async (code) => {
    endpoint.answer = status(code, { location: `${elsewhere.url}/v1/embeddings?token=t0ken` });
    const call = open().embed(["a dog"]);
    await expect(call).rejects.toThrow(`status ${code}, a redirect, which is not followed`);
    expect(elsewhere.received).toEqual([]);
    expect(endpoint.received).toHaveLength(1);
    expect(said.join()).not.toContain("t0ken");
  });

  test.for([400, 401, 500])("is in no failure of an endpoint that repeats it (%i)", async (code) => {
    endpoint.answer = ({ headers, input }, response) =>
      answerJson(response, code, { error: { message: `bad: ${headers.authorization} ${input}` } });
    const failure = await open(WITHOUT_RETRIES)
      .embed(["a dog"])
      .catch((error: Error) => error.message);
    expect(failure).toBe(`the embeddings endpoint fails: status ${code}`);
    expect(said).toEqual([expect.stringContaining(`fails: status ${code}.`)]);
    // Nor are the texts.
    expect(said.join()).not.toMatch(new RegExp(`${KEY}|dog|bad`));
  });
});

describe("an endpoint that fails", () => {
  test("is spoken of once, and once when it answers again", async () => {
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

test("Retry-After is read in both of its forms, and passed over when it is neither", () => {
  const nowMs = Date.UTC(2026, 10, 22, 12);
  expect(readRetryAfter("120", nowMs)).toBe(120_000);
  expect(readRetryAfter("Sun, 22 Nov 2026 12:00:30 GMT", nowMs)).toBe(30_000);
  expect(readRetryAfter("Sun, 22 Nov 2026 11:00:00 GMT", nowMs)).toBe(0);
  expect(readRetryAfter("soon", nowMs)).toBeUndefined();
  expect(readRetryAfter(null, nowMs)).toBeUndefined();
});

describe("the dimensions of an endpoint", () => {
  let dataPath: string;
  beforeEach(() => {
    dataPath = mkdtempSync(join(tmpdir(), "engram-dimensions-"));
  });
  afterEach(() => rmSync(dataPath, { recursive: true }));

  const learn = (model = "tiny") => {
    const address = { url: `${endpoint.url}/v1/embeddings?token=t0ken`, model, apiKey: KEY };
    const client = new EndpointClient(address, { callTimeoutMs: LIMIT_MS });
    return learnDimensions(client, address, dataPath, (line) => said.push(line));
  };

  test("are asked for at each start, and remembered for when it is down", async () => {
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

  test("are not guessed from another model's", async () => {
    await learn();
    endpoint.answer = status(404, {}, { error: { message: "no such model" } });
    const failure = await learn("other").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toContain(`${endpoint.url}/v1/embeddings (model "other") fails: status 404.`);
  });

  test("are asked for again when what was remembered is broken", async () => {
    writeFileSync(join(dataPath, "embeddings.json"), "{");
    expect(await learn()).toBe(16);
    endpoint.answer = status(500);
    expect(await learn()).toBe(16);
  });

  test("are kept without the key and what may be secret in the address", async () => {
    await learn();
    endpoint.answer = status(500);
    await learn();
    const kept = readFileSync(join(dataPath, "embeddings.json"), "utf8");
    expect(`${kept}${said.join()}`).not.toMatch(/t0ken|secret/);
  });
});

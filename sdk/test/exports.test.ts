import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ApiError, ConnectionError, type Engram } from "../src/index.ts";
import { clientOf, take } from "./support/client.ts";
import * as clock from "./support/clock.ts";
import { type Behaviour, html, problem, rejection, reset, serve, silence } from "./support/fault-server.ts";

const conversation = (id: string) => ({ type: "conversation", id });
const message = (conversation_id: string, sequence: number) => ({
  type: "message",
  conversation_id,
  sequence,
  content: `“${sequence}” of ${conversation_id} 👩‍👩‍👧`,
});
const memory = (id: string) => ({ type: "memory", id, content: "noted" });
const WHOLE = [
  conversation("a"),
  message("a", 1),
  message("a", 3),
  conversation("b"),
  conversation("c"),
  message("c", 1),
  memory("m"),
  memory("n"),
];
const end = (complete: boolean) => ({ type: "end", complete, conversations: 0, messages: 0 });

const NDJSON = { "content-type": "application/x-ndjson" };
const toNdjson = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** A response of lines, then `after`; without it the response ends normally. */
const lines =
  (values: object[], after?: Behaviour): Behaviour =>
  (response) => {
    response.writeHead(200, NDJSON);
    const text = toNdjson(values);
    if (after === undefined) response.end(text);
    else response.write(text, () => after(response));
  };
/** A response of lines, without a network. */
const whole = (values: object[]) => () => new Response(toNdjson(values), { headers: NDJSON });
/** A response of lines that stays open without further data, without a network. */
const stalled = (values: object[]) => clock.stall(toNdjson(values), NDJSON);
/** Ends normally, but in the middle of a line. */
const cutLine: Behaviour = (response) => void response.end('{"type":"mess');

const collect = (client: Engram, options = {}) => take(client.export({}, options));

test("the export of one user as of a moment names both in every request", async () => {
  const queries: object[] = [];
  const answers = [
    [conversation("a"), message("a", 1), end(false)],
    [memory("m"), { type: "memory_version", memory_id: "m", version: 3 }, end(false)],
    [end(true)],
  ];
  const client = clientOf(async (request) => {
    queries.push(Object.fromEntries(new URL(request.url).searchParams));
    return whole(answers.shift() ?? [])();
  });
  const wanted = { user_id: "maria", as_of: "conv_1:2" };
  const exported = await take(client.export({ ...wanted, after: "b", after_sequence: 7 }));
  expect(exported.map(({ type }) => type)).toEqual(["conversation", "message", "memory", "memory_version"]);
  expect(queries).toEqual([
    { ...wanted, after: "b", after_sequence: "7" },
    { ...wanted, after: "a", after_sequence: "1" },
    { ...wanted, after: "m", after_version: "3" },
  ]);
});

/** The request that continues after each line of `WHOLE`. */
const PLACES = [
  "?after=a",
  "?after=a&after_sequence=1",
  "?after=a&after_sequence=3",
  "?after=b",
  "?after=c",
  "?after=c&after_sequence=1",
  "?after=m",
  "?after=n",
];

describe("an export read by the SDK", () => {
  test("yields the lines of a response except the end line, and sends nothing before it is read", async () => {
    const { attempts, client } = await serve(lines([...WHOLE, end(true)]));
    const reading = client().export();
    expect(attempts).toHaveLength(0);
    expect(await take(reading)).toEqual(WHOLE);
    expect(attempts.map(({ url }) => url)).toEqual(["/v1/export"]);
  });

  test("continues after an incomplete response, until one is complete", async () => {
    const { attempts, client } = await serve(
      lines([...WHOLE.slice(0, 2), end(false)]),
      lines([...WHOLE.slice(2, 4), end(false)]),
      lines([...WHOLE.slice(4), end(true)]),
    );
    expect(await collect(client(), { maxRetries: 0 })).toEqual(WHOLE);
    expect(attempts.map(({ url }) => url)).toEqual([
      "/v1/export",
      `/v1/export${PLACES[1]}`,
      `/v1/export${PLACES[3]}`,
    ]);
  });

  test.for<[string, Behaviour]>([
    ["is reset", reset],
    ["ends too early", (response) => void response.end()],
    ["ends in the middle of a line", cutLine],
  ])("continues after any line at which the connection %s", async ([, fault]) => {
    for (const [i, place] of PLACES.entries()) {
      const { attempts, client } = await serve(
        lines(WHOLE.slice(0, i + 1), fault),
        lines([...WHOLE.slice(i + 1), end(true)]),
      );
      expect(await collect(client())).toEqual(WHOLE);
      expect(attempts.map(({ url }) => url)).toEqual(["/v1/export", `/v1/export${place}`]);
    }
  });

  test("continues after any line at which the service becomes silent", async () => {
    for (const [i, place] of PLACES.entries()) {
      const { attempts, client } = clock.stopClock(
        stalled(WHOLE.slice(0, i + 1)),
        whole([...WHOLE.slice(i + 1), end(true)]),
      );
      expect(await clock.passTime(collect(client({ timeoutMs: 300 })))).toEqual(WHOLE);
      expect(attempts.map(({ url, atMs }) => [url, atMs])).toEqual([
        ["/v1/export", 0],
        [`/v1/export${place}`, 300],
      ]);
    }
  });

  test("counts only attempts without a new line as retries", async () => {
    const steps = WHOLE.map((line) => lines([line], reset));
    const { client } = await serve(...(steps as [Behaviour]), lines([end(true)]));
    expect(await collect(client(), { maxRetries: 1 })).toEqual(WHOLE);
  });

  test.for<[string, Behaviour, number, object]>([
    ["breaks the connection", reset, 3, { code: "no_answer" }],
    ["returns 503", problem(503, "unavailable"), 3, { code: "unavailable", requestId: "req_1" }],
    ["rejects the request", problem(403, "forbidden"), 2, { code: "forbidden", status: 403 }],
    ["is not Engram", html(200), 2, { code: "unexpected_response", status: 200 }],
  ])("gives up if the service %s", async ([, fault, asked, expected]) => {
    const { attempts, client } = await serve(lines(WHOLE.slice(0, 1), reset), fault);
    const error = await rejection(collect(client()));
    expect(error instanceof ApiError || error instanceof ConnectionError).toBe(true);
    expect(error).toMatchObject(expected);
    expect(attempts).toHaveLength(asked);
  });

  test("gives up if the service is silent", async () => {
    const { attempts, client } = clock.stopClock(stalled(WHOLE.slice(0, 1)), clock.silence);
    const error = await clock.passTime(rejection(collect(client({ timeoutMs: 200 }))));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "timeout" });
    expect(attempts).toHaveLength(3);
  });

  test("starts at the given position", async () => {
    const { attempts, client } = await serve(lines([end(true)]));
    const place = { after: "a", after_sequence: 3 };
    for await (const line of client().export(place)) throw new Error(`read ${line.type}`);
    expect(attempts.map(({ url }) => url)).toEqual([`/v1/export${PLACES[2]}`]);
  });

  test("closes the connection when the reader stops, and sends no more requests", async () => {
    let isClosed = false;
    const { attempts, client } = await serve(
      lines(WHOLE, (response) => void response.on("close", () => (isClosed = true))),
    );
    for await (const line of client().export()) if (line.type === "message") break;
    await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 60_000 });
    expect(attempts).toHaveLength(1);
  });

  test("ends with the signal's reason, also while it waits", async () => {
    const { client } = await serve(lines(WHOLE.slice(0, 2), silence));
    const stopping = new AbortController();
    const reason = new Error("enough");
    const reading = client().export({}, { signal: stopping.signal });
    expect([(await reading.next()).value, (await reading.next()).value]).toEqual(WHOLE.slice(0, 2));
    const ended = rejection(reading.next());
    stopping.abort(reason);
    expect(await ended).toBe(reason);
  });

  test("reads a line of millions of bytes, and characters that are split between network chunks", async () => {
    const large = { ...message("a", 1), content: "👩‍👩‍👧漢".repeat(200_000) };
    const { client } = await serve(lines([conversation("a"), large, end(true)]));
    const [, told] = await collect(client());
    expect(told).toEqual(large);
  });

  test("is read from the network no faster than the caller reads it", async () => {
    const line = new TextEncoder().encode(`${JSON.stringify(conversation("a"))}\n`);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(sent <= 1_000 ? line : new TextEncoder().encode(toNdjson([end(true)])));
        if (sent > 1_000) controller.close();
      },
    });
    const client = clientOf(() => new Response(body, { headers: NDJSON }));
    let count = 0;
    let ahead = 0;
    for await (const _ of client.export()) {
      count += 1;
      // Any read-ahead happens now.
      await turn();
      ahead = Math.max(ahead, sent - count);
    }
    expect(count).toBe(1_000);
    expect(ahead).toBeLessThanOrEqual(1);
  });
});

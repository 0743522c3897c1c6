import { describe, expect, test, vi } from "vitest";
import { createRandom } from "../../proof/support/random.ts";
import { ApiError } from "../src/index.ts";
import { clientOf, takeSequences } from "./support/client.ts";

const encoder = new TextEncoder();
const EVENT_STREAM = { "content-type": "text/event-stream" };
const heartbeat = (after: number) => `: heartbeat\nid: ${after}\nretry: 500\n\n`;
const block = (event: object & { sequence: number }) =>
  `id: ${event.sequence}\nevent: memory.created\ndata: ${JSON.stringify(event)}\n\n`;
const streamOf = (text: string) => new Response(text, { headers: EVENT_STREAM });
const afterOf = ({ url }: Request) => new URL(url).searchParams.get("after");

const range = (length: number) => Array.from({ length }, (_, i) => i + 1);

/** The body, in pieces of random sizes, up to a random byte; it then ends or breaks. */
function cutBody(bytes: Uint8Array, random: ReturnType<typeof createRandom>): ReadableStream<Uint8Array> {
  const end = Math.floor(random.next() * (bytes.length + 1));
  const isBroken = random.next() < 0.5;
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const next = Math.min(end, at + 1 + Math.floor(random.next() * 200));
        if (next > at) controller.enqueue(bytes.slice(at, next));
        at = next;
        if (at < end) return;
        if (isBroken) controller.error(new TypeError("terminated"));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

describe("listen over a stream", () => {
  test("yields each event once, in order, however often and wherever the stream is cut", async () => {
    const random = createRandom("cuts");
    const log = range(400).map((sequence) => ({ sequence, agent_id: `Zoë 🦭 ${"x".repeat(sequence % 90)}` }));
    let cuts = 0;
    const client = clientOf((request) => {
      cuts++;
      const after = Number(afterOf(request));
      const text =
        log
          .slice(after, after + 4)
          .map(block)
          .join("") + heartbeat(Math.min(log.length, after + 4));
      return new Response(cutBody(encoder.encode(text), random), { headers: EVENT_STREAM });
    });
    expect(await takeSequences(client.events.listen({ after: 0 }), log.length)).toEqual(range(log.length));
    expect(cuts).toBeGreaterThan(200);
  });

  test("continues after the position of a block without data", async () => {
    const asked: (string | null)[] = [];
    const bodies = [
      heartbeat(7),
      heartbeat(90),
      block({ sequence: 93 }) + heartbeat(95),
      block({ sequence: 96 }),
    ];
    const client = clientOf((request) => {
      asked.push(afterOf(request));
      return streamOf(bodies[asked.length - 1] ?? "");
    });
    expect(await takeSequences(client.events.listen(), 2)).toEqual([93, 96]);
    expect(asked).toEqual(["now", "7", "90", "95"]);
  });

  test("closes the connection when the caller leaves the loop", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(encoder.encode(block({ sequence: 1 }))),
      cancel,
    });
    const client = clientOf(() => new Response(body, { headers: EVENT_STREAM }));
    await takeSequences(client.events.listen({ after: 0 }), 1);
    expect(cancel).toHaveBeenCalledOnce();
  });

  test("throws the problem that ends a stream, unless it is temporary", async () => {
    const failure = (status: number, code: string) =>
      `event: error\ndata: ${JSON.stringify({ status, code, detail: code })}\n\n`;
    const bodies = [failure(503, "unavailable"), block({ sequence: 1 }) + failure(401, "unauthenticated")];
    const client = clientOf(() => streamOf(bodies.shift() ?? ""));
    const events = client.events.listen({ after: 0 });
    expect((await events.next()).value).toMatchObject({ sequence: 1 });
    const error = await events.next().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("waits for a random time up to 0.5 s, 1 s, 2 s, … 30 s after connections without an event", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    vi.useFakeTimers();
    const times: number[] = [];
    const client = clientOf(() => {
      times.push(Date.now());
      if (times.length === 9) return streamOf(block({ sequence: 1 }));
      throw new TypeError("refused");
    });
    const first = takeSequences(client.events.listen({ after: 0 }), 1);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await first).toEqual([1]);
    const waits = times.slice(1).map((time, i) => (time - (times[i] ?? 0)) / 1_000);
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30]);
  });
});

describe("listen without a stream", () => {
  const page = { items: [{ sequence: 8 }], after: 8, oldest: 1, caught_up: true };
  const listing = () => Response.json(page);
  const isStream = ({ url }: Request) => url.includes("/stream");

  test.for([
    ["404", () => Response.json({ code: "not_found" }, { status: 404 })],
    ["406", () => new Response("", { status: 406 })],
    [
      "another content type",
      () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } }),
    ],
    ["no readable body", () => new Response(null, { headers: EVENT_STREAM })],
  ] as const)("requests pages after %s", async ([, refuse]) => {
    const asked: string[] = [];
    const client = clientOf((request) => {
      asked.push(`${new URL(request.url).pathname} ${afterOf(request)}`);
      return isStream(request) ? refuse() : listing();
    });
    expect(await takeSequences(client.events.listen({ after: 7 }), 1)).toEqual([8]);
    expect(asked).toEqual(["/v1/events/stream 7", "/v1/events 7"]);
  });

  test("requests pages if responses arrive only when complete", async () => {
    vi.useFakeTimers();
    const client = clientOf((request) => (isStream(request) ? new Promise<never>(() => {}) : listing()));
    const first = takeSequences(client.events.listen({ after: 7 }), 1);
    await vi.advanceTimersByTimeAsync(41_000);
    expect(await first).toEqual([8]);
  });
});

import { beforeEach, describe, expect, inject, test, vi } from "vitest";
import { createRandom } from "../../proof/support/random.ts";
import { ApiError, Engram, type EngramOptions } from "../src/index.ts";
import { takeSequences } from "./support/client.ts";
import { type Connection, startProxy } from "./support/proxy.ts";

const engram = (baseUrl: string, options: Partial<EngramOptions> = {}) =>
  new Engram({ apiKey: inject("key"), baseUrl, ...options });
const direct = () => engram(inject("url"));

/** A conversation with this number of events. */
async function seed(count: number): Promise<string> {
  const { id } = await direct().conversations.create({ title: "0" });
  for (let i = 1; i < count; i++) await direct().conversations.update(id, { title: `${i}` });
  return id;
}

const logOf = async (id: string) => {
  const { items } = await direct().events.list({ after: 0, conversation_id: id, limit: 500 });
  return items.map(({ sequence }) => sequence);
};

const ofKind = (connections: Connection[]) => ({
  sockets: connections.filter(({ isSocket }) => isSocket).length,
  streams: connections.filter(({ path }) => path === "/v1/events/stream").length,
  pages: connections.filter(({ path }) => path === "/v1/events").length,
});

/** Waits until the service has answered a frame: its first bytes are those of the handshake. */
const subscribed = (connections: Connection[]) =>
  expect.poll(() => connections.some(({ isSocket, answers }) => isSocket && answers() > 1)).toBe(true);

/** Breaks every connection, and waits until the reader reads events again. */
async function breakAll(connections: Connection[]) {
  const before = connections.length;
  for (const connection of connections) connection.kill();
  const isReading = ({ path, isOpen, answers }: Connection) =>
    path.startsWith("/v1/events") && isOpen() && answers() > 0;
  await expect.poll(() => connections.slice(before).some(isReading)).toBe(true);
}

const { setImmediate: realSetImmediate } = globalThis;
/** A turn of the event loop, also while timers are fake. */
const turn = () => new Promise<void>((resolve) => void realSetImmediate(resolve));

/** Resolves as the promise does, whose timers are fake. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  promise.then(end, end);
  while (!isSettled) {
    await vi.advanceTimersByTimeAsync(0);
    await turn();
  }
  return promise;
}

/** Without keep-alive, so that each connection shows its request. */
const closing = { headers: { connection: "close" } };

describe("listen over a WebSocket", () => {
  test("yields the log of a running service once and in order, whatever bytes the connection is cut at", async () => {
    const random = createRandom("sockets");
    const id = await seed(1);
    const { url, connections } = await startProxy(inject("url"), {
      bytesUntilCut: ({ isSocket, path }) => {
        // The frames of a socket are compressed.
        if (isSocket) return random.next() * 1_000;
        return path === "/v1/events/stream" ? random.next() * 3_000 : Number.POSITIVE_INFINITY;
      },
    });
    const listening = takeSequences(
      engram(url, closing).events.listen({ after: 0, conversation_id: id }),
      80,
    );
    for (let i = 1; i < 80; i++) await direct().conversations.update(id, { title: `${i}` });
    expect(await listening).toEqual(await logOf(id));
    expect(ofKind(connections).sockets).toBeGreaterThan(3);
  });

  test("yields each event once while sockets and streams break, are refused and are accepted again", async () => {
    const random = createRandom("transports");
    const id = await seed(1);
    let refusesSockets = false;
    const { url, connections } = await startProxy(inject("url"), {
      refuses: ({ isSocket }) => isSocket && refusesSockets,
    });
    const listening = takeSequences(
      engram(url, closing).events.listen({ after: 0, conversation_id: id }),
      120,
    );
    for (let i = 1; i < 120; i++) {
      await direct().conversations.update(id, { title: `${i}` });
      if (random.next() > 0.3 || i === 119) continue;
      refusesSockets = random.next() < 0.5;
      await breakAll(connections);
    }
    expect(await listening).toEqual(await logOf(id));
    const { sockets, streams } = ofKind(connections);
    expect(sockets).toBeGreaterThan(1);
    expect(streams).toBeGreaterThan(1);
  });

  test("starts at the end of the log without a position, and yields every later event", async () => {
    const id = await seed(1);
    const { url, connections } = await startProxy(inject("url"));
    const events = engram(url).events.listen({ conversation_id: id });
    let first: number | undefined;
    const listening = events.next().then(({ value }) => {
      first = value?.sequence;
    });
    // The first one depends on when the service reads the position.
    await expect
      .poll(
        async () => {
          await direct().conversations.update(id, { title: "early" });
          return first;
        },
        { interval: 50 },
      )
      .toBeDefined();
    await listening;
    for (let i = 0; i < 3; i++) {
      await direct().conversations.update(id, { title: `${i}` });
      for (const connection of connections) connection.kill();
    }
    const log = await logOf(id);
    const start = log.indexOf(first ?? 0);
    expect(start).toBeGreaterThan(0);
    expect(await takeSequences(events, log.length - start - 1)).toEqual(log.slice(start + 1));
  });

  test("yields a log of many frames, and acknowledges them", async () => {
    const memories = Array.from({ length: 1_000 }, (_, i) => ({ content: `Note ${i}`, agent_id: "frames" }));
    await direct().memories.createMany({ memories });
    const taken = await takeSequences(direct().events.listen({ after: 0, agent_id: "frames" }), 1_000);
    expect(new Set(taken).size).toBe(1_000);
    expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  });

  test("yields events of keys to a key that may list them", async () => {
    const { after } = await direct().events.list({ after: "now" });
    const { id } = await direct().keys.create({ name: "heard", scopes: ["read"] });
    for await (const event of direct().events.listen({ after, type: ["key.created"] })) {
      if (event.key_id === id) break;
    }
  });

  test("throws `unauthenticated` when its key is revoked", async () => {
    const { id, secret } = await direct().keys.create({ name: "revoked", scopes: ["read"] });
    const { url, connections } = await startProxy(inject("url"));
    const events = engram(url, { apiKey: secret }).events.listen({ after: 0, type: ["memory.deleted"] });
    const waiting = events.next().catch((error: unknown) => error);
    await subscribed(connections);
    await direct().keys.revoke(id);
    await direct().conversations.create();
    const error = await waiting;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(ofKind(connections)).toEqual({ sockets: 1, streams: 0, pages: 0 });
  });

  test("throws `cursor_expired` for a position past the end of the log", async () => {
    const { url, connections } = await startProxy(inject("url"));
    const error = await takeSequences(engram(url).events.listen({ after: 1e9 }), 1).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 410, code: "cursor_expired" });
    expect(ofKind(connections)).toEqual({ sockets: 1, streams: 0, pages: 0 });
  });

  test.for(["query", "options"] as const)(
    "ends with the reason of the signal in its %s, and closes the socket",
    async (place) => {
      const { url, connections } = await startProxy(inject("url"));
      const controller = new AbortController();
      const { signal } = controller;
      const events =
        place === "query"
          ? engram(url).events.listen({ signal, conversation_id: "conv_none" })
          : engram(url).events.listen({ conversation_id: "conv_none" }, { signal });
      const waiting = takeSequences(events, 1);
      await subscribed(connections);
      controller.abort(new Error("enough"));
      await expect(waiting).rejects.toThrow("enough");
      await expect.poll(() => connections.some(({ isSocket, isOpen }) => isSocket && isOpen())).toBe(false);
    },
  );

  test("closes the socket when the caller leaves the loop", async () => {
    const id = await seed(1);
    const { url, connections } = await startProxy(inject("url"));
    await takeSequences(engram(url).events.listen({ after: 0, conversation_id: id }), 1);
    await expect.poll(() => connections.some(({ isSocket, isOpen }) => isSocket && isOpen())).toBe(false);
  });
});

describe("follow over a WebSocket", () => {
  test("yields each message once and in order while others append and connections break", async () => {
    const random = createRandom("follow");
    const { id } = await direct().conversations.create();
    let count = 0;
    const append = () =>
      direct().messages.append(id, { messages: [{ role: "user", content: `${++count}` }] });
    for (let i = 0; i < 3; i++) await append();
    let refusesSockets = false;
    const { url, connections } = await startProxy(inject("url"), {
      refuses: ({ isSocket }) => isSocket && refusesSockets,
    });
    const followed: number[] = [];
    const following = (async () => {
      for await (const { sequence, content } of engram(url, closing).conversations.follow(id)) {
        expect(content).toBe(`${sequence}`);
        followed.push(sequence);
      }
    })();
    for (let i = 0; i < 60; i++) {
      await append();
      if (random.next() > 0.3) continue;
      refusesSockets = random.next() < 0.5;
      await breakAll(connections);
    }
    await expect.poll(() => followed.length).toBe(count);
    await direct().conversations.delete(id);
    await following;
    expect(followed).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    expect(ofKind(connections).sockets).toBeGreaterThan(1);
  });
});

describe("listen without a working WebSocket", () => {
  test("yields the log over a stream when the socket is refused", async () => {
    const id = await seed(5);
    const { url, connections } = await startProxy(inject("url"), { refuses: ({ isSocket }) => isSocket });
    expect(
      await takeSequences(engram(url, closing).events.listen({ after: 0, conversation_id: id }), 5),
    ).toEqual(await logOf(id));
    expect(ofKind(connections)).toEqual({ sockets: 1, streams: 1, pages: 0 });
  });

  test("yields the log over requests when sockets and streams are refused", async () => {
    const id = await seed(5);
    const { url, connections } = await startProxy(inject("url"), { refuses: ({ isSocket }) => isSocket });
    const noStream = (request: Request) =>
      request.url.includes("/stream") ? new Response("", { status: 406 }) : fetch(request);
    const client = engram(url, { ...closing, fetch: noStream, webSocket: WebSocket });
    expect(await takeSequences(client.events.listen({ after: 0, conversation_id: id }), 5)).toEqual(
      await logOf(id),
    );
    expect(ofKind(connections)).toEqual({ sockets: 1, streams: 0, pages: 1 });
  });

  test.for([
    ["without a global WebSocket", {}],
    ["with the option null", { webSocket: null }],
    ["with a custom fetch", { fetch: (request: Request) => fetch(request) }],
    [
      "with middleware",
      { middleware: [(request: Request, next: (request: Request) => Promise<Response>) => next(request)] },
    ],
  ] as const)("opens no WebSocket %s", async ([name, options]) => {
    if (name.includes("global")) vi.stubGlobal("WebSocket", undefined);
    const id = await seed(2);
    const { url, connections } = await startProxy(inject("url"));
    const client = engram(url, { ...closing, ...(options as Partial<EngramOptions>) });
    expect(await takeSequences(client.events.listen({ after: 0, conversation_id: id }), 2)).toEqual(
      await logOf(id),
    );
    expect(ofKind(connections)).toEqual({ sockets: 0, streams: 1, pages: 0 });
  });
});

/** A WebSocket whose server is the test. */
class FakeSocket {
  static made: FakeSocket[] = [];
  static afterMaking: (socket: FakeSocket) => void = () => {};
  readonly sent: (string | { type: string; [name: string]: unknown })[] = [];
  readonly url: string;
  readonly protocols: string[];
  isClosed = false;
  onopen: () => void = () => {};
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  constructor(url: string, protocols: string[]) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.made.push(this);
    setTimeout(() => FakeSocket.afterMaking(this));
  }
  send(data: string) {
    this.sent.push(data.startsWith("{") ? JSON.parse(data) : data);
  }
  close() {
    this.isClosed = true;
  }
  frame(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
  events(from: number, to: number, ...sequences: number[]) {
    const events = sequences.map((sequence) => ({ sequence, type: "memory.created" }));
    this.frame({ type: "events", id: "a", from, to, events, caught_up: true });
  }
}

describe("a socket of listen", () => {
  beforeEach(() => {
    FakeSocket.made = [];
  });
  const fake = (afterMaking: (socket: FakeSocket, made: number) => void) => {
    FakeSocket.afterMaking = (socket) => {
      socket.onopen();
      afterMaking(socket, FakeSocket.made.length);
    };
    const requests: string[] = [];
    const client = new Engram({
      apiKey: "engram_sk_live_test",
      baseUrl: "https://engram.test/memory",
      webSocket: FakeSocket as unknown as typeof WebSocket,
      fetch: (request) => {
        requests.push(new URL(request.url).pathname);
        return Response.json({ ticket: `engram_tk_${requests.length}`, expires_at: "" }, { status: 201 });
      },
    });
    return { client, requests };
  };

  test("is opened with a new ticket, and subscribes after the last position", async () => {
    const { client } = fake((socket, made) => {
      if (made === 1) {
        socket.frame({ type: "presence", joined: [] });
        socket.events(7, 7);
        socket.events(7, 9, 8);
      } else socket.events(9, 12, 12);
      socket.onclose?.({ code: 1006, reason: "" });
    });
    expect(
      await takeSequences(client.events.listen({ type: ["memory.created"], agent_id: "a1" }), 2),
    ).toEqual([8, 12]);
    const filter = { agent_id: "a1", types: ["memory.created"] };
    expect(FakeSocket.made.map(({ url, protocols, sent }) => ({ url, protocols, first: sent[0] }))).toEqual([
      {
        url: "wss://engram.test/memory/v1/events/socket",
        protocols: ["engram.v1", "engram.ticket.engram_tk_1"],
        first: { type: "subscribe", id: "a", after: "now", filter },
      },
      {
        url: "wss://engram.test/memory/v1/events/socket",
        protocols: ["engram.v1", "engram.ticket.engram_tk_2"],
        first: { type: "subscribe", id: "a", after: 9, filter },
      },
    ]);
  });

  test("is replaced after a missing frame, and repeated events are dropped", async () => {
    const { client } = fake((socket, made) => {
      if (made === 1) {
        socket.events(0, 2, 1, 2);
        socket.events(0, 3, 1, 2, 3);
        socket.events(5, 6, 6);
      } else socket.events(3, 6, 4, 5, 6);
    });
    expect(await takeSequences(client.events.listen({ after: 0 }), 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(FakeSocket.made).toHaveLength(2);
    expect(FakeSocket.made.every(({ isClosed }) => isClosed)).toBe(true);
  });

  test("is pinged when it is silent, and replaced if no response comes", async () => {
    vi.useFakeTimers();
    const { client } = fake((socket, made) => {
      if (made === 1) {
        socket.events(0, 1, 1);
        // biome-ignore lint/plugin: the timers are fake.
        setTimeout(() => socket.onmessage?.({ data: "pong" }), 26_000);
      } else socket.events(1, 2, 2);
    });
    const taking = takeSequences(client.events.listen({ after: 0 }), 2);
    while (FakeSocket.made.length === 0) await turn();
    await vi.advanceTimersByTimeAsync(75_000);
    expect(FakeSocket.made).toHaveLength(1);
    expect(FakeSocket.made[0]?.sent.filter((frame) => frame === "ping")).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await settle(taking)).toEqual([1, 2]);
    expect(FakeSocket.made[0]?.isClosed).toBe(true);
  });

  test("acknowledges what its caller has processed, at most 50 times a second", async () => {
    vi.useFakeTimers();
    const { client } = fake((socket) => {
      for (let to = 1; to <= 4; to++) socket.events(to - 1, to, to);
    });
    const events = client.events.listen({ after: 0 });
    for (let i = 0; i < 4; i++) await settle(events.next());
    const acknowledged = () =>
      FakeSocket.made[0]?.sent.filter((frame) => typeof frame === "object" && frame.type === "ack");
    expect(acknowledged()).toEqual([]);
    await vi.advanceTimersByTimeAsync(20);
    expect(acknowledged()).toEqual([{ type: "ack", id: "a", to: 3 }]);
    await settle(events.return());
  });

  test("that is closed with 4010 ends the loop with the problem of the revoked key", async () => {
    const { client, requests } = fake((socket) => {
      socket.events(0, 1, 1);
      socket.onclose?.({ code: 4010, reason: "the key was revoked or has expired" });
    });
    const events = client.events.listen({ after: 0 });
    expect((await events.next()).value).toMatchObject({ sequence: 1 });
    await expect(events.next()).rejects.toMatchObject({
      name: "ApiError",
      status: 401,
      code: "unauthenticated",
      message: "the key was revoked or has expired",
    });
    expect(requests).toEqual(["/memory/v1/tickets"]);
  });
});

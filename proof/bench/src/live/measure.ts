import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import type { Event } from "@engram/spec";
import { quantile } from "../../../support/statistics.ts";
import { median } from "../speed/statistics.ts";
import { type OpenReader, openPoll, openSocket, openStream } from "./readers.ts";

/** Readers that connect at the same time. */
const CONNECTING = 50;
/** An event that has not reached every reader by then is a failure. */
const ARRIVAL_TIMEOUT_MS = 30_000;
const WARM_UPS = 3;
/** Pause between two appends, so that each event comes after a quiet time. */
const PAUSE_MS = 300;
/** Pause for each reader that sends a request for every event. A key may send 1,000 requests in ten seconds. */
const REQUEST_PAUSE_MS = 15;

interface Transport {
  title: string;
  open: OpenReader;
  /** Whether a reader then reads the text of the message by its event. */
  readsText?: true;
  /** Whether a reader sends requests for every event. */
  requests?: true;
  /** Most readers that are measured. */
  readersMax: number;
}

export const TRANSPORTS: readonly Transport[] = [
  { title: "WebSocket", open: openSocket, readersMax: 1_000 },
  { title: "SSE", open: openStream, readersMax: 1_000 },
  { title: "long poll", open: openPoll, requests: true, readersMax: 100 },
  {
    title: "WebSocket, then the text by a GET",
    open: openSocket,
    readsText: true,
    requests: true,
    readersMax: 100,
  },
];

export interface Figures {
  title: string;
  readers: number;
  appends: number;
  /** From the response to the append until the event is at a reader. Negative if the event was first. */
  afterAnswer: { p50: number; p99: number };
  /** From the response to the append until the event is at the last reader. */
  lastAfterAnswer: { p50: number; p99: number };
  /** From the request of the append until the event is at a reader. */
  afterRequest: { p50: number; p99: number };
  /** Median time of an append to the organization that is listened to, and to one that is not. */
  listenedMs: number;
  loneMs: number;
}

interface Input {
  service: { url: string; adminToken: string };
  transport: Transport;
  readers: number;
  appends: number;
  signal: AbortSignal;
}

/** Append messages one by one, each to an organization without readers and then to one with these readers. */
export async function measureTransport(input: Input): Promise<Figures> {
  const { service, transport, readers } = input;
  const [listened, lone] = [
    await createTarget(service, transport.title),
    await createTarget(service, "lone"),
  ];
  const ending = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let arrivals: number[] = [];
  let arrived = Promise.withResolvers<void>();
  const take = async (event: Event) => {
    if (event.type !== "messages.appended") return;
    if (transport.readsText) await listened.readText(event);
    arrivals.push(performance.now());
    if (arrivals.length === readers) arrived.resolve();
  };
  const reader = {
    take: (event: Event) => void take(event).catch(failed.reject),
    fail: failed.reject,
    signal: ending.signal,
  };
  const times = {
    answer: [] as number[],
    last: [] as number[],
    request: [] as number[],
    listened: [] as number[],
    lone: [] as number[],
  };
  try {
    for (let opened = 0; opened < readers; opened += CONNECTING) {
      const count = Math.min(CONNECTING, readers - opened);
      await Promise.all(Array.from({ length: count }, () => transport.open(listened.access, reader)));
    }
    const pauseMs = transport.requests ? Math.max(PAUSE_MS, readers * REQUEST_PAUSE_MS) : PAUSE_MS;
    for (let i = -WARM_UPS; i < input.appends; i++) {
      input.signal.throwIfAborted();
      await sleep(pauseMs);
      const loneStartedMs = performance.now();
      await lone.append();
      const loneMs = performance.now() - loneStartedMs;
      await sleep(pauseMs);
      arrivals = [];
      arrived = Promise.withResolvers();
      const startedMs = performance.now();
      await listened.append();
      const answeredMs = performance.now();
      await Promise.race([arrived.promise, failed.promise, timeout(arrived.promise)]);
      if (i < 0) continue;
      times.lone.push(loneMs);
      times.listened.push(answeredMs - startedMs);
      times.answer.push(...arrivals.map((ms) => ms - answeredMs));
      times.last.push(Math.max(...arrivals) - answeredMs);
      times.request.push(...arrivals.map((ms) => ms - startedMs));
    }
  } finally {
    ending.abort();
  }
  const both = (ms: readonly number[]) => ({ p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) });
  return {
    title: transport.title,
    readers,
    appends: input.appends,
    afterAnswer: both(times.answer),
    lastAfterAnswer: both(times.last),
    afterRequest: both(times.request),
    listenedMs: median(times.listened),
    loneMs: median(times.lone),
  };
}

/** @throws {Error} unless this resolves in time. */
async function timeout(arrived: Promise<void>): Promise<void> {
  const timer = AbortSignal.timeout(ARRIVAL_TIMEOUT_MS);
  const late = new Promise<never>((_, reject) => {
    timer.addEventListener("abort", () => reject(new Error("An event did not reach every reader in 30 s")));
  });
  await Promise.race([arrived, late]);
}

/** A conversation in a new organization. */
async function createTarget({ url, adminToken }: Input["service"], name: string) {
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const { key } = await operator.organizations.create({ name });
  const client = new Engram({ baseUrl: url, apiKey: key.secret });
  const { id } = await client.conversations.create({});
  return {
    access: { url, key: key.secret },
    append: () =>
      client.messages.append(id, { messages: [{ role: "user", content: "The ferry leaves at nine." }] }),
    async readText({ first_sequence }: Event): Promise<void> {
      const query = { from_sequence: first_sequence ?? 1, limit: 1 };
      for await (const { content } of client.messages.list(id, query)) {
        if (content === null) throw new Error("A message has no text");
        return;
      }
      throw new Error("An event came before its message");
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { residentBytes } from "../../support/memory.ts";
import { quantile } from "../../support/statistics.ts";
import { type TrialService, withService } from "./support/service.ts";
import { Party, type Served } from "./support/slow-readers/party.ts";
import { openUnread, openUnreadStream, readText } from "./support/sockets.ts";
import { Findings, type Trial } from "./support/trial.ts";

const MEGABYTE = 1_000_000;
/** Readers that never acknowledge, that read no byte of their socket, and that read no byte of their stream. */
const SLOW_EACH = 50;
const RECONNECTING = 1_000;
const RECONNECTS = { short: 2, long: 10 };
/** Not sooner after each other, because an organization may send 3,000 requests in ten seconds, and a key 1,000. */
const RECONNECT_INTERVAL_MS = 4_000;
const RECONNECTING_KEYS = 5;
/** Sockets that connect at once, of those that are due: a TCP listener takes no more connections at a time. */
const CONNECTING_AT_ONCE = 200;
const SECONDS = { short: 4, long: 60 };
const SETTLE_MS = 1_000;
/** Frames that a subscription gets without an acknowledgement. */
const FRAMES_MAX = 4;
/** Slow readers may cost others this much, relative to the time without them, and on top. */
const SLOW_FACTOR_MAX = 2;
const SLOW_MORE_MS_MAX = 50;
/** The longest wait of others while all sockets connect, unless the machine is slow: see `noisy-neighbour`. */
const WORST_MS_MAX = 1_000;
const QUIET_P99_MS = 50;
/** Between the first and the last time that all sockets connect, and while readers are slow. */
const MEMORY_GROWTH_MAX = 100 * MEGABYTE;

export const slowReaders: Trial = {
  name: "slow-readers",
  promise:
    "Readers that read nothing or acknowledge nothing, and a thousand that reconnect at once, delay no other reader or writer, and memory stays bounded.",
  counts: { of: "rounds at most, until one passes", long: 5, short: 3 },
  measures: true,
  run: ({ count, short, place, progress }) =>
    withService({ place }, async (service) => {
      const findings = new Findings();
      const parties = await openParties(service);
      try {
        progress("slow-readers: warming up");
        await serve(parties, sleep(SETTLE_MS * 2));
        for (let number = 1; ; number++) {
          const broken = await runRound({ findings, number, service, parties, short, progress });
          if (broken.length > 0 && number < count) continue;
          for (const breach of broken) findings.expect(false, () => breach);
          findings.expect(broken.length === 0, () => `None of ${number} rounds passed.`);
          break;
        }
        for (const party of parties) await compareWithLog(findings, party);
        return findings;
      } finally {
        for (const party of parties) await party.close();
      }
    }),
};

/** The slow readers belong to the first. */
async function openParties({ url, key, adminToken }: TrialService): Promise<[Party, Party]> {
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const other = await operator.organizations.create({ name: "other" });
  return [
    await Party.open("the same organization", url, key),
    await Party.open("another organization", url, other.key.secret),
  ];
}

interface Round {
  findings: Findings;
  number: number;
  service: TrialService;
  parties: [Party, Party];
  short: boolean;
  progress(text: string): void;
}

/** Resolves to the bounds that the round did not keep. Only work on the machine can break them by chance. */
async function runRound({ findings, number, service, parties, short, progress }: Round): Promise<string[]> {
  const seconds = short ? SECONDS.short : SECONDS.long;
  const say = (text: string) => progress(`slow-readers: round ${number}, ${text}`);
  const broken: string[] = [];
  const record = (phase: string, served: Map<Party, Served[]>) => {
    for (const [{ name }, all] of served)
      findings.figure(`round ${number}, ${phase}, ${name}`, describe(all));
  };
  const recordGrowth = (phase: string, bytes: number) => {
    findings.figure(`round ${number}, ${phase}, memory`, `${(bytes / MEGABYTE).toFixed(0)} MB more`);
    // NaN where processes cannot be looked at.
    if (bytes > MEMORY_GROWTH_MAX)
      broken.push(`${phase}: memory rose by ${(bytes / MEGABYTE).toFixed(0)} MB.`);
  };

  say("no slow readers");
  const quiet = await serve(parties, sleep(seconds * 1_000));
  record("no slow readers", quiet);

  say("slow readers");
  const slow = await openSlow(service);
  await serve(parties, sleep(SETTLE_MS));
  const restBytes = residentBytes(service.pid);
  const slowed = await serve(parties, sleep(seconds * 1_000));
  record("slow readers", slowed);
  recordGrowth("slow readers", residentBytes(service.pid) - restBytes);
  slow.check(findings);
  slow.close();
  for (const [party, all] of slowed) {
    for (const figure of ["responseMs", "eventMs"] as const) {
      const [usual, now] = [p99(quiet.get(party) ?? [], figure), p99(all, figure)];
      if (now > SLOW_FACTOR_MAX * usual + SLOW_MORE_MS_MAX)
        broken.push(`slow readers: ${party.name} waited ${now.toFixed(0)} ms, else ${usual.toFixed(0)} ms.`);
    }
  }

  say(`${RECONNECTING} sockets reconnect`);
  const keys = await createKeys(service);
  let firstBytes = Number.NaN;
  const reconnected = await serve(
    parties,
    (async () => {
      for (let time = 1; time <= (short ? RECONNECTS.short : RECONNECTS.long); time++) {
        const [{ opened, refusal }] = await Promise.all([
          connectAll(service.url, keys),
          sleep(RECONNECT_INTERVAL_MS),
        ]);
        findings.expect(
          opened === RECONNECTING,
          () => `Of ${RECONNECTING} sockets that connect at once, ${opened} got a frame: ${refusal}`,
        );
        if (time === 1) firstBytes = residentBytes(service.pid);
      }
    })(),
  );
  record("sockets reconnect", reconnected);
  recordGrowth("sockets reconnect", residentBytes(service.pid) - firstBytes);
  for (const [party, all] of reconnected) {
    const worst = Math.max(...all.map(({ responseMs }) => responseMs));
    const most = WORST_MS_MAX * Math.max(1, p99(quiet.get(party) ?? [], "responseMs") / QUIET_P99_MS);
    if (worst > most)
      broken.push(`sockets reconnect: a writer of ${party.name} waited ${worst.toFixed(0)} ms.`);
  }
  return broken;
}

/** All append until the work is done. */
async function serve(parties: Party[], work: Promise<unknown>): Promise<Map<Party, Served[]>> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  const [served] = await Promise.all([Promise.all(parties.map((party) => party.serve(() => isOver))), done]);
  return new Map(parties.map((party, i) => [party, served[i] ?? []]));
}

async function openSlow({ url, key }: TrialService) {
  const frames: number[] = [];
  const sockets = await Promise.all(
    Array.from({ length: 2 * SLOW_EACH }, async (_, i) => {
      // The whole log, for those that read nothing.
      if (i % 2 === 0) return openUnread(url, key, { id: "a", filter: {} });
      const socket = await openUnread(url, key, { id: "a", after: "now", filter: {} });
      const at = frames.push(0) - 1;
      // A chunk may have more than one frame, but events come too slowly for all of them to be in a few chunks.
      socket.on("data", () => {
        frames[at] = (frames[at] ?? 0) + 1;
      });
      return socket;
    }),
  );
  const streams = await Promise.all(Array.from({ length: SLOW_EACH }, () => openUnreadStream(url, key)));
  return {
    check(findings: Findings): void {
      const most = Math.max(...frames);
      findings.expect(
        most > 0 && most <= FRAMES_MAX,
        () => `A socket that does not acknowledge got ${most} frames.`,
      );
    },
    close(): void {
      for (const connection of [...sockets, ...streams]) connection.destroy();
    },
  };
}

const createKeys = ({ client }: TrialService): Promise<string[]> =>
  Promise.all(
    Array.from(
      { length: RECONNECTING_KEYS },
      async () => (await client.keys.create({ name: "reconnecting", scopes: ["read"] })).secret,
    ),
  );

/** Connects all sockets, waits for a frame on each, and cuts them. */
async function connectAll(
  url: string,
  keys: readonly string[],
): Promise<{ opened: number; refusal: string | null }> {
  const sockets: Awaited<ReturnType<typeof openUnread>>[] = [];
  let opened = 0;
  let refusal: string | null = null;
  let due = RECONNECTING;
  const connect = async () => {
    while (due-- > 0) {
      const key = keys[due % keys.length] ?? "";
      try {
        const socket = await openUnread(url, key, { id: "a", after: "now", filter: {} });
        sockets.push(socket);
        await readText(socket);
        opened += 1;
      } catch (error) {
        refusal = String(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connect));
  for (const socket of sockets) socket.destroy();
  return { opened, refusal };
}

/** The party's own reader got every event of the log, once and in order. */
async function compareWithLog(
  findings: Findings,
  { name, client, startedAt, sequences }: Party,
): Promise<void> {
  const log: number[] = [];
  for (let [after, isOver] = [startedAt, false]; !isOver; ) {
    const page = await client.events.list({ after, limit: 500 });
    log.push(...page.items.map(({ sequence }) => sequence));
    [after, isOver] = [page.after, page.caught_up];
  }
  // Further events of indexing may have come since, or be on their way.
  const both = Math.min(log.length, sequences.length);
  findings.expect(
    both > 0 && log.slice(0, both).every((sequence, i) => sequence === sequences[i]),
    () => `The events that the reader of ${name} got differ from the log.`,
  );
}

const p99 = (all: readonly Served[], figure: keyof Served): number =>
  quantile(
    all.map((served) => served[figure]),
    0.99,
  );

function describe(all: readonly Served[]): string {
  const toText = (figure: keyof Served) =>
    [0.5, 0.99, 1]
      .map((share) =>
        quantile(
          all.map((served) => served[figure]),
          share,
        ).toFixed(0),
      )
      .join(", ");
  return `${all.length} appends; p50, p99 and worst in ms: response ${toText("responseMs")}, event ${toText("eventMs")}`;
}

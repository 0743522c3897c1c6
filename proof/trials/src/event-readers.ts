import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConnectionError, Engram } from "@engram/sdk";
import { createRandom } from "../../support/random.ts";
import { following, listening, polling, Reader } from "./support/event-readers/reader.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { until } from "./support/until.ts";

const WRITERS = 3;
const WRITE_PAUSE_MS = 20;
/** Time from one kill to the next: during the first requests after it, or when all readers wait for events. */
const KILL_FROM_MS = 20;
const KILL_TO_MS = 1_500;
/** The SDK waits for up to 30 seconds after several failures in a row. */
const CAUGHT_UP_MS = 120_000;
const PAGE_EVENTS = 500;

export const eventReaders: Trial = {
  name: "event-readers",
  promise:
    "Whatever is killed, the service, the hub of the sockets, a reader or its connection, each reader gets every event or message once and in order.",
  counts: { of: "kills", long: 400, short: 12 },
  run: ({ count, seed, place, progress }) =>
    withDirectory(async (directory) => {
      const findings = new Findings();
      const random = createRandom(`${seed} kills`);
      const dataDirectory = join(directory, "data");
      const killed = { service: 0, hub: 0, connection: 0, reader: 0 };
      let service = await startTrialService(dataDirectory, { killableHub: true, place });
      const { url, adminToken } = service;
      const operator = new Engram({ baseUrl: url, apiKey: adminToken });
      const {
        organization,
        key: { secret: key },
      } = await operator.organizations.create({ name: "read" });
      const clientOf = ({ url }: TrialService) => new Engram({ baseUrl: url, apiKey: key });
      const { id: conversationId } = await clientOf(service).conversations.create({});
      const readers = [
        await Reader.start("WebSocket", { url, key, open: listening }),
        await Reader.start("stream", { url, key, WebSocket: null, open: listening }),
        await Reader.start("long poll", { url, key, open: polling }),
        await Reader.start("follow", { url, key, open: following(conversationId) }),
      ];
      let isOver = false;
      const writing = Promise.all(
        Array.from({ length: WRITERS }, () =>
          write(
            () => clientOf(service),
            conversationId,
            () => isOver,
          ),
        ),
      );
      writing.catch(() => {});
      try {
        for (let kill = 1; kill <= count; kill++) {
          progress(`event-readers: ${kill} of ${count} kills`);
          await Promise.race([sleep(random.between(KILL_FROM_MS, KILL_TO_MS)), writing, failure(readers)]);
          // Every second kill is one of the service.
          const victim = kill % 2 === 0 ? "service" : random.pick(["hub", "connection", "reader"] as const);
          killed[victim] += 1;
          if (victim === "service") {
            await service.kill();
            service = await startTrialService(dataDirectory, { killableHub: true, place });
            for (const { relay } of readers) relay.target = Number(new URL(service.url).port);
          } else if (victim === "hub") await service.killHub(organization.id);
          else if (victim === "connection") random.pick(readers).cut();
          else random.pick(readers).kill();
        }
        isOver = true;
        const appended = (await writing).reduce((sum, one) => sum + one, 0);
        await compare(findings, { client: clientOf(service), readers, conversationId });
        findings.figure("appends that were answered", appended);
        for (const [victim, times] of Object.entries(killed)) findings.figure(`kills of ${victim}`, times);
        return findings;
      } finally {
        isOver = true;
        await Promise.all(readers.map((reader) => reader.stop()));
        await service.stop();
      }
    }),
};

/** Appends messages one after the other until `isOver`. Resolves to the number that was answered. */
async function write(client: () => Engram, conversationId: string, isOver: () => boolean): Promise<number> {
  let answered = 0;
  while (!isOver()) {
    await sleep(WRITE_PAUSE_MS);
    const body = { messages: [{ role: "user" as const, content: "A short message." }] };
    const appended = await client()
      .messages.append(conversationId, body, { maxRetries: 0 })
      .catch((error: unknown) => {
        // Killed with the service, or not there yet.
        if (!(error instanceof ConnectionError)) throw error;
        return null;
      });
    if (appended !== null) answered += 1;
  }
  return answered;
}

/** Never resolves. @throws {Error} if a reader fails. */
async function failure(readers: Reader[]): Promise<never> {
  await Promise.race(readers.map(({ ended }) => ended));
  throw new Error("A reader ended");
}

/** Each reader gets the rest, and then has what the service lists. */
async function compare(
  findings: Findings,
  { client, readers, conversationId }: { client: Engram; readers: Reader[]; conversationId: string },
): Promise<void> {
  const log: number[] = [];
  for (let [after, isEnd] = [0, false]; !isEnd; ) {
    const page = await client.events.list({ after, limit: PAGE_EVENTS });
    log.push(...page.items.map(({ sequence }) => sequence));
    [after, isEnd] = [page.after, page.caught_up];
  }
  const messages: number[] = [];
  for await (const { sequence } of client.messages.list(conversationId, { limit: 1_000 }))
    messages.push(sequence);
  findings.figure("events in the log", log.length);
  findings.figure("messages in the conversation", messages.length);
  for (const reader of readers) {
    const all = reader.name === "follow" ? messages : log;
    const last = all.at(-1) ?? 0;
    const caughtUp = until(async () => reader.after >= last, CAUGHT_UP_MS);
    const tookMs = await Promise.race([caughtUp, failure(readers)]);
    findings.expect(Number.isFinite(tookMs), () => `${reader.name}: only at ${reader.after} of ${last}.`);
    // Further events of indexing may have come since.
    const read = reader.sequences.filter((sequence) => sequence <= last);
    const wrong = all.findIndex((sequence, i) => sequence !== read[i]);
    findings.expect(
      wrong === -1 && read.length === all.length,
      () =>
        `${reader.name}: after ${all[wrong - 1]} came ${read[wrong]} instead of ${all[wrong]}; ${read.length} of ${all.length}.`,
    );
  }
}

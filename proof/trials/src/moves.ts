import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { checkConversation, checkMemories } from "./support/checks.ts";
import { findDatabases } from "./support/files.ts";
import type { Ledger } from "./support/ledger.ts";
import { type Load, startLoad } from "./support/load.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";
import { until } from "./support/until.ts";

const SETTINGS = { cronIntervalMs: 5_000, place: "d1" as const };
const APPEND = 500;
const CONVERSATION = 2_000;
const MOVED_TIMEOUT_MS = 900_000;
/** In a move with a kill. */
const KILL_AFTER_MS = 20_000;
const EVENTS = 500;
/** Pause of each writer and reader before a request. Without one, the requests take all of the one thread. */
const PAUSE_MS = 1_000;

export const moves: Trial = {
  name: "moves",
  promise:
    "An organization moves from the shared database to a cell and back while clients write and read. Each acknowledged write is there once and unaltered, deleted items stay deleted, events have no gap, no read fails, and no write is refused for good. A SIGKILL in the middle does not end a move.",
  counts: { of: "messages", long: 100_000, short: 4_000 },
  run: (input) =>
    withDirectory(async (directory) => {
      const findings = new Findings();
      const dataDirectory = join(directory, "data");
      let service = await startTrialService(dataDirectory, SETTINGS);
      try {
        const ledgers = await fill(service, input);
        const loads: Load[] = [];
        const { id } = await service.client.organizations.get("current");
        for (const place of ["cell", "d1"] as const) {
          const isKilled = place === "d1";
          input.progress(`moves: to ${place}`);
          const before = await eventsOf(service);
          const traffic = startTraffic(service, `to ${place}`, ledgers[0]?.id ?? "");
          const startMs = performance.now();
          const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
          const move = await operator.organizations.move(id, { place });
          if (isKilled) {
            await sleep(KILL_AFTER_MS);
            traffic.stop();
            await service.kill();
            await traffic.ended;
            service = await startTrialService(dataDirectory, SETTINGS);
          }
          await awaitMove(service, move.id, findings);
          findings.figure(
            `seconds of the move to ${place}`,
            Math.round((performance.now() - startMs) / 1_000),
          );
          traffic.stop();
          await traffic.ended;
          loads.push(traffic.load);
          if (!isKilled) judge(traffic, findings);
          const organization = await service.client.organizations.get("current");
          findings.expect(
            organization.place === place,
            () => `It is in ${organization.place}, not ${place}.`,
          );
          await checkAll(service, { ledgers, loads }, findings);
          const after = await eventsOf(service);
          const kept = JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
          findings.expect(kept, () => "Events have changed in the move.");
          findings.expect(
            after.every(({ sequence }, i) => sequence === i + 1),
            () => "Events have a gap.",
          );
        }
        return findings;
      } finally {
        await service.stop();
      }
    }),
};

async function fill({ client }: TrialService, { count, progress }: TrialInput): Promise<Ledger[]> {
  const ledgers: Ledger[] = [];
  for (let done = 0; done < count; ) {
    const { id } = await client.conversations.create();
    const ledger: Ledger = { id, appends: [], deletions: new Map() };
    ledgers.push(ledger);
    for (let inThis = 0; inThis < CONVERSATION && done < count; inThis += APPEND) {
      const contents = Array.from(
        { length: Math.min(APPEND, count - done) },
        (_, i) => `Zephyr ${done + i}, of conversation ${ledgers.length}, was written before the move.`,
      );
      const messages = contents.map((content) => ({ role: "user" as const, content }));
      const answer = await client.messages.append(id, { messages });
      ledger.appends.push({
        contents,
        answer: { ids: answer.message_ids, firstSequence: answer.first_sequence ?? 0 },
      });
      done += contents.length;
      progress(`moves: ${done} of ${count} messages`);
    }
  }
  return ledgers;
}

interface Traffic {
  load: Load;
  /** Time of the longest request that wrote and that read, in milliseconds, and answers 503. */
  longestMs: { write: number; read: number };
  refused: number;
  failed: string[];
  stop(): void;
  ended: Promise<unknown>;
}

/** Writers and readers until they are stopped. The SDK sends a write again that is answered 503. */
function startTraffic(service: TrialService, name: string, conversationId: string): Traffic {
  let isOver = false;
  const traffic = { longestMs: { write: 0, read: 0 }, refused: 0, failed: [] as string[] };
  const measured = async (request: Request): Promise<Response> => {
    await sleep(PAUSE_MS);
    if (isOver) throw new Error("the traffic is over");
    const startMs = performance.now();
    const response = await fetch(request);
    const kind = request.method === "GET" ? "read" : "write";
    traffic.longestMs[kind] = Math.max(traffic.longestMs[kind], performance.now() - startMs);
    if (response.status === 503) traffic.refused += 1;
    return response;
  };
  const client = new Engram({ baseUrl: service.url, apiKey: service.key, fetch: measured });
  const load = startLoad(client, name, () => isOver);
  const read = async () => {
    while (!isOver) {
      try {
        await client.conversations.get(conversationId, { message_limit: 1 });
        await client.search({ query: "zephyr", mode: "keyword" });
      } catch (error) {
        if (!isOver) traffic.failed.push(String(error));
      }
    }
  };
  return Object.assign(traffic, {
    load,
    stop: () => {
      isOver = true;
    },
    ended: Promise.all([load.ended, read()]),
  });
}

async function awaitMove(service: TrialService, id: string, findings: Findings): Promise<void> {
  const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
  let refusedMs: number | null = null;
  const tookMs = await until(async () => {
    const found = await operator.operations.get(id);
    if (found.type === "move_organization" && found.moved_at !== null)
      refusedMs ??= Date.parse(found.moved_at) - frozenAtMs(service, id);
    return found.completed_at !== null;
  }, MOVED_TIMEOUT_MS);
  const operation = await operator.operations.get(id);
  findings.expect(
    Number.isFinite(tookMs) && operation.status === "succeeded",
    () => `The move ends as ${JSON.stringify(operation)}`,
  );
  findings.figure("ms in which writes were refused at its end", refusedMs ?? "unknown");
}

/**
 * When the move last refused writes: in D1 for one to a cell, and for one to D1 in the cell, which is erased a minute
 * after.
 */
function frozenAtMs({ dataDirectory }: TrialService, id: string): number {
  const times = findDatabases(dataDirectory, "moves").map((file) => {
    using db = new DatabaseSync(file, { readOnly: true });
    return Number(db.prepare("SELECT max(frozen_at_ms) AS at FROM moves WHERE id = ?").get(id)?.at);
  });
  return Math.max(0, ...times);
}

function judge({ longestMs, refused, failed, load }: Traffic, findings: Findings): void {
  findings.figure("messages written during the move", load.acknowledged.messages);
  findings.figure("longest write, ms", Math.round(longestMs.write));
  findings.figure("longest read, ms", Math.round(longestMs.read));
  findings.figure("answers 503, sent again", refused);
  findings.expect(failed.length === 0, () => `Reads failed: ${failed.slice(0, 3).join("; ")}`);
  findings.expect(load.acknowledged.messages > 0, () => "Nothing was written during the move.");
}

async function checkAll(
  { client }: TrialService,
  { ledgers, loads }: { ledgers: Ledger[]; loads: Load[] },
  findings: Findings,
): Promise<void> {
  for (const ledger of [...ledgers, ...loads.flatMap((load) => load.ledgers)]) {
    const { broken } = await checkConversation(client, ledger);
    findings.expect(broken.length === 0, () => broken.join("\n"));
  }
  for (const { memories } of loads) {
    const broken = await checkMemories(client, memories);
    findings.expect(broken.length === 0, () => broken.join("\n"));
  }
}

async function eventsOf({ client }: TrialService) {
  const all = [];
  for (let after = 0; ; ) {
    const { items } = await client.events.list({ after, limit: EVENTS });
    if (items.length === 0) return all;
    all.push(...items);
    after = items.at(-1)?.sequence ?? after;
  }
}

import type { ServiceLimits } from "../../../../service/src/limits.ts";
import type { Rewrite } from "../ports/database.ts";
import { World } from "../world.ts";
import { divideLimits, type Load } from "./loads.ts";
import { problemsOf, type QueueReport, Queues, toMinutes } from "./queues.ts";
import { Traffic } from "./traffic.ts";

const SEED = 1;
const INDEX_QUIET_SECONDS = 15;
const CRON_MS = 60_000;
/** How long sweeps go on after the load: longer than the oldest operation may take. */
const DRAIN_MS = 10 * 60_000;
/** Time between two measurements of the queues. */
const LOOK_MS = 5_000;

export interface LoadReport {
  load: Load;
  counts: Traffic["counts"];
  queues: QueueReport[];
  /** Vectors that the store returns at the end. */
  vectors: number;
  /** What is wrong; empty when the sweep keeps up. */
  problems: string[];
}

export interface LoadOptions {
  rewrite?: Rewrite;
  /** Changes the limits of the service after they are divided. */
  limits?: Partial<ServiceLimits>;
}

/** Appends and deletes at a constant rate without faults, and measures whether the sweep keeps up. */
export async function runLoad(load: Load, { rewrite, limits }: LoadOptions = {}): Promise<LoadReport> {
  const errors: string[] = [];
  const world = await World.open(SEED, {
    rewrite,
    limits: (own) => ({ ...divideLimits(own, load.divisor), ...limits }),
    indexQuietSeconds: INDEX_QUIET_SECONDS,
    keepsHistory: false,
    onError: (error) => errors.push(error),
  });
  try {
    const { clock, database, index } = world;
    const traffic = new Traffic(world, load);
    let isReady = false;
    void world
      .start(() => traffic.createOrganizations())
      .then(() => {
        isReady = true;
      });
    await world.runUntil(() => isReady);

    const queues = new Queues(database);
    const endMs = clock.nowMs() + load.minutes * 60_000;
    every(world, CRON_MS, () => void world.sweep());
    every(world, LOOK_MS, () => queues.look(clock.nowMs()));
    traffic.start(() => clock.nowMs() >= endMs);
    await world.runUntil(() => clock.nowMs() >= endMs);
    queues.endLoad(clock.nowMs());
    await world.runUntil(() => clock.nowMs() >= endMs + DRAIN_MS);
    queues.look(clock.nowMs());

    const vectors = index.visible(clock.nowMs()).size;
    const [{ chunks } = { chunks: 0 }] = database.select<{ chunks: number }>(
      "SELECT count(*) AS chunks FROM conversation_chunks",
    );
    const problems = [
      ...queues.reports.flatMap(problemsOf),
      ...(vectors === chunks ? [] : [`There are ${vectors} vectors for ${chunks} chunks`]),
      ...(errors.length === 0 ? [] : [`The service logged ${errors.length} errors, first: ${errors[0]}`]),
    ];
    return { load, counts: traffic.counts, queues: queues.reports, vectors, problems };
  } finally {
    world.close();
  }
}

function every(world: World, periodMs: number, run: () => void): void {
  world.clock.schedule(periodMs, () => {
    run();
    every(world, periodMs, run);
  });
}

export function describeLoad({ load, counts, queues, vectors, problems }: LoadReport): string {
  const { minutes, appendsPerSecond, organizations, conversations, divisor } = load;
  const { appends, deletedMessages, deletedConversations } = counts;
  const rows = [
    ["queue", "queued", "longest", "oldest", "at the end of the load", "allowed", "left"],
    ...queues.map(({ name, queued, longest, oldestMs, atEnd, atEndMax, left }) =>
      [name, queued, longest, toMinutes(oldestMs), atEnd, atEndMax, left].map(String),
    ),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return [
    `${appendsPerSecond} appends a second for ${minutes} minutes, to ${conversations} conversations of ${organizations} organizations; amounts of a sweep divided by ${divisor}.`,
    `${appends} messages appended, ${deletedMessages} messages and ${deletedConversations} conversations deleted, ${vectors} vectors at the end.`,
    ...rows.map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    ),
    ...problems.map((problem) => `Problem: ${problem}`),
    "",
  ].join("\n");
}

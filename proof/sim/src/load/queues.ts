import type { Database } from "../ports/database.ts";

interface Queue {
  name: string;
  /** The rows that wait. */
  rows: string;
  /** SQL for the time from which a row waits. */
  sinceMs: string;
  /** Upper bound on the time that a row waits. At the end of the load, only rows of these last minutes are left. */
  minutesMax: number;
}

/**
 * A vector deletion waits up to a minute to be sent, three minutes until its confirmation is due, and up to a minute
 * for a sweep that confirms it. Of a conversation with more vectors than a sweep deletes, the last ones wait two minutes
 * more: in the simulated day, 714 vectors at once wait 6.8 minutes. An operation also waits for the purge, and for the
 * sweep after the confirmation.
 */
const QUEUES = [
  // A job waits on purpose until it is due.
  { name: "index_jobs", rows: "index_jobs", sinceMs: "due_at_ms", minutesMax: 4 },
  {
    name: "vector_deletions",
    rows: "vector_deletions AS d",
    // Zero for the vectors of a deleted conversation, which wait since its deletion at the longest.
    sinceMs: `coalesce(nullif(queued_at_ms, 0),
      (SELECT created_at_ms FROM operations AS o WHERE o.id = d.operation_id), due_at_ms)`,
    minutesMax: 8,
  },
  {
    name: "operations",
    rows: "operations WHERE completed_at_ms IS NULL",
    sinceMs: "created_at_ms",
    minutesMax: 12,
  },
] as const satisfies Queue[];

/** Rows that may be left in addition: those that were queued between two looks. */
const BURST = 5;
const MINUTE_MS = 60_000;

export interface QueueReport {
  name: string;
  /** Rows inserted during the load. */
  queued: number;
  /** The largest number of rows at one time. */
  longest: number;
  /** The longest time that a row has waited. */
  oldestMs: number;
  /** Upper bound on `oldestMs`. */
  oldestMaxMs: number;
  /** Rows when the load ended. */
  atEnd: number;
  /** Upper bound on `atEnd`. */
  atEndMax: number;
  /** Rows after the sweeps that follow the load. */
  left: number;
}

/** Measures the queues of background work. */
export class Queues {
  readonly #database: Database;
  readonly #reports: QueueReport[];
  /** The number of rows queued in each queue until a time. */
  readonly #history: { atMs: number; queued: number[] }[] = [];

  constructor(database: Database) {
    this.#database = database;
    this.#reports = QUEUES.map(({ name, minutesMax }) => ({
      ...{ name, queued: 0, longest: 0, oldestMs: 0, oldestMaxMs: minutesMax * MINUTE_MS },
      ...{ atEnd: 0, atEndMax: 0, left: 0 },
    }));
    database.select("CREATE TEMP TABLE queued (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT");
    for (const { name } of QUEUES) {
      database.select("INSERT INTO queued (name, count) VALUES (?, 0)", name);
      database.select(`CREATE TEMP TRIGGER queued_${name} AFTER INSERT ON main.${name} BEGIN
        UPDATE queued SET count = count + 1 WHERE name = '${name}'; END`);
    }
  }

  /** Measure the lengths and ages now. */
  look(nowMs: number): void {
    for (const [i, { rows, sinceMs }] of QUEUES.entries()) {
      const report = this.#reports[i];
      const [found] = this.#database.select<{ length: number; since_ms: number | null }>(
        `SELECT count(*) AS length, min(${sinceMs}) AS since_ms FROM ${rows}`,
      );
      if (report === undefined || found === undefined) continue;
      report.left = found.length;
      report.longest = Math.max(report.longest, found.length);
      report.oldestMs = Math.max(report.oldestMs, nowMs - (found.since_ms ?? nowMs));
    }
    this.#history.push({ atMs: nowMs, queued: QUEUES.map(({ name }) => this.#queued(name)) });
  }

  #queued(name: string): number {
    const [row] = this.#database.select<{ count: number }>(
      "SELECT count FROM temp.queued WHERE name = ?",
      name,
    );
    return row?.count ?? 0;
  }

  /** Record the lengths at the end of the load. */
  endLoad(nowMs: number): void {
    this.look(nowMs);
    for (const [i, { name, minutesMax }] of QUEUES.entries()) {
      const report = this.#reports[i];
      if (report === undefined) continue;
      const before = this.#history.findLast(({ atMs }) => atMs <= nowMs - minutesMax * MINUTE_MS);
      report.queued = this.#queued(name);
      report.atEnd = report.left;
      report.atEndMax = report.queued - (before?.queued[i] ?? 0) + BURST;
    }
  }

  get reports(): QueueReport[] {
    return this.#reports;
  }
}

/** What is wrong with a queue after a run; empty when it keeps up. */
export function problemsOf(report: QueueReport): string[] {
  const { name, oldestMs, oldestMaxMs, atEnd, atEndMax, left } = report;
  return [
    ...(oldestMs > oldestMaxMs
      ? [`${name} has a row that waited ${toMinutes(oldestMs)}, longer than ${toMinutes(oldestMaxMs)}`]
      : []),
    ...(atEnd > atEndMax ? [`${name} has ${atEnd} rows at the end of the load, more than ${atEndMax}`] : []),
    ...(left > 0 ? [`${name} has ${left} rows left after the sweeps`] : []),
  ];
}

/** A time in the form that a report shows. */
export const toMinutes = (ms: number): string => `${(ms / MINUTE_MS).toFixed(1)} min`;

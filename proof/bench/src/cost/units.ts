import { noUsage, type Usage } from "./meter.ts";

export interface Taken {
  usage: Usage;
  /** CPU time of the whole runtime; NaN where the system does not report it. */
  cpuMs: number;
}

export interface Units {
  invocations: number;
  /** Of the whole runtime, so more than Cloudflare bills; NaN where the system does not report it. */
  cpuMs: number;
  statements: number;
  /** Counts one key lookup per request, as if no isolate cached the key. */
  rowsRead: number;
  rowsWritten: number;
  ftsRowsWritten: number;
  aiCalls: number;
  tokens: number;
  vectorsWritten: number;
  vectorsQueried: number;
  logLines: number;
  logBytes: number;
}

/** Rows that a key lookup reads: the key and its organization. */
export const KEY_ROWS_READ = 2;

export function addUp(taken: readonly Taken[]): Taken {
  const sum: Taken = { usage: noUsage(), cpuMs: 0 };
  for (const { usage, cpuMs } of taken) {
    const { writtenTo, statementsMost, databaseBytes, ...counts } = usage;
    for (const [name, count] of Object.entries(counts)) sum.usage[name as keyof typeof counts] += count;
    for (const [table, rows] of Object.entries(writtenTo)) {
      sum.usage.writtenTo[table] = (sum.usage.writtenTo[table] ?? 0) + rows;
    }
    sum.usage.statementsMost = Math.max(sum.usage.statementsMost, statementsMost);
    sum.usage.databaseBytes = databaseBytes || sum.usage.databaseBytes;
    sum.cpuMs += cpuMs;
  }
  return sum;
}

export function toUnits({ usage, cpuMs }: Taken, count: number): Units {
  const units: Units = {
    invocations: usage.requests + usage.sweeps,
    cpuMs,
    statements: usage.statements,
    rowsRead: usage.rowsRead + KEY_ROWS_READ * usage.requests,
    rowsWritten: usage.rowsWritten,
    ftsRowsWritten: usage.ftsRowsWritten,
    aiCalls: usage.aiCalls,
    tokens: usage.tokens,
    vectorsWritten: usage.vectorsWritten,
    vectorsQueried: usage.vectorsQueried,
    logLines: usage.logLines,
    logBytes: usage.logBytes,
  };
  return mapUnits(units, (value) => value / count);
}

/** As `toUnits`, minus what the included sweeps would use with nothing to do: those run anyway. */
export function toUnitsBesideSweeps(taken: Taken, perSweep: Units, count: number): Units {
  const { sweeps } = taken.usage;
  return mapUnits(toUnits(taken, 1), (value, unit) => (value - sweeps * perSweep[unit]) / count);
}

export const noUnits = (units: Units): Units => mapUnits(units, () => 0);

function mapUnits(units: Units, change: (value: number, unit: keyof Units) => number): Units {
  const entries = Object.entries(units).map(([unit, value]) => [unit, change(value, unit as keyof Units)]);
  // The keys are those of `units`, but `fromEntries` loses that type.
  return Object.fromEntries(entries) as Units;
}

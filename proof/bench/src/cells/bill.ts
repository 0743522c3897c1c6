import {
  LOG_DAYS,
  LOG_ENVELOPE_BYTES,
  MONTH_DAYS,
  NEURONS_PER_TOKEN,
  OBJECT_GB,
  OBJECT_PRICES,
  PLAN_DOLLARS,
  PRICES,
  type Price,
} from "../cost/prices.ts";
import {
  GAP_SECONDS,
  KEPT_MESSAGES,
  ORGANIZATIONS,
  PEAK,
  requestsPerSession,
  type Tenant,
} from "./tenants.ts";

/** What one message, search or alarm uses. */
interface Uses {
  requests: number;
  cpuMs: number;
  objectRequests: number;
  /** Time in which the object is active, while it waits for a model, too. */
  objectMs: number;
  rowsRead: number;
  rowsWritten: number;
  directoryReads: number;
  directoryWrites: number;
  embeddingCalls: number;
  tokens: number;
  logBytes: number;
}

const NOTHING: Uses = {
  ...{ requests: 0, cpuMs: 0, objectRequests: 0, objectMs: 0, rowsRead: 0, rowsWritten: 0 },
  ...{ directoryReads: 0, directoryWrites: 0, embeddingCalls: 0, tokens: 0, logBytes: 0 },
};

const mapUses = (of: (unit: keyof Uses) => number): Uses =>
  // The keys are those of `Uses`, but `fromEntries` loses that type.
  Object.fromEntries(Object.keys(NOTHING).map((unit) => [unit, of(unit as keyof Uses)])) as unknown as Uses;

/** Active time of an object, in milliseconds: an assumption, larger than what was measured in workerd. */
const ACTIVE_MS = { call: 10, search: 150, alarm: 100 };

// Calls of objects and of D1, and the rows of an alarm, were counted in workerd on 2026-11-29. The rows of messages and
// searches, CPU, tokens and logs are those that `bench:cost` measured for D1, which runs the same statements.

/** A message that follows another one after five seconds: four calls of the cell, one of the hub, vectors for a third. */
const MESSAGE_IN_SESSION: Uses = {
  ...NOTHING,
  ...{ requests: 1.01, cpuMs: 12, objectRequests: 5.4, objectMs: 5.4 * ACTIVE_MS.call },
  ...{ rowsRead: 112, rowsWritten: 16.6, embeddingCalls: 0.33, tokens: 97.9, logBytes: 1_680 },
};
/** A message by itself: its key is looked up again, and it is embedded alone. */
const MESSAGE_ALONE: Uses = {
  ...MESSAGE_IN_SESSION,
  ...{ cpuMs: 14, objectRequests: 11, objectMs: 11 * ACTIVE_MS.call, rowsRead: 186, rowsWritten: 25.8 },
  ...{ embeddingCalls: 1, tokens: 211, logBytes: 2_440 },
};
/** In an organization of 10,000 messages: rows between those measured for 4,035 and 16,012. */
const SEARCH: Uses = {
  ...NOTHING,
  ...{ requests: 1, cpuMs: 33, objectRequests: 2, objectMs: ACTIVE_MS.call + ACTIVE_MS.search },
  ...{ rowsRead: 16_900, embeddingCalls: 1, tokens: 18.3, logBytes: 1_340 },
};
/** A minute in which an isolate has used a key: it looks up the place, and adds to the counts of usage. */
const MINUTE_IN_USE: Uses = {
  ...NOTHING,
  ...{ objectRequests: 1, objectMs: ACTIVE_MS.call, rowsRead: 15, rowsWritten: 2, directoryReads: 1 },
};
/** A sweep, the report of the size to D1, and the next alarm, which is a row. */
const ALARM: Uses = {
  ...NOTHING,
  ...{ objectRequests: 1, objectMs: ACTIVE_MS.alarm, rowsRead: 270, rowsWritten: 3 },
  ...{ directoryReads: 1, directoryWrites: 1, logBytes: 300 + LOG_ENVELOPE_BYTES },
};

/** Bytes of a message without vectors, and vectors of a message: `bench:cost`. */
const MESSAGE_BYTES = 937;
const VECTORS_PER_MESSAGE = 0.478;
/** A vector of 768 dimensions in the tables of a cell, int8 and float32, with their pages: measured with SQLite. */
const VECTOR_BYTES = 5_520;
/** A cell without messages. */
const EMPTY_BYTES = 400_000;

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Minutes in which a session has requests. */
const minutesPerSession = (tenant: Tenant): number =>
  Math.ceil((requestsPerSession(tenant) * GAP_SECONDS) / MINUTE_SECONDS);

/** Sweeps follow writes, those of the counts of usage included, and one comes a day without a write. */
const sweepsPerMonth = ({ sessions, sweepsPerSession }: Tenant): number =>
  sessions * sweepsPerSession + MONTH_DAYS;

/** What one organization uses in a month. */
export function usesPerMonth(tenant: Tenant): Uses {
  const isAlone = requestsPerSession(tenant) <= 1;
  const counts: [count: number, of: Uses][] = [
    [tenant.messages, isAlone ? MESSAGE_ALONE : MESSAGE_IN_SESSION],
    [tenant.searches, SEARCH],
    [tenant.sessions * minutesPerSession(tenant), MINUTE_IN_USE],
    [sweepsPerMonth(tenant), ALARM],
  ];
  const sum = (unit: keyof Uses) => counts.reduce((total, [count, of]) => total + count * of[unit], 0);
  return mapUses(sum);
}

/** What all organizations use in a second of the busiest hour. */
export function peakOf(tenant: Tenant): Uses {
  const uses = usesPerMonth(tenant);
  const factor = (ORGANIZATIONS * PEAK) / (MONTH_DAYS * DAY_SECONDS);
  return mapUses((unit) => uses[unit] * factor);
}

/** Bytes and vectors of one organization that keeps its share of all messages. */
export function storedPerOrganization(): { bytes: number; vectors: number } {
  const messages = KEPT_MESSAGES / ORGANIZATIONS;
  const vectors = messages * VECTORS_PER_MESSAGE;
  return { bytes: EMPTY_BYTES + messages * MESSAGE_BYTES + vectors * VECTOR_BYTES, vectors };
}

const BILLED = {
  requests: PRICES.requests,
  cpuMs: PRICES.cpuMs,
  ...OBJECT_PRICES,
  rowsRead: { ...PRICES.rowsRead, name: "D1 rows read, the directory" },
  rowsWritten: { ...PRICES.rowsWritten, name: "D1 rows written, the directory" },
  neurons: PRICES.neurons,
  logBytes: PRICES.logBytes,
  logByteMonths: PRICES.logByteMonths,
} satisfies Record<string, Price>;

/** A line of a bill. */
export interface BilledLine {
  name: string;
  quantity: number;
  /** Beyond what the plan includes. */
  dollars: number;
}

/** The bill of a month in which all organizations are such tenants, without the price of the plan. */
export function billCells(tenant: Tenant): BilledLine[] {
  const uses = usesPerMonth(tenant);
  const all = (unit: keyof Uses) => ORGANIZATIONS * uses[unit];
  const quantities: Record<keyof typeof BILLED, number> = {
    requests: all("requests"),
    cpuMs: all("cpuMs"),
    objectRequests: all("objectRequests"),
    objectGbSeconds: (all("objectMs") / 1_000) * OBJECT_GB,
    objectRowsRead: all("rowsRead"),
    objectRowsWritten: all("rowsWritten"),
    objectBytes: ORGANIZATIONS * storedPerOrganization().bytes,
    rowsRead: all("directoryReads"),
    rowsWritten: all("directoryWrites"),
    neurons: all("tokens") * NEURONS_PER_TOKEN,
    logBytes: all("logBytes"),
    logByteMonths: (all("logBytes") * LOG_DAYS) / MONTH_DAYS,
  };
  return Object.entries(BILLED).map(([unit, { name, dollars, per, included }]) => {
    const quantity = quantities[unit as keyof typeof BILLED];
    return { name, quantity, dollars: (Math.max(0, quantity - included) / per) * dollars };
  });
}

export const dollarsOfMonth = (tenant: Tenant): number =>
  billCells(tenant).reduce((sum, { dollars }) => sum + dollars, PLAN_DOLLARS);

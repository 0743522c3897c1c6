import type { Appended, Measurement, Searched } from "./measure.ts";
import {
  type Billed,
  DIMENSIONS,
  FREE,
  LOG_DAYS,
  LOG_ENVELOPE_BYTES,
  MINUTES_A_MONTH,
  MONTH_DAYS,
  NEURONS_PER_TOKEN,
  PLAN_DOLLARS,
  PRICES,
} from "./prices.ts";
import type { Units } from "./units.ts";

/** The usage of one month. `kept` messages are stored for the whole month. */
export interface Month {
  messages: number;
  searches: number;
  kept: number;
}

export interface Rates {
  perMessage: Units;
  perSearch: Units;
  /** Of a cron that runs once a minute. */
  perSweep: Units;
  bytesPerMessage: number;
  vectorsPerMessage: number;
}

/** The rates for one batch size and one size of organization. */
export function toRates(measurement: Measurement, appended: Appended, searched: Searched): Rates {
  const { perSweep, weight } = measurement;
  const bytes = Object.values(weight.bytes).reduce((sum, some) => sum + some, 0);
  return {
    perMessage: appended.perMessage,
    perSearch: searched.perSearch,
    perSweep,
    bytesPerMessage: bytes / weight.messages,
    vectorsPerMessage: appended.vectorsPerMessage,
  };
}

export function quantities(month: Month, rates: Rates): Record<Billed, number> {
  const { perMessage, perSearch, perSweep } = rates;
  const sum = (unit: keyof Units) =>
    month.messages * perMessage[unit] + month.searches * perSearch[unit] + MINUTES_A_MONTH * perSweep[unit];
  const vectors = month.kept * rates.vectorsPerMessage;
  const logBytes = sum("logBytes") + LOG_ENVELOPE_BYTES * sum("logLines");
  return {
    requests: sum("invocations"),
    cpuMs: sum("cpuMs"),
    rowsRead: sum("rowsRead"),
    rowsWritten: sum("rowsWritten"),
    storedBytes: month.kept * rates.bytesPerMessage,
    // Cloudflare's formula counts stored vectors once a month, not once per query.
    queriedDimensions: (sum("vectorsQueried") + vectors) * DIMENSIONS,
    storedDimensions: vectors * DIMENSIONS,
    neurons: sum("tokens") * NEURONS_PER_TOKEN,
    logBytes,
    logByteMonths: (logBytes * LOG_DAYS) / MONTH_DAYS,
  };
}

/** Dollars for a quantity beyond the plan's allowance; 0 when it was not measured. */
export function dollarsOf(billed: Billed, quantity: number): number {
  const { dollars, per, included } = PRICES[billed];
  return Number.isNaN(quantity) ? 0 : (Math.max(0, quantity - included) / per) * dollars;
}

export function billMonth(month: Month, rates: Rates): number {
  const lines = Object.entries(quantities(month, rates));
  return lines.reduce((sum, [name, quantity]) => sum + dollarsOf(name as Billed, quantity), PLAN_DOLLARS);
}

/** Dollars per month for keeping a million more messages, beyond all allowances. */
export function dollarsPerMillionKept(rates: Rates): number {
  const vectors = 1e6 * rates.vectorsPerMessage * DIMENSIONS;
  const price = (billed: Billed, quantity: number) =>
    (quantity / PRICES[billed].per) * PRICES[billed].dollars;
  return (
    price("storedBytes", 1e6 * rates.bytesPerMessage) +
    price("storedDimensions", vectors) +
    price("queriedDimensions", vectors)
  );
}

/** Dollars for a million searches with these units, beyond all allowances. */
export function dollarsPerMillionSearches(units: Units): number {
  const price = (billed: Billed, quantity: number) =>
    (1e6 * quantity * PRICES[billed].dollars) / PRICES[billed].per || 0;
  return (
    price("requests", units.invocations) +
    price("cpuMs", units.cpuMs) +
    price("rowsRead", units.rowsRead) +
    price("rowsWritten", units.rowsWritten) +
    price("queriedDimensions", units.vectorsQueried * DIMENSIONS) +
    price("neurons", units.tokens * NEURONS_PER_TOKEN) +
    price("logBytes", units.logBytes + LOG_ENVELOPE_BYTES * units.logLines)
  );
}

/**
 * Daily messages and searches that each limit of the free plan allows, if it were the only limit and nothing
 * else used it.
 */
export function freePlan({ perMessage, perSearch, perSweep, ...rates }: Rates) {
  const left = (limit: number, unit: keyof Units) => limit - 24 * 60 * perSweep[unit];
  const allows = (units: Units) => ({
    "Worker requests": left(FREE.requests, "invocations") / units.invocations,
    "rows read": left(FREE.rowsRead, "rowsRead") / units.rowsRead,
    "rows written": left(FREE.rowsWritten, "rowsWritten") / units.rowsWritten,
    neurons: FREE.neurons / (units.tokens * NEURONS_PER_TOKEN),
    "queried dimensions": FREE.queriedDimensions / MONTH_DAYS / (units.vectorsQueried * DIMENSIONS),
  });
  return {
    messagesADay: allows(perMessage),
    searchesADay: allows(perSearch),
    messagesKept: {
      "stored dimensions": FREE.storedDimensions / (rates.vectorsPerMessage * DIMENSIONS),
      "database size": FREE.databaseBytes / rates.bytesPerMessage,
    },
  };
}

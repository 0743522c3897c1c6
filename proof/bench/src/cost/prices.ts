/** A price, and the monthly allowance of the Workers Paid plan. */
export interface Price {
  name: string;
  /** Dollars for `per` units. */
  dollars: number;
  per: number;
  included: number;
  /** Cloudflare's page, and the date when it was read. */
  source: string;
  read: string;
}

/** The minimum price of the Workers Paid plan, in dollars a month. */
export const PLAN_DOLLARS = 5;
/** Days used to convert daily allowances to a month. */
export const MONTH_DAYS = 30;
export const MINUTES_A_MONTH = MONTH_DAYS * 24 * 60;

const WORKERS = {
  source: "https://developers.cloudflare.com/workers/platform/pricing/",
  read: "2026-07-07",
};
const D1 = { source: "https://developers.cloudflare.com/d1/platform/pricing/", read: "2026-07-07" };
const VECTORIZE = {
  source: "https://developers.cloudflare.com/vectorize/platform/pricing/",
  read: "2026-07-07",
};
const WORKERS_AI = {
  source: "https://developers.cloudflare.com/workers-ai/platform/pricing/",
  read: "2026-08-28",
};
const OBSERVABILITY = {
  source: "https://developers.cloudflare.com/observability/pricing/",
  read: "2026-10-05",
};

/** Prices of the Workers Paid plan in US dollars; for logs, those from 2026-12-01. */
export const PRICES = {
  requests: { name: "Worker requests", dollars: 0.3, per: 1e6, included: 10e6, ...WORKERS },
  cpuMs: { name: "Worker CPU, ms", dollars: 0.02, per: 1e6, included: 30e6, ...WORKERS },
  rowsRead: { name: "D1 rows read", dollars: 0.001, per: 1e6, included: 25e9, ...D1 },
  rowsWritten: { name: "D1 rows written", dollars: 1, per: 1e6, included: 50e6, ...D1 },
  storedBytes: { name: "D1 storage, bytes", dollars: 0.75, per: 1e9, included: 5e9, ...D1 },
  queriedDimensions: {
    name: "Vectorize queried dimensions",
    dollars: 0.01,
    per: 1e6,
    included: 50e6,
    ...VECTORIZE,
  },
  storedDimensions: {
    name: "Vectorize stored dimensions",
    dollars: 0.05,
    per: 100e6,
    included: 10e6,
    ...VECTORIZE,
  },
  neurons: {
    name: "Workers AI neurons",
    dollars: 0.011,
    per: 1e3,
    included: 10e3 * MONTH_DAYS,
    ...WORKERS_AI,
  },
  logBytes: { name: "Logs taken in, bytes", dollars: 0.25, per: 1e9, included: 50e9, ...OBSERVABILITY },
  logByteMonths: {
    name: "Logs kept, byte-months",
    dollars: 0.1,
    per: 1e9,
    included: 12e9,
    ...OBSERVABILITY,
  },
} satisfies Record<string, Price>;

export type Billed = keyof typeof PRICES;

const OBJECTS = {
  source: "https://developers.cloudflare.com/durable-objects/platform/pricing/",
  // The copy has no date. It has the change of 2026-09-15 on calls that keep an object in memory.
  read: "after 2026-09-15",
};

/** Prices of Durable Objects with SQLite. Rows have the prices of D1 and allowances of their own. */
export const OBJECT_PRICES = {
  objectRequests: {
    name: "Object requests, alarms too",
    dollars: 0.15,
    per: 1e6,
    included: 1e6,
    ...OBJECTS,
  },
  objectGbSeconds: {
    name: "Object duration, GB-s",
    dollars: 12.5,
    per: 1e6,
    included: 400_000,
    ...OBJECTS,
  },
  objectRowsRead: { name: "Object rows read", dollars: 0.001, per: 1e6, included: 25e9, ...OBJECTS },
  objectRowsWritten: { name: "Object rows written", dollars: 1, per: 1e6, included: 50e6, ...OBJECTS },
  objectBytes: { name: "Object storage, bytes", dollars: 0.2, per: 1e9, included: 5e9, ...OBJECTS },
} satisfies Record<string, Price>;

/** Memory that an active object is billed for, whatever it uses. */
export const OBJECT_GB = 0.128;

/** Neurons per token of `@cf/baai/bge-base-en-v1.5`, and the dimensions of its vectors. */
export const NEURONS_PER_TOKEN = 6058 / 1e6;
export const DIMENSIONS = 768;

export const LOG_DAYS = 7;
/** An assumption, not a measurement: the bytes that Cloudflare adds to each line. */
export const LOG_ENVELOPE_BYTES = 1_000;

/** Allowances of the Workers Free plan, per day unless noted. */
export const FREE = {
  requests: 100_000,
  rowsRead: 5e6,
  rowsWritten: 100_000,
  neurons: 10_000,
  /** Per month. */
  queriedDimensions: 30e6,
  /** In total. */
  storedDimensions: 5e6,
  databaseBytes: 500e6,
};

/** Messages of a summary, and summaries of one of the next level. */
const SEGMENT_MESSAGES = 24;
const GROUP_SUMMARIES = 8;
/** Tokens of a call for a summary: of the instructions, of what names a message in JSON, and of the sentences. */
const CALL_TOKENS = { instructions: 330, message: 25, written: 250 };
const BYTES_PER_TOKEN = 4;
/** Dollars for a million tokens of `@cf/meta/llama-3.1-8b-instruct-fp8-fast`. */
const TEXT_MODEL_DOLLARS = { read: 0.045, written: 0.384 };

/** What a text model costs that writes the summaries of a million messages. Calculated, not measured. */
export function summaryModelDollars(contentBytesPerMessage: number): number {
  const calls = (1e6 / SEGMENT_MESSAGES) * (GROUP_SUMMARIES / (GROUP_SUMMARIES - 1));
  const { instructions, message, written } = CALL_TOKENS;
  const read = instructions + SEGMENT_MESSAGES * (contentBytesPerMessage / BYTES_PER_TOKEN + message);
  return (calls * (read * TEXT_MODEL_DOLLARS.read + written * TEXT_MODEL_DOLLARS.written)) / 1e6;
}

import { markdownTable } from "../command/tables.ts";
import type { Archived } from "./archives.ts";
import {
  billMonth,
  dollarsOf,
  dollarsPerMillionKept,
  dollarsPerMillionSearches,
  freePlan,
  quantities,
  type Rates,
  toRates,
} from "./bill.ts";
import type { Captured } from "./captures.ts";
import type { Measurement } from "./measure.ts";
import type { Way } from "./organization.ts";
import { type Billed, PLAN_DOLLARS, PRICES, summaryModelDollars } from "./prices.ts";
import { noUnits, type Units } from "./units.ts";

const UNIT_NAMES: Partial<Record<keyof Units, string>> = {
  invocations: "Worker requests",
  cpuMs: "CPU of the whole runtime, ms",
  statements: "D1 statements",
  rowsRead: "D1 rows read",
  rowsWritten: "D1 rows written",
  ftsRowsWritten: "rows written to FTS5's own tables, not metered locally",
  aiCalls: "calls of the embedding model",
  tokens: "tokens embedded",
  vectorsWritten: "vectors written",
};
const PARTS: [string, RegExp][] = [
  ["messages and their indexes", /^messages|_messages_/],
  ["keyword index", /^message_(words|phrases)/],
  ["chunks and their indexes", /conversation_chunks/],
];
const SCALES = [10_000, 1_000_000, 100_000_000];

export function formatReport(
  measurement: Measurement,
  captured: readonly Captured[],
  archived: Archived,
): string {
  const searched = measurement.searched.at(-1);
  if (searched === undefined) throw new RangeError("nothing was searched");
  const rates = measurement.appended.map((appended) => toRates(measurement, appended, searched));
  return [
    `# ${measurement.workload}`,
    formatAppends(measurement),
    formatSummaries(measurement),
    formatCaptures(captured),
    formatArchive(archived),
    formatSearches(measurement),
    formatSweep(measurement.perSweep),
    formatWeight(measurement),
    `# A month of Workers Paid, organizations of ${count(searched.messages)} messages`,
    formatBill(measurement, rates),
    formatMillion(measurement, rates),
    formatScales(measurement, rates),
    formatFree(measurement, rates),
  ].join("\n\n");
}

function formatAppends({ appended }: Measurement): string {
  const tables = [...new Set(appended.flatMap(({ writtenTo }) => Object.keys(writtenTo)))];
  return markdownTable([
    ["per message, by messages in an append", ...appended.map(wayOf)],
    ...Object.entries(UNIT_NAMES).map(([unit, name]) => [
      name,
      ...appended.map(({ perMessage }) => short(perMessage[unit as keyof Units])),
    ]),
    ...tables.map((name) => [
      `rows written to ${name}`,
      ...appended.map(({ writtenTo }) => short(writtenTo[name] ?? 0)),
    ]),
    ["vectors kept", ...appended.map(({ vectorsPerMessage }) => short(vectorsPerMessage))],
    ["bytes of content", ...appended.map((some) => short(some.contentBytesPerMessage))],
    ["most D1 statements of one invocation", ...appended.map(({ statementsMost }) => count(statementsMost))],
    ["messages stored", ...appended.map(({ messages }) => count(messages))],
  ]);
}

/** What summaries cost apart from their messages: the rows, which are measured, and a text model, which is calculated. */
function formatSummaries({ appended }: Measurement): string {
  const rowsOf = ({ writtenTo }: Measurement["appended"][number]) =>
    Object.entries(writtenTo).reduce(
      (sum, [table, rows]) => sum + (table.startsWith("summar") ? rows : 0),
      0,
    );
  return markdownTable([
    ["summaries of a million messages, by messages in an append", ...appended.map(wayOf)],
    ["rows written to their tables, per message", ...appended.map((one) => short(rowsOf(one)))],
    [
      "dollars of these rows, no allowance",
      ...appended.map((one) =>
        dollars((1e6 * rowsOf(one) * PRICES.rowsWritten.dollars) / PRICES.rowsWritten.per),
      ),
    ],
    [
      "dollars of a text model, off by default, calculated",
      ...appended.map(({ contentBytesPerMessage }) => dollars(summaryModelDollars(contentBytesPerMessage))),
    ],
  ]);
}

function formatCaptures(captured: readonly Captured[]): string {
  const tables = [...new Set(captured.flatMap(({ writtenTo }) => Object.keys(writtenTo)))];
  const priceOf = (rows: number, billed: "rowsRead" | "rowsWritten") =>
    (1e6 * rows * PRICES[billed].dollars) / PRICES[billed].per;
  return markdownTable([
    ["per memory, by its sources", ...captured.map(({ sources }) => count(sources))],
    ...Object.entries(UNIT_NAMES).map(([unit, name]) => [
      name,
      ...captured.map(({ perMemory }) => short(perMemory[unit as keyof Units])),
    ]),
    ...tables.map((name) => [
      `rows written to ${name}`,
      ...captured.map(({ writtenTo }) => short(writtenTo[name] ?? 0)),
    ]),
    ["D1 rows read by a list, for each memory", ...captured.map((one) => short(one.listedRowsRead))],
    ["D1 rows read by a get", ...captured.map(({ gotRowsRead }) => short(gotRowsRead))],
    [
      "dollars of rows for a million memories, no allowance",
      ...captured.map(({ perMemory: { rowsRead, rowsWritten } }) =>
        dollars(priceOf(rowsRead, "rowsRead") + priceOf(rowsWritten, "rowsWritten")),
      ),
    ],
    ["memories stored", ...captured.map(({ memories }) => count(memories))],
  ]);
}

function formatArchive({
  messages,
  parts,
  perMessage,
  statementsMost,
  storedBytesPerMessage,
}: Archived): string {
  return markdownTable([
    ["per message of an archive", `${count(messages)} messages in ${count(parts)} parts`],
    ["D1 statements", short(perMessage.statements)],
    ["D1 rows read", short(perMessage.rowsRead)],
    ["D1 rows written", short(perMessage.rowsWritten)],
    ["CPU of the whole runtime, ms", short(perMessage.cpuMs)],
    ["bytes stored in R2", short(storedBytesPerMessage)],
    ["most D1 statements of one invocation", count(statementsMost)],
    [
      "dollars of rows read per million, no allowance",
      dollars((1e6 * perMessage.rowsRead * PRICES.rowsRead.dollars) / PRICES.rowsRead.per),
    ],
  ]);
}

function formatSearches({ searched }: Measurement): string {
  return markdownTable([
    ["per search, by messages of the organization", ...searched.map(({ messages }) => count(messages))],
    ["D1 rows read, mean", ...searched.map(({ perSearch }) => count(perSearch.rowsRead))],
    ["D1 rows read, 95th percentile", ...searched.map(({ rowsReadP95 }) => count(rowsReadP95))],
    ["tokens embedded", ...searched.map(({ perSearch }) => short(perSearch.tokens))],
    ["vectors queried", ...searched.map(({ perSearch }) => short(perSearch.vectorsQueried))],
    ["CPU of the whole runtime, ms", ...searched.map(({ perSearch }) => short(perSearch.cpuMs))],
    ["D1 rows read with `record`, mean", ...searched.map(({ perRecorded }) => count(perRecorded.rowsRead))],
    ["D1 rows written with `record`", ...searched.map(({ perRecorded }) => short(perRecorded.rowsWritten))],
    [
      "CPU of the whole runtime with `record`, ms",
      ...searched.map(({ perRecorded }) => short(perRecorded.cpuMs)),
    ],
    [
      "dollars of a million, no allowance",
      ...searched.map(({ perSearch }) => dollars(dollarsPerMillionSearches(perSearch))),
    ],
    [
      "dollars of a million with `record`, and their deletion after 30 days",
      ...searched.map(({ perRecorded }) =>
        dollars(dollarsPerMillionSearches({ ...perRecorded, rowsWritten: 2 * perRecorded.rowsWritten })),
      ),
    ],
    [
      "dollars of rows read per million, no allowance",
      ...searched.map(({ perSearch }) =>
        dollars((1e6 * perSearch.rowsRead * PRICES.rowsRead.dollars) / PRICES.rowsRead.per),
      ),
    ],
  ]);
}

function formatSweep({ statements, rowsRead, rowsWritten, cpuMs }: Units): string {
  return (
    `A sweep with nothing to do: ${short(statements)} D1 statements, ${short(rowsRead)} rows read, ` +
    `${short(rowsWritten)} rows written, ${short(cpuMs)} ms of CPU of the whole runtime.`
  );
}

/** A million messages, stored once, beyond all allowances. */
function formatMillion({ appended, perSweep }: Measurement, rates: Rates[]): string {
  const names: Billed[] = ["requests", "cpuMs", "rowsRead", "rowsWritten", "neurons", "logBytes"];
  const used = rates.map((some) =>
    quantities({ messages: 1e6, searches: 0, kept: 0 }, { ...some, perSweep: noUnits(perSweep) }),
  );
  const priceOf = (some: Record<Billed, number>, name: Billed) =>
    (some[name] / PRICES[name].per) * PRICES[name].dollars || 0;
  const fts = appended.map(
    ({ perMessage }) =>
      ((1e6 * perMessage.ftsRowsWritten) / PRICES.rowsWritten.per) * PRICES.rowsWritten.dollars,
  );
  const sums = used.map((some) => names.reduce((sum, name) => sum + priceOf(some, name), 0));
  return markdownTable([
    ["dollars for a million messages, no allowance", ...appended.map(wayOf)],
    ...names.map((name) => [PRICES[name].name, ...used.map((some) => dollars(priceOf(some, name)))]),
    ["together", ...sums.map(dollars)],
    ["and with the rows of FTS5's own tables", ...sums.map((sum, i) => dollars(sum + (fts[i] ?? 0)))],
  ]);
}

function formatWeight({ weight }: Measurement): string {
  const entries = Object.entries(weight.bytes);
  const partOf = (name: string) => PARTS.find(([, pattern]) => pattern.test(name))?.[0] ?? "all the rest";
  const parts = [...PARTS.map(([part]) => part), "all the rest"];
  const bytesOf = (wanted: (name: string) => boolean) =>
    entries.reduce((sum, [name, bytes]) => sum + (wanted(name) ? bytes : 0), 0) / weight.messages;
  return markdownTable([
    [`D1 bytes per message, over ${count(weight.messages)} messages`, "bytes"],
    ...parts.map((part) => [part, short(bytesOf((name) => partOf(name) === part))]),
    ["together", short(bytesOf(() => true))],
  ]);
}

function formatBill({ appended }: Measurement, rates: Rates[]): string {
  const month = { messages: 1e6, searches: 1e6, kept: 1e6 };
  const used = rates.map((some) => quantities(month, some));
  return markdownTable([
    [
      "1,000,000 messages stored and 1,000,000 searches, by messages in an append",
      "included",
      ...appended.map(wayOf),
    ],
    ["plan", "", ...rates.map(() => dollars(PLAN_DOLLARS))],
    ...Object.entries(PRICES).map(([name, price]) => [
      price.name,
      large(price.included),
      ...used.map((some) => {
        const quantity = some[name as Billed];
        return `${large(quantity)}: ${dollars(dollarsOf(name as Billed, quantity))}`;
      }),
    ]),
    ["together", "", ...rates.map((some) => dollars(billMonth(month, some)))],
  ]);
}

function formatScales({ appended }: Measurement, rates: Rates[]): string {
  return markdownTable([
    ["dollars a month, by messages in an append", ...appended.map(wayOf)],
    ...SCALES.map((scale) => [
      `${count(scale)} messages stored and as many searches`,
      ...rates.map((some) => dollars(billMonth({ messages: scale, searches: scale, kept: scale }, some))),
    ]),
    [
      "each month that a million messages are kept and searched, no allowance",
      ...rates.map((some) => dollars(dollarsPerMillionKept(some))),
    ],
  ]);
}

const FREE_NAMES = {
  messagesADay: "messages a day",
  searchesADay: "searches a day",
  messagesKept: "messages kept",
};

function formatFree({ appended }: Measurement, rates: Rates[]): string {
  const plans: Record<string, Record<string, number>>[] = rates.map(freePlan);
  const [first = {}] = plans;
  const rows = Object.entries(FREE_NAMES).flatMap(([what, name]) =>
    Object.entries(first[what] ?? {})
      .filter(([, most]) => Number.isFinite(most))
      .map(([limit]) => [`${name}, by ${limit}`, ...plans.map((plan) => large(plan[what]?.[limit] ?? 0))]),
  );
  return markdownTable([["Workers Free allows, by messages in an append", ...appended.map(wayOf)], ...rows]);
}

const wayOf = ({ batch, gapSeconds }: Way): string => `${count(batch)}, every ${gapSeconds} s`;

const count = (value: number): string => Math.round(value).toLocaleString("en");

/** Three significant digits; "?" for a value that was not measured. */
const short = (value: number): string =>
  Number.isNaN(value) ? "?" : value >= 1_000 ? count(value) : String(Number(value.toPrecision(3)));

const dollars = (value: number): string => `$${value < 1_000 ? value.toFixed(2) : count(value)}`;

function large(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "?" : "no limit";
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const) {
    if (Math.abs(value) >= size) return `${short(value / size)} ${unit}`;
  }
  return short(value);
}

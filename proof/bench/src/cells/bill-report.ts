import { markdownTable } from "../command/tables.ts";
import { PLAN_DOLLARS } from "../cost/prices.ts";
import { billCells, dollarsOfMonth, peakOf, storedPerOrganization } from "./bill.ts";
import { ORGANIZATIONS, TENANTS } from "./tenants.ts";

const EMBEDDINGS_A_MINUTE = 3_000;
const WRITE_MS = 5;
const MINUTE_SECONDS = 60;
const CELL_BYTES_MAX = 10e9;
const DATABASE_BYTES_MAX = 10e9;
/** At most: an organization with its report, and the hashes of some members. */
const DIRECTORY_BYTES = 1_000;

/** Tables of what all organizations cost in a month, for each kind of tenant. */
export function formatBill(): string {
  const bills = TENANTS.map(billCells);
  const lines = (bills[0] ?? []).map(({ name }, i) => [
    name,
    ...bills.flatMap((bill) => [amount(bill[i]?.quantity ?? 0), dollars(bill[i]?.dollars ?? 0)]),
  ]);
  const totals = TENANTS.map(dollarsOfMonth);
  return markdownTable([
    ["a month", ...TENANTS.flatMap(({ name }) => [`all ${name}`, ""])],
    ["plan", ...TENANTS.flatMap(() => ["", dollars(PLAN_DOLLARS)])],
    ...lines,
    ["**together**", ...totals.flatMap((total) => ["", `**${dollars(total)}**`])],
    ["an organization", ...totals.flatMap((total) => ["", `$${(total / ORGANIZATIONS).toFixed(3)}`])],
  ]);
}

/** Which limit comes next: the share of each that the busiest hour uses. */
export function formatLimits(): string {
  const { bytes } = storedPerOrganization();
  const peaks = TENANTS.map(peakOf);
  const row = (name: string, share: (peak: (typeof peaks)[number]) => number) => [
    name,
    ...peaks.map((peak) => `${(100 * share(peak)).toFixed(1)} %`),
  ];
  return markdownTable([
    ["limit", ...TENANTS.map(({ name }) => `all ${name}`)],
    row(
      `Workers AI: ${EMBEDDINGS_A_MINUTE.toLocaleString("en")} embedding requests a minute, by default`,
      ({ embeddingCalls }) => (embeddingCalls * MINUTE_SECONDS) / EMBEDDINGS_A_MINUTE,
    ),
    row(
      `the directory: one call at a time, ${WRITE_MS} ms for the report of a sweep, 1 ms for a place`,
      ({ directoryReads, directoryWrites }) => (directoryReads + WRITE_MS * directoryWrites) / 1_000,
    ),
    row(
      "the directory: 10 GB, 1 kB an organization",
      () => (ORGANIZATIONS * DIRECTORY_BYTES) / DATABASE_BYTES_MAX,
    ),
    row("a cell: 10 GB", () => bytes / CELL_BYTES_MAX),
  ]);
}
const amount = (value: number): string =>
  value.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
const dollars = (value: number): string =>
  `$${value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 2 : 0, minimumFractionDigits: value < 100 ? 2 : 0 })}`;

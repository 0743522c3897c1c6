import { quantile } from "../../../support/statistics.ts";
import { markdownTable } from "../command/tables.ts";
import type { Load, Scenario } from "./load.ts";

/** Requests a second that Cloudflare documents for one object. */
export const OBJECT_REQUESTS_MAX = 1_000;

export interface Simulated {
  title: string;
  scenario: Scenario;
  load: Load;
}

const ROWS: [name: string, of: (load: Load) => string][] = [
  ["requests a second", ({ requests, seconds }) => short(requests / seconds)],
  [
    "directory: calls a second, place of an organization",
    ({ directory, seconds }) => short(directory.reads / seconds),
  ],
  [
    "directory: calls a second, report of a sweep",
    ({ directory, seconds }) => short(directory.writes / seconds),
  ],
  ["directory: share of the time in use", ({ directory }) => percent(directory.busy)],
  ["directory: wait, p50 / p99 / longest, ms", ({ directory }) => spread(directory.waitsMs)],
  ["directory: most calls in a second", ({ directory }) => short(directory.busiestSecond)],
  ["cells: calls a second", ({ cells, seconds }) => short(cells.calls / seconds)],
  ["cells: calls that load the cell", ({ cells }) => percent(cells.coldStarts / cells.calls)],
  ["cells: wait, p50 / p99 / longest, ms", ({ cells }) => spread(cells.waitsMs)],
  [
    `cells: most calls of one in a second, of ${OBJECT_REQUESTS_MAX.toLocaleString("en")}`,
    ({ cells }) => short(cells.busiestSecond),
  ],
  [
    "alarms a second, mean / most",
    ({ alarms, alarmsBySecond, seconds }) =>
      `${short(alarms / seconds)} / ${short(quantile(alarmsBySecond, 1))}`,
  ],
  ["a request, p50 / p99, ms", ({ requestsMs }) => spread(requestsMs, [0.5, 0.99])],
  ["the directory is full at this multiple of the load", ({ directory }) => `${short(1 / directory.busy)} ×`],
];

export function formatLoad(simulated: readonly Simulated[]): string {
  const table = markdownTable([
    ["", ...simulated.map(({ title }) => title)],
    ...ROWS.map(([name, of]) => [name, ...simulated.map(({ load }) => of(load))]),
  ]);
  const [first] = simulated;
  if (first === undefined) return "";
  const { organizations, seconds, peak, isolates, times } = first.scenario;
  return `# Directory and alarms of many cells

Simulated by \`npm run bench:cells-load\`: ${organizations.toLocaleString("en")} organizations in cells, for ${seconds.toLocaleString("en")} seconds at ${peak} times the mean rate of a month. [The README](../README.md#many-cells) describes the tenants and the model. Nothing here was measured on Cloudflare.

${table}

Assumed times, in milliseconds: a call that reads ${times.read}, one that writes ${times.write}, a search in its cell ${times.search}, a sweep ${times.sweep}, loading a cell ${times.coldStart}, after ${times.inMemory.toLocaleString("en")} without a call. The requests of an organization reach ${isolates} isolates.
`;
}

const spread = (values: readonly number[], shares: readonly number[] = [0.5, 0.99, 1]): string =>
  shares.map((share) => short(quantile(values, share))).join(" / ");

const short = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

import { quantile } from "../../../support/statistics.ts";
import { type Measurement, MODES, type Pair, type Sample } from "./measure.ts";

/** Allowed relative difference in rows read. A key that is not cached costs 2 rows. */
const ROWS_TOLERANCE = 0.1;

export function formatReport({ organizations, messages, pairs }: Measurement): string {
  const all = (organizations * messages).toLocaleString("en");
  const head = [
    `an organization of ${messages.toLocaleString("en")} messages`,
    "alone",
    `among ${organizations}, ${all} messages in all`,
    "ratio",
  ];
  const rows = MODES.flatMap((mode) => {
    const asked = pairs.filter((pair) => pair.mode === mode);
    const line = (name: string, of: (samples: Sample[]) => number, digits: number) => {
      const [alone, among] = [of(asked.map((pair) => pair.alone)), of(asked.map((pair) => pair.among))];
      return [`${mode}, ${name}`, alone.toFixed(digits), among.toFixed(digits), (among / alone).toFixed(2)];
    };
    return [
      line(
        "ms, median",
        (samples) =>
          quantile(
            samples.map(({ ms }) => ms),
            0.5,
          ),
        1,
      ),
      line(
        "ms, 95th percentile",
        (samples) =>
          quantile(
            samples.map(({ ms }) => ms),
            0.95,
          ),
        1,
      ),
      line("D1 rows read, mean", (samples) => mean(samples.map(({ rowsRead }) => rowsRead)), 0),
      [
        `${mode}, answers that are the same`,
        "",
        `${asked.filter(({ isSame }) => isSame).length} of ${asked.length}`,
        "",
      ],
    ];
  });
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/**
 * Findings that a search depends on the data of other organizations. Ignores times, because they depend on
 * the machine.
 */
export function findDependence({ pairs }: Measurement): string[] {
  const name = ({ mode, query }: Pair) => `${mode}, "${query}"`;
  return pairs.flatMap((pair) => [
    ...(pair.isSame ? [] : [`${name(pair)} is answered otherwise among others.`]),
    ...(Math.abs(pair.among.rowsRead / pair.alone.rowsRead - 1) <= ROWS_TOLERANCE
      ? []
      : [`${name(pair)} reads ${pair.alone.rowsRead} rows alone, ${pair.among.rowsRead} among others.`]),
  ]);
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

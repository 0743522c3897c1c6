import { LOCAL_APPEND_ROWS, type LocalFigures } from "./local-figures.ts";
import type { Measurement } from "./measure.ts";

/** One line of the table. Texts, as they are shown. */
interface Line {
  figure: string;
  measured: string;
  local: string;
  /** What Cloudflare documents, or what was estimated before anything ran on Cloudflare. */
  assumed: string;
}

const NONE = "–";
/** Rows that the internal tables of FTS5 add to an append of one message make at least this difference. */
const FTS_ROWS_MIN = 3;

/** The figures in a table, compared with local ones and with what was assumed, and what is missing. */
export function report(measurement: Measurement, local: LocalFigures): string {
  const { database_location, placement, entered_at, ran_at, requests, rows_written, failures } = measurement;
  const lines: Line[] = [
    { figure: "", measured: "this account", local: "locally", assumed: "assumed" },
    ...toLines(measurement, local),
  ];
  const widths = (["figure", "measured", "local"] as const).map((column) =>
    Math.max(...lines.map((line) => line[column].length)),
  );
  const [figureWidth = 0, measuredWidth = 0, localWidth = 0] = widths;
  return [
    "",
    `Database in ${database_location ?? "an unknown location"}, Worker ${placement}${ran_at === null ? "" : `, it ran in ${ran_at}`}${entered_at === null ? "" : `, requests entered in ${entered_at}`}.`,
    "",
    ...lines.map(({ figure, measured, local, assumed }) =>
      `  ${figure.padEnd(figureWidth)}  ${measured.padEnd(measuredWidth)}  ${local.padEnd(localWidth)}  ${assumed}`.trimEnd(),
    ),
    "",
    `${requests} requests in ${measurement.seconds} s. D1 reported ${rows_written.toLocaleString("en")} rows written for them, without background work.`,
    ...failures.map(({ phase, reason }) => `Not measured: ${phase}. ${reason}`),
    ...failedCalls(measurement),
    "The bill and the memory in use cannot be seen from here: docs/deploy.md, Measure a deployment.",
    "",
  ].join("\n");
}

function toLines(measurement: Measurement, local: LocalFigures): Line[] {
  const { append, search, append_rate, search_rate, rows, rows_in_batches, large_appends, vector_lag } =
    measurement;
  const { first_request, startup_ms } = measurement;
  return [
    {
      figure: "append of one message, p50, p99",
      measured: ms(append?.p50_ms, append?.p99_ms),
      local: ms(local.appendP50Ms),
      assumed: NONE,
    },
    {
      figure: "  of which in the Worker",
      measured: ms(append?.worker_p50_ms, append?.worker_p99_ms),
      local: NONE,
      assumed: NONE,
    },
    {
      figure: "hybrid search, p50, p99",
      measured: ms(search?.p50_ms, search?.p99_ms),
      local: ms(local.searchP50Ms, local.searchP99Ms),
      assumed: NONE,
    },
    {
      figure: "  of which in the Worker",
      measured: ms(search?.worker_p50_ms, search?.worker_p99_ms),
      local: NONE,
      assumed: NONE,
    },
    {
      figure: "one call of D1, from the Worker",
      measured: ms(search?.d1_call_p50_ms),
      local: NONE,
      assumed: "a few ms, near the database",
    },
    {
      figure: "Workers AI, Vectorize, in a search",
      measured: ms(search?.ai_p50_ms, search?.vectorize_p50_ms),
      local: NONE,
      assumed: NONE,
    },
    {
      figure: `appends a second, ${append_rate?.connections ?? 0} at once`,
      measured: number(append_rate?.per_second),
      local: number(local.appendsPerSecond, "one at a time"),
      assumed: "50 to 150, of one database",
    },
    {
      figure: `searches a second, ${search_rate?.connections ?? 0} at once`,
      measured: number(search_rate?.per_second),
      local: NONE,
      assumed: "20 to 60, of one database",
    },
    {
      figure: "rows written by an append of one",
      measured: number(rows?.written),
      local: number(LOCAL_APPEND_ROWS),
      assumed: ftsVerdict(rows?.written, local.ftsRowsWritten),
    },
    {
      figure: "  until it is indexed",
      measured: number(rows?.written_until_indexed),
      local: number(local.rowsWritten, "with the sweep's"),
      assumed: NONE,
    },
    {
      figure: "  a message in an append of 50",
      measured: number(rows_in_batches?.written_until_indexed),
      local: number(local.rowsWrittenInBatches, "with the sweep's"),
      assumed: NONE,
    },
    {
      figure: "Vectorize has accepted a message, p50",
      measured: ms(rows?.indexed_p50_ms),
      local: NONE,
      assumed: NONE,
    },
    {
      figure: "semantic search finds it, p50, slowest",
      measured: seconds(vector_lag?.p50_ms, vector_lag?.slowest_ms),
      local: "at once",
      assumed: "30, 120 s",
    },
    {
      figure: `append of ${megabytes(large_appends?.bytes)}, alone, ${large_appends?.at_once ?? 0} at once`,
      measured: ms(large_appends?.alone_ms ?? undefined, large_appends?.slowest_at_once_ms ?? undefined),
      local: NONE,
      assumed: "all are stored",
    },
    {
      figure: "start of the Worker",
      measured: ms(startup_ms ?? undefined),
      local: NONE,
      assumed: "less than 1,000 ms",
    },
    {
      figure: "first request of a version, later ones",
      measured: ms(first_request?.first_ms, first_request?.later_p50_ms),
      local: NONE,
      assumed: NONE,
    },
  ];
}

/** Whether D1 counts the rows of FTS5's internal tables. */
function ftsVerdict(written: number | undefined, ftsRows: number | undefined): string {
  const open = `${LOCAL_APPEND_ROWS}, or ${number(ftsRows)} more with FTS5's tables`;
  if (written === undefined || Number.isNaN(written)) return open;
  return written >= LOCAL_APPEND_ROWS + FTS_ROWS_MIN
    ? `${open}: D1 counts them`
    : `${open}: D1 does not report them`;
}

function failedCalls(measurement: Measurement): string[] {
  const { append, search, append_rate, search_rate, rows, rows_in_batches, large_appends, vector_lag } =
    measurement;
  const phases = {
    append,
    search,
    append_rate,
    search_rate,
    rows,
    rows_in_batches,
    large_appends,
    vector_lag,
  };
  return Object.entries(phases).flatMap(([name, figures]) =>
    figures !== null && figures.failed > 0
      ? [`${figures.failed} calls failed (${name.replaceAll("_", " ")}). The first: ${figures.failure}`]
      : [],
  );
}

function ms(...values: (number | undefined)[]): string {
  const shown = values.filter((value) => value !== undefined).map((value) => number(value));
  return shown.length === 0 ? NONE : `${shown.join(", ")} ms`;
}

function seconds(...values: (number | undefined)[]): string {
  const shown = values.filter((value) => value !== undefined).map((value) => number(value / 1_000));
  return shown.length === 0 ? NONE : `${shown.join(", ")} s`;
}

function number(value: number | undefined, how?: string): string {
  if (value === undefined || Number.isNaN(value)) return NONE;
  return `${value.toLocaleString("en")}${how === undefined ? "" : `, ${how}`}`;
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "2 MB" : `${(bytes / 1e6).toLocaleString("en")} MB`;
}

import { markdownTable } from "../command/tables.ts";
import type {
  AtOnceFigures,
  CallFigures,
  Goal,
  LargeFigures,
  Measurement,
  SystemFigures,
} from "./figures.ts";

const MEGABYTE = 1e6;
const UNKNOWN = "–";

/** Format the figures as Markdown. With `plotFile`, the plot is included. */
export function formatReport(measurement: Measurement, plotFile?: string): string {
  const { messages, queries, calls, rounds, machine, systems, atOnce, isRemote } = measurement;
  const count = (value: number) => value.toLocaleString("en");
  return [
    "# Speed",
    `Made by \`npm run bench:speed\`; [the README](../README.md#speed) describes the systems, the data and each figure. This run: ${count(messages)} messages, ${queries} queries, ${rounds} ${rounds === 1 ? "round" : "rounds"}, ${isRemote ? "against a running service, from a machine with" : "on"} ${machine.cores} cores (${machine.platform}, Node ${machine.node}). "p50" is the median time, "p95" and "p99" are percentiles. Engram and Chroma are called over HTTP, Postgres over TCP, and the other systems in their caller's process. Compare figures only within this page, because they depend on the machine.`,
    ...(plotFile === undefined ? [] : [`![Messages a second and search times](${plotFile})`]),
    ...(measurement.goals.length === 0 ? [] : ["## Goals", formatGoals(measurement.goals)]),
    ...(systems.length === 0 ? [] : formatOneAtATime(measurement)),
    ...(atOnce.length === 0
      ? []
      : [
          "## Eight clients at once",
          formatAtOnce(atOnce),
          `Each of the eight clients sends its next call when its last one was answered: ${count(calls)} searches in each way, then ${count(calls)} appends of one message to a conversation of its own. The store holds ${count(messages)} messages before.`,
        ]),
    ...(measurement.large === null ? [] : ["## At 100,000 messages", formatLarge(measurement.large)]),
    ...(measurement.skipped.length === 0
      ? []
      : [
          "## Not measured",
          measurement.skipped.map(({ name, reason }) => `- ${name}: ${oneLine(reason)}`).join("\n"),
        ]),
  ].join("\n\n");
}

function formatOneAtATime(measurement: Measurement): string[] {
  const { systems, windows } = measurement;
  return [
    "## Systems, one call at a time",
    formatSystems(systems),
    ...(windows === 0
      ? []
      : [
          `Engram makes ${windows.toLocaleString("en")} vectors of the messages, one for each window of five; the others make one for each message. Recall is not given for hybrid searches: they also rank by words, so the nearest vectors are not the only right results. Median search times of each round: ${formatRounds(systems)}. Engram embeds a query once, for its hybrid search: its semantic search then has the vector in its cache.`,
        ]),
    ...formatFound(systems),
    "## Compared with an empty request, a scan and an INSERT",
    formatLimits(measurement),
  ];
}

function formatGoals(goals: readonly Goal[]): string {
  const verdict = ({ met }: Goal) => (met === null ? "not measured" : met ? "met" : "**missed**");
  return markdownTable([
    ["", "goal", "measured", ""],
    ...goals.map((goal) => {
      const unit = goal.goal.endsWith("×") ? " ×" : "";
      return [
        goal.name,
        goal.goal,
        goal.measured === null ? UNKNOWN : short(goal.measured) + unit,
        verdict(goal),
      ];
    }),
  ]);
}

function formatSystems(systems: readonly SystemFigures[]): string {
  const rows = systems.flatMap(({ title, versions, appended, searches, memoryBytes }) =>
    Object.entries(searches).map(([way, search], i) => {
      const own = (cell: string) => (i === 0 ? cell : "");
      return [
        own([title, ...versions].join("<br>")),
        own(short(appended.singly)),
        own(short(appended.batched)),
        own(short(appended.settled)),
        way,
        short(search.p50),
        short(search.p95),
        short(search.p99),
        search.recall === null ? UNKNOWN : search.recall.toFixed(3),
        own(memoryBytes === null ? UNKNOWN : String(Math.round(memoryBytes / MEGABYTE))),
      ];
    }),
  );
  return markdownTable([
    [
      "",
      "append 1, messages/s",
      "append 50, messages/s",
      "until found by meaning",
      "search",
      "p50 ms",
      "p95 ms",
      "p99 ms",
      "recall@10",
      "memory MB",
    ],
    ...rows,
  ]);
}

function formatAtOnce(systems: readonly AtOnceFigures[]): string {
  const rows = systems.flatMap(({ title, versions, called, appends, searches }) =>
    Object.entries(searches).map(([way, search], i) => [
      ...[[title, ...versions].join("<br>"), called, ...cellsOf(appends)].map((cell) =>
        i === 0 ? cell : "",
      ),
      way,
      ...cellsOf(search),
    ]),
  );
  const head = ["", "called", "appends/s", "p50 ms", "p99 ms", "search", "searches/s", "p50 ms", "p99 ms"];
  return markdownTable([head, ...rows], 2);
}

const cellsOf = ({ perSecond, p50, p99 }: CallFigures): string[] => [perSecond, p50, p99].map(short);

function formatFound(systems: readonly SystemFigures[]): string[] {
  const lags = systems.flatMap(({ name, found }) =>
    found === null ? [] : `${name} ${short(found.median)} and ${short(found.slowest)} s`,
  );
  const count = systems.find(({ found }) => found !== null)?.found?.messages;
  if (count === undefined) return [];
  return [
    `Seconds from an append until a semantic search finds the message, of ${count} messages the median and the slowest: ${lags.join(", ")}.`,
  ];
}

const formatRounds = (systems: readonly SystemFigures[]): string =>
  systems
    .flatMap(({ name, searches }) =>
      Object.entries(searches).map(
        ([way, { p50OfRounds }]) =>
          `${name}${Object.keys(searches).length > 1 ? ` ${way}` : ""} ${p50OfRounds.map(short).join(" / ")} ms`,
      ),
    )
    .join(", ");

function formatLimits({ inserts, systems, messages, requests }: Measurement): string {
  const engram = systems.find(({ name }) => name === "engram");
  const search = engram?.searches.hybrid;
  const of = (limit: number, reached: number) => `${short(reached / limit)} of it`;
  const rows = [
    ...(inserts === null || engram === undefined
      ? []
      : [
          [
            "one `INSERT … json_each` a message",
            `${short(inserts.singly)} messages/s`,
            of(inserts.singly, engram.appended.singly),
          ],
          [
            "one `INSERT … json_each` for 50",
            `${short(inserts.batched)} messages/s`,
            of(inserts.batched, engram.appended.batched),
          ],
        ]),
    ...(search === undefined || search.emptyP50 === null
      ? []
      : [
          [
            "an empty request, `GET /health`",
            `${short(search.emptyP50)} ms`,
            `${short(search.p50 / search.emptyP50)} ×`,
          ],
        ]),
    ...(requests === null
      ? []
      : [
          ["the same, for the rows below", `${short(requests.emptyP50)} ms`, ""],
          ...(
            [
              ["a default search over 260 messages of 2 kB", requests.longSearch],
              ["a conversation with 100 of its messages", requests.conversation],
              ["a search of messages and memories for 4,000 tokens", requests.sameSearch],
              ["a context with the same query and size", requests.context],
              ["a context without a query", requests.contextWithoutQuery],
            ] as const
          ).map(([name, { p50 }]) => [name, `${short(p50)} ms`, `${short(p50 / requests.emptyP50)} ×`]),
        ]),
    ...systems.flatMap(({ name, searches }) => {
      const [first] = Object.values(searches);
      const scan = first?.scanP50 ?? Number.NaN;
      if (Number.isNaN(scan)) return [];
      return [
        [
          `a scan of ${messages.toLocaleString("en")} vectors in memory, during ${name}`,
          `${short(scan)} ms`,
          `${short((first?.p50 ?? Number.NaN) / scan)} ×`,
        ],
      ];
    }),
  ];
  return markdownTable([["", "rate, or p50", "the system, compared"], ...rows]);
}

function formatLarge({ sizes, append, indexed, searches, loaded }: LargeFigures): string {
  const ways = Object.keys(searches)
    .filter((name) => name.startsWith("small "))
    .map((name) => name.slice("small ".length));
  const count = (value: number) => value.toLocaleString("en");
  const row = (name: string, small: number, large: number) => [
    name,
    short(small),
    short(large),
    short(large / small),
  ];
  const { conversations, organizations } = sizes;
  const recalls = ["small", "large"].map(
    (size) => searches[`${size} semantic`]?.recall?.toFixed(3) ?? UNKNOWN,
  );
  return [
    markdownTable([
      ["", "small", "large", "ratio"],
      row(
        `append of one message into a conversation of ${count(conversations.small)} and ${count(conversations.large)}, p50 ms`,
        append.small,
        append.large,
      ),
      row("the same until its vector is in", indexed.small, indexed.large),
      ...ways.map((way) =>
        row(
          `search, ${way}, in an organization of ${count(organizations.small)} and ${count(organizations.large)}, p50 ms`,
          searches[`small ${way}`]?.p50 ?? Number.NaN,
          searches[`large ${way}`]?.p50 ?? Number.NaN,
        ),
      ),
    ]),
    `Semantic recall@10 is ${recalls.join(" and ")}. Filling the large organization went at ${short(loaded.kept)} messages a second, and at ${short(loaded.indexed)} until all of them could be found by meaning.`,
  ].join("\n\n");
}

/** Three significant digits. */
const short = (value: number): string => {
  if (!Number.isFinite(value)) return UNKNOWN;
  return value >= 1_000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
};

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

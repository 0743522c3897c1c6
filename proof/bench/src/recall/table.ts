import { peerVersions } from "../command/packages.ts";
import { markdownTable } from "../command/tables.ts";
import { PEERS, type PeerName } from "./peers.ts";
import {
  COMPARED,
  type Compared,
  differenceOf,
  groupBy,
  intervalOf,
  type QuestionLine,
} from "./question-lines.ts";

/** A system that was not measured, with the set and the reason. */
export type Failures = Partial<Record<PeerName, string>>;

/** The name of a search mode of Engram among systems. */
export const engramOf = (mode: string): string => `${ENGRAM}, ${mode}`;
const ENGRAM = "Engram";

type Systems = readonly [string, QuestionLine[]][];

/** The page `results/recall.md`. The first system of a set is compared with those that are not Engram. */
export function toPage(
  lines: readonly QuestionLine[],
  peers: readonly PeerName[],
  failures: Failures,
): string {
  const rows = peers.map((name) => {
    const failed = failures[name];
    const note = failed === undefined ? "" : `; not measured on ${failed.replace(/\s+/g, " ")}`;
    return [PEERS[name].title, peerVersions(name).join(", "), `${PEERS[name].given}${note}`];
  });
  return `# Recall

Written by \`npm run bench:recall\` with \`--results\`; [the README](../README.md#compare-with-other-systems) has the command, the metrics and the data. The figures are the same on every machine, unless one is so busy that searches are degraded, which the command prints.

All systems got the same messages and the same questions. Each dialogue is a memory of its own, so the candidates of a question are the messages of its own dialogue, as LMEB (arXiv 2603.12572) limits them. \`ndcg@10\` is LMEB's main metric: binary relevance, and an ideal order of at most ten. All columns are in percent, with the 95 % interval of a bootstrap over the questions (1,000 draws).

- **Difference:** the first system minus the best of the others in this column, question by question, with its interval.
- **Goal:** to be first in every column, or so close to the first that the interval of the difference includes 0.

${[...groupBy(lines, ({ set }) => set)].map(([set, some]) => describeSet(set, some)).join("\n")}
## What each system got

Engram has its built-in word vectors, in chunks of five messages. It gets titles, names and times in fields of their own. The others get \`[title] name: content\` as the text of each message, as far as it has a title and a name, and the same model's vector of this text. A question about an earlier time is asked when only the messages before it are stored.

Chinese is written without spaces. Engram segments it; the word indexes of FTS5, Postgres, LanceDB, MemPalace and engram-search, with the settings below, do not.

${markdownTable([["system", "version", "setup"], ...rows], 3)}

Not included:

- **basic-memory** needs Python 3.12 with loadable extensions of SQLite, which Debian 12 does not have. Without them, it searches by words only, with FTS5. A note takes it some 0.2 s to write, and these sets have 29,000 messages.
- **cogito-ergo** embeds only with a model in Ollama, in its own search and in mem0, from which its candidates come.
`;
}

function describeSet(set: string, lines: readonly QuestionLine[]): string {
  const systems = [...groupBy(lines, ({ system }) => system)];
  const [first] = systems;
  if (first === undefined) return "";
  const classes = [...groupBy(first[1], (line) => line.class)];
  const ofClass = (some: readonly QuestionLine[], name: string) => some.filter((line) => line.class === name);
  return `## ${set}

${first[1].length} questions.

${markdownTable([
  ["system", ...COMPARED],
  ...systems.map(([system, some]) => [system, ...COMPARED.map((metric) => toCell(some, metric))]),
  ...toVerdict(systems),
])}

${first[0]}, by class:

${markdownTable([
  ["class", "questions", ...COMPARED],
  ...classes.map(([name, some]) => [
    name,
    String(some.length),
    ...COMPARED.map((metric) => toCell(some, metric)),
  ]),
])}

\`ndcg@10\` of every system, by class:

${markdownTable([
  ["class", ...systems.map(([system]) => system)],
  ...classes.map(([name]) => [name, ...systems.map(([, some]) => toCell(ofClass(some, name), "ndcg@10"))]),
])}
`;
}

function toVerdict([first, ...rest]: Systems): string[][] {
  // Other modes of Engram are no competitors.
  const others = rest.filter(([system]) => !system.startsWith(ENGRAM));
  if (first === undefined || others.length === 0) return [];
  const differences = COMPARED.map((metric) => {
    const means = others.map(([, lines]) => intervalOf(lines, metric).mean);
    const best = others[means.indexOf(Math.max(...means))]?.[1] ?? [];
    return differenceOf(first[1], best, metric);
  });
  return [
    ["difference", ...differences.map((interval) => toText(interval, true))],
    [
      "goal",
      ...differences.map(({ mean, high }) => {
        if (mean >= 0) return "first";
        return high >= 0 ? "within the interval" : "**behind**";
      }),
    ],
  ];
}

/**
 * Lines that compare a run with an earlier one, for each set, scope and system that both have: the difference of
 * each metric in percentage points, question by question, with its 95 % interval.
 */
export function compareRuns(lines: readonly QuestionLine[], earlier: readonly QuestionLine[]): string[] {
  const keyOf = ({ set, scope, system }: QuestionLine) => `${set}, ${scope}, ${system}`;
  const before = groupBy(earlier, keyOf);
  return [...groupBy(lines, keyOf)].flatMap(([key, some]) => {
    const others = before.get(key);
    if (others === undefined) return [`${key}: not in the earlier file`];
    const ids = new Set(others.map(({ id }) => id));
    const paired = some.filter(({ id }) => ids.has(id));
    if (paired.length === 0) return [`${key}: no question in common`];
    return [
      `${key}, ${paired.length} questions, now minus earlier (* the interval excludes 0):`,
      ...COMPARED.map((metric) => {
        const interval = differenceOf(paired, others, metric);
        const mark = interval.low > 0 || interval.high < 0 ? " *" : "";
        return `  ${metric.padEnd(9)}${toText(interval, true)}${mark}`;
      }),
    ];
  });
}

const toCell = (lines: readonly QuestionLine[], metric: Compared) =>
  lines.length === 0 ? "–" : toText(intervalOf(lines, metric));

function toText({ mean, low, high }: { mean: number; low: number; high: number }, signed = false): string {
  const [middle, from, to] = [mean, low, high].map((value) => {
    const text = value.toFixed(1).replace(/^-0\.0$/, "0.0");
    return signed && value >= 0.05 ? `+${text}` : text.replace("-", "−");
  });
  return signed ? `${middle} (${from} to ${to})` : `${middle} (${from}–${to})`;
}

// The command of `npm run bench:entities`: which share of the entities in messages do the rules find, and how much of
// what they find is right?
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ENTITY_RULES } from "../../../service/src/text/entities/index.ts";
import { runCommand } from "./command/command.ts";
import { readOptions, readPath, UsageError } from "./command/options.ts";
import { COMPROMISE, RULES, withoutValues } from "./entities/finders.ts";
import { findBelowEntityFloors, readEntityFloors } from "./entities/floors.ts";
import { type Finder, measureFinder } from "./entities/measure.ts";
import { formatMiss, formatReport, type Row } from "./entities/report.ts";
import { type LabelledMessage, readCodingSet } from "./entities/set.ts";
import { HALVES, type Half } from "./recall/halves.ts";

const USAGE = `Usage: npm run bench:entities -- [options]

  --half dev       measure the development half only
  --misses         list what is missed or wrong in the development half
  --floors FILE    fail when a figure of the rules is below its floor
  --results DIR    write entities.md to DIR`;

await runCommand(USAGE, async ({ argv, workingDirectory, print }) => {
  const options = readOptions(argv, {
    half: { type: "string" },
    misses: { type: "boolean" },
    floors: { type: "string" },
    results: { type: "string" },
  });
  if (options.half !== undefined && options.half !== "dev") throw new UsageError("--half must be dev");
  const set = readCodingSet();
  const messages = groupByHalf(options.half === "dev" ? set.filter(({ half }) => half === "dev") : set);
  const floorsFile = readPath(workingDirectory, options.floors);
  const floors = floorsFile === undefined ? undefined : await readEntityFloors(floorsFile);

  if (options.misses === true) {
    for (const miss of measureFinder(messages.dev, RULES).misses) print(formatMiss(miss));
  }
  const rules = toRow(messages, RULES);
  const report = formatReport({
    messages: { dev: messages.dev.length, held: messages.held.length },
    rows: [rules, toRow(messages, COMPROMISE)],
    places: [RULES, COMPROMISE].map((finder) => toRow(withoutDays(messages), withoutValues(finder))),
    rules: ENTITY_RULES,
  });
  print(report);
  const directory = readPath(workingDirectory, options.results);
  if (directory !== undefined) await writeFile(join(directory, "entities.md"), report);
  const below = floors === undefined ? [] : findBelowEntityFloors(floors, rules.halves);
  for (const line of below) print(line);
  return below.length === 0 ? 0 : 1;
});

type Messages = Record<Half, LabelledMessage[]>;

function groupByHalf(set: readonly LabelledMessage[]): Messages {
  return { dev: set.filter(({ half }) => half === "dev"), held: set.filter(({ half }) => half === "held") };
}

function toRow(messages: Messages, finder: Finder): Row {
  const [dev, held] = HALVES.map((half) => measureFinder(messages[half], finder).figures);
  return { finder: finder.name, halves: { dev: dev ?? {}, held: held ?? {} } };
}

/** The same messages with dates whose values are removed, so that only their place counts. */
function withoutDays({ dev, held }: Messages): Messages {
  const strip = (message: LabelledMessage): LabelledMessage => ({
    ...message,
    labels: message.labels.map(({ value: _, ...label }) => label),
  });
  return { dev: dev.map(strip), held: held.map(strip) };
}

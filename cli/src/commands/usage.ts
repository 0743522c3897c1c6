import type { ListUsageGroupsQuery, Usage, UsageGroup } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { count, oneLine } from "../output.ts";

type Dimension = ListUsageGroupsQuery["group_by"][number];
const DIMENSIONS: Dimension[] = ["day", "key", "operation", "tool", "user"];
/** Of usage that is not grouped. */
const DIMENSIONS_DEFAULT: Dimension[] = ["day", "key"];

interface Options {
  groupBy?: Dimension[];
  from?: string;
  to?: string;
  key?: string;
  limit: number;
}

export function addUsage(program: Command): void {
  program
    .command("usage")
    .description(
      "Show how much each key used on each day, or sums by operation, MCP tool or user; needs the scope admin",
    )
    .addOption(
      new Option("--group-by <dimension...>", "dimensions of the sums; without it, days and keys").choices(
        DIMENSIONS,
      ),
    )
    .option("--from <day>", "first day in UTC, as in 2026-11-02")
    .option("--to <day>", "last day in UTC")
    .option("--key <id>", "only usage of this key")
    .option("--limit <n>", "maximum number of rows", wholeNumber(1, 100_000), 100)
    .addHelpText(
      "after",
      `
Counts appear within about a minute. They are for monitoring, not for billing. A call of an MCP tool
counts for the tool and for the operation that it uses. A user is that of the key. \`-\` stands for no key,
operation, tool or user.

Examples:
  $ engram usage --from 2026-11-01
  $ engram usage --group-by operation
  $ engram usage --group-by day tool --json | jq '.items[]'
`,
    )
    .action(async ({ groupBy, from, to, key, limit }: Options, command: Command) => {
      const { output, client } = contextOf(command);
      const { usage } = client();
      const filter = { from, to, key_id: key, limit: Math.min(limit, PAGE_ITEMS_MAX) };
      const found: (Usage | UsageGroup)[] =
        groupBy === undefined
          ? await usage.list(filter).toArray({ max: limit })
          : await usage.list({ ...filter, group_by: groupBy }).toArray({ max: limit });
      const shown = DIMENSIONS.filter((dimension) => (groupBy ?? DIMENSIONS_DEFAULT).includes(dimension));
      output.data({ items: found }, () =>
        output.list(
          [...shown.map((dimension) => dimension.toUpperCase()), ...AMOUNTS.map(([title]) => title)],
          found.map((item) => row(item, shown)),
        ),
      );
      if (found.length === 0) output.note("No usage found.");
    });
}

const AMOUNTS = [
  ["REQUESTS", "requests"],
  ["MESSAGES", "messages"],
  ["BYTES", "message_bytes"],
  ["SEARCHES", "searches"],
  ["EMBEDDINGS", "embeddings"],
  ["ERRORS", "errors"],
] as const;
const FIELDS = {
  day: "day",
  key: "key_id",
  operation: "operation",
  tool: "tool",
  user: "user_id",
} as const;

const row = (item: UsageGroup, shown: readonly Dimension[]): string[] => [
  ...shown.map((dimension) => oneLine(item[FIELDS[dimension]] ?? "-")),
  ...AMOUNTS.map(([title, name]) => count(item[name]).padStart(title.length)),
];
